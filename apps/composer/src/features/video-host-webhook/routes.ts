import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { AuditLog, systemContext } from '@tendon/access'
import { isObject, VideoHostWebhook, WebhookReceipt } from '@tendon/contracts'
import { publicAccess, validationFailed } from '@tendon/http'
import { isWebhookSignature, isWebhookToken, type WebhookMeaning, webhookMeaning } from '@tendon/video-host'
import { Counter } from 'prom-client'
import { Type } from 'typebox'
import type { Routes } from '../../services.ts'
import { settleRender } from '../renders/settle.ts'
import { noteHostReady, pollSoon } from '../renders/settle-queries.ts'
import { webhookTooLarge, wrongWebhookToken } from './errors.ts'
import { findHostedRender, pollExerciseVideo } from './queries.ts'

const MAX_WEBHOOK_BYTES = 4_096
const POLL_SOON_MS = 60_000

/** A repeated token is refused by the handler (401), not by the contract. */
const Token = {
  type: ['string', 'array'],
  items: { type: 'string' },
  description: 'The value of the setting WEBHOOK_SECRET.',
}
const WebhookQuery = Type.Object({ token: Type.Optional(Type.Unsafe<unknown>(Token)) })

interface Reported {
  library: string
  guid: string
  status: number
}

/** What the video host reports about its work. */
export const videoHostWebhookRoutes: Routes = (app, services) => {
  const { config, db, host, metrics, renderMetrics, now, box } = services
  const auditLog = new AuditLog(box)
  const counter = new Counter({
    name: 'composer_webhooks_total',
    help: 'Webhooks of the video host',
    labelNames: ['status', 'outcome'] as const,
    registers: [metrics],
  })

  async function apply({ guid, library }: Reported, meaning: WebhookMeaning): Promise<string> {
    if (meaning === 'unknown') return 'unknown_status'
    if (config.BUNNY_LIBRARY_ID !== '' && library !== config.BUNNY_LIBRARY_ID) return 'other_library'
    const found = await db.public((tx) => findHostedRender(tx, host.provider, guid))
    if (!found) {
      // Videos uploaded for exercises belong to the core API: its worker polls the host.
      const polled = meaning !== 'progress' && (await db.public((tx) => pollExerciseVideo(tx, guid)))
      return polled ? 'exercise_video' : 'unknown_video'
    }
    const render = { id: found.render_id, organizationId: found.render_organization_id }
    return db.tenant(systemContext(render.organizationId), async (tx) => {
      if (meaning === 'progress') return 'no_change'
      if (meaning === 'nearly_ready') {
        await pollSoon(tx, render.id, new Date(now().getTime() + POLL_SOON_MS))
        return 'no_change'
      }
      const error = { code: 'transcoding_failed', message: 'The video host could not transcode the video.' }
      const ending = meaning === 'failed' ? { error } : {}
      if (await settleRender(tx, auditLog, render, { status: meaning, from: ['transcoding'], ...ending })) {
        renderMetrics.ended.inc({ outcome: meaning === 'failed' ? error.code : meaning })
        return meaning
      }
      if (meaning === 'ready') await noteHostReady(tx, render.id)
      return 'no_change'
    })
  }

  app.register(async (bare) => {
    const scope = bare.withTypeProvider<TypeBoxTypeProvider>()
    // The signature covers the bytes, whatever type they claim to be.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

    scope.post(
      '/webhooks/videohost',
      {
        config: {
          access: publicAccess(),
          operationId: 'receiveVideoHostWebhook',
          summary: 'Receive a webhook from the video host',
          description:
            'Status 4 makes the render ready, 5 marks it failed, 0 to 3 change nothing. The token in the query must be WEBHOOK_SECRET; without that setting every request is accepted.',
          consumes: { 'application/json': VideoHostWebhook },
          refusals: [wrongWebhookToken, webhookTooLarge],
        },
        bodyLimit: MAX_WEBHOOK_BYTES,
        schema: { querystring: WebhookQuery, response: { 200: WebhookReceipt } },
      },
      async (request) => {
        const { token } = request.query
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        const signature = request.headers['x-bunnystream-signature']
        const allowed =
          (config.WEBHOOK_SECRET === '' || isWebhookToken(config.WEBHOOK_SECRET, token)) &&
          (config.BUNNY_READ_ONLY_KEY === '' || isWebhookSignature(config.BUNNY_READ_ONLY_KEY, body, signature))
        if (!allowed) {
          counter.inc({ status: 'none', outcome: 'refused' })
          throw wrongWebhookToken()
        }
        const reported = parse(body)
        if (!reported)
          throw validationFailed({
            fields: { body: `must be JSON with ${Object.keys(VideoHostWebhook.properties).join(', ')}` },
          })
        const meaning = webhookMeaning(reported.status)
        const outcome = await apply(reported, meaning)
        counter.inc({ status: meaning === 'unknown' ? 'unknown' : String(reported.status), outcome })
        return { received: true }
      },
    )
  })
}

function parse(body: Buffer): Reported | undefined {
  try {
    const given: unknown = JSON.parse(body.toString('utf8'))
    if (!isObject(given)) return undefined
    const { VideoLibraryId, VideoGuid, Status } = given
    if (typeof VideoGuid !== 'string' || !/^[\w-]{1,64}$/.test(VideoGuid)) return undefined
    if (typeof Status !== 'number' || !Number.isInteger(Status)) return undefined
    return { library: String(VideoLibraryId), guid: VideoGuid, status: Status }
  } catch {
    return undefined
  }
}
