import { AuditLog, SYSTEM, systemContext } from '@tendon/access'
import { Unsubscribed, UnsubscribeParams } from '@tendon/contracts'
import { publicAccess } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { withdrawConsentTo } from '../../privacy/consents/index.ts'
import { unsubscribeLinkInvalid } from './errors.ts'
import { findMailRecipient } from './queries.ts'
import { confirmedPage, PAGE_HEADERS, questionPage } from './unsubscribe-pages.ts'
import { mailOfToken } from './unsubscribe-token.ts'

const FORM = 'application/x-www-form-urlencoded'
const MAX_FORM_BYTES = 1_000

/** RFC 8058: the mail program of the reader POSTs; a person opens the page and presses its button. */
export const unsubscribeRoutes: Routes = (app, { config, db, box }) => {
  const auditLog = new AuditLog(box)

  async function recipientOf(token: string) {
    const mailId = mailOfToken(config, token)
    const recipient = mailId === undefined ? undefined : await db.public((tx) => findMailRecipient(tx, mailId))
    if (!recipient) throw unsubscribeLinkInvalid()
    return recipient
  }

  app.get(
    '/v1/public/unsubscribe/:token',
    {
      config: {
        access: publicAccess(),
        latency: 'simple_read',
        limit: 'public_resolve',
        operationId: 'showUnsubscribePage',
        summary: 'Show the page of an unsubscribe link',
        description: 'Asks for confirmation. Withdraws nothing, because mail programs open links automatically.',
        produces: 'text/html',
        refusals: [unsubscribeLinkInvalid],
      },
      schema: { params: UnsubscribeParams },
    },
    async (request, reply) => {
      const { organization_name, language } = await recipientOf(request.params.token)
      return reply.headers(PAGE_HEADERS).send(questionPage(language, organization_name))
    },
  )

  // The only routes that take a form: its content says nothing that the token does not.
  void app.register(async (scope) => {
    scope.addContentTypeParser(FORM, { parseAs: 'buffer', bodyLimit: MAX_FORM_BYTES }, (_request, _body, done) =>
      done(null, undefined),
    )
    scope.post<{ Params: { token: string } }>(
      '/v1/public/unsubscribe/:token',
      {
        config: {
          access: publicAccess(),
          latency: 'simple_write',
          limit: 'public_resolve',
          operationId: 'unsubscribe',
          summary: 'Withdraw the consent to marketing mail',
          description:
            'One-click unsubscribe (RFC 8058). Returns the same response when the consent is already withdrawn.',
          refusals: [unsubscribeLinkInvalid],
        },
        schema: { params: UnsubscribeParams, response: { 200: Unsubscribed } },
      },
      async (request, reply) => {
        const recipient = await recipientOf(request.params.token)
        const { organization_id: organizationId, patient_profile_id: profileId } = recipient
        await db.tenant(systemContext(organizationId), async (tx) => {
          const withdrawn = await withdrawConsentTo(tx, profileId, 'marketing_email', 'unsubscribe link')
          if (!withdrawn) return
          await auditLog.write(tx, { ...SYSTEM, organizationId, requestId: request.id }, withdrawn)
        })
        if (!request.headers.accept?.includes('text/html')) return { unsubscribed: true }
        return reply
          .headers(PAGE_HEADERS)
          .serializer(String)
          .send(confirmedPage(recipient.language, recipient.organization_name))
      },
    )
  })
}
