import type { TenantTx } from '@tendon/db'
import { sql } from 'kysely'

// What the worker asks.

export interface StaleRun {
  organization_id: string
  session_run_id: string
}

/** Stale runs of all organizations, longest silence first. */
export async function listStaleRuns(tx: TenantTx, before: Date, limit: number): Promise<StaleRun[]> {
  const { rows } = await sql<StaleRun>`select * from stale_session_runs(${before.toISOString()}, ${limit})`.execute(tx)
  return rows
}

/** Returns the patient of the run; undefined when it has ended, is no longer stale, or is being written to. */
export async function closeStaleRun(tx: TenantTx, runId: string, before: Date) {
  const { rows } = await sql<{ patient_id: string; patient_profile_id: string }>`
    select * from close_stale_session_run(${runId}, ${before.toISOString()})`.execute(tx)
  return rows[0]
}

export interface EndedRun {
  id: string
  patient_id: string
  patient_profile_id: string
}

/** Ends the runs of a patient who has no consent to exercising at home. Returns those that this call ended. */
export async function endWithdrawnRuns(tx: TenantTx, profileId: string): Promise<EndedRun[]> {
  const { rows } = await sql<EndedRun>`select * from end_withdrawn_session_runs(${profileId})`.execute(tx)
  return rows
}

/** Gives the most rows that one table lost: as many as asked for means that there may be more. */
export async function deleteExpiredTelemetry(tx: TenantTx, now: Date, limit: number): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    select delete_expired_telemetry(${now.toISOString()}, ${limit}) as rows`.execute(tx)
  return rows[0]?.rows ?? 0
}
