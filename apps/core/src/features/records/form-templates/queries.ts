import type { FormTemplate, FormTemplateVersion, List, Picker } from '@tendon/contracts'
import { readChoices, readPage, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'
import type { Template } from './rules.ts'

const SUMMARY = [
  'id',
  'organization_id',
  'title',
  'description',
  'type',
  'signed_by',
  'status',
  'version',
  'published_at',
  'published_by_principal_id',
  'created_at',
  'updated_at',
  'revision',
] as const
const COLUMNS = [...SUMMARY, 'fields', 'translations', 'consent_purposes'] as const
const VERSION = [
  'version',
  'title',
  'description',
  'type',
  'signed_by',
  'published_at',
  'published_by_principal_id',
] as const

const living = (tx: TenantTx) => tx.selectFrom('form_templates').where('deleted_at', 'is', null)

const row = ({ fields, translations, ...rest }: Template) => ({
  ...rest,
  fields: JSON.stringify(fields),
  translations: JSON.stringify(translations),
})

/** Without the filter, deleted ones are excluded; only holders of data.view_deleted see them. */
export async function listTemplates(tx: TenantTx, { filters: { deleted = ['false'], ...filters }, ...list }: List) {
  let query = tx
    .selectFrom('form_templates')
    .select(SUMMARY)
    .where(sql<boolean>`(deleted_at is null or current_app_has_permission('data', 'view_deleted'))`)
  if (!deleted.includes('true')) query = query.where('deleted_at', 'is', null)
  if (!deleted.includes('false')) query = query.where('deleted_at', 'is not', null)
  return readPage(query, { ...list, filters }, { search: ['title', 'description'] })
}

/** Templates from which a form can be created. */
export async function listTemplateChoices(tx: TenantTx, picker: Picker) {
  const usable = living(tx)
    .select(['id', 'title as name', 'type', 'version'])
    .where('status', '<>', 'archived')
    .where('version', '>', 0)
  const rows = await readChoices(usable, picker, { search: ['title'] })
  return rows as { id: string; name: string; type: FormTemplate['type']; version: number }[]
}

export async function findTemplate(tx: TenantTx, id: string): Promise<FormTemplate | undefined> {
  return living(tx).select(COLUMNS).where('id', '=', id).executeTakeFirst()
}

/** Locked, so that versions have no gaps or duplicates. */
export async function findTemplateForUpdate(tx: TenantTx, id: string): Promise<FormTemplate | undefined> {
  return living(tx).select(COLUMNS).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

export async function insertTemplate(tx: TenantTx, template: Template): Promise<FormTemplate> {
  return tx.insertInto('form_templates').values(row(template)).returning(COLUMNS).executeTakeFirstOrThrow()
}

/** What is published stays as it is in its version; the row is a draft from here on. */
export async function updateTemplate(tx: TenantTx, id: string, template: Template): Promise<FormTemplate> {
  return tx
    .updateTable('form_templates')
    .set({ ...row(template), status: 'draft' })
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

const versionsOf = (tx: TenantTx, id: string) =>
  tx.selectFrom('form_template_versions').where('form_template_id', '=', id)

export async function listVersions(tx: TenantTx, id: string, list: List) {
  return readPage(versionsOf(tx, id).select(VERSION), list, { id: 'version', newest: 'version' })
}

export async function findVersion(tx: TenantTx, id: string, version: number): Promise<FormTemplateVersion | undefined> {
  return versionsOf(tx, id)
    .select([...VERSION, 'fields', 'translations', 'consent_purposes'])
    .where('version', '=', version)
    .executeTakeFirst()
}

/** What a new form is made from: the last published version of a template that is neither archived nor deleted. */
export async function findUsableVersion(tx: TenantTx, id: string): Promise<FormTemplateVersion | undefined> {
  const usable = await living(tx)
    .select('version')
    .where('id', '=', id)
    .where('status', '<>', 'archived')
    .executeTakeFirst()
  return usable && findVersion(tx, id, usable.version)
}

/** Which of these templates have a version as in findUsableVersion. */
export async function listUsableTemplates(tx: TenantTx, ids: readonly string[]): Promise<string[]> {
  const rows = await living(tx)
    .select('id')
    .where('id', 'in', ids)
    .where('status', '<>', 'archived')
    .where('version', '>', 0)
    .execute()
  return rows.map(({ id }) => id)
}
