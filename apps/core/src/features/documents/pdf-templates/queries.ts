import type {
  DocumentKind,
  DocumentLanguage,
  List,
  NewPdfTemplate,
  PdfTemplate,
  PdfTemplateChanges,
  PdfTemplateVersion,
} from '@tendon/contracts'
import { readPage, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'

const SUMMARY = [
  'id',
  'organization_id',
  'name',
  'kind',
  'language',
  'status',
  'version',
  'published_at',
  'published_by_principal_id',
  'created_at',
  'updated_at',
  'revision',
] as const
const COLUMNS = [...SUMMARY, 'blocks'] as const
const VERSION = ['version', 'name', 'kind', 'language', 'published_at', 'published_by_principal_id'] as const

const living = (tx: TenantTx) => tx.selectFrom('pdf_templates').where('deleted_at', 'is', null)

/** Without the filter, deleted ones are excluded; only holders of data.view_deleted see them. */
export async function listTemplates(tx: TenantTx, { filters: { deleted = ['false'], ...filters }, ...list }: List) {
  let query = tx
    .selectFrom('pdf_templates')
    .select(SUMMARY)
    .where(sql<boolean>`(deleted_at is null or current_app_has_permission('data', 'view_deleted'))`)
  if (!deleted.includes('true')) query = query.where('deleted_at', 'is', null)
  if (!deleted.includes('false')) query = query.where('deleted_at', 'is not', null)
  return readPage(query, { ...list, filters }, { search: ['name'] })
}

export function findTemplate(tx: TenantTx, id: string): Promise<PdfTemplate | undefined> {
  return living(tx).select(COLUMNS).where('id', '=', id).executeTakeFirst()
}

/** Locks the row, so that version numbers have no gaps or duplicates. */
export function findTemplateForUpdate(tx: TenantTx, id: string): Promise<PdfTemplate | undefined> {
  return living(tx).select(COLUMNS).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

export function insertTemplate(tx: TenantTx, { blocks, ...template }: NewPdfTemplate): Promise<PdfTemplate> {
  return tx
    .insertInto('pdf_templates')
    .values({ ...template, blocks: JSON.stringify(blocks) })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

type Changes = Partial<Omit<PdfTemplateChanges, 'revision'>>

/** Changes the draft. The published version does not change. */
export function updateTemplate(tx: TenantTx, id: string, { blocks, ...changes }: Changes): Promise<PdfTemplate> {
  return tx
    .updateTable('pdf_templates')
    .set({ ...changes, ...(blocks ? { blocks: JSON.stringify(blocks) } : {}), status: 'draft' })
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

const versionsOf = (tx: TenantTx, id: string) =>
  tx.selectFrom('pdf_template_versions').where('pdf_template_id', '=', id)

export async function listVersions(tx: TenantTx, id: string, list: List) {
  return readPage(versionsOf(tx, id).select(VERSION), list, { id: 'version', newest: 'version' })
}

export async function findVersion(tx: TenantTx, id: string, version: number): Promise<PdfTemplateVersion | undefined> {
  return versionsOf(tx, id)
    .select([...VERSION, 'blocks'])
    .where('version', '=', version)
    .executeTakeFirst()
}

/** The clinic's most recently published template of this kind and language. */
export async function findLatestTemplate(
  tx: TenantTx,
  kind: DocumentKind,
  language: DocumentLanguage,
): Promise<{ id: string; version: number } | undefined> {
  return living(tx)
    .select(['id', 'version'])
    .where('kind', '=', kind)
    .where('language', '=', language)
    .where('status', '<>', 'archived')
    .where('version', '>', 0)
    .orderBy('published_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** The clinic in context. */
export function findClinic(tx: TenantTx) {
  return tx
    .selectFrom('organizations')
    .leftJoin('organization_settings', 'organization_settings.organization_id', 'organizations.id')
    .select(['name', 'legal_name', 'address', 'phone', 'contact_email', 'website', 'language_code', 'time_zone'])
    .select('brand_color')
    .executeTakeFirstOrThrow()
}
