import { all, any, type Case, type Cases } from './case.ts'
import type { Clinic } from './clinic.fixtures.ts'

const READ = any('exercises.view_published', 'exercises.manage_org')
const MANAGE = all('exercises.manage_org')

/** Belongs to whom its exercise belongs to: the organization that an insert names counts for nothing. */
const part = (column: string, fresh: (of: Clinic) => string, set: string, rights: Partial<Case> = {}): Case => ({
  row: (of) => `exercise_id = '${of.exercise}'`,
  fresh: (of) => `(organization_id, exercise_id, ${column}) values ('${of.id}', '${of.spareExercise}', ${fresh(of)})`,
  set,
  select: READ,
  insert: MANAGE,
  update: 'nobody',
  delete: MANAGE,
  shared: true,
  ...rights,
})

export const EXERCISE_CASES: Cases = {
  exercises: {
    row: (of) => `id = '${of.exercise}'`,
    fresh: (of) => `(organization_id, name, slug) values ('${of.id}', 'New', 'new')`,
    set: `name = 'Other'`,
    select: READ,
    insert: MANAGE,
    update: MANAGE,
    delete: 'nobody',
    shared: true,
  },
  exercise_instructions: part('sort_order, content, instruction_type', () => `1, 'Sit', 'step'`, `content = 'Other'`, {
    update: MANAGE,
  }),
  exercise_tags: part('axis, tag_id', (of) => `'category', '${of.tag}'`, `clinical_basis = 'Other'`),
  exercise_prerequisites: part('prerequisite_exercise_id', (of) => `'${of.exercise}'`, `clinical_basis = 'Other'`),
  exercise_contraindications: part(
    'condition_id, severity',
    (of) => `'${of.spareCondition}', 'relative'`,
    `severity = 'precaution'`,
  ),
  exercise_bundles: part('manifest', () => `'{}'`, `manifest = '{"a": 1}'`, { update: MANAGE, delete: 'nobody' }),
  exercise_bundle_files: {
    ...part('', () => '', 'removed_version = 2', { update: MANAGE, delete: 'nobody' }),
    fresh: (of) => `(organization_id, exercise_id, name, object_key, sha256, bytes, added_version)
      values ('${of.id}', '${of.exercise}', 'outro-video-1.mp4', 'bundles/outro', 'b', 1, 1)`,
  },
  exercise_video_uploads: {
    row: (of) => `exercise_id = '${of.exercise}'`,
    fresh: (of) => `(organization_id, exercise_id, principal_id, length, metadata, expires_at)
      values ('${of.id}', '${of.spareExercise}', '${of.human}', 1, '{}', now())`,
    set: 'received = 1',
    select: MANAGE,
    insert: MANAGE,
    update: MANAGE,
    delete: MANAGE,
    owner: 'human',
  },
  renders: {
    row: (of) => `exercise_id = '${of.exercise}'`,
    fresh: (of) => `(organization_id, exercise_id, asset_version, manifest, language, sets, seed, fingerprint)
      values ('${of.id}', '${of.exercise}', 1, '{}', 'en', '[]', 1, 'another')`,
    set: 'progress = 5',
    select: all('exercises.view_published'),
    insert: all('exercises.compose'),
    update: all('exercises.compose', 'exercises.view_published'),
    delete: 'nobody',
  },
  exercise_pose_configs: part('version, config', () => `1, '{}'`, `status = 'draft'`, { delete: 'nobody' }),
}
