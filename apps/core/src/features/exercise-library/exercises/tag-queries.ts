import type { TaxonomyAxis } from '@tendon/contracts'
import { sql } from 'kysely'
import type { LibraryTx } from './parts-queries.ts'

export interface NamedTag {
  axis: TaxonomyAxis
  id: string
}

/**
 * Those of the named values that an exercise of the organization (null: of the platform) cannot be given: unknown ones,
 * which are also those of other clinics, and deprecated ones that it does not have already.
 */
export async function listUnusableTags(
  tx: LibraryTx,
  { id, organization_id }: { id: string | null; organization_id: string | null },
  tags: NamedTag[],
) {
  const { rows } = await sql<{ axis: TaxonomyAxis; problem: 'unknown' | 'deprecated' }>`
    select distinct n.axis, case when t.id is null then 'unknown' else 'deprecated' end as problem
    from unnest(${tags.map(({ axis }) => axis)}::text[], ${tags.map((tag) => tag.id)}::uuid[]) as n (axis, id)
    left join taxonomy_tags t on t.id = n.id and t.axis = n.axis
      and (t.organization_id is null or t.organization_id = ${organization_id}::uuid)
    where t.id is null or (t.deprecated_at is not null
      and not exists (select 1 from exercise_tags e where e.exercise_id = ${id}::uuid and e.tag_id = n.id))
    order by problem desc`.execute(tx)
  return rows
}

/** From now on the exercise has these values of the axis. Those it keeps keep who gave them, and when. */
export async function replaceTags(tx: LibraryTx, exerciseId: string, axis: TaxonomyAxis, ids: string[]): Promise<void> {
  await sql`delete from exercise_tags where exercise_id = ${exerciseId} and axis = ${axis}
    and tag_id <> all(${ids}::uuid[])`.execute(tx)
  await sql`insert into exercise_tags (exercise_id, axis, tag_id)
    select ${exerciseId}, ${axis}, id from unnest(${ids}::uuid[]) id on conflict do nothing`.execute(tx)
}
