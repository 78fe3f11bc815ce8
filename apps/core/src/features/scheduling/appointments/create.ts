import { randomUUID } from 'node:crypto'
import { boundaryOf, dayOffOf, instantOf, localOf, readZone } from '@tendon/availability'
import type { Appointment, AppointmentMode, NewAppointment } from '@tendon/contracts'
import { asService, type TenantTx, together } from '@tendon/db'
import { ApiError } from '@tendon/http'
import { listCalendarFacts, listClosureFacts } from '../availability/index.ts'
import { dayFull, slotTaken } from '../holds/index.ts'
import { bookHold } from './book.ts'
import { lockSpecialist } from './booking-queries.ts'
import { checkCustomFields } from './custom-fields.ts'
import { isOverLimitOf } from './day-limit.ts'
import {
  holdOrTime,
  notWalkInTime,
  patientBusy,
  refuseFields,
  seriesNeedsTime,
  unknownService,
  unknownSpecialist,
  walkInAlone,
} from './errors.ts'
import { type BookingFacts, findFactsForStaff } from './facts-queries.ts'
import { mustBeOpen } from './locations.ts'
import { isWalkIn } from './notice-rules.ts'
import { noticeLater, noticeSeries } from './notices.ts'
import { findBookingPatient, lockPatient } from './patient-queries.ts'
import {
  claimAppointment,
  findAppointment,
  insertAppointment,
  type StoredFields,
  updateAppointment,
} from './queries.ts'
import { endOf, isWalkInTime, isWeekTaken, missingConsents, usualMode, windowProblems } from './rules.ts'
import { startOccurrence, undoOccurrence, updateSkipped } from './series-queries.ts'
import { AS_STAFF } from './service.ts'

const WEEK_MS = 7 * 86_400_000

/** Staff passed the limit of its day. */
export interface Created {
  appointment: Appointment
  isOverLimit: boolean
}

/** Writes one appointment or a series; at least one row. */
export async function createAppointments(tx: TenantTx, body: NewAppointment, now: Date): Promise<Created[]> {
  const created = await writeAppointments(tx, body, now)
  const told = created
    .map(({ appointment }) => appointment)
    .filter((one) => one.status !== 'waitlist' && !isWalkIn(one))
  const [first] = told
  if (!first) return created
  await asService(tx, AS_STAFF.codes, (service) =>
    first.series_id === null
      ? noticeLater(service, { id: first.id, before: null, after: first }, now)
      : noticeSeries(service, first.series_id, told, now),
  )
  return created
}

async function writeAppointments(tx: TenantTx, body: NewAppointment, now: Date): Promise<Created[]> {
  refuseFields(windowProblems(body.wanted?.windows))
  mustBeWalkIn(body, now)
  const fields = await checkCustomFields(tx, body.custom_fields)
  if (body.hold_id !== undefined) return [await createFromHold(tx, body.hold_id, body, fields)]
  const isWaiting = body.status === 'waitlist'
  if (body.service_id === undefined || (!isWaiting && (!body.starts_at || !body.specialist_id))) throw holdOrTime()
  const facts = await findFactsForStaff(tx, body.service_id, body.specialist_id ?? null)
  if (!facts) throw unknownService()
  const wanted = { ...body, service_id: body.service_id, mode: body.mode ?? usualMode(facts.modes), facts }
  if (body.specialist_id && !facts.has_specialist) throw unknownSpecialist()
  await mustBeOpen(tx, body.location_id)
  if (!body.repeat) return [await createOne(tx, wanted, fields, body.starts_at ? new Date(body.starts_at) : null, null)]
  if (!body.starts_at || !body.specialist_id || isWaiting) throw seriesNeedsTime()
  return createSeries(tx, wanted, fields, body.repeat, new Date(body.starts_at))
}

function mustBeWalkIn({ status, starts_at, hold_id, repeat }: NewAppointment, now: Date): void {
  if (status !== 'checked_in') return
  if (starts_at === undefined || hold_id !== undefined || repeat !== undefined) throw walkInAlone()
  if (!isWalkInTime(new Date(starts_at), now)) throw notWalkInTime()
}

async function createFromHold(
  tx: TenantTx,
  holdId: string,
  { starts_at, patient_id: patientId, patient_note: note = null, title, notes, meeting_url }: NewAppointment,
  fields: StoredFields | undefined,
): Promise<Created> {
  if (starts_at !== undefined) throw holdOrTime()
  const booking = { holdId, source: 'staff', patientId, note } as const
  const booked = await asService(tx, AS_STAFF.codes, (service) => bookHold(service, booking, load))
  const details = { ...(title && { title }), ...(notes && { notes }), ...(meeting_url && { meeting_url }) }
  const isChanged = fields !== undefined || Object.keys(details).length > 0
  return {
    appointment: isChanged ? await updateAppointment(tx, booked.id, details, { fields }) : booked,
    isOverLimit: false,
  }
}

