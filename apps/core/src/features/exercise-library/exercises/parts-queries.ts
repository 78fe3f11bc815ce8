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

export type Parts = Pick<
  ExerciseSummary,
  (typeof TAG_KEYS)[TaxonomyAxis] | 'prerequisites' | 'contraindications' | 'pose_config'
>

interface Named {
  id: string
  name: string
  slug: string
}
interface TagRow extends Named {
  exercise_id: string
  axis: TaxonomyAxis
  body_area: 'upper_body' | 'lower_body' | 'core' | 'full_body'
  icd10_code: string | null
}

const listTags = async (tx: LibraryTx, ids: string[]) =>
  (
    await sql<TagRow>`
      select e.exercise_id, t.axis, t.id, t.name, t.slug, t.body_area, t.icd10_code
      from exercise_tags e join taxonomy_tags t on t.id = e.tag_id
      where e.exercise_id = any(${ids}::uuid[]) order by t.sort_order, t.slug collate "C", t.id`.execute(tx)
  ).rows

/** Only those that the caller sees: a draft is not there for whoever sees published ones. */
const listPrerequisiteNames = async (tx: LibraryTx, ids: string[]) =>
  (
    await sql<Named & { exercise_id: string }>`
      select p.exercise_id, e.id, e.name, e.slug
      from exercise_prerequisites p join exercises e on e.id = p.prerequisite_exercise_id and e.deleted_at is null
      where p.exercise_id = any(${ids}::uuid[]) order by p.tagged_at, e.id`.execute(tx)
  ).rows

type ContraindicationRow = Contraindication & { exercise_id: string }

async function listContraindicationsOf(tx: LibraryTx, ids: string[]) {
  const { rows } = await sql<ContraindicationRow>`
    select c.exercise_id, c.id, c.description, c.severity, c.tagged_by_principal_id, c.tagged_at, c.clinical_basis,
      json_build_object('id', t.id, 'slug', t.slug, 'name', t.name, 'icd10_code', t.icd10_code) as condition
    from exercise_contraindications c join taxonomy_tags t on t.id = c.condition_id
    where c.exercise_id = any(${ids}::uuid[]) order by c.tagged_at, c.id`.execute(tx)
  return rows
}

type PoseConfigRow = NonNullable<ExerciseSummary['pose_config']> & { exercise_id: string }

const listPoseConfigs = async (tx: LibraryTx, ids: string[]) =>
  (
    await sql<PoseConfigRow>`
      select distinct on (exercise_id) exercise_id, id, tracking_enabled, engine_code, status, pinned_asset_version
      from exercise_pose_configs where exercise_id = any(${ids}::uuid[]) order by exercise_id, version desc`.execute(tx)
  ).rows

/** What hangs on the exercises: four statements that travel together. */
export async function listParts(tx: LibraryTx, ids: string[]): Promise<Map<string, Parts>> {
  if (ids.length === 0) return new Map()
  const rows = await Promise.all([
    listTags(tx, ids),
    listPrerequisiteNames(tx, ids),
    listContraindicationsOf(tx, ids),
    listPoseConfigs(tx, ids),
  ])
  const parts = new Map<string, Parts>(ids.map((id) => [id, noParts()]))
  const [tags, prerequisites, contraindications, poseConfigs] = rows
  for (const { exercise_id, axis, ...tag } of tags) parts.get(exercise_id)?.[TAG_KEYS[axis]].push(tag)
  for (const { exercise_id, ...one } of prerequisites) parts.get(exercise_id)?.prerequisites.push(one)
  for (const { exercise_id, ...one } of contraindications) parts.get(exercise_id)?.contraindications.push(one)
  for (const { exercise_id, ...one } of poseConfigs) {
    const of = parts.get(exercise_id)
    if (of) of.pose_config = one
  }
  return parts
}

function noParts(): Parts {
  const tags = Object.fromEntries(TAXONOMY_AXES.map((axis) => [TAG_KEYS[axis], []])) as unknown as Pick<
    Parts,
    (typeof TAG_KEYS)[TaxonomyAxis]
  >
  return { ...tags, prerequisites: [], contraindications: [], pose_config: null }
}

export const listContraindications = (tx: LibraryTx, exerciseId: string): Promise<Contraindication[]> =>
  listContraindicationsOf(tx, [exerciseId])

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
