import type { RunPayload } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { sql } from 'kysely'
import type { OwnRun } from './queries.ts'
import type { ManifestItem } from './rules.ts'

interface RunToPlay extends OwnRun {
  organization_language: string | null
  help: RunPayload['help']
  items: ManifestItem[]
  /** The end of the run, otherwise now. */
  until: string
}

/** A run of the calling patient, at any clinic. */
export async function findRunToPlay(tx: TenantTx, runId: string): Promise<RunToPlay | undefined> {
  const { rows } = await sql<RunToPlay>`
    select r.id, r.organization_id, p.patient_id, r.patient_profile_id, r.treatment_plan_id, r.plan_session_id,
      r.session_exercise_ids, r.status, r.started_at, r.last_event_at, r.ended_at, p.language_code as organization_language,
      coalesce(r.ended_at, now()) as until,
      jsonb_build_object('phone', b.phone, 'emergency_number', b.emergency_number) as help,
      coalesce((select items from run_manifests m where m.run_id = r.id), '[]') as items
    from session_runs r
    join my_patient_records() p on p.organization_id = r.organization_id and p.patient_profile_id = r.patient_profile_id
    cross join lateral find_branding(p.organization_slug) b
    where r.id = ${runId}`.execute(tx)
  return rows[0]
}

interface PlanOfRun {
  session_run_id: string
  treatment_plan_id: string
  treatment_plan_title: string
  program_id: string | null
  plan_session_id: string
  plan_session_title: string
  plan_session_notes: string | null
}

/** Plan and session of each run, for callers who can see the run. */
export async function findPlansOfRuns(tx: TenantTx, runIds: readonly string[]): Promise<Map<string, PlanOfRun>> {
  const { rows } = await sql<PlanOfRun>`select * from session_run_plans(${runIds}::uuid[])`.execute(tx)
  return new Map(rows.map((row) => [row.session_run_id, row]))
}

/** `worst_pain`: of the pain reports and the feedback. */
export async function findFelt(
  tx: TenantTx,
  runId: string,
): Promise<Pick<RunPayload, 'worst_pain' | 'feedback_given'>> {
  const { rows } = await sql<Pick<RunPayload, 'worst_pain' | 'feedback_given'>>`
    select greatest(max(p.severity), f.pain) as worst_pain, f.pain is not null as feedback_given
    from (select ${runId}::uuid as id) r
    left join session_feedback f on f.session_run_id = r.id
    left join pain_reports p on p.session_run_id = r.id
    group by f.pain`.execute(tx)
  return rows[0] ?? { worst_pain: null, feedback_given: false }
}

type Prescription = Pick<
  RunPayload['exercises'][number],
  'position' | 'exercise_id' | 'sets' | 'reps' | 'hold_seconds' | 'rest_seconds' | 'side' | 'notes'
>
type ExerciseOfRun = Prescription & { session_exercise_id: string; exercise_name: string }

/** The exercises of a run in their order, also those that were taken out of the plan since. */
export async function listExercisesOfRun(tx: TenantTx, runId: string): Promise<ExerciseOfRun[]> {
  const { rows } = await sql<ExerciseOfRun>`
    select session_exercise_id, "position", exercise_id, exercise_name, sets, reps, hold_seconds, rest_seconds, side, notes
    from session_run_exercises(array[${runId}]::uuid[])`.execute(tx)
  return rows
}
