import { type CustomField, isUnset, type ProfileValue } from '@tendon/contracts'
import { asService, CLINIC, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'
import { NATIONAL_ID_SYSTEM_KEY } from './rules.ts'

// Values, by the last published version of their fields. Row-level security hides private fields from patients.

const PUBLISHED = [
  'id',
  'entity_type',
  'version',
  'key',
  'label',
  'field_type',
  'options',
  'description',
  'is_private',
  'system_key',
] as const
export type PublishedDefinition = Pick<CustomField, (typeof PUBLISHED)[number]>

export interface StoredValue {
  custom_field_id: string
  value: ProfileValue
}

/** `value` null, blank or empty clears. */
interface NewValue {
  custom_field_id: string
  value: unknown
}

const living = (tx: TenantTx) =>
  tx.selectFrom('custom_fields').select(PUBLISHED).where('organization_id', '=', CLINIC).where('deleted_at', 'is', null)

/** What a profile of that kind asks, in its order. */
export async function listProfileFields(
  tx: TenantTx,
  entityType: CustomField['entity_type'],
): Promise<PublishedDefinition[]> {
  return living(tx).where('entity_type', '=', entityType).orderBy('sort_order').orderBy('id').execute()
}

/** The definitions that a new form copies; deleted fields and those of other clinics are not among them. */
export async function findFieldsForForm(tx: TenantTx, ids: readonly string[]): Promise<PublishedDefinition[]> {
  return living(tx).where(sql<boolean>`id = any(${ids}::uuid[])`).orderBy('id').execute()
}

/** What a route that shows or saves answers declares. */
export const READING_PRIVATE = {
  codes: ['custom_fields.view', 'data.view_deleted'],
  why: 'Answers are private with their field, whether or not the caller may see the field, also after it was deleted.',
}

/** The fields that are private, or were private when they were deleted: an existing form may ask them. */
export async function listPrivateFields(tx: TenantTx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await asService(tx, READING_PRIVATE.codes, (own) =>
    own
      .selectFrom('custom_fields')
      .select('id')
      .where('organization_id', '=', CLINIC)
      .where(sql<boolean>`id = any(${ids}::uuid[])`)
      .where('is_private', '=', true)
      .execute(),
  )
  return new Set(rows.map(({ id }) => id))
}

/** The values of these fields that the record has. */
export async function readValues(tx: TenantTx, entityId: string, fieldIds: readonly string[]): Promise<StoredValue[]> {
  return tx
    .selectFrom('custom_field_values')
    .select(['custom_field_id', 'value'])
    .where('organization_id', '=', CLINIC)
    .where('entity_id', '=', entityId)
    .where(sql<boolean>`custom_field_id = any(${fieldIds}::uuid[])`)
    .execute()
}

/**
 * Serializes writers of one record's values until the end of the transaction, so that the audited "before" is what is
 * replaced. Writers of a patient's values have locked the patient first, and so has an erasure.
 */
export async function lockValues(tx: TenantTx, entityId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('custom_field_values ' || ${entityId}::text, 0))`.execute(tx)
}

/**
 * Sets and clears values that were checked before (valueProblem). Fields that were deleted meanwhile, that the caller may not
 * see, or that hold the national identification number are skipped. False when nothing changed.
 */
export async function upsertValues(
  tx: TenantTx,
  entityId: string,
  values: readonly NewValue[],
  entityType: CustomField['entity_type'] = 'patient',
): Promise<boolean> {
  const cleared = values.filter(({ value }) => isUnset(value)).map(({ custom_field_id }) => custom_field_id)
  const set = values.filter(({ value }) => !isUnset(value))
  await lockValues(tx, entityId)
  const deleted = await tx
    .deleteFrom('custom_field_values')
    .where('organization_id', '=', CLINIC)
    .where('entity_id', '=', entityId)
    .where(sql<boolean>`custom_field_id = any(${cleared}::uuid[])`)
    .executeTakeFirst()
  const written = await sql`
    insert into custom_field_values as stored (custom_field_id, entity_id, value)
    select f.id, ${entityId}, given.value
    from jsonb_to_recordset(${JSON.stringify(set)}::jsonb) as given (custom_field_id uuid, value jsonb)
    join custom_fields f on f.id = given.custom_field_id
    where f.organization_id = (select current_app_org_id()) and f.entity_type = ${entityType} and f.deleted_at is null
      and f.system_key is distinct from ${NATIONAL_ID_SYSTEM_KEY}
    on conflict (custom_field_id, entity_id) do update
      set value = excluded.value, updated_by_principal_id = current_app_principal_id()
      where stored.value <> excluded.value`.execute(tx)
  return deleted.numDeletedRows > 0n || (written.numAffectedRows ?? 0n) > 0n
}
