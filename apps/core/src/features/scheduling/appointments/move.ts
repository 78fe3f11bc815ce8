import { dayAround } from '@tendon/availability'
import type { AppointmentMode, AppointmentMove, AppointmentStatus } from '@tendon/contracts'
import { newId, type ServiceTx, together } from '@tendon/db'
import type { ApiError } from '@tendon/http'
import {
  convertClaim,
  countDay,
  dayFull,
  endHold,
  findHeldForUpdate,
  type HeldTime,
  holdConverted,
  holdExpired,
  holdNotFound,
  slotTaken,
} from '../holds/index.ts'
import {
  findMovableForUpdate,
  followMove,
  insertMoved,
  lockForMove,
  type MovableRow,
  updateCancelled,
} from './booking-queries.ts'
import { lockDayOfHold } from './day-limit.ts'
import {
  holdOrTime,
  notMovable,
  notOfHold,
  patientBusy,
  startsInPast,
  unknownService,
  unknownSpecialist,
} from './errors.ts'
import { findBookingFacts } from './facts-queries.ts'
import { deleteNotice, followWithNotice } from './notice-queries.ts'
import { noticeLater } from './notices.ts'
import { claimAppointment, freeTime } from './queries.ts'
import {
  endOf,
  isChangeable,
  isDayFull,
  isHeldFor,
  type Mover,
  mayMoveTo,
  missingConsents,
  placeWhenMoved,
  statusWhenMoved,
} from './rules.ts'

interface Move {
  id: string
  by: Mover
  holdId: string | null
  /** Staff move also without a hold. */
  startsAt?: string | null
  /** What staff change besides the time. */
  serviceId?: string | undefined
  specialistId?: string | undefined
  mode?: AppointmentMode | undefined
  locationId?: string | undefined
  overLimit?: boolean | undefined
  allowPast?: boolean | undefined
  now: Date
  /** Refuses what the mover may not move, before anything else does. */
  check?: (tx: ServiceTx) => Promise<void>
  /** The refusal for an appointment that cannot be moved; that of appointments unless given. */
  refuse?: (status: AppointmentStatus | undefined) => ApiError
}

export const moveByStaff = (id: string, body: AppointmentMove, now: Date): Move => ({
  id,
  by: 'staff',
  holdId: body.hold_id ?? null,
  startsAt: body.starts_at ?? null,
  serviceId: body.service_id?.toLowerCase(),
  specialistId: body.specialist_id?.toLowerCase(),
  mode: body.mode,
  locationId: body.location_id?.toLowerCase(),
  overLimit: body.over_limit,
  allowPast: body.allow_past,
  now,
})

/** Cancels an appointment and writes a new one in its place. `read` is sent together with the writes. */
export async function moveAppointment<Row>(
  tx: ServiceTx,
  move: Move,
  read: (tx: ServiceTx, id: string, from: MovableRow) => Promise<Row>,
): Promise<{ row: Row; isOverLimit: boolean }> {
  const { id, holdId, by, now } = move
  const [, , old, held] = await together([
    move.check?.(tx),
    lockForMove(tx, id, holdId, move.specialistId),
    findMovableForUpdate(tx, id),
    holdId === null ? undefined : findHeldForUpdate(tx, holdId),
  ])
  const change = old && (await changeOf(tx, move, old, held))
  const { from, time } = mustBePossible(move, old, held, change)
  const to = { ...from, ...change }
  const isOverLimit = held === undefined && (await isOver(tx, to, time.startsAt))
  if (isOverLimit && !move.overLimit) throw dayFull()

  const newRow = newId()
  const status = statusWhenMoved(from.status, by, from.requires_confirmation)
  const mode = move.mode ?? held?.mode ?? from.mode
  const place = placeWhenMoved(withoutCalendarOf(from, to.specialist_id), held, move.locationId)
  const written = together([
    held && lockDayOfHold(tx, held),
    updateCancelled(tx, id, by, 'rescheduled'),
    freeTime(tx, id),
    insertMoved(tx, {
      id: newRow,
      fromId: id,
      by,
      serviceId: to.service_id,
      priceCents: to.price_cents,
      currency: to.currency,
      specialistId: held?.specialist_id ?? to.specialist_id,
      locationId: place.location_id,
      calendarId: place.calendar_id,
      ...time,
      timeZone: held?.time_zone ?? to.time_zone,
      mode,
      missingConsents: missingConsents(mode, from.has_telemedicine),
      status,
      confirmedAt: status === 'confirmed' ? from.confirmed_at : null,
    }),
  ])
  const rest = together([
    holdId === null ? claimAppointment(tx, newRow) : convertClaim(tx, holdId, newRow),
    holdId === null ? undefined : endHold(tx, holdId, 'converted'),
    followMove(tx, id, newRow),
    by === 'staff' ? followWithNotice(tx, id, newRow) : deleteNotice(tx, id),
    by === 'staff' && noticeLater(tx, { id: newRow, before: from, after: { starts_at: time.startsAt } }, now),
    read(tx, newRow, from),
  ])
  rest.catch(() => {}) // Fails also when the first part did.
  const [, , , isInserted] = await written
  if (!isInserted) throw patientBusy()
  const [isClaimed, , , , , row] = await rest
  if (!isClaimed) throw holdId === null ? slotTaken() : holdExpired()
  return { row, isOverLimit }
}

