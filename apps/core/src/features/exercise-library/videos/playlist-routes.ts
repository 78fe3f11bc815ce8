import { text } from 'node:stream/consumers'
import { publicAccess } from '@tendon/http'
import { verifySignedUrl } from '@tendon/object-store'
import { objectUrl, PLAYLIST_PATH, PLAYLIST_TYPE, withUrls } from '@tendon/video-host'
import type { Routes } from '../../../feature.ts'
import { invalidSignature, linkExpired } from '../../system/objects/index.ts'
import { playlistNotFound } from './errors.ts'

/** A playlist in the object store refers to files by name; a player needs signed URLs. */
export const playlistRoutes: Routes = (app, services) => {
  app.get<{ Params: { '*': string }; Querystring: Record<string, unknown> }>(
    `${PLAYLIST_PATH}*`,
    {
      config: {
        access: publicAccess(),
        operationId: 'getVideoPlaylist',
        summary: 'Get the HLS playlist of a video',
        description: 'Use the signed URL in `video_url`.',
        produces: PLAYLIST_TYPE,
        refusals: [invalidSignature, linkExpired, playlistNotFound],
      },
    },
    async (request, reply) => {
      const { config, objects, now } = services
      const key = request.params['*']
      const { query } = request
      const verdict = verifySignedUrl({
        signingKey: config.OBJECT_SIGNING_KEY,
        method: 'GET',
        key,
        query,
        now: now(),
      })
      // The type is in the signature: a link to another kind of file opens nothing here.
      if (verdict.ok ? verdict.contentType !== PLAYLIST_TYPE : verdict.reason === 'invalid') throw invalidSignature()
      if (!verdict.ok) throw linkExpired()
      const stored = await objects.get(key)
      if (!stored) throw playlistNotFound()
      const folder = key.slice(0, key.lastIndexOf('/') + 1)
      const playlist = await withUrls(await text(stored.body), (name) => objectUrl(services, folder + name))
      return reply.header('content-type', PLAYLIST_TYPE).header('cache-control', 'private').send(playlist)
    },
  )
}
