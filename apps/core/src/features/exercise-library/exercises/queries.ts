import {
  type Exercise,
  type ExerciseStatus,
  type ExerciseSummary,
  type List,
  TAXONOMY_AXES,
  type TaxonomyAxis,
} from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { sql } from 'kysely'
import { type LibraryTx, listInstructions, listParts } from './parts-queries.ts'
import type { ownColumns } from './rules.ts'

const SUMMARY = [
  'id',
  'organization_id',
  'name',
  'slug',
  'description',
  'difficulty',
  'estimated_duration_seconds',
  'kind',
  'status',
  'video_url',
  'video_provider',
  'video_thumbnail_url',
  'video_duration_seconds',
  'cloned_from_id',
  'translations',
  'created_at',
  'updated_at',
] as const
const DETAIL = [...SUMMARY, 'instructions_summary', 'created_by_user_id'] as const
const ROW = ['id', 'organization_id', 'name', 'slug', 'status', 'kind'] as const

/** What other features need of an exercise. */
export interface ExerciseRow {
  id: string
  /** null: of the platform. */
  organization_id: string | null
  name: string
  slug: string
  status: ExerciseStatus
  kind: Exercise['kind']
}

const living = (tx: LibraryTx) => tx.selectFrom('exercises').where('deleted_at', 'is', null)

const INSTRUCTIONS_COUNT = sql<number>`(
  select count(*) from exercise_instructions i where i.exercise_id = exercises.id)`
const TRACKING_ENABLED = sql<boolean>`coalesce((
  select p.tracking_enabled from exercise_pose_configs p where p.exercise_id = exercises.id
  order by p.version desc limit 1), false)`
const OF_PLATFORM = sql<boolean>`organization_id is null`
const OF_CLINIC = sql<boolean>`organization_id = current_app_org_id()`

const isTagged = (axis: TaxonomyAxis, ids: string[]) => sql<boolean>`exists (
  select 1 from exercise_tags t
  where t.exercise_id = exercises.id and t.axis = ${axis} and t.tag_id = any(${ids}::uuid[]))`

/** Every word, in whatever order. Escaped once it is folded: folding makes % and _ of their foreign forms. */
const matches = (q: string) => sql<boolean>`search_text like all (array(
  select '%' || regexp_replace(fold_text(word), '([\\\\%_])', '\\\\\\1', 'g') || '%'
  from unnest(${q.normalize().split(/\s+/)}::text[]) word))`

/** Which exercises a list asks for, of those that the caller sees: the platform's and those of the clinic in context. */
function matching(tx: TenantTx, { q, filters }: List) {
  const { scope = [], has_video = [], tracking_enabled = [], difficulty, status } = filters
  let query = living(tx)
  if (!scope.includes('all') && scope.includes('global') !== scope.includes('org'))
    query = query.where(scope.includes('global') ? OF_PLATFORM : OF_CLINIC)
  if (difficulty) query = query.where(sql<boolean>`difficulty = any(${difficulty})`)
  if (status) query = query.where(sql<boolean>`status = any(${status})`)
  if (has_video.length === 1) query = query.where('video_url', has_video[0] === 'true' ? 'is not' : 'is', null)
  if (tracking_enabled.length === 1) query = query.where(TRACKING_ENABLED, '=', tracking_enabled[0] === 'true')
  for (const axis of TAXONOMY_AXES) {
    const ids = filters[`${axis}_id`]
    if (ids) query = query.where(isTagged(axis, ids))
  }
  return q === undefined ? query : query.where(matches(q))
}

/** The page's ids in order and the number of all that match: one statement, so that the filters are applied once. */
async function findPage(tx: TenantTx, list: List): Promise<{ ids: string[]; total: number }> {
  const sort = list.sort.length > 0 ? list.sort : [{ field: 'created_at', descending: true }]
  const order = [...sort, { field: 'id', descending: true }].map(
    ({ field, descending }) => sql`${sql.ref(field)} ${sql.raw(descending ? 'desc' : 'asc')}`,
  )
  const found = matching(tx, list)
    .select('id')
    .select(sort.map(({ field }) => sql.ref(field).as(field)))
  const page = sql<{ ids: string[]; total: number }>`
    with found as materialized ${found}
    select (select count(*) from found) as total, array(
      select id from found order by ${sql.join(order)} limit ${list.limit} offset ${(list.page - 1) * list.limit}) as ids`
  const { rows } = await page.execute(tx)
  return rows[0] ?? { ids: [], total: 0 }
}

