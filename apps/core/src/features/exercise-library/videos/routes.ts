import { changesBetween } from '@tendon/access'
import { ById, ExerciseVideo, NoContent, One } from '@tendon/contracts'
import { permission } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { MAX_UPLOAD_MS, multipartExpected } from '../../../platform/uploads.ts'
import { exerciseNotFound, inLibrary, openExercise, platformExercise } from '../exercises/index.ts'
import { invalidVideoType, unplayableVideo, videoTooLarge } from './errors.ts'
import { findVideo, NO_VIDEO, updateVideo } from './queries.ts'
import { record, takeVideo } from './taking.ts'

const MANAGE = permission('exercises.manage_org')

export const videoRoutes: Routes = (app, services) => {
  app.post(
    '/v1/exercises/:id/video',
    {
      config: {
        access: MANAGE,
        upload: true,
        operationId: 'uploadExerciseVideo',
        summary: 'Upload the video of an exercise',
        description:
          'Replaces the video that the exercise has. For a large file or an unreliable connection use `POST /v1/exercises/{id}/video/uploads`.',
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
      return { data: await takeVideo(request, services, id) }
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
