import { changesBetween } from '@tendon/access'
import { ById, Exercise, ExerciseClone, ExerciseStatusChange, One } from '@tendon/contracts'
import { permission } from '@tendon/http'
import { playableUrls } from '@tendon/video-host'
import type { Routes } from '../../../feature.ts'
import {
  clinicExercise,
  exerciseNotFound,
  invalidTransition,
  notPublishable,
  platformExercise,
  slugExists,
} from './errors.ts'
import {
  checkMove,
  createInLibrary,
  inLibrary,
  openExercise,
  readExercise,
  readWholeExercise,
  record,
} from './library.ts'
import { cloneExercise, countInstructions, updateExercise } from './queries.ts'

export const lifecycleRoutes: Routes = (app, services) => {
  app.put(
    '/v1/exercises/:id/status',
    {
      config: {
        access: permission('exercises.manage_org'),
        versioned: 'version',
        summary: 'Change the status of an exercise',
        description: 'Publishes, archives or reopens it.',
        refusals: [exerciseNotFound, platformExercise, invalidTransition, notPublishable],
      },
      schema: { params: ById, body: ExerciseStatusChange, response: { 200: One(Exercise) } },
    },
    (request) =>
      inLibrary(request, async (tx) => {
        const { status } = request.body
        const before = await openExercise(tx, request.params.id)
        await request.mustMatch(tx, before, async () => playableUrls(services, await readWholeExercise(tx, before.id)))
        checkMove(before, status, await countInstructions(tx, before.id))
        await updateExercise(tx, before.id, { status })
        const payload = { before: before.status, status }
        const changes = changesBetween({ status: before.status }, { status })
        await record.statusChanged(request, tx, before, before, { changes, payload })
        return { data: await playableUrls(services, await readWholeExercise(tx, before.id)) }
      }),
  )

  app.post(
    '/v1/exercises/:id/clone',
    {
      config: {
        access: permission('exercises.manage_org'),
        idempotent: true,
        summary: 'Clone an exercise',
        description:
          'Copies an exercise into your clinic. A superadmin can also copy an exercise of the platform on the platform.',
        refusals: [exerciseNotFound, clinicExercise, slugExists],
      },
      schema: { params: ById, body: ExerciseClone, response: { 201: One(Exercise) } },
    },
    (request, reply) =>
      createInLibrary(request, reply, async (tx) => {
        const source = await readExercise(tx, request.params.id)
        if (source.organization_id !== null && request.caller.is_superadmin) throw clinicExercise()
        const id = await cloneExercise(tx, source.id, request.body ?? {})
        if (id === null) throw exerciseNotFound()
        const created = await readWholeExercise(tx, id)
        await record.cloned(request, tx, created, { payload: { cloned_from_id: source.id } })
        return { data: await playableUrls(services, created) }
      }),
  )
}
