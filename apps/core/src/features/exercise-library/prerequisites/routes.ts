import { ById, ByPrerequisite, NewPrerequisite, NoContent, One, Prerequisite, Prerequisites } from '@tendon/contracts'
import { permission, validationFailed } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { recorder } from '../../../platform/recorder.ts'
import {
  createInLibrary,
  exerciseNotFound,
  exerciseResource,
  inLibrary,
  openExercise,
  platformExercise,
  readExercise,
} from '../exercises/index.ts'
import { prerequisiteCycle, prerequisiteExists, prerequisiteGone, prerequisiteNotFound } from './errors.ts'
import { canPrecede, deletePrerequisite, findPrerequisite, insertPrerequisite, listPrerequisites } from './queries.ts'

const MANAGE = permission('exercises.manage_org')

const record = recorder({
  ...exerciseResource,
  acts: {
    added: { action: 'exercises.add_prerequisite', crud: 'U', event: 'exercise.prerequisites_changed' },
    removed: { action: 'exercises.remove_prerequisite', crud: 'U', event: 'exercise.prerequisites_changed' },
  },
})

export const prerequisiteRoutes: Routes = (app) => {
  app.get(
    '/v1/exercises/:id/prerequisites',
    {
      config: {
        access: permission('exercises.view_published'),
        summary: 'List the prerequisites of an exercise',
        description: 'Each entry includes its author and the evidence.',
        refusals: [exerciseNotFound],
      },
      schema: { params: ById, response: { 200: Prerequisites } },
    },
    (request) =>
      inLibrary(request, async (tx) => {
        const { id } = await readExercise(tx, request.params.id)
        return { prerequisites: await listPrerequisites(tx, id) }
      }),
  )

  app.post(
    '/v1/admin/exercises/:id/prerequisites',
    {
      config: {
        access: MANAGE,
        idempotent: true,
        summary: 'Add a prerequisite to an exercise',
        refusals: [exerciseNotFound, platformExercise, prerequisiteCycle, prerequisiteExists],
      },
      schema: { params: ById, body: NewPrerequisite, response: { 201: One(Prerequisite) } },
    },
    (request, reply) =>
      createInLibrary(request, reply, async (tx) => {
        const exercise = await openExercise(tx, request.params.id)
        const { prerequisite_exercise_id } = request.body
        if (!(await canPrecede(tx, exercise.organization_id, prerequisite_exercise_id)))
          throw validationFailed({
            fields: { prerequisite_exercise_id: 'must be the id of an exercise of the platform or of the clinic' },
          })
        await insertPrerequisite(tx, exercise.id, request.body)
        const created = await findPrerequisite(tx, exercise.id, prerequisite_exercise_id)
        if (!created) throw prerequisiteGone()
        const changes = [{ field: 'prerequisite', before: null, after: created }]
        const payload = { prerequisite_exercise_id: created.exercise_id }
        await record.added(request, tx, exercise, exercise, { changes, payload })
        return { data: created }
      }),
  )

  app.delete(
    '/v1/admin/exercises/:id/prerequisites/:prerequisite_exercise_id',
    {
      config: {
        access: MANAGE,
        summary: 'Remove a prerequisite from an exercise',
        refusals: [exerciseNotFound, platformExercise, prerequisiteNotFound],
      },
      schema: { params: ByPrerequisite, response: { 204: NoContent } },
    },
    async (request, reply) => {
      await inLibrary(request, async (tx) => {
        const exercise = await openExercise(tx, request.params.id)
        const before = await findPrerequisite(tx, exercise.id, request.params.prerequisite_exercise_id)
        if (!before) throw prerequisiteNotFound()
        await deletePrerequisite(tx, exercise.id, before.exercise_id)
        const changes = [{ field: 'prerequisite', before, after: null }]
        const payload = { prerequisite_exercise_id: before.exercise_id }
        await record.removed(request, tx, exercise, exercise, { changes, payload })
      })
      return reply.code(204).send(null)
    },
  )
}
