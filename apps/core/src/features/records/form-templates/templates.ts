import { isDeepStrictEqual } from 'node:util'
import { FormTemplate, FormTemplateVersion, FormTemplateVersionSummary } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import type { VersionedTemplates } from '../../../platform/versioned-templates.ts'
import {
  formTemplateArchived,
  formTemplateNotArchived,
  formTemplateNotFound,
  invalidForm,
  nothingToPublish,
} from './errors.ts'
import { findLinked, publishingProblems, withLinks } from './links.ts'
import { findTemplate, findTemplateForUpdate, findVersion, listVersions } from './queries.ts'
import { recordContent, recordStatus } from './record.ts'

export const templates: VersionedTemplates<FormTemplate> = {
  url: '/v1/form-templates',
  table: 'form_templates',
  content: ['title', 'description', 'type', 'fields', 'translations', 'consent_purposes', 'signed_by'],
  usage: 'form_template',
  access: 'form_templates.manage',
  one: 'a form template',
  made: 'forms',
  afterDeletion: 'Forms created from it do not change.',
  contracts: { template: FormTemplate, version: FormTemplateVersion, versionSummary: FormTemplateVersionSummary },
  refusals: {
    notFound: formTemplateNotFound,
    archived: formTemplateArchived,
    notArchived: formTemplateNotArchived,
    nothingToPublish,
    invalid: invalidForm,
  },
  read: findTemplate,
  readForUpdate: findTemplateForUpdate,
  listVersions,
  findVersion,
  prepare: linkedFields,
  record: { ...recordContent, ...recordStatus },
}

/** A published template is published again when its custom fields have changed. */
async function linkedFields(tx: TenantTx, draft: FormTemplate): Promise<{ fields: string } | undefined> {
  const linked = await findLinked(tx, draft.fields)
  const fields = withLinks(draft.fields, linked)
  if (draft.status === 'published' && isDeepStrictEqual(fields, draft.fields)) return undefined
  const problems = publishingProblems(draft.fields, linked)
  if (Object.keys(problems).length > 0) throw invalidForm({ fields: problems })
  return { fields: JSON.stringify(fields) }
}
