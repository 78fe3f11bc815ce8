import {
  ById,
  ExerciseTag,
  NamedExerciseTag,
  NewExerciseTag,
  NoContent,
  One,
  type TaxonomyAxis,
} from '@tendon/contracts'
import { permission } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { recorder } from '../../../platform/recorder.ts'
import {
  checkTags,
  createInLibrary,
  exerciseNotFound,
  exerciseResource,
  inLibrary,
  type LibraryTx,
  openExercise,
  platformExercise,
} from '../exercises/index.ts'
import { exerciseTagNotFound, tagExists } from './errors.ts'
import { deleteExerciseTag, findExerciseTag, insertExerciseTag } from './queries.ts'

const MANAGE = permission('exercises.manage_org')

interface Named {
  tag_type: TaxonomyAxis
  tag_id: string
}

async function readTag(tx: LibraryTx, exerciseId: string, { tag_type, tag_id }: Named): Promise<ExerciseTag> {
  const tag = await findExerciseTag(tx, exerciseId, tag_type, tag_id)
  if (!tag) throw exerciseTagNotFound()
  return tag
}

const record = recorder({
  ...exerciseResource,
  acts: {
    added: { action: 'exercises.add_tag', crud: 'U', event: 'exercise.tags_changed' },
    removed: { action: 'exercises.remove_tag', crud: 'U', event: 'exercise.tags_changed' },
  },
})

export const tagRoutes: Routes = (app) => {
  app.post(
    '/v1/admin/exercises/:id/tags',
    {
      config: {
        access: MANAGE,
        idempotent: true,
        summary: 'Add a tag to an exercise',
        description: 'The author and the time are recorded.',
        refusals: [exerciseNotFound, platformExercise, tagExists],
      },
      schema: { params: ById, body: NewExerciseTag, response: { 201: One(ExerciseTag) } },
    },
    (request, reply) =>
      createInLibrary(request, reply, async (tx) => {
        const { tag_type, tag_id } = request.body
        const exercise = await openExercise(tx, request.params.id)
        await checkTags(tx, exercise, [{ axis: tag_type, id: tag_id }], () => 'tag_id')
        await insertExerciseTag(tx, exercise.id, request.body)
        const created = await readTag(tx, exercise.id, request.body)
        const changes = [{ field: 'tag', before: null, after: created }]
        await record.added(request, tx, exercise, exercise, { changes, payload: { tag_type, tag_id } })
        return { data: created }
      }),
  )

  app.delete(
    '/v1/admin/exercises/:id/tags',
    {
      config: {
        access: MANAGE,
        operationId: 'deleteExerciseTag',
        summary: 'Remove a tag from an exercise',
        refusals: [exerciseNotFound, platformExercise, exerciseTagNotFound],
      },
      schema: { params: ById, querystring: NamedExerciseTag, response: { 204: NoContent } },
    },
    async (request, reply) => {
      await inLibrary(request, async (tx) => {
        const { tag_type, tag_id } = request.query
        const exercise = await openExercise(tx, request.params.id)
        const before = await readTag(tx, exercise.id, request.query)
        await deleteExerciseTag(tx, exercise.id, tag_id)
        const changes = [{ field: 'tag', before, after: null }]
        await record.removed(request, tx, exercise, exercise, { changes, payload: { tag_type, tag_id } })
      })
      return reply.code(204).send(null)
    },
  )
}
