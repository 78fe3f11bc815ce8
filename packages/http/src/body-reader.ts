import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requestTimeout } from './client-errors.ts'
import { payloadTooLarge, unsupportedEncoding } from './refusals.ts'

const CLOSE = { connection: 'close' }
const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/i

/** Refuses compressed bodies and other charsets than UTF-8 before the body is read. */
export function refuseEncodedBodies(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ headers, method }) => {
    if (method === 'GET' || method === 'HEAD') return
    const { 'content-encoding': encoding = 'identity', 'content-type': type = '' } = headers
    const [, charset = 'utf-8'] = CHARSET.exec(type) ?? []
    if (encoding.toLowerCase() !== 'identity' || charset.toLowerCase() !== 'utf-8') throw unsupportedEncoding()
  })
}

/** Reads a body of at most `maxBytes` that must arrive within `timeoutMs` in all. Calls `done` once. */
export function readBody(
  request: FastifyRequest,
  payload: IncomingMessage,
  { maxBytes, timeoutMs }: { maxBytes: number; timeoutMs: number },
  done: (error: Error | null, body?: Buffer) => void,
): void {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return done(payloadTooLarge({}, CLOSE))
  const chunks: Buffer[] = []
  let bytes = 0
  const timer = setTimeout(() => finish(requestTimeout({}, CLOSE)), timeoutMs)

  function finish(error: Error | null): void {
    clearTimeout(timer)
    payload.off('data', onData).off('end', onEnd).off('error', onLost).off('close', onLost)
    // What still arrives is dropped; without a listener an error of the connection would end the process.
    if (error) payload.on('error', () => {}).resume()
    done(error, error ? undefined : Buffer.concat(chunks))
  }
  function onData(chunk: Buffer): void {
    bytes += chunk.length
    chunks.push(chunk)
    if (bytes > maxBytes) finish(payloadTooLarge({}, CLOSE))
  }
  const onEnd = () => finish(null)
  // The client is gone: nobody reads the refusal, but it is counted, and not as a fault of ours.
  const onLost = () => finish(requestTimeout({}, CLOSE))
  payload.on('data', onData).on('end', onEnd).on('error', onLost).on('close', onLost)
}
