import type { Exercise, ExerciseStatus } from '@tendon/contracts'
import { sql } from 'kysely'
import { findParts, type LibraryTx, listInstructions } from './parts-queries.ts'
import type { ownColumns } from './rules.ts'

/** What list and detail both give. */
export const SUMMARY = [
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
  'version',
] as const
const DETAIL = [
  ...SUMMARY,
  'instructions_summary',
  'default_dose',
  'progression',
  'regression',
  'source',
  'created_by_user_id',
] as const
const ROW = ['id', 'organization_id', 'name', 'slug', 'status', 'kind', 'version'] as const

/** What other features need of an exercise. */
export interface ExerciseRow {
  id: string
  /** null: of the platform. */
  organization_id: string | null
  name: string
  slug: string
  status: ExerciseStatus
  kind: Exercise['kind']
  version: number
}

export const living = (tx: LibraryTx) => tx.selectFrom('exercises').where('deleted_at', 'is', null)

export const OF_PLATFORM = sql<boolean>`organization_id is null`
export const OF_CLINIC = sql<boolean>`organization_id = current_app_org_id()`

/** With everything that belongs to it. */
export async function findExercise(tx: LibraryTx, id: string): Promise<Exercise | undefined> {
  const [row, parts, instructions] = await Promise.all([
    living(tx).select(DETAIL).where('id', '=', id).executeTakeFirst(),
    findParts(tx, id),
    listInstructions(tx, id),
  ])
  return row && ({ ...row, ...parts, instructions } as Exercise)
}

export async function findExerciseRow(tx: LibraryTx, id: string): Promise<ExerciseRow | undefined> {
  return await living(tx).select(ROW).where('id', '=', id).executeTakeFirst()
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
  return found
}

/** Locks an exercise that the caller may change: the clinic's own; any for a superadmin. Changes of its parts lock it too. */
export async function findExerciseRowForUpdate(tx: LibraryTx, id: string): Promise<ExerciseRow | undefined> {
  const found = await living(tx).select(ROW).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
  return found
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
