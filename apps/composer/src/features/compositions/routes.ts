import { Composed, CompositionPreview, NewComposition, One } from '@tendon/contracts'
import { permission } from '@tendon/http'
import { ProgramMissing } from '@tendon/video-host'
import type { Routes } from '../../services.ts'
import { presentRender } from '../renders/present.ts'
import { findRender } from '../renders/queries.ts'
import { preview, readComposition, requestRender } from './compose.ts'
import {
  compositionTooLong,
  manifestNotFound,
  notComposable,
  rendererUnavailable,
  renderQuotaReached,
  variantsMissing,
} from './errors.ts'

const COMPOSE = permission('exercises.compose')

export const compositionRoutes: Routes = (app, services) => {
  const { ffmpeg, config } = services

  async function checkRenderer(): Promise<void> {
    const program = config.FFMPEG_PATH || 'ffmpeg'
    if (!ffmpeg) throw rendererUnavailable({ program: 'ffmpeg' })
    await ffmpeg.version().catch((error: unknown) => {
      throw error instanceof ProgramMissing ? rendererUnavailable({ program }) : error
    })
  }

  app.post(
    '/v1/exercises/compose',
    {
      config: {
        access: COMPOSE,
        summary: 'Compose a video of an exercise',
        description:
          'Returns 202 while the video is rendered, and 200 when it is ready. The same request returns the same video_id; one that failed or was cancelled starts again.',
        refusals: [
          manifestNotFound,
          notComposable,
          variantsMissing,
          compositionTooLong,
          renderQuotaReached,
          rendererUnavailable,
        ],
      },
      schema: { body: NewComposition, response: { 200: One(Composed), 202: One(Composed) } },
    },
    async (request, reply) => {
      await checkRenderer()
      const render = await request.tenant(async (tx) => {
        const composition = await readComposition(tx, request.body)
        const { id, requested } = await requestRender(tx, request.caller.organization_id ?? '', composition)
        if (requested !== 'known') {
          const target = { type: 'render', id, label: composition.exercise.slug }
          await request.audit(tx, { action: 'renders.request', crud: requested === 'new' ? 'C' : 'U', target })
        }
        const row = await findRender(tx, id)
        if (!row) throw new Error('the render is missing')
        return row
      })
      const shown = await presentRender(services, render)
      return reply.code(render.status === 'ready' ? 200 : 202).send({ data: { video_id: render.id, ...shown } })
    },
  )

  app.post(
    '/v1/exercises/compose/preview',
    {
      config: {
        access: COMPOSE,
        summary: 'Preview a composition',
        description: 'Returns the pieces with their times, and the slots that are missing. Nothing is stored.',
        refusals: [manifestNotFound, notComposable],
      },
      schema: { body: NewComposition, response: { 200: One(CompositionPreview) } },
    },
    async (request) => ({
      data: preview(await request.tenant((tx) => readComposition(tx, request.body))),
    }),
  )
}
