import type {
  ConsentPurpose,
  ConsentPurposeVersion,
  List,
  NewTranslations,
  PurposeTranslations,
} from '@tendon/contracts'
import { type PlatformTx, readPage, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'

const VERSION_COLUMNS = [
  'id',
  'purpose_code',
  'organization_id',
  'version',
  'body_translations',
  'published_at',
  'published_by_principal_id',
] as const

export interface NewVersion {
  purpose_code: ConsentPurpose['code']
  body_translations: NewTranslations
  published_by_principal_id: string
}

export async function listPurposes(tx: TenantTx, list: List) {
  const purposes = tx
    .selectFrom('consent_purposes')
    .select(['code', 'scope', 'name', 'description', 'legal_basis', 'withdrawable', 'created_at', 'translations'])
    .select(sql<boolean>`legal_basis <> 'consent'`.as('required'))
  const { rows, total } = await readPage(purposes, list, { id: 'code' })
  return { rows: rows as (Omit<ConsentPurpose, 'current'> & { translations: PurposeTranslations })[], total }
}

/** Purpose → its current text at the organization in context, for all purposes or one. */
export async function listVersionsInForce(tx: TenantTx | PlatformTx, purposeCode: string | null = null) {
  const { rows } = await sql<ConsentPurposeVersion>`
    select v.* from consent_purposes p cross join lateral purpose_version_in_force(p.code, current_app_scope()) v
    where p.code = coalesce(${purposeCode}, p.code)`.execute(tx)
  return new Map(rows.map((row) => [row.purpose_code, row]))
}

export function listVersions(tx: TenantTx, purposeCode: ConsentPurpose['code'], list: List) {
  const versions = tx.selectFrom('consent_purpose_versions').select(VERSION_COLUMNS)
  return readPage(versions.where('purpose_code', '=', purposeCode), list, { newest: 'published_at' })
}

/**
 * Serializes publications of the same text until the commit: at one clinic, and the platform with every clinic.
 * Clinics do not wait for each other.
 */
export async function lockNumbering(tx: TenantTx | PlatformTx, purposeCode: string): Promise<void> {
  await sql`
    with keys as (select hashtextextended('consent_purpose_versions ' || ${purposeCode}::text, 0) as purpose,
      hashtextextended('consent_purpose_versions ' || ${purposeCode}::text || current_app_scope(), 0) as at_clinic)
    select case when current_app_scope() is null then pg_advisory_xact_lock(purpose)::text
      else pg_advisory_xact_lock_shared(purpose)::text || pg_advisory_xact_lock(at_clinic)::text end
    from keys`.execute(tx)
}

/** Publishes for the clinic in context, or for the platform without one. Call `lockNumbering` first. */
export async function insertVersion(tx: TenantTx | PlatformTx, values: NewVersion): Promise<ConsentPurposeVersion> {
  const { rows } = await sql<ConsentPurposeVersion>`
    insert into consent_purpose_versions (purpose_code, version, body_translations, published_by_principal_id)
    select ${values.purpose_code}, coalesce(max(version), 0) + 1, ${JSON.stringify(values.body_translations)}::jsonb,
      ${values.published_by_principal_id}::uuid
    from consent_purpose_versions
    where purpose_code = ${values.purpose_code} and (organization_id is null or organization_id = (select current_app_scope()))
    returning ${sql.join(VERSION_COLUMNS.map((column) => sql.ref(column)))}`.execute(tx)
  const [created] = rows
  if (!created) throw new Error('no version was inserted')
  return created
}
