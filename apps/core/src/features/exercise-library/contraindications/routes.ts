import {
  ByContraindication,
  ById,
  Contraindication,
  Contraindications,
  NewContraindication,
  NoContent,
  One,
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
  listContraindications,
  openExercise,
  platformExercise,
  readExercise,
} from '../exercises/index.ts'
import { contraindicationExists, contraindicationNotFound } from './errors.ts'
import { deleteContraindication, insertContraindication } from './queries.ts'

const MANAGE = permission('exercises.manage_org')

const record = recorder({
  ...exerciseResource,
  acts: {
    added: { action: 'exercises.add_contraindication', crud: 'U', event: 'exercise.contraindications_changed' },
    removed: { action: 'exercises.remove_contraindication', crud: 'U', event: 'exercise.contraindications_changed' },
  },
})

async function readContraindication(tx: LibraryTx, exerciseId: string, id: string): Promise<Contraindication> {
  const found = (await listContraindications(tx, exerciseId)).find((one) => one.id === id.toLowerCase())
  if (!found) throw contraindicationNotFound()
  return found
}

export const contraindicationRoutes: Routes = (app) => {
  app.get(
    '/v1/exercises/:id/contraindications',
    {
      config: {
        access: permission('exercises.view_published'),
        summary: 'List the contraindications of an exercise',
        description: 'Each entry includes its author and the evidence.',
        refusals: [exerciseNotFound],
      },
      schema: { params: ById, response: { 200: Contraindications } },
    },
    (request) =>
      inLibrary(request, async (tx) => {
        const { id } = await readExercise(tx, request.params.id)
        return { contraindications: await listContraindications(tx, id) }
      }),
  )

  app.post(
    '/v1/exercises/:id/contraindications',
    {
      config: {
        access: MANAGE,
        idempotent: true,
        summary: 'Add a contraindication to an exercise',
        refusals: [exerciseNotFound, platformExercise, contraindicationExists],
      },
      schema: { params: ById, body: NewContraindication, response: { 201: One(Contraindication) } },
    },
    (request, reply) =>
      createInLibrary(request, reply, async (tx) => {
        const exercise = await openExercise(tx, request.params.id)
        const { condition_id } = request.body
        const condition = { axis: 'condition', id: condition_id } as const
        await checkTags(tx, { ...exercise, id: null }, [condition], () => 'condition_id')
        const id = await insertContraindication(tx, exercise.id, request.body)
        const created = await readContraindication(tx, exercise.id, id)
        const changes = [{ field: 'contraindication', before: null, after: created }]
        const payload = { contraindication_id: id, condition_id, severity: created.severity }
        await record.added(request, tx, exercise, exercise, { changes, payload })
        return { data: created }
      }),
  )

  app.delete(
    '/v1/exercises/:id/contraindications/:contraindicationId',
    {
      config: {
        access: MANAGE,
        summary: 'Remove a contraindication from an exercise',
        refusals: [exerciseNotFound, platformExercise, contraindicationNotFound],
      },
      schema: { params: ByContraindication, response: { 204: NoContent } },
    },
    async (request, reply) => {
      await inLibrary(request, async (tx) => {
        const exercise = await openExercise(tx, request.params.id)
        const before = await readContraindication(tx, exercise.id, request.params.contraindicationId)
        await deleteContraindication(tx, before.id)
        const changes = [{ field: 'contraindication', before, after: null }]
        const payload = { contraindication_id: before.id, condition_id: before.condition.id }
        await record.removed(request, tx, exercise, exercise, { changes, payload })
      })
      return reply.code(204).send(null)
    },
  )
}
