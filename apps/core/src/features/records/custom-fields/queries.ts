import type { CustomField, CustomFieldVersion, FieldContent, NewCustomField } from '@tendon/contracts'
import { asService, CLINIC, type TenantTx, together } from '@tendon/db'
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

/** What the route that deletes a field declares. */
export const DELETING_FIELD = {
  codes: [
    'custom_fields.manage',
    'data.view_deleted',
    'patients.update',
    'specialists.manage',
    'appointments.view_org',
    'appointments.manage',
  ],
  why: 'Who manages fields may not see their values. An update must see the row that it writes: here a deleted one.',
}

/**
 * Deletes the field with its values on every record; its versions stay. The lock waits for who writes values; that of
 * the appointments comes first, because who writes one locks it before its fields. Still, one that gets its first value
 * between the two locks and is written again can end in 503.
 */
export async function deleteField(tx: TenantTx, id: string): Promise<void> {
  await asService(tx, DELETING_FIELD.codes, async (own) => {
    await own
      .selectFrom('appointments')
      .select('id')
      .where('organization_id', '=', CLINIC)
      .where(sql<boolean>`custom_fields ? ${id}::text`)
      .orderBy('id')
      .forNoKeyUpdate()
      .execute()
    const found = await own
      .selectFrom('custom_fields')
      .select('id')
      .where('organization_id', '=', CLINIC)
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .forUpdate()
      .executeTakeFirst()
    if (!found) return
    await together([
      own
        .updateTable('custom_fields')
        .set({ deleted_at: sql<string>`now()`, draft: null })
        .where('organization_id', '=', CLINIC)
        .where('id', '=', id)
        .execute(),
      own
        .deleteFrom('custom_field_values')
        .where('organization_id', '=', CLINIC)
        .where('custom_field_id', '=', id)
        .execute(),
      own
        .updateTable('appointments')
        .set({ custom_fields: sql`custom_fields - ${id}::text` })
        .where('organization_id', '=', CLINIC)
        .where(sql<boolean>`custom_fields ? ${id}::text`)
        .execute(),
    ])
  })
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
