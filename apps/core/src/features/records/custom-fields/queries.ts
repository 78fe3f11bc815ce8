import type { CustomField, CustomFieldVersion, FieldContent, NewCustomField } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { sql } from 'kysely'

const COLUMNS = [
  'id',
  'organization_id',
  'entity_type',
  'key',
  'label',
  'field_type',
  'options',
  'description',
  'is_private',
  'sort_order',
  'system_key',
  'version',
  'draft',
  'created_at',
  'updated_at',
  'revision',
] as const

type Row = Omit<CustomField, 'published'> & { draft: FieldContent | null }

/** The content that is worked on: the draft, where one is open. */
const working = ({ draft, ...published }: Row): CustomField => ({ ...published, ...draft, published: draft === null })

const DRAFT_ORDER = sql`coalesce((draft ->> 'sort_order')::int, sort_order)`

/** All of them when `entityTypes` names none. */
export async function listFields(
  tx: TenantTx,
  entityTypes: readonly string[] = [],
  deleted: readonly string[] = ['false'],
): Promise<CustomField[]> {
  let query = tx.selectFrom('custom_fields').select(COLUMNS)
  if (!deleted.includes('true')) query = query.where('deleted_at', 'is', null)
  if (!deleted.includes('false')) query = query.where('deleted_at', 'is not', null)
  if (entityTypes.length > 0) query = query.where(sql<boolean>`entity_type = any(${entityTypes})`)
  const rows = await query.orderBy('entity_type').orderBy(DRAFT_ORDER).orderBy('id').execute()
  return rows.map(working)
}

export async function findField(tx: TenantTx, id: string): Promise<CustomField | undefined> {
  const row = await tx
    .selectFrom('custom_fields')
    .select(COLUMNS)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row && working(row)
}

/** Locked. Fields of the platform are not found: nobody changes them. */
export async function findFieldForUpdate(tx: TenantTx, id: string): Promise<CustomField | undefined> {
  const row = await tx
    .selectFrom('custom_fields')
    .select(COLUMNS)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row && working(row)
}

/** Version 1, published. */
export async function insertField(tx: TenantTx, values: NewCustomField): Promise<CustomField> {
  const { entity_type, key, label, field_type, options, description, is_private, sort_order } = values
  const row = await tx
    .insertInto('custom_fields')
    .values({
      entity_type,
      key,
      label,
      field_type,
      options: options ?? null,
      description: description ?? null,
      is_private: is_private ?? false,
      sort_order: sort_order ?? 0,
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
  return working(row)
}

export async function updateDraft(tx: TenantTx, id: string, draft: FieldContent): Promise<CustomField> {
  const row = await tx
    .updateTable('custom_fields')
    .set({ draft: JSON.stringify(draft) })
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
  return working(row)
}

/** The draft becomes the next version; the database keeps a copy of it. */
export async function publishDraft(tx: TenantTx, { id, version }: CustomField, content: FieldContent): Promise<void> {
  await tx
    .updateTable('custom_fields')
    .set({ ...content, version: version + 1, draft: null })
    .where('id', '=', id)
    .execute()
}

/** False when there is none, or it belongs to the platform. */
export async function deleteField(tx: TenantTx, id: string): Promise<boolean> {
  const { rows } = await sql<{ deleted: boolean }>`select delete_custom_field(${id}) as deleted`.execute(tx)
  return rows[0]?.deleted ?? false
}

const versionsOf = (tx: TenantTx, id: string) =>
  tx
    .selectFrom('custom_field_versions as v')
    .innerJoin('custom_fields as f', 'f.id', 'v.custom_field_id')
    .select(['v.version', 'v.published_at', 'v.fields_snapshot as fields'])
    .where('v.custom_field_id', '=', id)

/** Newest first. Values of a deleted field need data.view_deleted. */
export async function listVersions(tx: TenantTx, id: string): Promise<CustomFieldVersion[]> {
  return versionsOf(tx, id).orderBy('v.version', 'desc').execute()
}

export async function findVersion(tx: TenantTx, id: string, version: number): Promise<CustomFieldVersion | undefined> {
  return versionsOf(tx, id).where('v.version', '=', version).executeTakeFirst()
}
