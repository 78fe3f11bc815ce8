import { type ExerciseSummary, type List, TAXONOMY_AXES, type TaxonomyAxis } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { type RawBuilder, sql } from 'kysely'
import { CURRENT_VERSION_FIRST, PARTS, type Parts, type PartsRow, partsByPlace } from './parts-queries.ts'
import { SUMMARY } from './queries.ts'

/** A row of the page; `id` is null in the one that a page past the last consists of. */
type Listed = Omit<ExerciseSummary, keyof Parts | 'id' | 'contraindications_count'> &
  PartsRow & {
    id: string | null
    total: number
  }

const TRACKING_ENABLED = sql`coalesce((
  select p.tracking_enabled and p.status = 'active' from exercise_pose_configs p where p.exercise_id = exercises.id
  order by ${CURRENT_VERSION_FIRST} limit 1), false)`

const isTagged = (axis: TaxonomyAxis, ids: readonly string[]) => sql`exists (
  select 1 from exercise_tags t where t.exercise_id = exercises.id and t.axis = ${axis} and t.tag_id = any(${ids}::uuid[]))`

/** Every word, in whatever order. Escaped once it is folded: folding makes % and _ of their foreign forms. */
const matches = (words: readonly string[]) => sql`search_text like all (array(
  select '%' || regexp_replace(fold_text(word), '([\\\\%_])', '\\\\\\1', 'g') || '%' from unnest(${words}::text[]) word))`

/** Which exercises a list asks for, of those that the caller sees: the platform's and those of the clinic in context. */
function conditions({ q, filters }: List): RawBuilder<unknown> {
  const { scope = [], has_video = [], tracking_enabled = [], deleted = ['false'], difficulty, status } = filters
  const all: RawBuilder<unknown>[] = [sql`true`]
  if (!deleted.includes('true')) all.push(sql`deleted_at is null`)
  if (deleted.includes('true'))
    all.push(sql`(deleted_at is null or organization_id is not distinct from (select current_app_org_id()))`) // can be restored
  if (!deleted.includes('false')) all.push(sql`deleted_at is not null`)
  if (!scope.includes('all') && scope.includes('global') !== scope.includes('org'))
    all.push(
      scope.includes('global') ? sql`organization_id is null` : sql`organization_id = (select current_app_org_id())`,
    )
  if (difficulty) all.push(sql`difficulty = any(${difficulty})`)
  if (status) all.push(sql`status = any(${status})`)
  if (has_video.length === 1) all.push(sql`(video_url is not null) = ${has_video[0] === 'true'}`)
  if (tracking_enabled.length === 1) all.push(sql`${TRACKING_ENABLED} = ${tracking_enabled[0] === 'true'}`)
  for (const axis of TAXONOMY_AXES) {
    const ids = filters[`${axis}_id`]
    if (ids) all.push(isTagged(axis, ids))
  }
  if (q !== undefined) all.push(matches(q.normalize().split(/\s+/)))
  return sql.join(all, sql` and `)
}

const COLUMNS = sql.join([
  ...SUMMARY.map((column) => sql.ref(`exercises.${column}`)),
  sql`(select count(*) from exercise_instructions i where i.exercise_id = exercises.id) as instructions_count`,
  ...Object.entries(PARTS).map(([name, part]) => sql`case when page.place = 1 then ${part} end as ${sql.ref(name)}`),
])

/** The page and the number of all that match: one statement, so that the filters are applied once and nothing moves. */
function statement(list: List): RawBuilder<Listed> {
  const sort = list.sort.length > 0 ? list.sort : [{ field: 'created_at', descending: true }]
  const order = [...sort, { field: 'id', descending: true }].map(
    ({ field, descending }) => sql`${sql.ref(field)}${descending ? sql` desc` : sql``}`,
  )
  return sql<Listed>`
    with found as (
      select id, ${sql.join(sort.map(({ field }) => sql.ref(field)))} from exercises where ${conditions(list)}),
    page as (
      select id, place from unnest(array(select id from found order by ${sql.join(order)}
        limit ${list.limit} offset ${(list.page - 1) * list.limit})) with ordinality as page (id, place))
    select matches.total, ${COLUMNS}
    from (select count(*) as total from found) matches
    left join page on true
    left join exercises on exercises.id = page.id
    order by page.place`
}

export async function listExercises(
  tx: TenantTx,
  list: List,
): Promise<{ exercises: ExerciseSummary[]; total: number }> {
  const { rows } = await statement(list).execute(tx)
  const [first] = rows
  if (!first) return { exercises: [], total: 0 }
  const of = partsByPlace(rows.length, first)
  const exercises = rows.flatMap(({ total: _all, tags: _shared, pose_configs: _too, id, ...row }, index) => {
    const parts = of[index]
    return id === null || !parts
      ? []
      : [{ id, ...row, ...parts, contraindications_count: parts.contraindications.length }]
  })
  return { exercises, total: first.total }
}