type Possible = MovableRow & { status: 'pending' | 'confirmed' }

function mustBePossible(
  { holdId, startsAt = null, by, allowPast = false, now, refuse }: Move,
  old: MovableRow | undefined,
  held: HeldTime | undefined,
  change: Change | undefined,
): { from: Possible; time: { startsAt: string; endsAt: string } } {
  if (holdId !== null && !held) throw holdNotFound()
  if (!old || !isPossible(old) || (by === 'booker' && old.is_restricted))
    throw refuse?.(old?.status) ?? notMovable({ status: old?.status ?? 'gone' })
  if (held && !isHeldFor(held, { ...old, ...change })) throw holdNotFound()
  if (held?.status === 'converted') throw holdConverted()
  const time = held
    ? { startsAt: held.starts_at, endsAt: held.ends_at }
    : timeFrom(old, startsAt, change?.duration_minutes)
  if (by === 'staff' && !mayMoveTo(time.startsAt, now, allowPast)) throw startsInPast()
  return { from: old, time }
}

const isPossible = (row: MovableRow): row is Possible => isChangeable(row.status)

/** As long as it was, or as its new service. */
function timeFrom(
  { starts_at, ends_at }: MovableRow,
  startsAt: string | null,
  minutes: number | undefined,
): { startsAt: string; endsAt: string } {
  if (startsAt === null || starts_at === null || ends_at === null) throw holdOrTime()
  if (minutes !== undefined) return { startsAt, endsAt: endOf(new Date(startsAt), minutes).toISOString() }
  const lengthMs = Date.parse(ends_at) - Date.parse(starts_at)
  return { startsAt, endsAt: new Date(Date.parse(startsAt) + lengthMs).toISOString() }
}

/** A hold was counted when it was taken; a time without one is counted now. The appointment itself does not count. */
async function isOver(tx: ServiceTx, to: MovableRow, startsAt: string): Promise<boolean> {
  if (to.max_per_day === null || to.specialist_id === null) return false
  const day = dayAround(to.time_zone, Date.parse(startsAt))
  const { id: exceptId, service_id: serviceId, specialist_id: specialistId } = to
  return isDayFull(await countDay(tx, { ...day, serviceId, specialistId, exceptId }), to.max_per_day)
}

/** What another service or specialist changes of a visit. */
type Change = Partial<
  Pick<MovableRow, 'service_id' | 'specialist_id' | 'time_zone' | 'max_per_day' | 'price_cents' | 'currency'>
> & { duration_minutes?: number }

/** Checked as when an appointment is created. Undefined: both stay. */
async function changeOf(
  tx: ServiceTx,
  { serviceId, specialistId }: Move,
  old: MovableRow,
  held: HeldTime | undefined,
): Promise<Change | undefined> {
  if (held && specialistId !== undefined && specialistId !== held.specialist_id) throw notOfHold()
  const isServiceNew = serviceId !== undefined && serviceId !== old.service_id
  const isSpecialistNew = specialistId !== undefined && specialistId !== old.specialist_id
  if (!isServiceNew && !isSpecialistNew) return undefined
  const [service_id, specialist_id] = [serviceId ?? old.service_id, specialistId ?? old.specialist_id]
  const facts = await findBookingFacts(tx, service_id, specialist_id)
  if (!facts) throw unknownService()
  if (isSpecialistNew && !facts.has_specialist) throw unknownSpecialist()
  const { time_zone, max_per_day, price_cents, currency, duration_minutes } = facts
  const ofSpecialist = isSpecialistNew ? { specialist_id, time_zone } : {}
  return isServiceNew
    ? { ...ofSpecialist, service_id, max_per_day, price_cents, currency, duration_minutes }
    : ofSpecialist
}

/** A calendar belongs to its specialist. */
const withoutCalendarOf = (from: MovableRow, specialistId: string | null): MovableRow =>
  specialistId === from.specialist_id ? from : { ...from, calendar_id: null }
