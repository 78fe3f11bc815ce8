import { changesBetween, publish } from '@tendon/access'
import {
  ByVersion,
  listParameters,
  Many,
  NewPrivacyNoticeTemplate,
  One,
  PrivacyNoticeTemplate,
  privacyNoticeTemplateList,
} from '@tendon/contracts'
import { authenticated, pageOf, parseList, superadmin, validationFailed } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { templateNotFound } from './errors.ts'
import { findTemplate, insertTemplate, listTemplates } from './queries.ts'
import { problemsOfTemplate } from './template-rules.ts'

export const privacyNoticeTemplateRoutes: Routes = (app) => {
  app.get(
    '/v1/privacy-notice-templates',
    {
      config: {
        access: authenticated(),
        gate: 'open',
        summary: 'List the versions of the privacy notice template',
      },
      schema: {
        querystring: listParameters(privacyNoticeTemplateList),
        response: { 200: Many(PrivacyNoticeTemplate) },
      },
    },
    async (request) => {
      const list = parseList(privacyNoticeTemplateList, request.query)
      const { rows, total } = await request.findPage((tx) => listTemplates(tx, list))
      return { data: rows, pagination: pageOf(list, total) }
    },
  )

  app.get(
    '/v1/privacy-notice-templates/:version',
    {
      config: {
        access: authenticated(),
        gate: 'open',
        summary: 'Get a version of the privacy notice template',
        refusals: [templateNotFound],
      },
      schema: { params: ByVersion, response: { 200: One(PrivacyNoticeTemplate) } },
    },
    async (request) => {
      const template = await request.find((tx) => findTemplate(tx, request.params.version))
      if (!template) throw templateNotFound()
      return { data: template }
    },
  )

  app.post(
    '/v1/admin/privacy-notice-templates',
    {
      config: {
        access: superadmin(),
        idempotent: true,
        operationId: 'publishPrivacyNoticeTemplate',
        summary: 'Publish a version of the privacy notice template',
        description: 'Clinics are prompted to publish their privacy notice again.',
      },
      schema: { body: NewPrivacyNoticeTemplate, response: { 201: One(PrivacyNoticeTemplate) } },
    },
    (request, reply) => {
      const fields = problemsOfTemplate(request.body)
      if (Object.keys(fields).length > 0) throw validationFailed({ fields })
      return request.platformCreate(reply, async (tx) => {
        const created = await insertTemplate(tx, request.body, request.caller.principal_id)
        const before = await findTemplate(tx, created.version - 1)
        await request.audit(tx, {
          action: 'privacy_notice_templates.publish',
          crud: 'C',
          target: { type: 'privacy_notice_template', id: null, label: String(created.version) },
          changes: changesBetween(before ?? {}, created),
        })
        await publish(tx, 'privacy_notice_template.published', { version: created.version })
        return { data: created }
      })
    },
  )
}
