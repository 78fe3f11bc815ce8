import {
  type Contraindication,
  type ExerciseSummary,
  type Instruction,
  TAG_KEYS,
  TAXONOMY_AXES,
  type TaxonomyAxis,
} from '@tendon/contracts'
import type { PlatformTx, TenantTx } from '@tendon/db'
import { sql } from 'kysely'

/** In a clinic, under row-level security; or above all, by a superadmin. */
export type LibraryTx = TenantTx | PlatformTx

type TagKey = (typeof TAG_KEYS)[TaxonomyAxis]
export type Parts = Pick<ExerciseSummary, TagKey | 'prerequisites' | 'contraindications'>

/** Of the version in force, which is the newest active one; where none is, of the newest draft. */
export const poseConfigInForce = (wanted: string) => sql`(
  select ${sql.raw(wanted)} from exercise_pose_configs p where p.exercise_id = exercises.id
  order by p.status = 'active' desc, p.version desc limit 1)`
export const POSE_CONFIG = sql<ExerciseSummary['pose_config']>`${poseConfigInForce(`json_build_object('id', p.id,
  'tracking_enabled', p.tracking_enabled, 'engine_code', p.engine_code, 'status', p.status,
  'pinned_asset_version', p.pinned_asset_version)`)}`

type TagRow = Parts['body_regions'][number] & Parts['conditions'][number] & { exercise_id: string; axis: TaxonomyAxis }

const tagsOf = (ids: string[]) => sql<TagRow>`
  select x.exercise_id, t.axis, t.id, t.name, t.slug, t.body_area, t.icd10_code
  from exercise_tags x join taxonomy_tags t on t.id = x.tag_id
  where x.exercise_id = any(${ids}::uuid[]) order by t.sort_order, t.slug collate "C", t.id`

/** Only those that the caller sees: a draft is not there for whoever sees published ones. */
const prerequisitesOf = (ids: string[]) => sql<Parts['prerequisites'][number] & { exercise_id: string }>`
  select p.exercise_id, e.id, e.name, e.slug
  from exercise_prerequisites p join exercises e on e.id = p.prerequisite_exercise_id and e.deleted_at is null
  where p.exercise_id = any(${ids}::uuid[]) order by p.tagged_at, e.id`

const contraindicationsOf = (ids: string[]) => sql<Contraindication & { exercise_id: string }>`
  select c.exercise_id, c.id, c.description, c.severity, c.tagged_by_principal_id, c.tagged_at, c.clinical_basis, c.translations,
    json_build_object('id', t.id, 'slug', t.slug, 'name', t.name, 'icd10_code', t.icd10_code) as condition
  from exercise_contraindications c join taxonomy_tags t on t.id = c.condition_id
  where c.exercise_id = any(${ids}::uuid[]) order by c.tagged_at, c.id`

/** What hangs on the exercises, for each of the ids: three statements that travel together. */
export async function listParts(tx: LibraryTx, ids: string[]): Promise<Map<string, Parts>> {
  const parts = new Map(ids.map((id) => [id, noParts()]))
  if (ids.length === 0) return parts
  const [tags, prerequisites, contraindications] = await Promise.all([
    tagsOf(ids).execute(tx),
    prerequisitesOf(ids).execute(tx),
    contraindicationsOf(ids).execute(tx),
  ])
  for (const { exercise_id, axis, ...tag } of tags.rows) parts.get(exercise_id)?.[TAG_KEYS[axis]].push(tag)
  for (const { exercise_id, ...one } of prerequisites.rows) parts.get(exercise_id)?.prerequisites.push(one)
  for (const { exercise_id, ...one } of contraindications.rows) parts.get(exercise_id)?.contraindications.push(one)
  return parts
}

function noParts(): Parts {
  const tags = Object.fromEntries(TAXONOMY_AXES.map((axis) => [TAG_KEYS[axis], []])) as unknown as Pick<Parts, TagKey>
  return { ...tags, prerequisites: [], contraindications: [] }
}

export async function listContraindications(tx: LibraryTx, exerciseId: string): Promise<Contraindication[]> {
  return (await contraindicationsOf([exerciseId]).execute(tx)).rows
}

export async function listInstructions(tx: LibraryTx, exerciseId: string): Promise<Instruction[]> {
  const rows = await tx
    .selectFrom('exercise_instructions')
    .select(['id', 'sort_order', 'title', 'content', 'image_url', 'instruction_type', 'translations', 'created_at'])
    .where('exercise_id', '=', exerciseId)
    .orderBy('sort_order')
    .orderBy('id')
    .execute()
  return rows as Instruction[]
}
