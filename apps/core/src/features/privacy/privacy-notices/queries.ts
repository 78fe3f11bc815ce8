import type { List, NewPrivacyNoticeTemplate, PrivacyNoticeTemplate } from '@tendon/contracts'
import { type PlatformTx, type PublicTx, readPage, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'

const TEMPLATE_COLUMNS = [
  'version',
  'body_with_placeholders',
  'placeholders',
  'toggleable_sections',
  'published_at',
  'published_by_principal_id',
] as const

const NOTICE_COLUMNS = [
  'organization_id',
  'draft_template_version',
  'draft_placeholder_values',
  'draft_included_sections',
  'source_template_version',
  'placeholder_values',
  'included_sections',
  'assembled_body',
  'published_version',
  'published_at',
  'published_by_principal_id',
  'version',
] as const

export interface Draft {
  draft_template_version: number
  draft_placeholder_values: Record<string, string>
  draft_included_sections: string[]
}

export interface Published {
  source_template_version: number
  placeholder_values: Record<string, string>
  included_sections: string[]
  assembled_body: Record<string, string>
  published_version: number
  published_at: string
  published_by_principal_id: string | null
}

/** Published is all there or all null. */
export type Notice = Draft & { [Field in keyof Published]: Published[Field] | null } & {
  organization_id: string
  version: number
}

/** JSON columns are written as text. */
const row = (values: object) =>
  Object.fromEntries(
    Object.entries(values).map(([column, value]: [string, unknown]) => [
      column,
      typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
    ]),
  )

export async function listTemplates(tx: TenantTx, list: List) {
  const templates = tx.selectFrom('privacy_notice_templates').select(TEMPLATE_COLUMNS)
  return readPage(templates, list, { id: 'version', newest: 'version' })
}

/** The newest when no version is named. */
export async function findTemplate(
  tx: TenantTx | PlatformTx,
  version?: number,
): Promise<PrivacyNoticeTemplate | undefined> {
  let templates = tx.selectFrom('privacy_notice_templates').select(TEMPLATE_COLUMNS)
  if (version !== undefined) templates = templates.where('version', '=', version)
  return await templates.orderBy('version', 'desc').limit(1).executeTakeFirst()
}

/** Serializes publications of templates, so that versions have no gaps or duplicates. */
export async function insertTemplate(
  tx: PlatformTx,
  values: NewPrivacyNoticeTemplate,
  publishedBy: string,
): Promise<PrivacyNoticeTemplate> {
  await sql`select pg_advisory_xact_lock(hashtextextended('privacy_notice_templates', 0))`.execute(tx)
  return await tx
    .insertInto('privacy_notice_templates')
    .values({
      version: sql<number>`(select coalesce(max(version), 0) + 1 from privacy_notice_templates)`,
      body_with_placeholders: JSON.stringify(values.body_with_placeholders),
      placeholders: JSON.stringify(values.placeholders),
      toggleable_sections: JSON.stringify(values.toggleable_sections),
      published_by_principal_id: publishedBy,
    })
    .returning(TEMPLATE_COLUMNS)
    .executeTakeFirstOrThrow()
}

export async function findNotice(tx: TenantTx): Promise<Notice | undefined> {
  return await tx.selectFrom('privacy_notices').select(NOTICE_COLUMNS).executeTakeFirst()
}

/** Locks the clinic's notice, creating it with this draft when there is none. Serializes writers. */
export async function findNoticeForUpdate(tx: TenantTx, otherwise: Draft): Promise<Notice> {
  await sql`insert into privacy_notices (draft_template_version, draft_placeholder_values, draft_included_sections)
    values (${otherwise.draft_template_version}, ${JSON.stringify(otherwise.draft_placeholder_values)},
      ${JSON.stringify(otherwise.draft_included_sections)})
    on conflict (organization_id) do nothing`.execute(tx)
  const locked = tx.selectFrom('privacy_notices').select(NOTICE_COLUMNS).forNoKeyUpdate()
  return await locked.executeTakeFirstOrThrow()
}

export async function updateNotice(tx: TenantTx, changes: Draft | Published): Promise<Notice> {
  return await tx.updateTable('privacy_notices').set(row(changes)).returning(NOTICE_COLUMNS).executeTakeFirstOrThrow()
}

/** Patients with an account: they are asked to accept a new version when they sign in. */
export async function countPatientsToAsk(tx: TenantTx): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from patients p join patient_profiles f on f.id = p.patient_profile_id
    where p.organization_id = (select current_app_org_id()) and p.deleted_at is null and f.human_id is not null`.execute(
    tx,
  )
  return rows[0]?.count ?? 0
}

export async function findOwnOrganization(tx: TenantTx) {
  return tx
    .selectFrom('organizations')
    .select(['name', 'legal_name', 'contact_email', 'phone', 'address'])
    .executeTakeFirst()
}

interface PublicNotice {
  organization_name: string
  language_code: string
  version: number
  published_at: string
  body_translations: Record<string, string>
}

export async function findPublicNotice(tx: PublicTx, slug: string): Promise<PublicNotice | undefined> {
  const { rows } = await sql<PublicNotice>`select * from published_privacy_notice(${slug})`.execute(tx)
  return rows[0]
}
