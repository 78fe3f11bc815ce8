import type { ExerciseTag, NewExerciseTag, TaxonomyAxis } from '@tendon/contracts'
import type { PlatformTx, TenantTx } from '@tendon/db'

type Tx = TenantTx | PlatformTx

export async function findExerciseTag(
  tx: Tx,
  exerciseId: string,
  axis: TaxonomyAxis,
  tagId: string,
): Promise<ExerciseTag | undefined> {
  return tx
    .selectFrom('exercise_tags as e')
    .innerJoin('taxonomy_tags as t', 't.id', 'e.tag_id')
    .select(['e.axis as tag_type', 'e.tag_id', 't.name', 't.slug'])
    .select(['e.tagged_by_principal_id', 'e.tagged_at', 'e.clinical_basis'])
    .where('e.exercise_id', '=', exerciseId)
    .where('e.axis', '=', axis)
    .where('e.tag_id', '=', tagId)
    .executeTakeFirst()
}

export async function insertExerciseTag(
  tx: Tx,
  exerciseId: string,
  { tag_type: axis, ...values }: NewExerciseTag,
): Promise<void> {
  await tx
    .insertInto('exercise_tags')
    .values({ ...values, axis, exercise_id: exerciseId })
    .execute()
}

export async function deleteExerciseTag(tx: Tx, exerciseId: string, tagId: string): Promise<void> {
  await tx.deleteFrom('exercise_tags').where('exercise_id', '=', exerciseId).where('tag_id', '=', tagId).execute()
}
