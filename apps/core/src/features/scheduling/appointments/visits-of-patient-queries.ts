import { CLINIC, type ServiceTx } from '@tendon/db'
import { sql } from 'kysely'

/** The visits of a patient that have not begun, in the order of their start. */
export async function listFutureVisits(tx: ServiceTx, patientId: string): Promise<{ id: string; starts_at: string }[]> {
  const rows = await tx
    .selectFrom('appointments')
    .select(['id', 'starts_at'])
    .where('organization_id', '=', CLINIC)
    .where('patient_id', '=', patientId)
    .where('status', 'in', ['pending', 'confirmed', 'checked_in'])
    .where('starts_at', '>', sql<string>`now()`)
    .orderBy('starts_at')
    .orderBy('id')
    .execute()
  return rows.flatMap(({ id, starts_at }) => (starts_at === null ? [] : [{ id, starts_at }]))
}

export async function listWaitlistEntryIds(tx: ServiceTx, patientId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('appointments')
    .select('id')
    .where('organization_id', '=', CLINIC)
    .where('patient_id', '=', patientId)
    .where('status', '=', 'waitlist')
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}
