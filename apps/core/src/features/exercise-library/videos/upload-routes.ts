import { ById, ByVideoUpload, Choices, ExerciseVideo, NoContent, One, VideoUpload } from '@tendon/contracts'
import { permission } from '@tendon/http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Routes } from '../../../feature.ts'
import {
  answerTus,
  TUS_BODY,
  TUS_REFUSALS,
  type TusOptions,
  uploadExpired,
  uploadNotFound,
} from '../../../platform/tus.ts'
import { MAX_UPLOAD_MS } from '../../../platform/uploads.ts'
import { limitExceeded } from '../../tenancy/plans/index.ts'
import { exerciseNotFound, inLibrary, platformExercise, readExercise } from '../exercises/index.ts'
import { invalidVideoType, tooManyParts, unplayableVideo, uploadIncomplete } from './errors.ts'
import { finishVideoUpload } from './finishing.ts'
import { PartSlots } from './part-slots.ts'
import { listUnfinished, type StoredUpload } from './upload-queries.ts'
import { VideoUploads } from './upload-store.ts'

const MANAGE = permission('exercises.manage_org')
const PART = Type.Unsafe<string>({ type: 'string', format: 'binary', description: 'The bytes from Upload-Offset on.' })
const UPLOADS = '/v1/exercises/:id/video/uploads' as const
const UPLOAD = '/v1/exercises/:id/video/uploads/:uploadId' as const

export const videoUploadRoutes: Routes = (app, services) => {
  const { config } = services
  const maxBytes = config.EXERCISE_VIDEO_MAX_MB * 1024 * 1024
  const slots = new PartSlots()

  async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    method: TusOptions['method'],
    { id, uploadId }: { id: string; uploadId?: string },
  ): Promise<VideoUploads> {
    const store = new VideoUploads(request, services, id)
    await answerTus(request, reply, {
      method,
      store,
      maxBytes,
      path: `/v1/exercises/${id}/video/uploads`,
      ...(uploadId === undefined ? {} : { id: uploadId }),
      idleMs: config.BODY_TIMEOUT_MS,
    })
    if (method !== 'DELETE' && store.expiresAt) reply.header('upload-expires', store.expiresAt.toUTCString())
    return store
  }

  const present = (exercise_id: string, { id, length, received, metadata, expires_at }: StoredUpload): VideoUpload => ({
    id,
    exercise_id,
    length,
    offset: received,
    metadata,
    expires_at,
  })

  app.post(
    UPLOADS,
    {
      config: {
        access: MANAGE,
        operationId: 'startVideoUpload',
        summary: 'Start a resumable upload of the video of an exercise',
        description:
          'Creates an upload of the tus protocol (https://tus.io, version 1.0.0; extensions creation, expiration and termination). Send `Tus-Resumable: 1.0.0`, `Upload-Length` and `Upload-Metadata` with `filetype` (a media type of a video) and, if you like, `filename`. `Location` is the URL of the upload, `Upload-Expires` the time, 24 hours later, when it is deleted if it is not finished. Until then its length counts against the limit `max_unfinished_upload_mb` of the plan. An unfinished upload that you started for the same exercise before is deleted. When all bytes have arrived, call `finish`.',
        refusals: [exerciseNotFound, platformExercise, invalidVideoType, limitExceeded, ...TUS_REFUSALS],
      },
      schema: { params: ById, response: { 201: NoContent } },
    },
    async (request, reply) => {
      await answer(request, reply, 'POST', request.params)
      return reply.send(null)
    },
  )

  app.get(
    UPLOADS,
    {
      config: {
        access: MANAGE,
        operationId: 'listVideoUploads',
        summary: 'List your unfinished video uploads of an exercise',
        refusals: [exerciseNotFound],
      },
      schema: { params: ById, response: { 200: Choices(VideoUpload) } },
    },
    async (request) => {
      const { id } = request.params
      const { owner } = new VideoUploads(request, services, id)
      const found = await inLibrary(request, async (tx) => {
        await readExercise(tx, id)
        return listUnfinished(tx, owner, services.now())
      })
      return { data: found.map((upload) => present(id, upload)) }
    },
  )

  app.get(
    UPLOAD,
    {
      config: {
        access: MANAGE,
        operationId: 'getVideoUpload',
        summary: 'Get the state of an upload',
        description:
          'HEAD is the request of the tus protocol: `Upload-Offset` is where the upload continues. Only the person who started an upload can see it.',
        refusals: [...TUS_REFUSALS],
      },
      schema: { params: ByVideoUpload, response: { 200: One(VideoUpload) } },
    },
    async (request, reply) => {
      const { id, uploadId } = request.params
      const store = await answer(request, reply, 'HEAD', request.params)
      return { data: present(id, await store.find(uploadId)) }
    },
  )

  app.patch(
    UPLOAD,
    {
      config: {
        access: MANAGE,
        operationId: 'continueVideoUpload',
        summary: 'Send the next bytes of an upload',
        description:
          'Send `Tus-Resumable: 1.0.0` and `Upload-Offset`. Requests of 8 MB are a good size. When the connection breaks, what has arrived is kept: read `Upload-Offset` with HEAD and continue there.',
        consumes: { [TUS_BODY]: PART },
        refusals: [tooManyParts, ...TUS_REFUSALS],
      },
      handlerTimeout: MAX_UPLOAD_MS,
      schema: { params: ByVideoUpload, response: { 204: NoContent } },
    },
    async (request, reply) => {
      await slots.hold(request.caller.principal_id, () => answer(request, reply, 'PATCH', request.params))
      return reply.send(null)
    },
  )

  app.delete(
    UPLOAD,
    {
      config: {
        access: MANAGE,
        operationId: 'cancelVideoUpload',
        summary: 'Cancel an upload',
        description: 'Deletes what has arrived. A video that was made from it stays.',
        refusals: [exerciseNotFound, platformExercise, ...TUS_REFUSALS],
      },
      schema: { params: ByVideoUpload, response: { 204: NoContent } },
    },
    async (request, reply) => {
      await answer(request, reply, 'DELETE', request.params)
      return reply.send(null)
    },
  )

  app.post(
    `${UPLOAD}/finish`,
    {
      config: {
        access: MANAGE,
        operationId: 'finishVideoUpload',
        summary: 'Use a completed upload as the video of an exercise',
        description:
          'Checks the type of the file by its bytes, and replaces the video that the exercise has. A file that is not a playable video is refused and deleted. Repeating the request is safe: it returns the video that the exercise has.',
        refusals: [
          exerciseNotFound,
          platformExercise,
          uploadNotFound,
          uploadExpired,
          uploadIncomplete,
          invalidVideoType,
          unplayableVideo,
        ],
      },
      handlerTimeout: MAX_UPLOAD_MS,
      schema: { params: ByVideoUpload, response: { 200: One(ExerciseVideo) } },
    },
    async (request) => {
      const { id, uploadId } = request.params
      const uploads = new VideoUploads(request, services, id)
      return { data: await finishVideoUpload(request, services, uploads, uploadId) }
    },
  )
}
