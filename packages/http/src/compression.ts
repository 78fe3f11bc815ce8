import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { acceptedCoding } from './accept-encoding.ts'
import { addVary } from './headers.ts'
import { answerContract } from './json-schema.ts'

/** Smaller answers gain little: they fit into a few packets. */
export const MIN_COMPRESSED_BYTES = 8 * 1024
const TEXT = /^(application\/json|text\/csv)\b/
/** Most answers fit into one chunk. */
const CHUNK_BYTES = 128 * 1024

const [toGzip, toBrotli] = [promisify(gzip), promisify(brotliCompress)]

/** The best first. Their levels are measured: bench/NOTES.md. */
const CODINGS = {
  br: (text: string) => toBrotli(text, { chunkSize: CHUNK_BYTES, params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  gzip: (text: string) => toGzip(text, { chunkSize: CHUNK_BYTES, level: 1 }),
}
const OFFERED = ['br', 'gzip'] as const

/**
 * Compresses long answers of reads. The length of a compressed answer tells about its content (BREACH): one that holds a
 * secret is never compressed (`secretAnswer`), nor one without a contract, which could hold any; nor a refusal or the answer
 * of a write, which repeat what was sent.
 */
export function compressAnswers(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (typeof payload !== 'string' || !mayCompress(request, reply)) return payload
    addVary(reply, 'accept-encoding')
    if (Buffer.byteLength(payload) <= MIN_COMPRESSED_BYTES) return payload
    const coding = acceptedCoding(request.headers['accept-encoding'], OFFERED)
    if (coding === undefined) return payload
    reply.header('content-encoding', coding)
    weakenTag(reply)
    return CODINGS[coding](payload)
  })
}

function mayCompress({ method, routeOptions }: FastifyRequest, reply: FastifyReply): boolean {
  return (
    reply.statusCode === 200 &&
    (method === 'GET' || method === 'HEAD') &&
    !routeOptions.config.secretAnswer &&
    answerContract(routeOptions.schema?.response, '200') !== undefined &&
    !reply.hasHeader('content-encoding') &&
    TEXT.test(String(reply.getHeader('content-type')))
  )
}

/** A strong ETag promises the same bytes, and those now depend on the client. If-Match takes both. */
function weakenTag(reply: FastifyReply): void {
  const tag = reply.getHeader('etag')
  if (typeof tag === 'string' && !tag.startsWith('W/')) reply.header('etag', `W/${tag}`)
}