/** To plan these statements anew for each caller takes longer than to run them, and finds the same plan. */
const planOnce = (tx: TenantTx) => sql`select set_config('plan_cache_mode', 'force_generic_plan', true)`.execute(tx)

export async function listExercises(
  tx: TenantTx,
  list: List,
): Promise<{ exercises: ExerciseSummary[]; total: number }> {
  const [, { ids, total }] = await Promise.all([planOnce(tx), findPage(tx, list)])
  if (ids.length === 0) return { exercises: [], total }
  const summaries = living(tx).select(SUMMARY).select(INSTRUCTIONS_COUNT.as('instructions_count'))
  const [rows, parts] = await Promise.all([
    summaries.where(sql<boolean>`id = any(${ids}::uuid[])`).execute(),
    listParts(tx, ids),
  ])
  const byId = new Map(rows.map((row) => [row.id, row]))
  const exercises = ids.flatMap((id) => {
    const row = byId.get(id)
    const of = parts.get(id)
    return row && of ? [{ ...row, ...of, contraindications_count: of.contraindications.length }] : []
  })
  return { exercises: exercises as ExerciseSummary[], total }
}

/** With everything that belongs to it. */
export async function findExercise(tx: LibraryTx, id: string): Promise<Exercise | undefined> {
  const [row, parts, instructions] = await Promise.all([
    living(tx).select(DETAIL).where('id', '=', id).executeTakeFirst(),
    listParts(tx, [id]),
    listInstructions(tx, id),
  ])
  return row && ({ ...row, ...parts.get(id), instructions } as Exercise)
}

export async function findExerciseRow(tx: LibraryTx, id: string): Promise<ExerciseRow | undefined> {
  return (await living(tx).select(ROW).where('id', '=', id).executeTakeFirst()) as ExerciseRow | undefined
}

/** The clinic's own wins over the platform's. A superadmin, without a clinic, gets the platform's. */
export async function findExerciseRowBySlug(tx: LibraryTx, slug: string): Promise<ExerciseRow | undefined> {
  const found = await living(tx)
    .select(ROW)
    .where('slug', '=', slug)
    .where((is) => is.or([OF_PLATFORM, OF_CLINIC]))
    .orderBy('organization_id', (order) => order.asc().nullsLast())
    .limit(1)
    .executeTakeFirst()
  return found as ExerciseRow | undefined
}

/** Locks what the caller may change: a clinic its own, a superadmin any. Whoever changes a part of it locks it too. */
export async function findExerciseRowForUpdate(tx: LibraryTx, id: string): Promise<ExerciseRow | undefined> {
  const found = await living(tx).select(ROW).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
  return found as ExerciseRow | undefined
}

type Columns = ReturnType<typeof ownColumns>

/** In the clinic in context, or without one in the platform's library; always a draft. */
export async function insertExercise(
  tx: LibraryTx,
  { status: _draft, ...values }: Columns & { name: string; slug: string },
): Promise<string> {
  const { id } = await tx.insertInto('exercises').values(values).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function updateExercise(tx: LibraryTx, id: string, values: Columns): Promise<void> {
  await tx
    .updateTable('exercises')
    .set({ ...values, updated_at: sql<string>`now()` })
    .where('id', '=', id)
    .execute()
}

/** The time of the deletion, or null when it is deleted already. */
export async function deleteExercise(tx: LibraryTx, id: string): Promise<string | null> {
  const { rows } = await sql<{ deleted_at: string | null }>`select delete_exercise(${id}) as deleted_at`.execute(tx)
  return rows[0]?.deleted_at ?? null
}

export async function cloneExercise(
  tx: LibraryTx,
  id: string,
  { name, slug }: { name?: string; slug?: string },
): Promise<string | null> {
  const { rows } = await sql<{ id: string | null }>`
    select clone_exercise(${id}, ${name?.normalize().trim() ?? null}, ${slug ?? null}) as id`.execute(tx)
  return rows[0]?.id ?? null
}

export async function countInstructions(tx: LibraryTx, exerciseId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('exercise_instructions')
    .select(sql<number>`count(*)`.as('count'))
    .where('exercise_id', '=', exerciseId)
    .executeTakeFirstOrThrow()
  return count
}
