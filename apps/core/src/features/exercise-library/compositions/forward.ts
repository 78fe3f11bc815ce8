import { type ClientRequest, type IncomingMessage, request as sendRequest } from 'node:http'
import { request as sendSecureRequest } from 'node:https'
import { type ApiError, allowLongBody, hasBody, requestTimeout } from '@tendon/http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { composerUnavailable } from './errors.ts'
import { type BodyLimits, sendBody } from './send-body.ts'

/** Headers that are not forwarded: they belong to one connection, or the composer trusts only the core API's value. */
const OWN_HEADERS = new Set([
  'connection',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
])
const CLOSE = { connection: 'close' }
const RETRY_SOON = { 'retry-after': '5' }

export interface ForwardLimits extends BodyLimits {
  tooLarge: () => ApiError
  /** How long the composer may take to answer after it has the whole request. */
  answerMs: number
}

export async function forward(
  composerUrl: string,
  request: FastifyRequest,
  reply: FastifyReply,
  limits: ForwardLimits,
): Promise<FastifyReply> {
  const url = targetOf(composerUrl, request.raw.url ?? '/')
  if (!url) {
    reply.callNotFound()
    return reply
  }
  const answer = await ask(url, request, reply, limits)
  reply.code(answer.statusCode ?? 502)
  for (const [name, values] of Object.entries(answer.headersDistinct))
    if (values && !OWN_HEADERS.has(name)) reply.header(name, values.length === 1 ? values[0] : values)
  return reply.send(answer)
}

/**
 * The router also matches `http://another-host/v1/renders` and `/v1/renders/../../health`. Undefined unless the composer gets
 * exactly the path that was matched.
 */
function targetOf(composerUrl: string, requested: string): URL | undefined {
  const url = new URL(composerUrl)
  const [path = '', query = ''] = requested.split(/\?(.*)/s)
  url.pathname = path
  url.search = query
  return url.pathname === path ? url : undefined
}

/** The answer of the composer, which may come before it has the whole body. */
async function ask(
  url: URL,
  request: FastifyRequest,
  reply: FastifyReply,
  limits: ForwardLimits,
): Promise<IncomingMessage> {
  const { raw, method, headers } = request
  const withBody = method !== 'GET' && hasBody(raw)
  if (withBody && Number(headers['content-length'] ?? 0) > limits.maxBytes) throw limits.tooLarge()
  const answered = Promise.withResolvers<IncomingMessage>()
  const unavailable = () => answered.reject(composerUnavailable({}, RETRY_SOON))
  const tooSlow = () => answered.reject(requestTimeout({}, CLOSE))
  const sent = open(url, request, withBody).once('response', answered.resolve).on('error', unavailable)
  let waiting: NodeJS.Timeout | undefined
  sent.once('finish', () => (waiting = setTimeout(unavailable, limits.answerMs)))
  function onClose(): void {
    if (reply.raw.writableFinished) return
    tooSlow()
    sent.destroy()
  }
  reply.raw.once('close', onClose)
  allowLongBody(raw.socket, true)
  const tooLarge = () => answered.reject(limits.tooLarge())
  const stop = withBody ? sendBody(raw, sent, limits, { tooLarge, tooSlow }) : undefined
  // The composer may refuse by the headers alone.
  if (withBody) sent.flushHeaders()
  else sent.end()
  try {
    const answer = await answered.promise
    // A connection on which half a request was sent cannot be used again.
    answer.once('close', () => sent.writableFinished || sent.destroy())
    return answer
  } catch (error) {
    sent.destroy()
    throw error
  } finally {
    clearTimeout(waiting)
    stop?.()
    allowLongBody(raw.socket, false)
  }
}

function open(url: URL, { method, headers, ip, id, host }: FastifyRequest, withBody: boolean): ClientRequest {
  const passed = Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN_HEADERS.has(name)))
  // The body of a GET is not forwarded. With its length the composer would take the next request for that body.
  if (!withBody) delete passed['content-length']
  const own = { 'x-forwarded-for': ip, 'x-forwarded-host': host, 'x-request-id': id }
  const send = url.protocol === 'https:' ? sendSecureRequest : sendRequest
  return send(url, { method, headers: { ...passed, ...own } })
}
