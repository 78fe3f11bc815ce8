import { type List, type MyTreatmentPlan, PATIENT_VISIBLE_PLAN_STATUSES } from '@tendon/contracts'
import { readPage, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'
import { hasEnded, SESSIONS_COUNT } from './queries.ts'

// How patients read their own plans, at all their clinics.

type MyPlanRow = Omit<MyTreatmentPlan, 'sessions'> & { organization_language: string | null }

const COLUMNS = [
  'id',
  'title',
  'description',
  'status',
  'starts_on',
  'ends_on',
  'activated_at',
  'completed_at',
  'created_at',
  'updated_at',
] as const

const RECORD = sql`from my_patient_records() r
  where r.organization_id = treatment_plans.organization_id and r.patient_profile_id = treatment_plans.patient_profile_id`
const ORGANIZATION = sql<MyTreatmentPlan['organization']>`(
  select jsonb_build_object('id', r.organization_id, 'name', r.organization_name, 'slug', r.organization_slug) ${RECORD})`

const given = (tx: TenantTx) =>
  tx
    .selectFrom('treatment_plans')
    .select(COLUMNS)
    .select([ORGANIZATION.as('organization'), hasEnded(sql`(select r.time_zone ${RECORD})`).as('has_ended')])
    .where(sql<boolean>`patient_profile_id = any(current_app_profile_ids())`)
    .where('status', 'in', PATIENT_VISIBLE_PLAN_STATUSES)
    .$narrowType<{ status: MyTreatmentPlan['status'] }>()
    .where(sql<boolean>`exists (select 1 ${RECORD})`)

export async function listMyPlans(tx: TenantTx, list: List) {
  return readPage(given(tx).select(SESSIONS_COUNT.as('sessions_count')), list)
}

export async function findMyPlan(tx: TenantTx, id: string): Promise<MyPlanRow | undefined> {
  return given(tx)
    .select(sql<string | null>`(select r.language_code ${RECORD})`.as('organization_language'))
    .where('id', '=', id)
    .executeTakeFirst()
}

type MyExercise = MyTreatmentPlan['sessions'][number]['exercises'][number]
type Translations = Record<string, Record<string, string>>
type ExerciseTexts = Pick<
  MyExercise,
  | 'name'
  | 'description'
  | 'instructions_summary'
  | 'kind'
  | 'difficulty'
  | 'tracking_enabled'
  | 'video_url'
  | 'video_provider'
  | 'video_thumbnail_url'
  | 'video_duration_seconds'
> & { session_exercise_id: string; translations: Translations }
type InstructionTexts = MyExercise['instructions'][number] & { exercise_id: string; translations: Translations }

export interface ReadyFilm {
  session_exercise_id: string
  host_provider: string
  host_reference: string
  duration_seconds: number | null
}

/** The composed videos of these entries of sessions that can be played. */
export async function listReadyFilms(tx: TenantTx, ids: readonly string[]): Promise<ReadyFilm[]> {
  const { rows } = await sql<ReadyFilm>`select * from list_ready_films(${ids}::uuid[])`.execute(tx)
  return rows
}

/** What the exercises behind these entries of sessions say, in every language. */
export async function findExerciseTexts(tx: TenantTx, ids: readonly string[]) {
  const [exercises, instructions] = await Promise.all([
    sql<ExerciseTexts>`select session_exercise_id, name, description, instructions_summary, kind, difficulty, translations,
        video_url, video_provider, video_thumbnail_url, video_duration_seconds,
        coalesce((pose_config ->> 'tracking_enabled')::boolean, false) as tracking_enabled
      from planned_exercises(${ids}::uuid[])`.execute(tx),
    sql<InstructionTexts>`select * from planned_instructions(${ids}::uuid[])`.execute(tx),
  ])
  return {
    exercises: new Map(exercises.rows.map(({ session_exercise_id, ...texts }) => [session_exercise_id, texts])),
    instructions: Map.groupBy(instructions.rows, ({ exercise_id }) => exercise_id),
  }
}
