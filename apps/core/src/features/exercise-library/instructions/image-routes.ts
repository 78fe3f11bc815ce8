import { changesBetween } from '@tendon/access'
import { ByInstruction, IMAGE_TYPES, InstructionImage, NoContent } from '@tendon/contracts'
import { permission } from '@tendon/http'
import { playableUrls, storedUrl } from '@tendon/video-host'
import type { FastifyRequest } from 'fastify'
import type { Routes } from '../../../feature.ts'
import { MAX_UPLOAD_MS, multipartExpected } from '../../../platform/uploads.ts'
import { exerciseNotFound, inLibrary, type LibraryTx, platformExercise, takeIntoLibrary } from '../exercises/index.ts'
import { imageTooLarge, instructionNotFound, invalidImageType } from './errors.ts'
import { openInstruction } from './instruction.ts'
import { updateImage } from './queries.ts'
import { record } from './record.ts'

const MANAGE = permission('exercises.manage_org')
type ImageRequest = FastifyRequest<{ Params: { id: string; instructionId: number } }>

export const imageRoutes: Routes = (app, services) => {
  const maxBytes = services.config.EXERCISE_IMAGE_MAX_MB * 1024 * 1024
  const rules = {
    folder: 'instruction-images',
    maxBytes,
    types: IMAGE_TYPES,
    tooLarge: () => imageTooLarge({ max_file_size: maxBytes }),
    wrongType: () => invalidImageType({ allowed_file_types: IMAGE_TYPES }),
  }

  app.post(
    '/v1/exercises/:id/instructions/:instructionId/image',
    {
      config: {
        access: MANAGE,
        upload: true,
        operationId: 'uploadExerciseInstructionImage',
        summary: 'Upload the image of an instruction',
        description: 'Replaces the image that the instruction has.',
        refusals: [
          exerciseNotFound,
          platformExercise,
          instructionNotFound,
          imageTooLarge,
          invalidImageType,
          multipartExpected,
        ],
      },
      handlerTimeout: MAX_UPLOAD_MS,
      schema: { params: ByInstruction, response: { 200: InstructionImage } },
    },
    async (request) => {
      await inLibrary(request, (tx) => openInstruction(tx, request.params))
      const image_url = await takeIntoLibrary(request, services, rules, async (tx, { key }) => {
        await setImage(request, tx, { image_url: storedUrl(key), image_object_key: key })
        return storedUrl(key)
      })
      return playableUrls(services, { image_url })
    },
  )

  app.delete(
    '/v1/exercises/:id/instructions/:instructionId/image',
    {
      config: {
        access: MANAGE,
        summary: 'Delete the image of an instruction',
        description: 'Copies of the exercise keep the image.',
        refusals: [exerciseNotFound, platformExercise, instructionNotFound],
      },
      schema: { params: ByInstruction, response: { 204: NoContent } },
    },
    async (request, reply) => {
      const none = { image_url: null, image_object_key: null }
      await inLibrary(request, (tx) => setImage(request, tx, none))
      return reply.code(204).send(null)
    },
  )
}

/** A trigger releases the previous image. */
async function setImage(
  request: ImageRequest,
  tx: LibraryTx,
  image: { image_url: string | null; image_object_key: string | null },
): Promise<void> {
  const { exercise, instruction, payload } = await openInstruction(tx, request.params)
  const changes = changesBetween({ image_url: instruction.image_url }, { image_url: image.image_url })
  if (changes.length === 0) return
  await updateImage(tx, instruction.id, image)
  const recordChange = image.image_url === null ? record.imageDeleted : record.imageUploaded
  await recordChange(request, tx, exercise, exercise, { changes, payload })
}
