import { isDeepStrictEqual } from 'node:util'
import {
  ById,
  Choices,
  DefaultPdfTemplate,
  type DocumentKind,
  listParameters,
  Many,
  NewPdfTemplate,
  One,
  type PdfBlock,
  PdfTemplate,
  PdfTemplateChanges,
  PdfTemplatePreview,
  PdfTemplateSummary,
  pdfTemplateList,
} from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { membership, pageOf, parseList, permission } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { addTemplateRoutes, templateToChange } from '../../../platform/versioned-templates.ts'
import { drawn } from './drawing-rules.ts'
import {
  imagesTooLarge,
  invalidBlocks,
  pdfTemplateArchived,
  pdfTemplateNotFound,
  renderFailed,
  renderTimeout,
  unprintableCharacter,
} from './errors.ts'
import { findLetterhead } from './letterhead.ts'
import { findPictures, imageIdsOf } from './pictures.ts'
import { insertTemplate, listTemplates, updateTemplate } from './queries.ts'
import { recordContent } from './record.ts'
import { renderPdf } from './rendering.ts'
import { problemsOfBlocks } from './rules.ts'
import { sampleFacts } from './sample.ts'
import { templates } from './templates.ts'
import { DEFAULT_TEMPLATES, defaultTemplate } from './texts.ts'
import { fieldOf } from './unprintable-field.ts'

const MANAGE = permission('pdf_templates.manage')

/** Members may read. Row-level security shows templates only to members who manage them or create documents. */
export const pdfTemplateRoutes: Routes = (app, services) => {
  app.get(
    '/v1/pdf-templates',
    {
      config: { access: membership(), summary: 'List PDF templates' },
      schema: { querystring: listParameters(pdfTemplateList), response: { 200: Many(PdfTemplateSummary) } },
    },
    async (request) => {
      const list = parseList(pdfTemplateList, request.query)
      const { rows, total } = await request.findPage((tx) => listTemplates(tx, list))
      return { data: rows, pagination: pageOf(list, total) }
    },
  )

  app.get(
    '/v1/pdf-templates/defaults',
    {
      config: {
        access: membership(),
        operationId: 'listDefaultPdfTemplates',
        summary: 'List the built-in PDF templates',
        description: 'Used for a kind and language until the clinic publishes its own template.',
      },
      schema: { response: { 200: Choices(DefaultPdfTemplate) } },
    },
    async () => ({ data: [...DEFAULT_TEMPLATES] }),
  )

  app.post(
    '/v1/pdf-templates/preview',
    {
      config: {
        access: MANAGE,
        operationId: 'previewPdfTemplate',
        summary: 'Preview a PDF template',
        description: 'Renders blocks with sample data. Nothing is saved.',
        produces: 'application/pdf',
        refusals: [invalidBlocks, imagesTooLarge, unprintableCharacter, renderTimeout, renderFailed],
      },
      schema: { body: PdfTemplatePreview },
    },
    async (request, reply) => {
      const { kind, language, blocks } = request.body
      const { letterhead, pictures } = await request.tenant(async (tx) => {
        await refuseInvalid(tx, kind, blocks)
        return { letterhead: await findLetterhead(tx), pictures: await findPictures(tx, blocks, null) }
      })
      const facts = { ...sampleFacts(letterhead, language, services.now()), images: pictures.images }
      const document = {
        title: defaultTemplate(kind, language).name,
        language,
        clinic: { ...letterhead.clinic, logo: pictures.logo },
        brand_color: letterhead.brand_color,
        verification: null,
        blocks: drawn(blocks, facts),
        created_at: services.now(),
      }
      const { bytes } = await renderPdf(services, request.caller.organization_id, document, (unprintable) =>
        fieldOf(unprintable, blocks, facts),
      )
      return reply
        .headers({
          'content-type': 'application/pdf',
          'content-disposition': 'inline; filename="preview.pdf"',
          'content-security-policy': "sandbox; default-src 'none'",
        })
        .send(bytes)
    },
  )

  app.post(
    '/v1/pdf-templates',
    {
      config: {
        access: MANAGE,
        idempotent: true,
        summary: 'Create a PDF template',
        description: 'The template is a draft until it is published.',
        refusals: [invalidBlocks],
      },
      schema: { body: NewPdfTemplate, response: { 201: One(PdfTemplate) } },
    },
    (request, reply) =>
      request.tenantCreate(reply, async (tx) => {
        const { kind, blocks } = request.body
        await refuseInvalid(tx, kind, blocks)
        const created = await insertTemplate(tx, request.body)
        await recordContent.created(request, tx, created)
        return { data: created }
      }),
  )

  app.patch(
    '/v1/pdf-templates/:id',
    {
      config: {
        access: MANAGE,
        versioned: 'revision',
        summary: 'Update a PDF template',
        description: 'Changing a published template creates a draft; documents use the published version until then.',
        refusals: [pdfTemplateNotFound, pdfTemplateArchived, invalidBlocks],
      },
      schema: { params: ById, body: PdfTemplateChanges, response: { 200: One(PdfTemplate) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const before = await templateToChange(request, tx, templates, request.params.id)
        const { revision: _revision, ...changes } = request.body
        if (changes.blocks) await refuseInvalid(tx, before.kind, changes.blocks)
        if (isDeepStrictEqual({ ...before, ...changes }, before)) return { data: before }
        const after = await updateTemplate(tx, before.id, changes)
        await recordContent.updated(request, tx, before, after)
        return { data: after }
      }),
  )

  addTemplateRoutes(app, templates)
}

async function refuseInvalid(tx: TenantTx, kind: DocumentKind, blocks: readonly PdfBlock[]): Promise<void> {
  const { images } = imageIdsOf(blocks).length > 0 ? await findPictures(tx, blocks, null) : { images: new Map() }
  const problems = problemsOfBlocks(kind, blocks, new Set(images.keys()))
  if (Object.keys(problems).length > 0) throw invalidBlocks({ fields: problems })
}
