import {
  ById,
  Choices,
  DeletedSpecialist,
  includeParameters,
  listParameters,
  Many,
  NewSpecialist,
  One,
  pickerParameters,
  SPECIALIST_INCLUDES,
  Specialist,
  SpecialistChanges,
  SpecialistChoice,
  specialistList,
} from '@tendon/contracts'
import { parseInclude, parseList, parsePicker, permission, refuseFields } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { addRestoreRoute } from '../../../platform/restore.ts'
import { READS_HOURS } from '../../../platform/scheduling.ts'
import { limitExceeded, withinPlan } from '../../tenancy/plans/index.ts'
import {
  alreadyDeleted,
  slugExists,
  specialistContent,
  specialistNotFound,
  specialistWrites,
  timezoneLocked,
  userTaken,
} from './errors.ts'
import {
  deleteSpecialist,
  findSpecialist,
  findSpecialistForUpdate,
  insertSpecialist,
  listSpecialistChoices,
  listSpecialists,
  updateSpecialist,
  updateSpecialtyIds,
} from './queries.ts'
import { readSpecialist, record, withSpecialtyIds } from './record.ts'

const VIEW = permission('specialists.view_org')
const MANAGE = permission('specialists.manage')
const Include = includeParameters(SPECIALIST_INCLUDES)
const includeOf = (request: { query: unknown }) => parseInclude(SPECIALIST_INCLUDES, request.query)

export const specialistRoutes: Routes = (app, { scheduling }) => {
  app.get(
    '/v1/specialists',
    {
      config: { access: VIEW, secretAnswer: true, summary: 'List specialists' },
      schema: { querystring: listParameters(specialistList), response: { 200: Many(Specialist) } },
    },
    async (request) => {
      const list = parseList(specialistList, request.query)
      const { ids } = parsePicker(request.query)
      const { rows, total } = await request.findPage((tx) => listSpecialists(tx, list, ids))
      return { data: rows, pagination: { page: list.page, limit: list.limit, total } }
    },
  )

  app.get(
    '/v1/specialists/picker',
    {
      config: { access: VIEW, summary: 'List specialists for a picker' },
      schema: { querystring: pickerParameters, response: { 200: Choices(SpecialistChoice) } },
    },
    async (request) => ({
      data: await request.find((tx) => listSpecialistChoices(tx, parsePicker(request.query))),
    }),
  )

  app.get(
    '/v1/specialists/:id',
    {
      config: {
        access: VIEW,
        service: READS_HOURS,
        secretAnswer: true,
        summary: 'Get a specialist',
        refusals: [specialistNotFound],
      },
      schema: { params: ById, querystring: Include, response: { 200: One(Specialist) } },
    },
    async (request) => ({
      data: await request.tenant((tx) => readSpecialist(tx, scheduling, request.params.id, includeOf(request))),
    }),
  )

  app.post(
    '/v1/specialists',
    {
      config: {
        access: MANAGE,
        idempotent: true,
        service: READS_HOURS,
        summary: 'Create a specialist',
        description: 'Refused when the plan’s limit of specialists is reached.',
        refusals: [...specialistWrites, limitExceeded],
      },
      schema: { body: NewSpecialist, querystring: Include, response: { 201: One(Specialist) } },
      errorHandler: refuseFields(specialistContent),
    },
    (request, reply) =>
      withinPlan(request, () =>
        request.tenantCreate(reply, async (tx) => {
          const { specialty_ids = [], ...values } = request.body
          const created = await insertSpecialist(tx, values)
          await updateSpecialtyIds(tx, created.id, specialty_ids)
          await record.created(request, tx, await withSpecialtyIds(tx, created))
          return { data: await readSpecialist(tx, scheduling, created.id, includeOf(request)) }
        }),
      ),
  )

  app.put(
    '/v1/specialists/:id',
    {
      config: {
        access: MANAGE,
        versioned: 'version',
        service: READS_HOURS,
        summary: 'Update a specialist',
        description: 'Changes only the fields that the request contains.',
        refusals: [specialistNotFound, timezoneLocked, ...specialistWrites],
      },
      schema: { params: ById, querystring: Include, body: SpecialistChanges, response: { 200: One(Specialist) } },
      errorHandler: refuseFields(specialistContent),
    },
    (request) =>
      request.tenant(async (tx) => {
        const { specialty_ids, ...values } = request.body
        const found = await findSpecialistForUpdate(tx, request.params.id)
        if (!found) throw specialistNotFound()
        const before = await withSpecialtyIds(tx, found)
        await request.mustMatch(tx, before, () => readSpecialist(tx, scheduling, before.id, includeOf(request)))
        const { scheduling_timezone: zone = before.scheduling_timezone } = values
        if (zone !== before.scheduling_timezone && (await scheduling.listOverrides(tx, before.id)).length > 0)
          throw timezoneLocked()
        const after = await updateSpecialist(tx, before.id, values)
        if (specialty_ids) await updateSpecialtyIds(tx, before.id, specialty_ids)
        await record.updated(request, tx, before, await withSpecialtyIds(tx, after))
        return { data: await readSpecialist(tx, scheduling, after.id, includeOf(request)) }
      }),
  )

  app.delete(
    '/v1/specialists/:id',
    {
      config: {
        access: MANAGE,
        versioned: 'header',
        summary: 'Delete a specialist',
        description: 'Appointments and records keep their reference. The slug can be used again.',
        refusals: [specialistNotFound, alreadyDeleted],
      },
      schema: { params: ById, response: { 200: DeletedSpecialist } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const { id } = request.params
        const before = await findSpecialistForUpdate(tx, id)
        if (!before) throw (await findSpecialist(tx, id)) ? alreadyDeleted() : specialistNotFound()
        await request.mustMatch(tx, before)
        const deleted_at = await deleteSpecialist(tx, before.id)
        await record.deleted(request, tx, before, { deleted_at })
        return { id: before.id, message: `The specialist ${before.name} is deleted.`, deleted_at }
      }),
  )

  addRestoreRoute(app, {
    url: '/v1/specialists/:id',
    params: ById,
    table: 'specialists',
    access: 'specialists.manage',
    one: 'a specialist',
    contract: Specialist,
    notFound: specialistNotFound,
    refusals: [slugExists, userTaken, limitExceeded],
    transaction: (request, { tenant }) => withinPlan(request, () => request.tenant(tenant)),
    read: findSpecialist,
    record: (request, tx, row, changes) => record.restored(request, tx, row, row, { changes }),
  })
}
