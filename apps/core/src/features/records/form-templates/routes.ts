import { isDeepStrictEqual } from 'node:util'
import {
  ById,
  Choices,
  FormTemplate,
  FormTemplateChoice,
  FormTemplateDetails,
  FormTemplateSummary,
  formTemplateList,
  listParameters,
  Many,
  One,
  pickerParameters,
} from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { membership, pageOf, parseList, parsePicker, permission } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { addTemplateRoutes, templateToChange } from '../../../platform/versioned-templates.ts'
import { listVersionsInForce } from '../../privacy/consents/index.ts'
import { formTemplateArchived, formTemplateNotFound, invalidForm } from './errors.ts'
import { numberProblems } from './links.ts'
import { insertTemplate, listTemplateChoices, listTemplates, updateTemplate } from './queries.ts'
import { contentOf, recordContent } from './record.ts'
import { problemsOfTemplate, type Template, templateOf } from './rules.ts'
import { templates } from './templates.ts'

const MANAGE = permission('form_templates.manage')

/** Reading is for members; row-level security shows templates to those who write them, make forms or see them. */
export const formTemplateRoutes: Routes = (app) => {
  app.get(
    '/v1/form-templates',
    {
      config: { access: membership(), summary: 'List form templates' },
      schema: { querystring: listParameters(formTemplateList), response: { 200: Many(FormTemplateSummary) } },
    },
    async (request) => {
      const list = parseList(formTemplateList, request.query)
      const { rows, total } = await request.findPage((tx) => listTemplates(tx, list))
      return { data: rows, pagination: pageOf(list, total) }
    },
  )

  app.get(
    '/v1/form-templates/picker',
    {
      config: {
        access: membership(),
        summary: 'List form templates for a picker',
        description: 'Returns the templates from which a form can be created.',
      },
      schema: { querystring: pickerParameters, response: { 200: Choices(FormTemplateChoice) } },
    },
    async (request) => ({ data: await request.tenant((tx) => listTemplateChoices(tx, parsePicker(request.query))) }),
  )

  app.post(
    '/v1/form-templates',
    {
      config: {
        access: MANAGE,
        idempotent: true,
        summary: 'Create a form template',
        description: 'The template is a draft until it is published.',
        invalid: invalidForm,
      },
      schema: { body: FormTemplateDetails, response: { 201: One(FormTemplate) } },
    },
    (request, reply) =>
      request.tenantCreate(reply, async (tx) => {
        const created = await insertTemplate(tx, await checked(tx, request.body))
        await recordContent.created(request, tx, created)
        return { data: created }
      }),
  )

  app.put(
    '/v1/form-templates/:id',
    {
      config: {
        access: MANAGE,
        versioned: 'revision',
        summary: 'Update a form template',
        description:
          'Replaces the template. Updating a published template creates a draft; new forms use the published version until the draft is published.',
        invalid: invalidForm,
        refusals: [formTemplateNotFound, formTemplateArchived],
      },
      schema: { params: ById, body: FormTemplateDetails, response: { 200: One(FormTemplate) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const before = await templateToChange(request, tx, templates, request.params.id)
        const template = await checked(tx, request.body)
        if (isDeepStrictEqual(contentOf(before), template)) return { data: before }
        const after = await updateTemplate(tx, before.id, template)
        await recordContent.updated(request, tx, before, after)
        return { data: after }
      }),
  )

  addTemplateRoutes(app, templates)
}

async function checked(tx: TenantTx, details: FormTemplateDetails): Promise<Template> {
  const template = templateOf(details)
  const { consent_purposes } = template
  const problems = { ...problemsOfTemplate(template), ...numberProblems(template) }
  if (consent_purposes.length > 0) {
    const known = await listVersionsInForce(tx, null)
    const ofClinics = new Set(known.filter(({ scope }) => scope === 'org').map(({ code }) => code))
    consent_purposes.forEach((code, place) => {
      if (!ofClinics.has(code))
        problems[`consent_purposes.${place}`] = 'must be the code of a clinic’s purpose (GET /v1/consent-purposes)'
    })
  }
  if (Object.keys(problems).length > 0) throw invalidForm({ fields: problems })
  return template
}