type Wanted = NewAppointment & { service_id: string; mode: AppointmentMode; facts: BookingFacts }

async function createOne(
  tx: TenantTx,
  body: Wanted,
  fields: StoredFields | undefined,
  startsAt: Date | null,
  seriesId: string | null,
): Promise<Created> {
  const status = body.status ?? 'confirmed'
  const { service_id: serviceId, specialist_id: specialistId, facts } = body
  const isBooked = startsAt !== null && status !== 'waitlist'
  const [, patient] = await together(
    body.patient_id ? [lockPatient(tx, body.patient_id), findBookingPatient(tx, body.patient_id)] : [],
  )
  const isOverLimit =
    isBooked && specialistId !== undefined && (await isOverLimitOf(tx, facts, { serviceId, specialistId, startsAt }))
  if (isOverLimit && !body.over_limit) throw dayFull()
  const id = await insertAppointment(tx, {
    service_id: serviceId,
    specialist_id: specialistId ?? null,
    location_id: body.location_id ?? null,
    patient_id: body.patient_id ?? null,
    patient_profile_id: patient?.patient_profile_id ?? null,
    starts_at: startsAt?.toISOString() ?? null,
    ends_at: startsAt && endOf(startsAt, facts.duration_minutes).toISOString(),
    time_zone: facts.time_zone,
    price_cents: facts.price_cents,
    currency: facts.currency,
    mode: body.mode,
    missing_consents: missingConsents(body.mode, patient?.has_telemedicine ?? false),
    status,
    source: seriesId ? 'series' : status === 'waitlist' ? 'waitlist' : 'staff',
    series_id: seriesId,
    wanted: body.wanted ?? null,
    details: { ...body, custom_fields: fields ?? {} },
  })
  if (id === undefined) throw patientBusy()
  const [isClaimed, appointment] = await together([isBooked ? claimAppointment(tx, id) : true, load(tx, id)])
  if (!isClaimed) throw slotTaken()
  return { appointment, isOverLimit }
}

type Repeat = NonNullable<NewAppointment['repeat']>

/**
 * The same wall clock each time, in the specialist's time zone. With on_conflict skip, weeks in which the time is taken or on
 * a day off are left out; the first appointment names them.
 */
async function createSeries(
  tx: TenantTx,
  body: Wanted,
  fields: StoredFields | undefined,
  repeat: Repeat,
  first: Date,
): Promise<Created[]> {
  const { patient_id: patientId, specialist_id: specialistId } = body
  await together([
    patientId === undefined ? undefined : lockPatient(tx, patientId),
    specialistId === undefined ? undefined : lockSpecialist(tx, specialistId),
  ])
  const seriesId = randomUUID()
  const started = await createOne(tx, body, fields, first, seriesId)
  const start = started.appointment
  const lastMs = first.getTime() + repeat.count * repeat.every_weeks * WEEK_MS
  const zone = readZone(start.time_zone, first.getTime(), lastMs)
  const local = localOf(zone, first.getTime())
  const isOff = await daysOffOf(tx, start)
  const others: Created[] = []
  const skipped: string[] = []
  for (let index = 1; index < repeat.count; index++) {
    const localMs = local + index * repeat.every_weeks * WEEK_MS
    const at = instantOf(zone, localMs)
    const day = new Date(at ?? boundaryOf(zone, localMs))
    if (at === undefined || (repeat.on_conflict === 'skip' && isOff(at))) {
      skipped.push(day.toISOString())
      continue
    }
    await startOccurrence(tx)
    try {
      others.push(await createOne(tx, body, fields, day, seriesId))
    } catch (error) {
      if (repeat.on_conflict !== 'skip' || !isWeekTaken(error instanceof ApiError ? error.code : undefined)) throw error
      await undoOccurrence(tx)
      skipped.push(day.toISOString())
    }
  }
  if (skipped.length === 0) return [started, ...others]
  await updateSkipped(tx, start.id, skipped)
  return [{ ...started, appointment: await load(tx, start.id) }, ...others]
}

/** Whether an appointment like this one would be on a day off at another time: the same for everybody who may book. */
async function daysOffOf(tx: TenantTx, { specialist_id, starts_at, ends_at, ...rest }: Appointment) {
  const [startsMs, endsMs] = [Date.parse(starts_at ?? ''), Date.parse(ends_at ?? '')]
  const specialists = specialist_id === null ? [] : [specialist_id]
  const [calendars, closures] = await asService(tx, AS_STAFF.codes, (service) =>
    together([listCalendarFacts(service, specialists), listClosureFacts(service, new Date(startsMs))]),
  )
  return (at: number) =>
    dayOffOf({ ...rest, startsAtMs: at, endsAtMs: at + endsMs - startsMs }, calendars, closures) !== undefined
}

async function load(tx: TenantTx, id: string): Promise<Appointment> {
  const appointment = await findAppointment(tx, id)
  if (!appointment) throw new Error('the appointment was just written')
  return appointment
}
