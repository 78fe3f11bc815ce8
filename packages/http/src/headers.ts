import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'

const SANE_REQUEST_ID = /^[\w.:-]{8,128}$/

/** The caller's X-Request-Id when it is a sane token, else a new one. */
export function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && SANE_REQUEST_ID.test(given) ? given : randomUUID()
}

const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-site',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
}

/** X-Request-Id and security headers on every response. A route may set its own before. */
export function standardHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(SECURITY_HEADERS)
    reply.header('x-request-id', request.id)
  })
}

/** The value of a header that may stand once: undefined when absent, 'repeated' when it stands more than once. */
export function soleHeader(request: FastifyRequest, name: string): { value?: string; repeated: boolean } {
  const all = request.raw.headersDistinct[name]
  if (all === undefined) return { repeated: false }
  return all.length === 1 && all[0] !== undefined ? { value: all[0], repeated: false } : { repeated: true }
}
