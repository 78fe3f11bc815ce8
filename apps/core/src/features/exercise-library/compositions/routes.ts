import { type IncomingMessage, request as sendRequest } from 'node:http'
import { request as sendSecureRequest } from 'node:https'
import { pipeline, type Readable } from 'node:stream'
import { publicAccess } from '@tendon/http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Routes } from '../../../feature.ts'
import { composerUnavailable } from './errors.ts'

// The composer is a service of its own. Browsers reach it through the core API, so that they see one origin; the composer
// identifies the caller itself.

const PATHS = [
  '/v1/exercises/compose',
  '/v1/exercises/compose/*',
  '/v1/exercises/:slug/bundle',
  '/v1/exercises/:slug/bundle/*',
  '/v1/renders',
  '/v1/renders/*',
  '/v1/public/renders/*',
]
const METHODS = ['GET', 'POST', 'PUT', 'DELETE']
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
const MAX_FORWARD_MS = 60 * 60 * 1000

export const forwardingRoutes: Routes = (app, { config }) => {
  app.register(async (scope) => {
    // The body passes through unread.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    for (const url of PATHS)
      scope.route({
        url,
        method: METHODS,
        exposeHeadRoute: false,
        handlerTimeout: MAX_FORWARD_MS,
        config: { access: publicAccess(), forwarded: true, refusals: [composerUnavailable] },
        handler: (request, reply) => forward(config.composerUrl, request, reply),
      })
  })
}

async function forward(composerUrl: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const url = targetOf(composerUrl, request.raw.url ?? '/')
  if (!url) {
    reply.callNotFound()
    return reply
  }
  const answer = await ask(url, request).catch(() => {
    throw composerUnavailable({}, { 'retry-after': '5' })
  })
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

function ask(url: URL, { method, headers, ip, id, body }: FastifyRequest): Promise<IncomingMessage> {
  const passed = Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN_HEADERS.has(name)))
  // Fastify does not read the body of a GET. With its length the composer would take the next request for that body.
  if (body === undefined || body === null) delete passed['content-length']
  const own = { 'x-forwarded-for': ip, 'x-request-id': id }
  const send = url.protocol === 'https:' ? sendSecureRequest : sendRequest
  return new Promise((resolve, reject) => {
    const sent = send(url, { method, headers: { ...passed, ...own } }, resolve)
    sent.on('error', reject)
    if (body === undefined || body === null) sent.end()
    else pipeline(body as Readable, sent, (error) => error && reject(error))
  })
}
