import {
  ById,
  Choices,
  listParameters,
  Many,
  NewSpecialty,
  NoContent,
  One,
  pickerParameters,
  Specialty,
  SpecialtyChanges,
  SpecialtySummary,
  SpecialtyWithSpecialists,
  specialtyList,
} from '@tendon/contracts'
import { parseList, parsePicker, permission, refuseFields } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { recorder } from '../../../platform/recorder.ts'
import { specialtyContent, specialtyNotFound, specialtyWrites } from './errors.ts'
import {
  deleteSpecialty,
  findSpecialty,
  findSpecialtyForUpdate,
  insertSpecialty,
  listSpecialties,
  listSpecialtyChoices,
  updateSpecialty,
} from './queries.ts'

const VIEW = permission('specialists.view_org')
const MANAGE = permission('specialists.manage')

const record = recorder({
  target: ({ id, title }: Specialty) => ({ type: 'specialty', id, label: title }),
  payload: ({ id }) => ({ specialty_id: id }),
  acts: {
    created: { action: 'specialties.create', crud: 'C', event: 'specialty.created' },
    updated: { action: 'specialties.update', crud: 'U', event: 'specialty.updated' },
    deleted: { action: 'specialties.delete', crud: 'D', event: 'specialty.deleted' },
  },
})

export const specialtyRoutes: Routes = (app) => {
  app.get(
    '/v1/specialties',
    {
      config: { access: VIEW, summary: 'List specialties' },
      schema: { querystring: listParameters(specialtyList), response: { 200: Many(Specialty) } },
    },
    async (request) => {
      const list = parseList(specialtyList, request.query)
      const { rows, total } = await request.findPage((tx) => listSpecialties(tx, list))
      return { data: rows, pagination: { page: list.page, limit: list.limit, total } }
    },
  )

  app.get(
    '/v1/specialties/picker',
    {
      config: { access: VIEW, summary: 'List specialties for a picker' },
      schema: { querystring: pickerParameters, response: { 200: Choices(SpecialtySummary) } },
    },
    async (request) => ({
      data: await request.find((tx) => listSpecialtyChoices(tx, parsePicker(request.query))),
    }),
  )

  app.get(
    '/v1/specialties/:id',
    {
      config: {
        access: VIEW,
        summary: 'Get a specialty',
        description: 'Includes its specialists.',
        refusals: [specialtyNotFound],
      },
      schema: { params: ById, response: { 200: One(SpecialtyWithSpecialists) } },
    },
    async (request) => {
      const specialty = await request.find((tx) => findSpecialty(tx, request.params.id))
      if (!specialty) throw specialtyNotFound()
      return { data: specialty }
    },
  )

  app.post(
    '/v1/specialties',
    {
      config: { access: MANAGE, idempotent: true, summary: 'Create a specialty', refusals: specialtyWrites },
      schema: { body: NewSpecialty, response: { 201: One(Specialty) } },
      errorHandler: refuseFields(specialtyContent),
    },
    (request, reply) =>
      request.tenantCreate(reply, async (tx) => {
        const created = await insertSpecialty(tx, request.body)
        await record.created(request, tx, created)
        return { data: created }
      }),
  )

  // The specification names PUT and says that PATCH is used too: either changes what it names.
  for (const method of ['put', 'patch'] as const) {
    app[method](
      '/v1/specialties/:id',
      {
        config: {
          access: MANAGE,
          operationId: method === 'put' ? 'putSpecialty' : 'updateSpecialty',
          versioned: 'version',
          summary: 'Update a specialty',
          refusals: [specialtyNotFound, ...specialtyWrites],
        },
        schema: { params: ById, body: SpecialtyChanges, response: { 200: One(Specialty) } },
        errorHandler: refuseFields(specialtyContent),
      },
      (request) =>
        request.tenant(async (tx) => {
          const before = await findSpecialtyForUpdate(tx, request.params.id)
          if (!before) throw specialtyNotFound()
          await request.mustMatch(tx, before)
          const after = await updateSpecialty(tx, before.id, request.body)
          await record.updated(request, tx, before, after)
          return { data: after }
        }),
    )
  }

  app.delete(
    '/v1/specialties/:id',
    {
      config: {
        access: MANAGE,
        versioned: 'header',
        summary: 'Delete a specialty',
        description: 'Its specialists are kept and lose the specialty.',
        refusals: [specialtyNotFound],
      },
      schema: { params: ById, response: { 204: NoContent } },
    },
    async (request, reply) => {
      await request.tenant(async (tx) => {
        const before = await findSpecialtyForUpdate(tx, request.params.id)
        if (!before) throw specialtyNotFound()
        await request.mustMatch(tx, before)
        await deleteSpecialty(tx, before.id)
        await record.deleted(request, tx, before, { title: null, slug: null, description: null })
      })
      return reply.code(204).send(null)
    },
  )
}
