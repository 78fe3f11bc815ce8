import { randomUUID } from 'node:crypto'
import { instantOf, localOf, readZone } from '@tendon/availability'
import type { Appointment, NewAppointment } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { slotTaken } from '../holds/index.ts'
import { checkCustomFields } from './custom-fields.ts'
import { holdOrTime, patientBusy, seriesNeedsTime, unknownService, unknownSpecialist } from './errors.ts'
import {
  bookHold,
  claimAppointment,
  findAppointment,
  hasService,
  hasSpecialist,
  insertAppointment,
  type StoredFields,
  startOccurrence,
  undoOccurrence,
  updateAppointment,
} from './queries.ts'
import { bookedId } from './record.ts'

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
  if (!(await hasService(tx, body.service_id))) throw unknownService()
  if (body.specialist_id && !(await hasSpecialist(tx, body.specialist_id))) throw unknownSpecialist()
  if (!body.repeat) {
    const id = await createOne(tx, body, fields, body.starts_at ? new Date(body.starts_at) : null, null)
    return [await load(tx, id)]
  }
  if (!body.starts_at || !body.specialist_id || isWaiting) throw seriesNeedsTime()
  return createSeries(tx, body, fields, body.repeat, new Date(body.starts_at))
}

async function createOne(
  tx: TenantTx,
  body: NewAppointment,
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
    mode: body.mode ?? 'in_person',
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

/** The same wall clock each time, in the specialist's time zone. With on_conflict skip, taken weeks are left out. */
async function createSeries(
  tx: TenantTx,
  body: NewAppointment,
  fields: StoredFields | undefined,
  repeat: Repeat,
  first: Date,
): Promise<Appointment[]> {
  const seriesId = randomUUID()
  const created: Appointment[] = [await load(tx, await createOne(tx, body, fields, first, seriesId))]
  const lastMs = first.getTime() + repeat.count * repeat.every_weeks * WEEK_MS
  const zone = readZone(created[0]?.time_zone ?? 'UTC', first.getTime(), lastMs)
  const local = localOf(zone, first.getTime())
  for (let index = 1; index < repeat.count; index++) {
    const at = instantOf(zone, local + index * repeat.every_weeks * WEEK_MS)
    if (at === undefined) continue
    await startOccurrence(tx)
    try {
      created.push(await load(tx, await createOne(tx, body, fields, new Date(at), seriesId)))
    } catch (error) {
      if (repeat.on_conflict !== 'skip') throw error
      await undoOccurrence(tx)
    }
  }
  return created
}

async function load(tx: TenantTx, id: string): Promise<Appointment> {
  const appointment = await findAppointment(tx, id)
  if (!appointment) throw new Error('the appointment was just written')
  return appointment
}
