import { asService, CLINIC, type ServiceTx, type TenantTx, together } from '@tendon/db'
import { sql } from 'kysely'

// What the worker asks.

interface StaleRun {
  organization_id: string
  session_run_id: string
}

/** Stale runs of all organizations, longest silence first. */
export async function listStaleRuns(tx: TenantTx, before: Date, limit: number): Promise<StaleRun[]> {
  const { rows } = await sql<StaleRun>`select * from stale_session_runs(${before.toISOString()}, ${limit})`.execute(tx)
  return rows
}

/** False when it has ended meanwhile. */
async function endRun(tx: ServiceTx, id: string, status: 'ended_auto' | 'ended_explicit'): Promise<boolean> {
  const { rows } = await sql<{ ended: boolean }>`select end_session_run(${id}, ${status}) as ended`.execute(tx)
  return rows[0]?.ended === true
}

const findPatientOf = (tx: ServiceTx, profileId: string) =>
  tx
    .selectFrom('patients')
    .select(['id as patient_id', 'patient_profile_id'])
    .where('organization_id', '=', CLINIC)
    .where('patient_profile_id', '=', profileId)
    .executeTakeFirst()

/** Returns the patient of the run; undefined when it has ended, is no longer stale, or is being written to. */
export async function closeStaleRun(tx: TenantTx, runId: string, before: Date) {
  return asService(tx, '*', async (own) => {
    const run = await own
      .selectFrom('session_runs')
      .select('patient_profile_id')
      .where('organization_id', '=', CLINIC)
      .where('id', '=', runId)
      .where('status', '=', 'in_progress')
      .where('last_event_at', '<', before.toISOString())
      .forNoKeyUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (!run) return undefined
    const [, patient] = await together([endRun(own, runId, 'ended_auto'), findPatientOf(own, run.patient_profile_id)])
    return patient
  })
}

export interface EndedRun {
  id: string
  patient_id: string
  patient_profile_id: string
}

/** Ends the runs of a patient who has no consent to exercising at home. Returns those that this call ended. */
export async function endWithdrawnRuns(tx: TenantTx, profileId: string): Promise<EndedRun[]> {
  return asService(tx, '*', async (own) => {
    const [runs, patient] = await together([
      own
        .selectFrom('session_runs')
        .select('id')
        .where('organization_id', '=', CLINIC)
        .where('patient_profile_id', '=', profileId)
        .where('status', '=', 'in_progress')
        .where(sql<boolean>`not has_consent(patient_profile_id, organization_id, 'telerehab')`)
        .execute(),
      findPatientOf(own, profileId),
    ])
    if (!patient) return []
    const ended = await together(runs.map(({ id }) => endRun(own, id, 'ended_explicit')))
    return runs.filter((_, index) => ended[index]).map(({ id }) => ({ id, ...patient }))
  })
}

/** Gives the most rows that one table lost: as many as asked for means that there may be more. */
export async function deleteExpiredTelemetry(tx: TenantTx, now: Date, limit: number): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    select delete_expired_telemetry(${now.toISOString()}, ${limit}) as rows`.execute(tx)
  return rows[0]?.rows ?? 0
}
