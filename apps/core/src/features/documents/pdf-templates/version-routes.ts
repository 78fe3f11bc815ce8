import {
  ById,
  listParameters,
  Many,
  One,
  PdfTemplate,
  PdfTemplateVersion,
  PdfTemplateVersionParams,
  PdfTemplateVersionSummary,
  pdfTemplateVersionList,
} from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { membership, pageOf, parseList, permission } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { nothingToPublish, pdfTemplateArchived, pdfTemplateNotArchived, pdfTemplateNotFound } from './errors.ts'
import {
  archiveTemplate,
  findTemplate,
  findTemplateForUpdate,
  findVersion,
  listVersions,
  publishTemplate,
  unarchiveTemplate,
} from './queries.ts'
import { recordStatus } from './record.ts'

const MANAGE = permission('pdf_templates.manage')

export const versionRoutes: Routes = (app) => {
  app.post(
    '/v1/pdf-templates/:id/publish',
    {
      config: {
        access: MANAGE,
        summary: 'Publish a PDF template',
        description: 'Publishes the draft as the next version. New documents use it.',
        refusals: [pdfTemplateNotFound, pdfTemplateArchived, nothingToPublish],
      },
      schema: { params: ById, response: { 200: One(PdfTemplate) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const draft = await openTemplate(tx, request.params.id)
        if (draft.status === 'archived') throw pdfTemplateArchived()
        if (draft.status === 'published') throw nothingToPublish()
        const published = await publishTemplate(tx, draft.id)
        await recordStatus.published(request, tx, draft, published)
        return { data: published }
      }),
  )

  app.post(
    '/v1/pdf-templates/:id/archive',
    {
      config: {
        access: MANAGE,
        summary: 'Archive a PDF template',
        description: 'No new documents can be created from an archived template.',
        refusals: [pdfTemplateNotFound, pdfTemplateArchived],
      },
      schema: { params: ById, response: { 200: One(PdfTemplate) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const before = await openTemplate(tx, request.params.id)
        if (before.status === 'archived') throw pdfTemplateArchived()
        const after = await archiveTemplate(tx, before.id)
        await recordStatus.archived(request, tx, before, after)
        return { data: after }
      }),
  )

  app.post(
    '/v1/pdf-templates/:id/unarchive',
    {
      config: {
        access: MANAGE,
        summary: 'Unarchive a PDF template',
        refusals: [pdfTemplateNotFound, pdfTemplateNotArchived],
      },
      schema: { params: ById, response: { 200: One(PdfTemplate) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const before = await openTemplate(tx, request.params.id)
        if (before.status !== 'archived') throw pdfTemplateNotArchived()
        const after = await unarchiveTemplate(tx, before.id)
        await recordStatus.unarchived(request, tx, before, after)
        return { data: after }
      }),
  )

  app.get(
    '/v1/pdf-templates/:id/versions',
    {
      config: {
        access: membership(),
        summary: 'List the versions of a PDF template',
        description: 'Returns the published versions, newest first.',
        refusals: [pdfTemplateNotFound],
      },
      schema: {
        params: ById,
        querystring: listParameters(pdfTemplateVersionList),
        response: { 200: Many(PdfTemplateVersionSummary) },
      },
    },
    async (request) => {
      const list = parseList(pdfTemplateVersionList, request.query)
      const { rows, total } = await request.tenant(async (tx) => {
        if (!(await findTemplate(tx, request.params.id))) throw pdfTemplateNotFound()
        return listVersions(tx, request.params.id, list)
      })
      return { data: rows, pagination: pageOf(list, total) }
    },
  )

  app.get(
    '/v1/pdf-templates/:id/versions/:version',
    {
      config: {
        access: membership(),
        summary: 'Get a version of a PDF template',
        description: 'Also works for a deleted template.',
        refusals: [pdfTemplateNotFound],
      },
      schema: { params: PdfTemplateVersionParams, response: { 200: One(PdfTemplateVersion) } },
    },
    async (request) => {
      const { id, version } = request.params
      const found = await request.find((tx) => findVersion(tx, id, version))
      if (!found) throw pdfTemplateNotFound()
      return { data: found }
    },
  )
}

async function openTemplate(tx: TenantTx, id: string): Promise<PdfTemplate> {
  const template = await findTemplateForUpdate(tx, id)
  if (!template) throw pdfTemplateNotFound()
  return template
}
