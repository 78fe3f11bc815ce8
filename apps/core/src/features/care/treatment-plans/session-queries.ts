import type { PlannedExercise, TreatmentPlanStatus } from '@tendon/contracts'
import type { RowOf, TenantTx } from '@tendon/db'
import { sql } from 'kysely'

export interface PoseConfigInForce {
  id: string
  version: number
  tracking_enabled: boolean
  engine_code: string
  config: Record<string, unknown>
}

export interface SessionRow
  extends RowOf<'plan_sessions', 'id' | 'organization_id'>,
    RowOf<'treatment_plans', 'program_id'> {
  treatment_plan_id: string
  patient_profile_id: string
  plan_status: TreatmentPlanStatus
}

export async function findSessionRow(tx: TenantTx, id: string): Promise<SessionRow | undefined> {
  const { rows } = await sql<SessionRow>`
    select s.id, s.organization_id, s.treatment_plan_id, s.patient_profile_id, p.program_id, p.status as plan_status
    from plan_sessions s
    join treatment_plans p on p.organization_id = s.organization_id and p.id = s.treatment_plan_id
    where s.id = ${id} and s.removed_at is null`.execute(tx)
  return rows[0]
}

type ExerciseRow = Pick<PlannedExercise, 'name' | 'slug' | 'kind'> & {
  session_exercise_id: string
  pose_config: PoseConfigInForce | null
}

/** The exercises behind these entries of a session, by the entry's id. */
export async function findExercisesInForce(tx: TenantTx, ids: readonly string[]) {
  const { rows } = await sql<ExerciseRow>`
    select session_exercise_id, name, slug, kind, pose_config from planned_exercises(${ids}::uuid[])`.execute(tx)
  return new Map(rows.map(({ session_exercise_id, ...exercise }) => [session_exercise_id, exercise]))
}
