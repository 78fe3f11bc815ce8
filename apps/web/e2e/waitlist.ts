import { randomUUID } from 'node:crypto'
import type { TestClinic } from './people.ts'
import { holdAt, type Schedule } from './scheduling.ts'
import type { WebServices } from './services.ts'

/** A waitlist entry of this patient, with a time of the day after tomorrow that has become free. */
export async function freedEntry(
  { api }: WebServices,
  clinic: TestClinic,
  schedule: Schedule,
  patientId: string,
  hour = 11,
): Promise<string> {
  const { starts_at } = holdAt(clinic, schedule, hour)
  const visit = await api.post('/v1/appointments', clinic.admin, {
    service_id: schedule.service.id,
    specialist_id: schedule.specialists[0]?.id,
    starts_at,
  })
  const entry = await api.post('/v1/appointments', clinic.admin, {
    service_id: schedule.service.id,
    status: 'waitlist',
    patient_id: patientId,
  })
  await api.put(`/v1/appointments/${visit.id}/status`, clinic.admin, { status: 'cancelled' })
  return entry.id
}

/** An open offer and the token of its link. Only the mail contains the real token, so the test stores its own. */
export async function offeredLink(
  services: WebServices,
  clinic: TestClinic,
  schedule: Schedule,
  patientId: string,
  hour = 11,
): Promise<{ token: string; entryId: string }> {
  const entryId = await freedEntry(services, clinic, schedule, patientId, hour)
  await services.api.post(`/v1/appointments/${entryId}/offer`, clinic.admin, {})
  const token = randomUUID()
  await services.database.query('update waitlist_offers set token_hash = sha256($1::bytea) where appointment_id = $2', [
    token,
    entryId,
  ])
  return { token, entryId }
}
