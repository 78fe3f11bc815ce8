import { holds, resolveLanguage } from '@tendon/access'
import {
  ById,
  BySlug,
  One,
  PrivacyNotice,
  PrivacyNoticeDraft,
  PrivacyNoticePreview,
  PrivacyNoticePreviewRequest,
  PrivacyNoticePublication,
  type PrivacyNoticeTemplate,
  PublicPrivacyNotice,
} from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { authenticated, permission, publicAccess, validationFailed } from '@tendon/http'
import type { FastifyRequest } from 'fastify'
import type { Routes } from '../../../feature.ts'
import { recorder } from '../../../platform/recorder.ts'
import { publishVersion, textIn } from '../consent-purposes/index.ts'
import { noticeNotFound } from './errors.ts'
import {
  countPatientsToAsk,
  findNotice,
  findNoticeForUpdate,
  findOwnOrganization,
  findPublicNotice,
  findTemplate,
  type Notice,
  updateNotice,
} from './queries.ts'
import { assemble, inTemplateOrder, problemsOfChoice, problemsOfMissing } from './rules.ts'
import { choiceOf, firstDraft, showDraft, showNotice } from './view.ts'

const MANAGE = 'organizations.manage_privacy_notice'

/** The newest version when none is named. */
async function templateOf(tx: TenantTx, version?: number): Promise<PrivacyNoticeTemplate> {
  const template = await findTemplate(tx, version)
  if (template) return template
  throw validationFailed({
    fields: { template_version: 'is not a version of the template; GET /v1/privacy-notice-templates lists them' },
  })
}

function refuse(fields: Record<string, string>): void {
  if (Object.keys(fields).length > 0) throw validationFailed({ fields })
}

async function answer(request: FastifyRequest, tx: TenantTx, notice: Notice | undefined) {
  const { caller } = request
  const newest = await templateOf(tx)
  const language = resolveLanguage(caller.preferred_language, caller.organization_language)
  const organizationId = caller.organization_id as string // checked against the address
  const data = showNotice(notice, { organizationId, newest, language })
  if (!holds(caller, MANAGE)) return { data }
  const draft = notice ?? firstDraft(newest)
  const template = await templateOf(tx, draft.draft_template_version)
  return { data: { ...data, draft: showDraft(draft, notice, template, await findOwnOrganization(tx)) } }
}

const mustBeRead = (request: FastifyRequest, tx: TenantTx, notice: Notice) =>
  request.mustMatch(tx, { ...notice, id: notice.organization_id }, async () => (await answer(request, tx, notice)).data)

const record = recorder({
  target: ({ organization_id }: Notice) => ({ type: 'privacy_notice', id: organization_id }),
  facts: ({ version: _version, ...facts }) => facts,
  acts: {
    updated: { action: 'privacy_notices.update', crud: 'U' },
    published: { action: 'privacy_notices.publish', crud: 'U', event: 'privacy_notice.published' },
  },
})

export const privacyNoticeRoutes: Routes = (app) => {
  app.get(
    '/v1/public/organizations/:slug/privacy-notice',
    {
      config: {
        access: publicAccess(),
        limit: 'public_resolve',
        operationId: 'getPublicPrivacyNotice',
        summary: 'Get the published privacy notice of a clinic',
        description: 'Public, so that people can read it before they sign up.',
        refusals: [noticeNotFound],
      },
      schema: { params: BySlug, response: { 200: One(PublicPrivacyNotice) } },
    },
    async (request) => {
      const notice = await request.findPublic((tx) => findPublicNotice(tx, request.params.slug))
      if (!notice) throw noticeNotFound()
      const body = textIn(notice.body_translations, resolveLanguage(null, notice.language_code))
      return { data: { ...notice, body } }
    },
  )

  app.get(
    '/v1/organizations/:id/privacy-notice',
    {
      config: {
        access: authenticated(),
        gate: 'open',
        summary: 'Get the privacy notice',
        description:
          'Available to staff and patients of the clinic. Callers who can edit the notice also get the draft.',
      },
      schema: { params: ById, response: { 200: One(PrivacyNotice) } },
    },
    (request) => request.tenant(async (tx) => answer(request, tx, await findNotice(tx))),
  )

  app.put(
    '/v1/organizations/:id/privacy-notice',
    {
      config: {
        access: permission(MANAGE),
        versioned: 'version',
        summary: 'Update the draft of the privacy notice',
        description: 'Sets placeholders and sections of the draft. The published version does not change.',
      },
      schema: { params: ById, body: PrivacyNoticeDraft, response: { 200: One(PrivacyNotice) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const template = await templateOf(tx, request.body.template_version)
        refuse(problemsOfChoice(template, request.body))
        const before = await findNoticeForUpdate(tx, firstDraft(template))
        await mustBeRead(request, tx, before)
        const after = await updateNotice(tx, {
          draft_template_version: template.version,
          draft_placeholder_values: request.body.placeholder_values,
          draft_included_sections: inTemplateOrder(template, request.body.included_sections),
        })
        await record.updated(request, tx, before, after)
        return answer(request, tx, after)
      }),
  )

  app.post(
    '/v1/organizations/:id/privacy-notice/preview',
    {
      config: {
        access: permission(MANAGE),
        summary: 'Preview the privacy notice',
        description: 'Renders the notice without saving anything.',
      },
      schema: { params: ById, body: PrivacyNoticePreviewRequest, response: { 200: One(PrivacyNoticePreview) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const given = request.body ?? {}
        const draft = (await findNotice(tx)) ?? firstDraft(await templateOf(tx))
        const template = await templateOf(tx, given.template_version ?? draft.draft_template_version)
        refuse(problemsOfChoice(template, { placeholder_values: {}, included_sections: [], ...given }))
        const { body, missing } = assemble(template, { ...choiceOf(draft), ...given })
        return {
          data: {
            source_template_version: template.version,
            assembled_body: body,
            missing_placeholders: missing,
            patients_to_ask: holds(request.caller, 'patients.view_org') ? await countPatientsToAsk(tx) : null,
          },
        }
      }),
  )

  app.post(
    '/v1/organizations/:id/privacy-notice/publish',
    {
      config: {
        access: permission(MANAGE),
        idempotent: true,
        versioned: 'version',
        current: PrivacyNotice,
        summary: 'Publish the privacy notice',
        description:
          'Publishes the draft as the next version. Patients are asked to accept it. Send the version of the draft that you have read: a draft that somebody changed meanwhile is then not published.',
      },
      schema: { params: ById, body: PrivacyNoticePublication, response: { 201: One(PrivacyNotice) } },
    },
    (request, reply) =>
      request.tenantCreate(reply, async (tx) => {
        const before = await findNoticeForUpdate(tx, firstDraft(await templateOf(tx)))
        await mustBeRead(request, tx, before)
        const template = await templateOf(tx, before.draft_template_version)
        const { body, missing, used } = assemble(template, choiceOf(before))
        refuse(problemsOfMissing(template, missing))
        const { created } = await publishVersion(tx, {
          purpose_code: 'org_privacy_notice',
          body_translations: body,
          published_by_principal_id: request.caller.principal_id,
        })
        const after = await updateNotice(tx, {
          source_template_version: template.version,
          placeholder_values: used,
          included_sections: before.draft_included_sections,
          assembled_body: body,
          published_version: created.version,
          published_at: created.published_at,
          published_by_principal_id: created.published_by_principal_id,
        })
        const payload = { version: created.version, source_template_version: template.version }
        await record.published(request, tx, before, after, { payload })
        return answer(request, tx, after)
      }),
  )
}
