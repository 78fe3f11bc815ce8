import { PdfTemplate, PdfTemplateVersion, PdfTemplateVersionSummary } from '@tendon/contracts'
import type { VersionedTemplates } from '../../../platform/versioned-templates.ts'
import { nothingToPublish, pdfTemplateArchived, pdfTemplateNotArchived, pdfTemplateNotFound } from './errors.ts'
import { findTemplate, findTemplateForUpdate, findVersion, listVersions } from './queries.ts'
import { recordContent, recordStatus } from './record.ts'

export const templates: VersionedTemplates<PdfTemplate> = {
  url: '/v1/pdf-templates',
  table: 'pdf_templates',
  content: ['name', 'kind', 'language', 'blocks'],
  usage: 'pdf_template',
  access: 'pdf_templates.manage',
  one: 'a PDF template',
  made: 'documents',
  afterDeletion: 'Existing documents do not change.',
  contracts: { template: PdfTemplate, version: PdfTemplateVersion, versionSummary: PdfTemplateVersionSummary },
  refusals: {
    notFound: pdfTemplateNotFound,
    archived: pdfTemplateArchived,
    notArchived: pdfTemplateNotArchived,
    nothingToPublish,
  },
  read: findTemplate,
  readForUpdate: findTemplateForUpdate,
  listVersions,
  findVersion,
  record: { ...recordContent, ...recordStatus },
}
