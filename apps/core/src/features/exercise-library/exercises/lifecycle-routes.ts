import { changesBetween } from '@tendon/access'
import { ById, Exercise, ExerciseClone, ExerciseStatusChange, One } from '@tendon/contracts'
import { asService } from '@tendon/db'
import { permission } from '@tendon/http'
import { playableUrls } from '@tendon/video-host'
import type { Routes } from '../../../feature.ts'
import { CLONING } from './clone-queries.ts'
import { cloneExercise } from './cloning.ts'
import {
  clinicExercise,
  exerciseNotFound,
  invalidTransition,
  notPublishable,
  platformExercise,
  slugExists,
} from './errors.ts'
import { checkMove, inLibrary, openExercise, readExercise, readWholeExercise, record } from './library.ts'
import type { LibraryTx } from './parts-queries.ts'
import { countInstructions, type ExerciseRow, updateExercise } from './queries.ts'

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
        service: CLONING,
        idempotent: true,
        summary: 'Clone an exercise',
        description:
          'Copies an exercise into your clinic. A superadmin can also copy an exercise of the platform on the platform.',
        refusals: [exerciseNotFound, clinicExercise, slugExists],
      },
      schema: { params: ById, body: ExerciseClone, response: { 201: One(Exercise) } },
    },
    (request, reply) => {
      const { is_superadmin } = request.caller
      const wanted = request.body ?? {}
      const clone = async (tx: LibraryTx, cloned: (source: ExerciseRow) => Promise<string>) => {
        const source = await readExercise(tx, request.params.id)
        if (source.organization_id !== null && is_superadmin) throw clinicExercise()
        const created = await readWholeExercise(tx, await cloned(source))
        await record.cloned(request, tx, created, { payload: { cloned_from_id: source.id } })
        return { data: await playableUrls(services, created) }
      }
      if (is_superadmin)
        return request.platformCreate(reply, (tx) => clone(tx, (source) => cloneExercise(tx, source, wanted)))
      return request.tenantCreate(reply, (tx) =>
        clone(tx, (source) => asService(tx, CLONING.codes, (own) => cloneExercise(own, source, wanted))),
      )
    },
  )
}
