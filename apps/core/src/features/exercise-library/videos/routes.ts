import { changesBetween } from '@tendon/access'
import { ById, ExerciseVideo, NoContent, One, VIDEO_TYPES } from '@tendon/contracts'
import { permission } from '@tendon/http'
import { type HostedVideo, playableUrls, UnplayableVideo } from '@tendon/video-host'
import type { Routes } from '../../../feature.ts'
import { recorder } from '../../../platform/recorder.ts'
import { MAX_UPLOAD_MS, multipartExpected, type Upload } from '../../../platform/uploads.ts'
import {
  exerciseNotFound,
  exerciseResource,
  inLibrary,
  openExercise,
  platformExercise,
  takeIntoLibrary,
} from '../exercises/index.ts'
import { invalidVideoType, unplayableVideo, videoTooLarge } from './errors.ts'
import { finishLater } from './jobs.ts'
import { findVideo, NO_VIDEO, updateVideo } from './queries.ts'

const MANAGE = permission('exercises.manage_org')

/** `exercise.video_ready` follows from the database function settle_exercise_video, once the video plays. */
const record = recorder({
  ...exerciseResource,
  acts: {
    uploaded: { action: 'exercises.upload_video', crud: 'U', event: 'exercise.video_uploaded' },
    deleted: { action: 'exercises.delete_video', crud: 'U', event: 'exercise.video_deleted' },
  },
})

export const videoRoutes: Routes = (app, services) => {
  const { config, videos: host } = services
  const maxBytes = config.EXERCISE_VIDEO_MAX_MB * 1024 * 1024

  async function begin(file: Upload): Promise<HostedVideo> {
    try {
      return await host.begin(file)
    } catch (error) {
      throw error instanceof UnplayableVideo ? unplayableVideo({ reason: error.message }) : error
    }
  }

  app.post(
    '/v1/exercises/:id/video',
    {
      config: {
        access: MANAGE,
        upload: true,
        operationId: 'uploadExerciseVideo',
        summary: 'Upload the video of an exercise',
        description: 'Replaces the video that the exercise has.',
        refusals: [
          exerciseNotFound,
          platformExercise,
          videoTooLarge,
          invalidVideoType,
          unplayableVideo,
          multipartExpected,
        ],
      },
      handlerTimeout: MAX_UPLOAD_MS,
      schema: { params: ById, response: { 200: One(ExerciseVideo) } },
    },
    async (request) => {
      const { id } = request.params
      await inLibrary(request, (tx) => openExercise(tx, id))
      const begun = new Map<string, HostedVideo>()
      const rules = {
        folder: 'exercise-videos',
        maxBytes,
        types: VIDEO_TYPES,
        tooLarge: () => videoTooLarge({ max_file_size: maxBytes }),
        wrongType: () => invalidVideoType({ allowed_file_types: VIDEO_TYPES }),
        examine: async (file: Upload) => void begun.set(file.key, await begin(file)),
      }
      const video = await takeIntoLibrary(request, services, rules, async (tx, { key }) => {
        const taken = begun.get(key)
        if (!taken) throw new Error('the video host has not accepted the video')
        const exercise = await openExercise(tx, id)
        const before = await findVideo(tx, id)
        const { reference, ...fields } = taken
        const after = await updateVideo(tx, id, {
          ...fields,
          video_provider: host.provider,
          video_object_key: reference,
        })
        const changes = changesBetween(before, after)
        await record.uploaded(request, tx, exercise, exercise, { changes })
        await finishLater(tx, reference)
        return after
      })
      return { data: await playableUrls(services, video) }
    },
  )

  app.delete(
    '/v1/exercises/:id/video',
    {
      config: {
        access: MANAGE,
        summary: 'Delete the video of an exercise',
        description: 'Copies of the exercise keep the video.',
        refusals: [exerciseNotFound, platformExercise],
      },
      schema: { params: ById, response: { 204: NoContent } },
    },
    async (request, reply) => {
      await inLibrary(request, async (tx) => {
        const exercise = await openExercise(tx, request.params.id)
        const before = await findVideo(tx, exercise.id)
        if (before.video_url === null) return
        const after = await updateVideo(tx, exercise.id, NO_VIDEO)
        const changes = changesBetween(before, after)
        await record.deleted(request, tx, exercise, exercise, { changes })
      })
      return reply.code(204).send(null)
    },
  )
}
