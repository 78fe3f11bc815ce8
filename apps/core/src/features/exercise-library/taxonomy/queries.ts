import type { List, NewTaxonomyTag, TaxonomyAxis, TaxonomyTag, TaxonomyTagChanges } from '@tendon/contracts'
import type { PlatformTx, TenantTx } from '@tendon/db'
import { sql } from 'kysely'

type Tx = TenantTx | PlatformTx

const COLUMNS = [
  'id',
  'organization_id',
  'axis',
  'slug',
  'name',
  'description',
  'sort_order',
  'translations',
  'parent_id',
  'body_area',
  'icon_url',
  'icd10_code',
  'body_region_id',
  'status',
  'deprecated_at',
  'replaced_by_id',
  'created_at',
  'updated_at',
  'version',
] as const

const OF_PLATFORM = sql<boolean>`organization_id is null`
const OF_CLINIC = sql<boolean>`organization_id = (select current_app_org_id())`

/** The platform's values and those of the clinic in context, by any login. */
const visible = (tx: Tx, axis: TaxonomyAxis) =>
  tx
    .selectFrom('taxonomy_tags')
    .select(COLUMNS)
    .where('axis', '=', axis)
    .where((is) => is.or([OF_PLATFORM, OF_CLINIC]))

type Filters = List['filters']

/** Values in use, unless `deprecated` says otherwise; best matches first, then in their order. */
export async function listTags(
  tx: Tx,
  axis: TaxonomyAxis,
  { filters, q, limit }: { filters: Filters; q?: string; limit?: number },
): Promise<TaxonomyTag[]> {
  const { scope = [], deprecated = ['false'], icd10, ...exact } = filters
  let query = visible(tx, axis)
  if (!scope.includes('all') && scope.includes('global') !== scope.includes('org'))
    query = query.where(scope.includes('global') ? OF_PLATFORM : OF_CLINIC)
  if (!deprecated.includes('true')) query = query.where('deprecated_at', 'is', null)
  if (!deprecated.includes('false')) query = query.where('deprecated_at', 'is not', null)
  for (const [column, values] of Object.entries(exact))
    query = query.where(sql<boolean>`${sql.ref(column)}::text = any(${values})`)
  if (icd10)
    query = query
      .where(
        sql<boolean>`exists (select 1 from unnest(${icd10}::text[]) given
          where given ~ '[0-9A-Za-z]'
            and starts_with(replace(icd10_code, '.', ''), regexp_replace(upper(given), '[^0-9A-Z]', '', 'g')))`,
      )
      .orderBy('icd10_code')
  if (q !== undefined) query = query.where(matches(q.normalize())).orderBy(begins(q.normalize()), 'desc')
  const ordered = query.orderBy('sort_order').orderBy('name').orderBy('id')
  return await (limit === undefined ? ordered : ordered.limit(limit)).execute()
}

/** Every word, in whatever order. */
const matches = (q: string) =>
  sql<boolean>`not exists (select 1 from unnest(${q.split(/\s+/)}::text[]) word where strpos(search_text, fold_text(word)) = 0)`

/** Whether the name, or a translated one (in search_text each has its line), begins with the text. */
const begins = (q: string) => sql<boolean>`strpos(chr(10) || search_text, chr(10) || fold_text(${q})) > 0`

export async function findTag(tx: Tx, axis: TaxonomyAxis, id: string): Promise<TaxonomyTag | undefined> {
  return await visible(tx, axis).where('id', '=', id).executeTakeFirst()
}

/** Locks the row, so that the audited "before" is what the change replaces. Only the caller's own: the clinic's or the platform's. */
export async function findOwnTagForUpdate(tx: Tx, axis: TaxonomyAxis, id: string): Promise<TaxonomyTag | undefined> {
  const own = visible(tx, axis)
    .where('id', '=', id)
    .where(sql<boolean>`organization_id is not distinct from (select current_app_scope())`)
  return await own.forNoKeyUpdate().executeTakeFirst()
}

export async function insertTag(tx: Tx, axis: TaxonomyAxis, values: NewTaxonomyTag): Promise<TaxonomyTag> {
  return tx
    .insertInto('taxonomy_tags')
    .values({ axis, ...values })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

export async function updateTag(tx: Tx, id: string, changes: TaxonomyTagChanges): Promise<TaxonomyTag> {
  return tx.updateTable('taxonomy_tags').set(changes).where('id', '=', id).returning(COLUMNS).executeTakeFirstOrThrow()
}

/** Once deprecated it stays so from then; the replacement can be named later, or corrected. */
export async function deprecateTag(tx: Tx, id: string, replacedById: string | null): Promise<TaxonomyTag> {
  return tx
    .updateTable('taxonomy_tags')
    .set({
      deprecated_at: sql<string>`coalesce(deprecated_at, now())`,
      replaced_by_id: sql<string | null>`coalesce(${replacedById}::uuid, replaced_by_id)`,
    })
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

/** Foreign keys do the rest: children come to the top, and exercises lose the tag. */
export async function deleteTag(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('taxonomy_tags').where('id', '=', id).execute()
}
