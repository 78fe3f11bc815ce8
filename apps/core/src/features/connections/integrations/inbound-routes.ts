import { randomUUID } from 'node:crypto'
import { publish, systemContext } from '@tendon/access'
import { InboundParams, InboundReceipt, One } from '@tendon/contracts'
import { publicAccess } from '@tendon/http'
import { blindIndex } from '@tendon/secrets'
import type { Routes } from '../../../feature.ts'
import type { Services } from '../../../services.ts'
import { causesIn } from '../webhooks/index.ts'
import { openConnection } from './connections.ts'
import { inboundNotFound, signatureInvalid, timestampInvalid } from './errors.ts'
import { inboundTokenHash } from './inbound-access.ts'
import { findInboundIntegration, findMessageId, insertMessage } from './inbound-queries.ts'
import { signatureProblem, trustedIdIn } from './inbound-signatures.ts'
import { messagePlace } from './messages.ts'

const MAX_MESSAGE_BYTES = 256 * 1024
const MESSAGE = { type: 'string', format: 'binary' }

const DESCRIPTION = [
  'Accepts up to 256 KB of any media type. The message is kept sealed for 30 days.',
  'Sign it with the headers of Standard Webhooks (`webhook-id`, `webhook-timestamp`, `webhook-signature`; any library for them accepts the signing secret; the id has 1 to 255 visible ASCII characters and no dot). The message is accepted within five minutes of its time. A message with a `webhook-id` that this integration has already received is answered with `duplicate: true` and has no further effect.',
  'Or sign it with `X-Signature: sha256=<hex>`, the HMAC-SHA256 of the raw body, keyed with the whole text of the signing secret; such a message can be replayed by somebody who recorded it, and its `webhook-id` is not used, because it is not signed. An integration that needs no signature uses the `webhook-id` as it is sent.',
  'A relay that forwards our webhooks to this URL copies their header `webhook-cause`: rules that led to the webhook then skip the message (`loop`).',
].join('\n\n')

const INDEXED = { table: 'integration_messages', column: 'webhook_id_index' }

/** The sender chooses the id, so it may name a person. */
const indexOf = ({ BLIND_INDEX_KEY }: Services['config'], organization_id: string, webhookId: string | undefined) =>
  webhookId === undefined ? null : blindIndex(BLIND_INDEX_KEY, { ...INDEXED, organization_id }, webhookId)

export const inboundRoutes: Routes = (app, { db, box, now, config: settings }) => {
  // Messages of any kind are read as bytes: the signature is over them.
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_MESSAGE_BYTES }, (_request, body, done) =>
      done(null, body),
    )
    scope.post<{ Params: { token: string } }>(
      '/v1/public/inbound/:token',
      {
        bodyLimit: MAX_MESSAGE_BYTES,
        config: {
          access: publicAccess(),
          latency: 'simple_write',
          limit: 'inbound',
          limitBy: 'token',
          operationId: 'receiveInboundMessage',
          summary: 'Send a message to an inbound webhook',
          description: DESCRIPTION,
          consumes: { '*/*': MESSAGE },
          refusals: [inboundNotFound, signatureInvalid, timestampInvalid],
        },
        schema: { params: InboundParams, response: { 202: One(InboundReceipt) } },
      },
      async (request, reply) => {
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.of()
        const hash = inboundTokenHash(request.params.token)
        const found = await request.findPublic((tx) => findInboundIntegration(tx, hash))
        if (!found) throw inboundNotFound()
        const { config, credentials } = openConnection(box, found)
        const isVerified = config.verify_signature !== false
        if (isVerified) {
          const problem = signatureProblem(request.headers, credentials.signing_secret, body, now())
          if (problem === 'signature') throw signatureInvalid()
          if (problem === 'timestamp') throw timestampInvalid()
        }
        const id = randomUUID()
        const index = indexOf(settings, found.organization_id, trustedIdIn(request.headers, isVerified))
        const place = messagePlace(found.organization_id, id)
        const message = {
          id,
          integration_id: found.id,
          body_encrypted: box.seal(body, place),
          webhook_id_index: index,
        }
        const automationRuleIds = causesIn(settings, request.headers['webhook-cause'])
        const context = { ...systemContext(found.organization_id), automationRuleIds }
        const data = await db.tenant(context, async (tx) => {
          if (!(await insertMessage(tx, message)) && index !== null)
            return { id: await findMessageId(tx, found.id, index), duplicate: true }
          await publish(tx, 'integration.received', { integration_id: found.id, message_id: id })
          return { id, duplicate: false }
        })
        return reply.code(202).send({ data })
      },
    )
  })
}
