import { changesBetween } from '@tendon/access'
import {
  ById,
  Exercise,
  ExerciseChanges,
  Exercises,
  exerciseList,
  listParameters,
  NewExercise,
  NoContent,
  One,
  Usage,
} from '@tendon/contracts'
import { asService } from '@tendon/db'
import { parseList, permission } from '@tendon/http'
import { playableUrls } from '@tendon/video-host'
import type { Routes } from '../../../feature.ts'
import { addRestoreRoute } from '../../../platform/restore.ts'
import { findUsage } from '../../../platform/usage.ts'
import {
  exerciseInUse,
  exerciseNotFound,
  invalidTransition,
  notPublishable,
  platformExercise,
  slugExists,
} from './errors.ts'
import {
  checkMove,
  checkTags,
  createInLibrary,
  inLibrary,
  openExercise,
  readExercise,
  readWholeExercise,
  record,
} from './library.ts'
import { listExercises } from './list-queries.ts'
import type { LibraryTx } from './parts-queries.ts'
import {
  DELETING,
  type Deletion,
  deleteAnyExercise,
  deleteExercise,
  insertExercise,
  updateExercise,
} from './queries.ts'
import { namedTags, ownColumns } from './rules.ts'
import { replaceTags } from './tag-queries.ts'

const idsField = (axis: string) => `${axis}_ids`
const flat = (tags: ReturnType<typeof namedTags>) => tags.flatMap(({ axis, ids }) => ids.map((id) => ({ axis, id })))

export const exerciseRoutes: Routes = (app, services) => {
  app.get(
    '/v1/exercises',
    {
      config: {
        access: permission('exercises.view_published'),
        secretAnswer: true,
        summary: 'List exercises',
        description: 'Returns the exercises of the platform and of your clinic.',
      },
      schema: { querystring: listParameters(exerciseList), response: { 200: Exercises } },
    },
    async (request) => {
      const list = parseList(exerciseList, request.query)
      const found = await request.find((tx) => listExercises(tx, list))
      const { page, limit } = list
      const exercises = await Promise.all(found.exercises.map((one) => playableUrls(services, one)))
      return { exercises, total: found.total, page, limit, total_pages: Math.ceil(found.total / limit) }
    },
  )

  app.get(
    '/v1/exercises/:id',
    {
      config: {
        access: permission('exercises.view_published'),
        secretAnswer: true,
        summary: 'Get an exercise',
        description: 'Includes tags, instructions, contraindications and prerequisites.',
        refusals: [exerciseNotFound],
      },
      schema: { params: ById, response: { 200: One(Exercise) } },
    },
    async (request) => {
      const exercise = await inLibrary(request, (tx) => readWholeExercise(tx, request.params.id))
      return { data: await playableUrls(services, exercise) }
    },
  )

  app.post(
    '/v1/exercises',
    {
      config: {
        access: permission('exercises.manage_org'),
        idempotent: true,
        summary: 'Create an exercise',
        description: 'Creates a draft in your clinic or, as a superadmin, on the platform.',
        refusals: [slugExists, invalidTransition, notPublishable],
      },
      schema: { body: NewExercise, response: { 201: One(Exercise) } },
    },
    (request, reply) =>
      createInLibrary(request, reply, async (tx) => {
        const { body, caller } = request
        if (body.status !== undefined && body.status !== 'draft')
          checkMove({ name: body.name, status: 'draft' }, body.status, 0)
        const tags = namedTags(body)
        await checkTags(tx, { id: null, organization_id: caller.organization_id }, flat(tags), idsField)
        const id = await insertExercise(tx, {
          ...ownColumns(body),
          name: body.name.normalize().trim(),
          slug: body.slug,
        })
        for (const { axis, ids } of tags) await replaceTags(tx, id, axis, ids)
        const created = await readWholeExercise(tx, id)
        await record.created(request, tx, created)
        return { data: created }
      }),
  )

  app.put(
    '/v1/exercises/:id',
    {
      config: {
        access: permission('exercises.manage_org'),
        versioned: 'version',
        summary: 'Update an exercise',
        description: 'Changes only the fields that the request contains. A list of ids replaces the previous list.',
        refusals: [exerciseNotFound, platformExercise, slugExists, invalidTransition, notPublishable],
      },
      schema: { params: ById, body: ExerciseChanges, response: { 200: One(Exercise) } },
    },
    (request) =>
      inLibrary(request, async (tx) => {
        const { body } = request
        const { id } = await openExercise(tx, request.params.id)
        const before = await readWholeExercise(tx, id)
        await request.mustMatch(tx, before, () => playableUrls(services, before))
        if (body.status !== undefined && body.status !== before.status)
          checkMove({ ...before, name: body.name ?? before.name }, body.status, before.instructions.length)
        const tags = namedTags(body)
        await checkTags(tx, before, flat(tags), idsField)
        await updateExercise(tx, id, ownColumns(body))
        for (const { axis, ids } of tags) await replaceTags(tx, id, axis, ids)
        const after = await readWholeExercise(tx, id)
        await record.updated(request, tx, before, after)
        return { data: await playableUrls(services, after) }
      }),
  )

  app.get(
    '/v1/exercises/:id/usage',
    {
      config: {
        access: permission('exercises.manage_org'),
        summary: 'List what uses an exercise',
        description: 'Call it before you delete the exercise.',
        refusals: [exerciseNotFound],
      },
      schema: { params: ById, response: { 200: One(Usage) } },
    },
    (request) =>
      inLibrary(request, async (tx) => {
        const { id } = await readExercise(tx, request.params.id)
        return { data: await findUsage(tx, 'exercise', id) }
      }),
  )

  app.delete(
    '/v1/exercises/:id',
    {
      config: {
        access: permission('exercises.manage_org'),
        service: DELETING,
        versioned: 'header',
        summary: 'Delete an exercise',
        description: 'Refused while an active treatment plan uses the exercise. The slug can be used again.',
        refusals: [exerciseNotFound, platformExercise, exerciseInUse],
      },
      schema: { params: ById, response: { 204: NoContent } },
    },
    async (request, reply) => {
      const { id } = request.params
      const remove = async (tx: LibraryTx, deleted: () => Promise<Deletion>) => {
        const exercise = await openExercise(tx, id)
        await request.mustMatch(tx, exercise)
        const { deleted_at, isInUse } = await deleted()
        if (isInUse) throw exerciseInUse()
        await record.deleted(request, tx, exercise, undefined, { changes: changesBetween({}, { deleted_at }) })
      }
      if (request.caller.is_superadmin) await request.platform((tx) => remove(tx, () => deleteAnyExercise(tx, id)))
      else
        await request.tenant((tx) => remove(tx, () => asService(tx, DELETING.codes, (own) => deleteExercise(own, id))))
      return reply.code(204).send(null)
    },
  )

  addRestoreRoute(app, {
    url: '/v1/exercises/:id',
    params: ById,
    table: 'exercises',
    access: 'exercises.manage_org',
    one: 'an exercise',
    contract: Exercise,
    notFound: exerciseNotFound,
    refusals: [slugExists],
    transaction: (request, { tenant, platform }) =>
      request.caller.is_superadmin ? request.platform(platform) : request.tenant(tenant),
    read: async (tx, id) => playableUrls(services, await readWholeExercise(tx, id)),
    record: (request, tx, row, changes) => record.restored(request, tx, row, row, { changes }),
  })
}
