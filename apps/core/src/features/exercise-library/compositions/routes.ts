import type { Config } from '@tendon/config'
import { MAX_BUNDLE_FILE_BYTES, MAX_COMPOSER_BODY_BYTES } from '@tendon/contracts'
import { payloadTooLarge, publicAccess } from '@tendon/http'
import type { FastifyRequest } from 'fastify'
import type { Routes } from '../../../feature.ts'
import { bundleFileTooLarge, composerUnavailable } from './errors.ts'
import { type ForwardLimits, forward } from './forward.ts'

// The composer is a service of its own. Browsers reach it through the core API, so that they see one origin; the composer
// identifies the caller itself.

const FILES = '/v1/exercises/:slug/bundle/*'
const PATHS = [
  '/v1/exercises/compose',
  '/v1/exercises/compose/*',
  '/v1/exercises/:slug/bundle',
  FILES,
  '/v1/renders',
  '/v1/renders/*',
  '/v1/public/renders/*',
]
const METHODS = ['GET', 'POST', 'PUT', 'DELETE']
const MAX_FORWARD_MS = 60 * 60 * 1000

export const forwardingRoutes: Routes = (app, { config }) => {
  app.register(async (scope) => {
    // The body passes through unread.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    for (const url of PATHS)
      scope.route({
        url,
        method: METHODS,
        exposeHeadRoute: false,
        handlerTimeout: MAX_FORWARD_MS,
        config: {
          access: publicAccess(),
          forwarded: true,
          refusals: [composerUnavailable, ...(url === FILES ? [bundleFileTooLarge] : [])],
        },
        handler: (request, reply) => forward(config.composerUrl, request, reply, limitsOf(request, config)),
      })
  })
}

/** A file may take as long as it keeps arriving; any other body has the time of a JSON body. */
function limitsOf(
  { method, url, routeOptions }: FastifyRequest,
  { BODY_TIMEOUT_MS, REQUEST_TIMEOUT_MS }: Config,
): ForwardLimits {
  if (method !== 'PUT' || routeOptions.url !== FILES)
    return {
      maxBytes: MAX_COMPOSER_BODY_BYTES,
      idleMs: BODY_TIMEOUT_MS,
      totalMs: BODY_TIMEOUT_MS,
      // The composer itself answers within REQUEST_TIMEOUT_MS, or not at all.
      answerMs: 2 * REQUEST_TIMEOUT_MS,
      tooLarge: payloadTooLarge,
    }
  const [, kind = 'mp4'] = /\.(mp3|vtt)(?:\?|$)/.exec(url) ?? []
  const maxBytes = MAX_BUNDLE_FILE_BYTES[kind as keyof typeof MAX_BUNDLE_FILE_BYTES]
  return {
    maxBytes,
    idleMs: BODY_TIMEOUT_MS,
    totalMs: MAX_FORWARD_MS,
    answerMs: MAX_FORWARD_MS,
    tooLarge: () => bundleFileTooLarge({ max_file_size: maxBytes }),
  }
}
