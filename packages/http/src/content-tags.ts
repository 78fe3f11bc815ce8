import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { addVary } from './headers.ts'

/**
 * An answer of a route with `contentTag` has an ETag of its content, and a client that has this content gets 304 without
 * it. The request has been done by then: its access was checked, and a read that is audited is in the audit log. Equal tags
 * mean equal content, so a client that kept the answer to somebody else gets no 304 unless its own would be the same.
 */
export function answerUnchanged(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const { contentTag, secretAnswer } = request.routeOptions.config
    if (!contentTag || reply.statusCode !== 200 || typeof payload !== 'string') return payload
    if (!String(reply.getHeader('content-type')).startsWith('application/json')) return payload
    const tag = `W/"${hash('sha256', payload, 'base64url')}"`
    reply.header('etag', tag)
    if (!names(request.headers['if-none-match'], tag)) return payload
    // A 304 has the same Vary header as the full answer.
    if (!secretAnswer) addVary(reply, 'accept-encoding')
    reply.code(304).removeHeader('content-type')
    // For HEAD, Fastify would count the bytes of anything else, and say 0.
    return request.method === 'HEAD' ? Readable.from([]) : null
  })
}

/** Weak comparison (RFC 9110, 8.8.3.2): "3" and W/"3" are the same. */
function names(header: string | undefined, tag: string): boolean {
  const opaque = (one: string) => one.trim().replace(/^W\//, '')
  return (header ?? '').split(',').some((one) => one.trim() === '*' || opaque(one) === opaque(tag))
}
