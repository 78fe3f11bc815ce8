import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const VALID_REQUEST_ID = /^[\w.:-]{8,128}$/

/** The caller's X-Request-Id when it is a sane token, else a new one. */
export function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && VALID_REQUEST_ID.test(given) ? given : randomUUID()
}

export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-site',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
}

/** X-Request-Id and security headers on every response. A route may set its own over them. */
export function standardHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(SECURITY_HEADERS)
    reply.header('x-request-id', request.id)
  })
}

/** Says that the answer depends on this header of the request, beside those named already. */
export function addVary(reply: FastifyReply, name: string): void {
  const named = String(reply.getHeader('vary') ?? '')
  const names = named.split(',').map((one) => one.trim().toLowerCase())
  if (!names.includes(name)) reply.header('vary', named === '' ? name : `${named}, ${name}`)
}

/** The value of a header that may occur only once. Node would join or drop repeats; here they are refused. */
export function soleHeader(request: FastifyRequest, name: string): { value?: string; repeated: boolean } {
  const { rawHeaders } = request.raw
  let value: string | undefined
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() !== name) continue
    if (value !== undefined) return { repeated: true }
    value = rawHeaders[at + 1]
  }
  return value === undefined ? { repeated: false } : { value, repeated: false }
}
