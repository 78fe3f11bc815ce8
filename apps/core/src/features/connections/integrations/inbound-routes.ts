import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { publish, systemContext } from '@tendon/access'
import { InboundParams, InboundReceipt, One } from '@tendon/contracts'
import { publicAccess } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { openConnection } from './connections.ts'
import { inboundNotFound, signatureInvalid } from './errors.ts'
import { inboundTokenHash } from './inbound-access.ts'
import { findInboundIntegration, insertMessage } from './inbound-queries.ts'
import { messagePlace } from './messages.ts'

const MAX_MESSAGE_BYTES = 256 * 1024

/** `sha256=` and the HMAC of the raw body, in hex. */
function isSigned(header: unknown, secret: unknown, body: Buffer): boolean {
  if (typeof header !== 'string' || typeof secret !== 'string') return false
  const [given, expected] = [
    Buffer.from(header),
    Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`),
  ]
  return given.length === expected.length && timingSafeEqual(given, expected)
}

export const inboundRoutes: Routes = (app, { db, box }) => {
  // Messages of any kind are taken as bytes: the signature is over them.
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
          description: 'Takes up to 256 KB of any media type. The message is kept sealed for 30 days.',
          refusals: [inboundNotFound, signatureInvalid],
        },
        schema: { params: InboundParams, response: { 202: One(InboundReceipt) } },
      },
      async (request, reply) => {
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.of()
        const hash = inboundTokenHash(request.params.token)
        const found = await request.public((tx) => findInboundIntegration(tx, hash))
        if (!found) throw inboundNotFound()
        const { config, credentials } = openConnection(box, found)
        if (
          config.verify_signature !== false &&
          !isSigned(request.headers['x-signature'], credentials.signing_secret, body)
        ) {
          throw signatureInvalid()
        }
        const id = randomUUID()
        const place = messagePlace(found.organization_id, id)
        await db.tenant(systemContext(found.organization_id), async (tx) => {
          await insertMessage(tx, { id, integration_id: found.id, body_encrypted: box.seal(body, place) })
          await publish(tx, 'integration.received', { integration_id: found.id, message_id: id })
        })
        return reply.code(202).send({ data: { id } })
      },
    )
  })
}
