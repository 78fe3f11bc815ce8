import { type ExerciseSummary, type List, TAXONOMY_AXES, type TaxonomyAxis } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { sql } from 'kysely'
import { PARTS, type Parts, type PartsRow, POSE_CONFIG, partsByPlace, poseConfigInForce } from './parts-queries.ts'
import { living, OF_CLINIC, OF_PLATFORM, SUMMARY } from './queries.ts'

/** A row of the page; `id` is null in the one that a page past the last consists of. */
type Listed = Omit<ExerciseSummary, keyof Parts | 'id' | 'contraindications_count'> &
  PartsRow & {
    id: string | null
    total: number
  }

const INSTRUCTIONS_COUNT = sql<number>`(
  select count(*) from exercise_instructions i where i.exercise_id = exercises.id)`
const TRACKING_ENABLED = sql<boolean>`coalesce(${poseConfigInForce(`p.tracking_enabled and p.status = 'active'`)}, false)`

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

/** To plan the list anew for each caller takes longer than to read it, and finds the same plan. */
const planOnce = (tx: TenantTx) => sql`select set_config('plan_cache_mode', 'force_generic_plan', true)`.execute(tx)

/** The page and the number of all that match: one statement, so that the filters are applied once and nothing moves. */
export async function listExercises(
  tx: TenantTx,
  list: List,
): Promise<{ exercises: ExerciseSummary[]; total: number }> {
  const sort = list.sort.length > 0 ? list.sort : [{ field: 'created_at', descending: true }]
  const order = [...sort, { field: 'id', descending: true }].map(
    ({ field, descending }) => sql`${sql.ref(field)} ${sql.raw(descending ? 'desc' : 'asc')}`,
  )
  const found = matching(tx, list)
    .select('id')
    .select(sort.map(({ field }) => sql.ref(field).as(field)))
  const columns = SUMMARY.map((column) => sql.ref(`exercises.${column}`))
  const parts = Object.entries(PARTS).map(
    ([name, part]) => sql`case when page.place = 1 then ${part} end as ${sql.ref(name)}`,
  )
  const page = sql<Listed>`
    with found as materialized ${found},
    page as materialized (
      select id, place from unnest(array(select id from found order by ${sql.join(order)}
        limit ${list.limit} offset ${(list.page - 1) * list.limit})) with ordinality as page (id, place))
    select matches.total, ${sql.join(columns)}, ${INSTRUCTIONS_COUNT} as instructions_count, ${POSE_CONFIG} as pose_config,
      ${sql.join(parts)}
    from (select count(*) as total from found) matches
    left join page on true
    left join exercises on exercises.id = page.id
    order by page.place`
  const [, { rows }] = await Promise.all([planOnce(tx), page.execute(tx)])
  const [first] = rows
  if (!first) return { exercises: [], total: 0 }
  const of = partsByPlace(rows.length, first)
  const exercises = rows.flatMap(({ total: _all, tags: _shared, id, ...row }, index) => {
    const parts = of[index]
    return id === null || !parts
      ? []
      : [{ id, ...row, ...parts, contraindications_count: parts.contraindications.length }]
  })
  return { exercises, total: first.total }
}
