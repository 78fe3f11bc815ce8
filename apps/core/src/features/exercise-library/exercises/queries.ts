import type { Exercise, ExerciseStatus } from '@tendon/contracts'
import { type PlatformTx, type ServiceTx, together } from '@tendon/db'
import { type RawBuilder, sql } from 'kysely'
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
export const OF_CLINIC = sql<boolean>`organization_id = (select current_app_org_id())`

/** With everything that belongs to it. */
export async function findExercise(tx: LibraryTx, id: string): Promise<Exercise | undefined> {
  const [row, parts, instructions] = await Promise.all([
    living(tx).select(DETAIL).where('id', '=', id).executeTakeFirst(),
    findParts(tx, id),
    listInstructions(tx, id),
  ])
  return row && parts && { ...row, ...parts, instructions }
}

export async function findExerciseRow(tx: LibraryTx, id: string): Promise<ExerciseRow | undefined> {
  return await living(tx).select(ROW).where('id', '=', id).executeTakeFirst()
}

/** The clinic's own wins over the platform's. A superadmin, without a clinic, gets the platform's. */
export async function findExerciseRowBySlug(tx: LibraryTx, slug: string): Promise<ExerciseRow | undefined> {
  return living(tx)
    .select(ROW)
    .where('slug', '=', slug)
    .where((is) => is.or([OF_PLATFORM, OF_CLINIC]))
    .orderBy('organization_id', (order) => order.asc().nullsLast())
    .limit(1)
    .executeTakeFirst()
}

/** Locks an exercise that the caller may change: the clinic's own; any for a superadmin. Changes of its parts lock it too. */
export async function findExerciseRowForUpdate(tx: LibraryTx, id: string): Promise<ExerciseRow | undefined> {
  return living(tx).select(ROW).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
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

/** What the route that deletes an exercise declares. */
export const DELETING = {
  codes: ['exercises.manage_org', 'data.view_deleted'],
  why: 'An update must see the row that it writes: here a deleted one. Unfinished uploads of others are deleted too.',
}

export interface Deletion {
  /** null when it was deleted already, or stays. */
  deleted_at: string | null
  /** An active treatment plan uses the exercise, so it stays. */
  isInUse: boolean
}

export const deleteExercise = (tx: ServiceTx, id: string) => deleteUnused(tx, id, OF_CLINIC)
/** Also one of a clinic. */
export const deleteAnyExercise = (tx: PlatformTx, id: string) => deleteUnused(tx, id, sql<boolean>`true`)

/**
 * Deletes an exercise that no active treatment plan uses, with its unfinished uploads. The lock waits for a transaction that adds it to a plan (its foreign key holds it for key share).
 */
async function deleteUnused(tx: ServiceTx | PlatformTx, id: string, reached: RawBuilder<boolean>): Promise<Deletion> {
  const found = await tx
    .selectFrom('exercises')
    .select('id')
    .where(reached)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!found) return { deleted_at: null, isInUse: false }
  const { rows } = await sql<{ in_use: boolean }>`select exercise_in_use(${id}) as in_use`.execute(tx)
  if (rows[0]?.in_use) return { deleted_at: null, isInUse: true }
  const [deleted] = await together([
    tx
      .updateTable('exercises')
      .set({ deleted_at: sql<string>`now()` })
      .where(reached)
      .where('id', '=', id)
      .returning('deleted_at')
      .executeTakeFirst(),
    tx.deleteFrom('exercise_video_uploads').where(reached).where('exercise_id', '=', id).execute(),
  ])
  return { deleted_at: deleted?.deleted_at ?? null, isInUse: false }
}

export async function countInstructions(tx: LibraryTx, exerciseId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('exercise_instructions')
    .select(sql<number>`count(*)`.as('count'))
    .where('exercise_id', '=', exerciseId)
    .executeTakeFirstOrThrow()
  return count
}
