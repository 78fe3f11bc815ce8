import type { TestDatabase } from '@tendon/testing'

type Query = TestDatabase['query']
type Insert = (text: string, values: unknown[]) => Promise<string>

/** Exercises, the first with a row in every table of the library. */
export async function createExercises(
  query: Query,
  insert: Insert,
  { id, tag, human }: { id: string; tag: string; human: string },
) {
  const newCondition = (slug: string) =>
    insert(`taxonomy_tags (organization_id, axis, slug, name) values ($1, 'condition', $2, $2)`, [id, slug])
  const newExercise = (slug: string) =>
    insert(`exercises (organization_id, name, slug, status) values ($1, $2, $2, 'published')`, [id, slug])
  const [condition, spareCondition] = await Promise.all([newCondition('sore'), newCondition('stiff')])
  const [exercise, spareExercise, easier] = await Promise.all([
    newExercise('squat'),
    newExercise('lunge'),
    newExercise('sit-to-stand'),
  ])
  await query(
    `insert into exercise_instructions (exercise_id, sort_order, content, instruction_type) values ($1, 1, 'Stand', 'step')`,
    [exercise],
  )
  await query(`insert into exercise_tags (exercise_id, axis, tag_id) values ($1, 'category', $2)`, [exercise, tag])
  await query('insert into exercise_prerequisites (exercise_id, prerequisite_exercise_id) values ($1, $2)', [
    exercise,
    easier,
  ])
  await query(
    `insert into exercise_contraindications (exercise_id, condition_id, severity) values ($1, $2, 'relative')`,
    [exercise, condition],
  )
  await query(`insert into exercise_pose_configs (exercise_id, version, config) values ($1, 1, '{}')`, [exercise])
  await query(`insert into exercise_bundles (exercise_id, manifest) values ($1, '{}')`, [exercise])
  await query(
    `insert into exercise_bundle_files (exercise_id, name, object_key, sha256, bytes, added_version)
     values ($1, 'intro-video-1.mp4', 'bundles/intro', 'a', 1, 1)`,
    [exercise],
  )
  await query(
    `insert into renders (organization_id, exercise_id, asset_version, manifest, language, sets, seed, fingerprint)
     values ($1, $2, 1, '{}', 'en', '[]', 1, 'one')`,
    [id, exercise],
  )
  await query(
    `insert into exercise_video_uploads (exercise_id, principal_id, length, metadata, expires_at)
     values ($1, $2, 1, '{}', now())`,
    [exercise, human],
  )
  return { exercise, spareExercise, condition, spareCondition }
}
