import {
  type Contraindication,
  type ExerciseSummary,
  type Instruction,
  TAG_KEYS,
  type TaxonomyAxis,
} from '@tendon/contracts'
import type { PlatformTx, TenantTx } from '@tendon/db'
import { type RawBuilder, sql } from 'kysely'

/** In a clinic, under row-level security; or above all, by a superadmin. */
export type LibraryTx = TenantTx | PlatformTx

type TagKey = (typeof TAG_KEYS)[TaxonomyAxis]
export type Parts = Pick<ExerciseSummary, TagKey | 'prerequisites' | 'contraindications' | 'pose_config'>

/** Of the exercises in `page` (id, place): each value once, in the order of its axis, with the places of those that have it. */
const TAGS = sql`
  select array[t.id::text, t.axis, translated_name(t.name, t.translations), t.slug, t.body_area, t.icd10_code, x.places]
  from (
    select x.tag_id, string_agg(page.place::text, ' ') as places
    from page join exercise_tags x on x.exercise_id = page.id group by x.tag_id) x
  join taxonomy_tags t on t.id = x.tag_id
  order by t.sort_order, t.slug collate "C", t.id`

/** Only exercises that the caller can see: exercises.view_published does not include drafts. */
const PREREQUISITES = sql`
  select page.place, e.id, translated_name(e.name, e.translations) as name, e.slug
  from page join exercise_prerequisites p on p.exercise_id = page.id
  join exercises e on e.id = p.prerequisite_exercise_id and e.deleted_at is null
  order by p.tagged_at, e.id`

const CONTRAINDICATIONS = sql`
  select page.place, c.id, c.description, c.severity, c.tagged_by_principal_id, c.tagged_at, c.clinical_basis, c.translations,
    c.source, c.stages, c.until_cleared_for,
    json_build_object('id', t.id, 'slug', t.slug, 'name', translated_name(t.name, t.translations),
      'icd10_code', t.icd10_code) as condition
  from page join exercise_contraindications c on c.exercise_id = page.id
  join taxonomy_tags t on t.id = c.condition_id
  order by c.tagged_at, c.id`

/** The current version: the newest active one, otherwise the newest draft. */
export const CURRENT_VERSION_FIRST = sql`p.status = 'active' desc, p.version desc`
const POSE_CONFIGS = sql`
  select distinct on (page.place) page.place, p.id, p.tracking_enabled, p.engine_code, p.status, p.pinned_asset_version
  from page join exercise_pose_configs p on p.exercise_id = page.id
  order by page.place, ${CURRENT_VERSION_FIRST}`

const asJson = (rows: RawBuilder<unknown>) => sql`(select json_agg(one) from (${rows}) one)`

/** What hangs on the exercises in `page`, as columns for one row: rows of their own would be read one by one. */
export const PARTS = {
  tags: sql`to_json(array(${TAGS}))`,
  prerequisites: asJson(PREREQUISITES),
  contraindications: asJson(CONTRAINDICATIONS),
  pose_configs: asJson(POSE_CONFIGS),
}

type TagTuple =
  | TagOf<'body_region', Parts['body_regions'][number]['body_area'], null>
  | TagOf<'condition', null, Parts['conditions'][number]['icd10_code']>
  | TagOf<Exclude<TaxonomyAxis, 'body_region' | 'condition'>, null, null>
type TagOf<Axis, Area, Code> = [
  id: string,
  axis: Axis,
  name: string,
  slug: string,
  body_area: Area,
  icd10_code: Code,
  places: string,
]
/** Counted from 1. */
interface Placed {
  place: number
}
export interface PartsRow {
  tags: TagTuple[] | null
  prerequisites: (Parts['prerequisites'][number] & Placed)[] | null
  contraindications: (Contraindication & Placed)[] | null
  pose_configs: (NonNullable<Parts['pose_config']> & Placed)[] | null
}

/** Hands out what `PARTS` has read: to each place of the page its own. */
export function partsByPlace(
  count: number,
  { tags, prerequisites, contraindications, pose_configs }: PartsRow,
): Parts[] {
  const parts = Array.from({ length: count }, noParts)
  for (const tag of tags ?? []) {
    const [, , , , , , places] = tag
    for (const place of places.split(' ')) addTag(parts[Number(place) - 1], tag)
  }
  for (const { place, ...one } of prerequisites ?? []) parts[place - 1]?.prerequisites.push(one)
  for (const { place, ...one } of contraindications ?? [])
    parts[place - 1]?.contraindications.push({ ...one, tagged_at: new Date(one.tagged_at).toISOString() })
  for (const { place, ...one } of pose_configs ?? []) {
    const of = parts[place - 1]
    if (of) of.pose_config = one
  }
  return parts
}

function addTag(parts: Parts | undefined, [id, axis, name, slug, body_area, icd10_code]: TagTuple): void {
  if (axis === 'body_region') parts?.body_regions.push({ id, name, slug, body_area })
  else if (axis === 'condition') parts?.conditions.push({ id, name, slug, icd10_code })
  else parts?.[TAG_KEYS[axis]].push({ id, name, slug })
}

const noParts = (): Parts => ({
  categories: [],
  body_regions: [],
  equipment: [],
  movement_patterns: [],
  recovery_phases: [],
  conditions: [],
  skill_prerequisites: [],
  prerequisites: [],
  contraindications: [],
  pose_config: null,
})

const pageOfOne = (exerciseId: string) => sql`with page as (select ${exerciseId}::uuid as id, 1 as place)`

/** What hangs on one exercise. */
export async function findParts(tx: LibraryTx, exerciseId: string): Promise<Parts | undefined> {
  const columns = Object.entries(PARTS).map(([name, part]) => sql`${part} as ${sql.ref(name)}`)
  const { rows } = await sql<PartsRow>`${pageOfOne(exerciseId)} select ${sql.join(columns)}`.execute(tx)
  return rows[0] && partsByPlace(1, rows[0])[0]
}

export async function listContraindications(tx: LibraryTx, exerciseId: string): Promise<Contraindication[]> {
  const query = sql<Contraindication & Placed>`${pageOfOne(exerciseId)} ${CONTRAINDICATIONS}`
  return (await query.execute(tx)).rows.map(({ place: _first, ...one }) => one)
}

export async function listInstructions(tx: LibraryTx, exerciseId: string): Promise<Instruction[]> {
  return tx
    .selectFrom('exercise_instructions')
    .select([
      'id',
      'sort_order',
      'title',
      'content',
      'image_url',
      'instruction_type',
      'translations',
      'created_at',
      'version',
    ])
    .where('exercise_id', '=', exerciseId)
    .orderBy('sort_order')
    .orderBy('id')
    .execute()
}
