import { randomUUID } from 'node:crypto'
import { boundaryOf, dayOffOf, instantOf, localOf, readZone } from '@tendon/availability'
import type { Appointment, AppointmentMode, NewAppointment } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { listCalendarFacts, listClosureFacts } from '../availability/index.ts'
import { slotTaken } from '../holds/index.ts'
import { checkCustomFields } from './custom-fields.ts'
import { holdOrTime, patientBusy, seriesNeedsTime, unknownService, unknownSpecialist } from './errors.ts'
import { mustBeOpen } from './locations.ts'
import {
  bookHold,
  claimAppointment,
  findAppointment,
  findServiceModes,
  hasSpecialist,
  insertAppointment,
  type StoredFields,
  updateAppointment,
} from './queries.ts'
import { bookedId } from './record.ts'
import { usualMode } from './rules.ts'
import { startOccurrence, undoOccurrence, updateSkipped } from './series-queries.ts'

const WEEK_MS = 7 * 86_400_000

/** Writes one appointment or a series; at least one row. */
export async function createAppointments(tx: TenantTx, body: NewAppointment): Promise<Appointment[]> {
  const fields = await checkCustomFields(tx, body.custom_fields)
  if (body.hold_id !== undefined) {
    if (body.starts_at !== undefined) throw holdOrTime()
    const id = bookedId(await bookHold(tx, body.hold_id, body.patient_id ?? null, body.patient_note ?? null))
    const { title, notes, meeting_url } = body
    const details = { ...(title && { title }), ...(notes && { notes }), ...(meeting_url && { meeting_url }) }
    return [
      fields || Object.keys(details).length > 0 ? await updateAppointment(tx, id, details, fields) : await load(tx, id),
    ]
  }
  const isWaiting = body.status === 'waitlist'
  if (body.service_id === undefined || (!isWaiting && (!body.starts_at || !body.specialist_id))) throw holdOrTime()
  const modes = await findServiceModes(tx, body.service_id)
  if (!modes) throw unknownService()
  const wanted = { ...body, mode: body.mode ?? usualMode(modes) }
  if (body.specialist_id && !(await hasSpecialist(tx, body.specialist_id))) throw unknownSpecialist()
  await mustBeOpen(tx, body.location_id)
  if (!body.repeat) {
    const id = await createOne(tx, wanted, fields, body.starts_at ? new Date(body.starts_at) : null, null)
    return [await load(tx, id)]
  }
  if (!body.starts_at || !body.specialist_id || isWaiting) throw seriesNeedsTime()
  return createSeries(tx, wanted, fields, body.repeat, new Date(body.starts_at))
}

type Wanted = NewAppointment & { mode: AppointmentMode }

async function createOne(
  tx: TenantTx,
  body: Wanted,
  fields: StoredFields | undefined,
  startsAt: Date | null,
  seriesId: string | null,
): Promise<string> {
  const status = body.status ?? 'confirmed'
  const id = await insertAppointment(tx, {
    service_id: body.service_id ?? '',
    specialist_id: body.specialist_id ?? null,
    location_id: body.location_id ?? null,
    patient_id: body.patient_id ?? null,
    starts_at: startsAt,
    mode: body.mode,
    status,
    source: seriesId ? 'series' : status === 'waitlist' ? 'waitlist' : 'staff',
    series_id: seriesId,
    wanted: body.wanted ?? null,
    details: { ...body, custom_fields: fields ?? {} },
  })
  if (id === undefined) throw patientBusy()
  if (startsAt && status !== 'waitlist' && !(await claimAppointment(tx, id))) throw slotTaken()
  return id
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
): Promise<Appointment[]> {
  const seriesId = randomUUID()
  const start = await load(tx, await createOne(tx, body, fields, first, seriesId))
  const lastMs = first.getTime() + repeat.count * repeat.every_weeks * WEEK_MS
  const zone = readZone(start.time_zone, first.getTime(), lastMs)
  const local = localOf(zone, first.getTime())
  const isOff = await daysOffOf(tx, start)
  const others: Appointment[] = []
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
      others.push(await load(tx, await createOne(tx, body, fields, day, seriesId)))
    } catch (error) {
      if (repeat.on_conflict !== 'skip') throw error
      await undoOccurrence(tx)
      skipped.push(day.toISOString())
    }
  }
  if (skipped.length === 0) return [start, ...others]
  await updateSkipped(tx, start.id, skipped)
  return [await load(tx, start.id), ...others]
}

/** Whether an appointment like this one would be on a day off at another time. */
async function daysOffOf(tx: TenantTx, { specialist_id, starts_at, ends_at, ...rest }: Appointment) {
  const [startsMs, endsMs] = [Date.parse(starts_at ?? ''), Date.parse(ends_at ?? '')]
  const calendars = await listCalendarFacts(tx, specialist_id === null ? [] : [specialist_id])
  const closures = await listClosureFacts(tx, new Date(startsMs))
  return (at: number) =>
    dayOffOf({ ...rest, startsAtMs: at, endsAtMs: at + endsMs - startsMs }, calendars, closures) !== undefined
}

async function load(tx: TenantTx, id: string): Promise<Appointment> {
  const appointment = await findAppointment(tx, id)
  if (!appointment) throw new Error('the appointment was just written')
  return appointment
}
