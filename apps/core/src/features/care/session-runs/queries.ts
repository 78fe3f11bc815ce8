import type { ExerciseEvent, RunStatus } from '@tendon/contracts'
import type { RowOf, TenantTx } from '@tendon/db'
import { sql } from 'kysely'
import type { ManifestItem, OutcomeEvent, Withdrawal } from './rules.ts'

/** A run of the calling patient. */
export interface OwnRun {
  id: string
  organization_id: string
  patient_id: string
  patient_profile_id: string
  treatment_plan_id: string
  plan_session_id: string
  session_exercise_ids: string[]
  status: RunStatus
  started_at: string
  last_event_at: string
  ended_at: string | null
}

type Place = RowOf<'session_runs', 'organization_id'>

const OWN = sql`patient_profile_id = any (current_app_profile_ids())`

/**
 * Where the session of one's own plan is to be done; one that was taken out, while a run of it is in progress. Staff see those
 * of others too: they are not theirs to start.
 */
export async function findClinicOfSession(tx: TenantTx, planSessionId: string): Promise<Place | undefined> {
  const { rows } = await sql<Place>`
    select organization_id from plan_sessions where id = ${planSessionId} and ${OWN} and (removed_at is null
      or exists (select 1 from session_runs where plan_session_id = ${planSessionId} and status = 'in_progress' and ${OWN}))`.execute(
    tx,
  )
  return rows[0]
}

export async function findClinicOfRun(tx: TenantTx, runId: string): Promise<Place | undefined> {
  const { rows } = await sql<Place>`
    select organization_id from session_runs where id = ${runId} and ${OWN}`.execute(tx)
  return rows[0]
}

const ownRuns = sql`
  select r.id, r.organization_id, p.id as patient_id, r.patient_profile_id, r.treatment_plan_id, r.plan_session_id,
    r.session_exercise_ids, r.status, r.started_at, r.last_event_at, r.ended_at
  from session_runs r
  join patients p on p.organization_id = r.organization_id and p.patient_profile_id = r.patient_profile_id
  where r.organization_id = (select current_app_org_id()) and r.patient_profile_id = any (current_app_profile_ids())
    and p.deleted_at is null`

/** Serializes writers of a run. */
export async function lockRun(tx: TenantTx, runId: string): Promise<OwnRun | undefined> {
  const { rows } = await sql<OwnRun>`${ownRuns} and r.id = ${runId} for no key update of r`.execute(tx)
  return rows[0]
}

/** The id of the new run, or undefined when there is one in progress. */
export async function insertRun(tx: TenantTx, planSessionId: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    insert into session_runs (plan_session_id) values (${planSessionId})
    on conflict (plan_session_id, patient_profile_id) where status = 'in_progress' do nothing returning id`.execute(tx)
  return rows[0]?.id
}

/** The one in progress stays so until the end of the transaction. */
export async function lockRunInProgress(tx: TenantTx, planSessionId: string): Promise<OwnRun | undefined> {
  const { rows } = await sql<OwnRun>`
    ${ownRuns} and r.plan_session_id = ${planSessionId} and r.status = 'in_progress' for no key update of r`.execute(tx)
  return rows[0]
}

export async function insertManifest(tx: TenantTx, run: OwnRun, items: readonly ManifestItem[]): Promise<void> {
  await sql`insert into run_manifests (run_id, patient_profile_id, items, pose_per_second, media_per_second)
    select ${run.id}::uuid, ${run.patient_profile_id}::uuid, ${JSON.stringify(items)}::jsonb, p.pose_per_second,
      p.media_per_second
    from organizations o join plans p on p.code = o.plan where o.id = (select current_app_scope())`.execute(tx)
}

export interface ConsentsForRun {
  telerehab: boolean
  pose: boolean
  restricted: boolean
}

/** The patient's current consents at the clinic of the run. */
export async function findConsents(tx: TenantTx, run: OwnRun): Promise<ConsentsForRun> {
  const { rows } = await sql<ConsentsForRun>`
    select has_consent(patient_profile_id, organization_id, 'telerehab') as telerehab,
      has_consent(patient_profile_id, organization_id, 'biometric_capture') as pose, restricted_at is not null as restricted
    from patients where id = ${run.patient_id}`.execute(tx)
  const [consents] = rows
  if (!consents) throw new Error('the patient of the run is missing')
  return consents
}

/** When the patient withdrew the consent to exercising at home, and gave it again. */
export async function listWithdrawals(tx: TenantTx, run: OwnRun): Promise<Withdrawal[]> {
  const { rows } = await sql<Withdrawal>`
    select c.withdrawn_at, (select min(greatest(g.granted_at, c.withdrawn_at)) from consents g
        where g.patient_profile_id = c.patient_profile_id and g.organization_id = c.organization_id
          and g.purpose_code = c.purpose_code and (g.granted_at >= c.withdrawn_at or g.withdrawn_at is null))
      as granted_again_at
    from consents c
    where c.patient_profile_id = ${run.patient_profile_id} and c.organization_id = ${run.organization_id}
      and c.purpose_code = 'telerehab' and c.ended_as <> 'superseded'`.execute(tx)
  return rows
}

export const EVENT_COLUMNS = [
  'id',
  'session_exercise_id',
  'type',
  'client_event_id',
  'occurred_at',
  'data',
] as const satisfies (keyof ExerciseEvent)[]

/** The events with which exercises have ended in the run. */
export async function listOutcomes(tx: TenantTx, runId: string): Promise<OutcomeEvent[]> {
  const { rows } = await sql<OutcomeEvent>`
    select session_exercise_id, type, data, created_at from session_run_events
    where session_run_id = ${runId} and type in ('completed', 'skipped', 'abandoned')
    order by created_at, session_exercise_id`.execute(tx)
  return rows
}

/** Once: false when the run has already ended. */
export async function endSessionRun(
  tx: TenantTx,
  runId: string,
  status: Exclude<RunStatus, 'in_progress'>,
): Promise<boolean> {
  const { rows } = await sql<{ ended: boolean }>`select end_session_run(${runId}, ${status}) as ended`.execute(tx)
  return rows[0]?.ended ?? false
}
