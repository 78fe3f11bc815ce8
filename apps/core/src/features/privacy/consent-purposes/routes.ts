import { changesBetween, resolveLanguage } from '@tendon/access'
import {
  ByPurpose,
  ConsentPurpose,
  ConsentPurposeVersion,
  consentPurposeList,
  consentPurposeVersionList,
  listParameters,
  Many,
  NewConsentPurposeVersion,
  type NewTranslations,
  One,
} from '@tendon/contracts'
import type { PlatformTx, TenantTx } from '@tendon/db'
import { authenticated, pageOf, parseList, permission, validationFailed } from '@tendon/http'
import type { FastifyRequest } from 'fastify'
import type { Routes } from '../../../feature.ts'
import { platformTextOnly, purposeNotFound, usePrivacyNoticePublish } from './errors.ts'
import { publishVersion } from './index.ts'
import { listPurposes, listVersions, listVersionsInForce } from './queries.ts'
import { describeVersion, problemOfTranslations } from './rules.ts'

const shown = (version: ConsentPurposeVersion | undefined) => ({
  version: version?.version ?? null,
  body_translations: version?.body_translations ?? null,
})

/** In the log of the clinic in context, or in the platform's. */
async function publishText(
  request: FastifyRequest,
  tx: TenantTx | PlatformTx,
  purpose_code: ConsentPurpose['code'],
  body_translations: NewTranslations,
) {
  const published_by_principal_id = request.caller.principal_id
  const { before, created } = await publishVersion(tx, { purpose_code, body_translations, published_by_principal_id })
  await request.audit(tx, {
    action: 'consent_purposes.publish_version',
    crud: 'C',
    target: { type: 'consent_purpose_version', id: created.id, label: `${purpose_code} ${created.version}` },
    changes: changesBetween(shown(before), shown(created)),
  })
  return { data: created }
}

export const consentPurposeRoutes: Routes = (app) => {
  app.get(
    '/v1/consent-purposes',
    {
      config: {
        access: authenticated(),
        gate: 'open',
        summary: 'List consent purposes',
        description: 'Each purpose includes the text in effect at your organization.',
      },
      schema: { querystring: listParameters(consentPurposeList), response: { 200: Many(ConsentPurpose) } },
    },
    async (request) => {
      const list = parseList(consentPurposeList, request.query)
      const { preferred_language, organization_language } = request.caller
      const language = resolveLanguage(preferred_language, organization_language)
      const [{ rows, total }, inForce] = await request.tenant((tx) =>
        Promise.all([listPurposes(tx, list), listVersionsInForce(tx)]),
      )
      const data = rows.map(({ translations, ...row }) => ({
        ...row,
        ...translations[language],
        current: describeVersion(inForce.get(row.code), language),
      }))
      return { data, pagination: pageOf(list, total) }
    },
  )

  app.get(
    '/v1/consent-purposes/:code/versions',
    {
      config: {
        access: authenticated(),
        gate: 'open',
        summary: 'List the versions of a consent purpose',
        description: 'Returns the texts of the platform and of your organization.',
      },
      schema: {
        params: ByPurpose,
        querystring: listParameters(consentPurposeVersionList),
        response: { 200: Many(ConsentPurposeVersion) },
      },
    },
    async (request) => {
      const list = parseList(consentPurposeVersionList, request.query)
      const { rows, total } = await request.findPage((tx) => listVersions(tx, request.params.code, list))
      return { data: rows, pagination: pageOf(list, total) }
    },
  )

  app.post(
    '/v1/consent-purposes/:code/versions',
    {
      config: {
        access: permission('organizations.manage_privacy_notice'),
        idempotent: true,
        operationId: 'publishConsentPurposeVersion',
        summary: 'Publish a version of a consent purpose',
        description:
          'Publishes a text for your clinic or, as a superadmin, for the platform. Patients are asked to consent again.',
        refusals: [purposeNotFound, platformTextOnly, usePrivacyNoticePublish],
      },
      schema: { params: ByPurpose, body: NewConsentPurposeVersion, response: { 201: One(ConsentPurposeVersion) } },
    },
    (request, reply) => {
      const { caller, params, body } = request
      if (params.code === 'org_privacy_notice') throw usePrivacyNoticePublish()
      const ownLanguage = caller.is_superadmin ? 'en' : resolveLanguage(null, caller.organization_language)
      const problem = problemOfTranslations(body.body_translations, ownLanguage)
      if (problem) throw validationFailed({ fields: { body_translations: problem } })
      const work = (tx: TenantTx | PlatformTx) => publishText(request, tx, params.code, body.body_translations)
      return caller.is_superadmin ? request.platformCreate(reply, work) : request.tenantCreate(reply, work)
    },
  )
}
