import { Readable } from 'node:stream'
import { publicAccess } from '@tendon/http'
import { attachmentDisposition, SIGNED_URL_PATH, verifySignedUrl } from '@tendon/object-store'
import type { Routes } from '../../../feature.ts'
import { invalidSignature, linkExpired, objectNotFound, rangeNotSatisfiable } from './errors.ts'
import { readRange } from './rules.ts'

/** A large file on a slow connection takes longer than any other request. An idle connection ends earlier. */
const MAX_DOWNLOAD_MS = 60 * 60 * 1000

/** Files are never shown in the API's own origin: saved as a download, and were one opened, in a sandbox. */
const HEADERS = {
  'accept-ranges': 'bytes',
  'content-security-policy': "sandbox; default-src 'none'",
  'cache-control': 'private',
}

export const objectRoutes: Routes = (app, { config, objects: store, now }) => {
  // Other stores serve their own signed URLs.
  if (config.OBJECT_STORE !== 'fs') return

  app.get<{ Params: { '*': string }; Querystring: Record<string, unknown> }>(
    `${SIGNED_URL_PATH}*`,
    {
      config: {
        access: publicAccess(),
        operationId: 'downloadObject',
        summary: 'Download a file',
        description: 'Needs a signed URL that another endpoint returned.',
        refusals: [invalidSignature, linkExpired, objectNotFound, rangeNotSatisfiable],
      },
      handlerTimeout: MAX_DOWNLOAD_MS,
    },
    async (request, reply) => {
      const key = request.params['*']
      const { query } = request
      // A link signed for GET serves HEAD too, which tells less.
      const method = 'GET'
      const verdict = verifySignedUrl({ signingKey: config.OBJECT_SIGNING_KEY, method, key, query, now: now() })
      if (!verdict.ok) throw verdict.reason === 'expired' ? linkExpired() : invalidSignature()

      const stored = await store.head(key)
      if (!stored) throw objectNotFound()
      // There are no validators to compare, so that If-Range never holds; and a range is defined for GET only.
      const ranged = request.method === 'GET' && request.headers['if-range'] === undefined
      const range = ranged ? readRange(request.headers.range, stored.bytes) : undefined
      if (range === 'none') throw rangeNotSatisfiable({}, { 'content-range': `bytes */${stored.bytes}` })

      const object =
        request.method === 'HEAD'
          ? { ...stored, body: Readable.from([]), totalBytes: stored.bytes }
          : await store.get(key, range)
      if (!object) throw objectNotFound()
      reply.headers({
        ...HEADERS,
        'content-type': verdict.contentType ?? object.contentType,
        'content-length': object.bytes,
        'content-disposition': attachmentDisposition(verdict.downloadName),
      })
      if (range) {
        const last = range.start + object.bytes - 1
        reply.code(206).header('content-range', `bytes ${range.start}-${last}/${object.totalBytes}`)
      }
      return reply.send(object.body)
    },
  )
}
