import { dayAround } from '@tendon/availability'
import type { AppointmentStatus } from '@tendon/contracts'
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
import { holdOrTime, notMovable, patientBusy, startsInPast } from './errors.ts'
import { claimAppointment, freeTime } from './queries.ts'
import {
  isChangeable,
  isDayFull,
  isHeldFor,
  type Mover,
  mayMoveTo,
  missingConsents,
  placeWhenMoved,
  statusWhenMoved,
} from './rules.ts'

export interface Move {
  id: string
  by: Mover
  holdId: string | null
  /** Staff move also without a hold. */
  startsAt?: string | null
  locationId?: string | undefined
  overLimit?: boolean | undefined
  allowPast?: boolean | undefined
  now: Date
  /** Refuses what the mover may not move, before anything else does. */
  check?: (tx: ServiceTx) => Promise<void>
  /** The refusal for an appointment that cannot be moved; that of appointments unless given. */
  refuse?: (status: AppointmentStatus | undefined) => ApiError
}

/** Cancels an appointment and writes a new one in its place. `read` is sent together with the writes. */
export async function moveAppointment<Row>(
  tx: ServiceTx,
  move: Move,
  read: (tx: ServiceTx, id: string, from: MovableRow) => Promise<Row>,
): Promise<{ row: Row; isOverLimit: boolean }> {
  const { id, holdId, by } = move
  const [, , old, held] = await together([
    move.check?.(tx),
    lockForMove(tx, id, holdId),
    findMovableForUpdate(tx, id),
    holdId === null ? undefined : findHeldForUpdate(tx, holdId),
  ])
  const { from, time } = mustBePossible(move, old, held)
  const isOverLimit = held === undefined && (await isOver(tx, from, time.startsAt))
  if (isOverLimit && !move.overLimit) throw dayFull()

  const newRow = newId()
  const status = statusWhenMoved(from.status, by, from.requires_confirmation)
  const mode = held?.mode ?? from.mode
  const place = placeWhenMoved(from, held, move.locationId)
  const written = together([
    held && lockDayOfHold(tx, held),
    updateCancelled(tx, id, by, 'rescheduled'),
    freeTime(tx, id),
    insertMoved(tx, {
      id: newRow,
      fromId: id,
      specialistId: held?.specialist_id ?? from.specialist_id,
      locationId: place.location_id,
      calendarId: place.calendar_id,
      ...time,
      timeZone: held?.time_zone ?? from.time_zone,
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
    read(tx, newRow, from),
  ])
  rest.catch(() => {}) // Fails also when the first part did.
  const [, , , isInserted] = await written
  if (!isInserted) throw patientBusy()
  const [isClaimed, , , row] = await rest
  if (!isClaimed) throw holdId === null ? slotTaken() : holdExpired()
  return { row, isOverLimit }
}

type Possible = MovableRow & { status: 'pending' | 'confirmed' }

function mustBePossible(
  { holdId, startsAt = null, by, allowPast = false, now, refuse }: Move,
  old: MovableRow | undefined,
  held: HeldTime | undefined,
): { from: Possible; time: { startsAt: string; endsAt: string } } {
  if (holdId !== null && !held) throw holdNotFound()
  if (!old || !isPossible(old) || (by === 'booker' && old.is_restricted))
    throw refuse?.(old?.status) ?? notMovable({ status: old?.status ?? 'gone' })
  if (held && !isHeldFor(held, old)) throw holdNotFound()
  if (held?.status === 'converted') throw holdConverted()
  const time = held ? { startsAt: held.starts_at, endsAt: held.ends_at } : timeFrom(old, startsAt)
  if (by === 'staff' && !mayMoveTo(time.startsAt, now, allowPast)) throw startsInPast()
  return { from: old, time }
}

const isPossible = (row: MovableRow): row is Possible => isChangeable(row.status)

/** As long as it was. */
function timeFrom({ starts_at, ends_at }: MovableRow, startsAt: string | null): { startsAt: string; endsAt: string } {
  if (startsAt === null || starts_at === null || ends_at === null) throw holdOrTime()
  const lengthMs = Date.parse(ends_at) - Date.parse(starts_at)
  return { startsAt, endsAt: new Date(Date.parse(startsAt) + lengthMs).toISOString() }
}

/** A hold was counted when it was taken; a time without one is counted now. The appointment itself does not count. */
async function isOver(tx: ServiceTx, from: Possible, startsAt: string): Promise<boolean> {
  if (from.max_per_day === null || from.specialist_id === null) return false
  const day = dayAround(from.time_zone, Date.parse(startsAt))
  const { id: exceptId, service_id: serviceId, specialist_id: specialistId } = from
  return isDayFull(await countDay(tx, { ...day, serviceId, specialistId, exceptId }), from.max_per_day)
}
