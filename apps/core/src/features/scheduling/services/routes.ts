import { changesBetween, publish } from '@tendon/access'
import {
  ById,
  Choices,
  listParameters,
  Many,
  NewService,
  NoContent,
  One,
  PublicService,
  PublicServicesQuery,
  Service,
  ServiceChanges,
  serviceList,
} from '@tendon/contracts'
import { pageOf, parseList, permission, publicAccess } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { addRestoreRoute } from '../../../platform/restore.ts'
import { serviceInUse, serviceNotFound, slugExists } from './errors.ts'
import {
  DELETING,
  deleteService,
  findService,
  findServiceForUpdate,
  insertService,
  listPublicServices,
  listServices,
  updateService,
} from './queries.ts'
import { slugOf } from './rules.ts'

const targetOf = ({ id, name }: Service) => ({ type: 'service', id, label: name })

export const serviceRoutes: Routes = (app, { scheduling }) => {
  app.get(
    '/v1/public/services',
    {
      config: {
        access: publicAccess(),
        limit: 'public_booking',
        operationId: 'listPublicServices',
        summary: 'List the public services of a clinic',
        description: 'Booking starts here: services with the specialists and locations that offer them.',
      },
      schema: { querystring: PublicServicesQuery, response: { 200: Choices(PublicService) } },
    },
    async (request) => ({
      data: await request.findPublic((tx) => listPublicServices(tx, request.query.organization)),
    }),
  )

  app.get(
    '/v1/services',
    {
      config: { access: permission('services.view_org'), summary: 'List services' },
      schema: { querystring: listParameters(serviceList), response: { 200: Many(Service) } },
    },
    async (request) => {
      const list = parseList(serviceList, request.query)
      const { rows, total } = await request.findPage((tx) => listServices(tx, list))
      return { data: rows, pagination: pageOf(list, total) }
    },
  )

  app.get(
    '/v1/services/:id',
    {
      config: { access: permission('services.view_org'), summary: 'Get a service', refusals: [serviceNotFound] },
      schema: { params: ById, response: { 200: One(Service) } },
    },
    async (request) => {
      const service = await request.find((tx) => findService(tx, request.params.id))
      if (!service) throw serviceNotFound()
      return { data: service }
    },
  )

  app.post(
    '/v1/services',
    {
      config: {
        access: permission('services.manage'),
        idempotent: true,
        summary: 'Create a service',
        description: 'Without a slug, one is made from the name.',
        refusals: [slugExists],
      },
      schema: { body: NewService, response: { 201: One(Service) } },
    },
    (request, reply) =>
      request.tenantCreate(reply, async (tx) => {
        const created = await insertService(tx, {
          ...request.body,
          slug: request.body.slug ?? slugOf(request.body.name),
        })
        const target = targetOf(created)
        await request.audit(tx, { action: 'services.create', crud: 'C', target, changes: changesBetween({}, created) })
        await publish(tx, 'service.created', { service_id: created.id })
        return { data: created }
      }),
  )

  app.patch(
    '/v1/services/:id',
    {
      config: {
        access: permission('services.manage'),
        versioned: 'version',
        summary: 'Update a service',
        description: 'Appointments that are already booked keep their time and price.',
        refusals: [serviceNotFound, slugExists],
      },
      schema: { params: ById, body: ServiceChanges, response: { 200: One(Service) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const before = await findServiceForUpdate(tx, request.params.id)
        if (!before) throw serviceNotFound()
        await request.mustMatch(tx, before)
        const after = await updateService(tx, before.id, request.body)
        const changes = changesBetween(before, after)
        await request.audit(tx, { action: 'services.update', crud: 'U', target: targetOf(after), changes })
        await publish(tx, 'service.updated', { service_id: after.id })
        return { data: after }
      }),
  )

  app.delete(
    '/v1/services/:id',
    {
      config: {
        access: permission('services.manage'),
        service: DELETING,
        versioned: 'header',
        summary: 'Delete a service',
        description: 'Its slug can be used again. Past appointments keep naming it.',
        refusals: [serviceNotFound, serviceInUse],
      },
      schema: { params: ById, response: { 204: NoContent } },
    },
    async (request, reply) => {
      await request.tenant(async (tx) => {
        const before = await findServiceForUpdate(tx, request.params.id)
        if (!before) throw serviceNotFound()
        await request.mustMatch(tx, before)
        if (await scheduling.hasFutureAppointments(tx, before.id)) throw serviceInUse()
        const changes = changesBetween(before, { deleted_at: await deleteService(tx, before.id) })
        await request.audit(tx, { action: 'services.delete', crud: 'D', target: targetOf(before), changes })
        await publish(tx, 'service.deleted', { service_id: before.id })
      })
      return reply.code(204).send(null)
    },
  )

  addRestoreRoute(app, {
    url: '/v1/services/:id',
    params: ById,
    table: 'services',
    access: 'services.manage',
    one: 'a service',
    contract: Service,
    notFound: serviceNotFound,
    refusals: [slugExists],
    read: findService,
    record: async (request, tx, row, changes) => {
      await request.audit(tx, { action: 'services.restore', crud: 'U', target: targetOf(row), changes })
      await publish(tx, 'service.restored', { service_id: row.id })
    },
  })
}
