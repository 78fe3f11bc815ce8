import { ById, listParameters, Many, NoContent, One, Render, renderList } from '@tendon/contracts'
import { pageOf, parseList, permission, publicAccess, queryOf } from '@tendon/http'
import { verifySignedUrl } from '@tendon/object-store'
import { openUrl, PLAYLIST_TYPE, renderPlayback } from '@tendon/video-host'
import type { Routes } from '../../services.ts'
import {
  invalidSignature,
  linkExpired,
  notReady,
  renderEnded,
  renderNotFound,
  videoHostNotConfigured,
} from './errors.ts'
import { PUBLIC_PATH, playlistKey, presentRender } from './present.ts'
import { streamProgress } from './progress.ts'
import { cancelRender, findPublicRender, findRender, listRenders } from './queries.ts'

const VIEW = permission('exercises.view_published')
const RETRY_AFTER = { 'retry-after': '5' }

export const renderRoutes: Routes = (app, services) => {
  const closing = new AbortController()
  app.addHook('preClose', async () => closing.abort())

  app.get(
    '/v1/renders',
    {
      config: { access: VIEW, secretAnswer: true, summary: 'List renders' },
      schema: { querystring: listParameters(renderList), response: { 200: Many(Render) } },
    },
    async (request) => {
      const list = parseList(renderList, request.query)
      const { rows, total } = await request.findPage((tx) => listRenders(tx, list))
      const data = await Promise.all(rows.map((row) => presentRender(services, row)))
      return { data, pagination: pageOf(list, total) }
    },
  )

  app.get(
    '/v1/renders/:id',
    {
      config: { access: VIEW, secretAnswer: true, summary: 'Get a render', refusals: [renderNotFound] },
      schema: { params: ById, response: { 200: One(Render) } },
    },
    async (request) => {
      const render = await request.find((tx) => findRender(tx, request.params.id))
      if (!render) throw renderNotFound()
      return { data: await presentRender(services, render) }
    },
  )

  app.get(
    '/v1/renders/:id/events',
    {
      config: {
        access: VIEW,
        operationId: 'streamRenderProgress',
        summary: 'Stream the progress of a render',
        description: 'Server-sent events `render` with status, progress, stage and error, until the render has ended.',
        produces: 'text/event-stream',
        refusals: [renderNotFound],
      },
      schema: { params: ById },
    },
    async (request, reply) => {
      const read = () => request.find((tx) => findRender(tx, request.params.id))
      const render = await read()
      if (!render) throw renderNotFound()
      await streamProgress(reply, { first: render, read, closing: closing.signal })
    },
  )

  app.post(
    '/v1/renders/:id/cancel',
    {
      config: {
        access: permission('exercises.compose'),
        summary: 'Cancel a render',
        description: 'A render can be cancelled until it is ready.',
        refusals: [renderNotFound, renderEnded],
      },
      schema: { params: ById, response: { 200: One(Render) } },
    },
    async (request) => {
      const render = await request.tenant(async (tx) => {
        const before = await findRender(tx, request.params.id)
        if (!before) throw renderNotFound()
        const cancelled = await cancelRender(tx, before.id)
        const after = await findRender(tx, before.id)
        if (!cancelled || !after) throw renderEnded({ status: after?.status ?? before.status })
        await request.audit(tx, {
          action: 'renders.cancel',
          crud: 'U',
          target: { type: 'render', id: before.id, label: before.exercise },
          changes: [{ field: 'status', before: before.status, after: after.status }],
        })
        return after
      })
      return { data: await presentRender(services, render) }
    },
  )

  app.get(
    `${PUBLIC_PATH}:id/playlist.m3u8`,
    {
      config: {
        access: publicAccess(),
        operationId: 'playRender',
        summary: 'Play a render',
        description: 'Redirects to the playlist at the video host, by the signed link in playback_hls_url.',
        produces: PLAYLIST_TYPE,
        refusals: [invalidSignature, linkExpired, notReady, videoHostNotConfigured],
      },
      schema: { params: ById, response: { 302: NoContent } },
    },
    async (request, reply) => {
      const { config, now } = services
      const verdict = verifySignedUrl({
        signingKey: config.OBJECT_SIGNING_KEY,
        method: 'GET',
        key: playlistKey(request.params.id),
        query: queryOf(request.query),
        now: now(),
      })
      if (verdict.ok ? verdict.contentType !== PLAYLIST_TYPE : verdict.reason === 'invalid') throw invalidSignature()
      if (!verdict.ok) throw linkExpired()
      const render = await request.findPublic((tx) => findPublicRender(tx, request.params.id))
      const playback =
        render?.status === 'ready' && renderPlayback(render.host_provider ?? '', render.host_reference ?? '')
      if (!playback) throw notReady({}, RETRY_AFTER)
      const url = await openUrl(services, playback.playlist)
      if (url === null) throw videoHostNotConfigured({ host: 'Bunny Stream', setting: 'BUNNY_CDN_URL' })
      return reply.header('cache-control', 'private').redirect(url, 302)
    },
  )
}
