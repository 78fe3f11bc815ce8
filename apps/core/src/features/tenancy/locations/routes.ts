import {
  ById,
  Choices,
  Location,
  LocationChanges,
  LocationChoice,
  LocationParams,
  listParameters,
  locationList,
  Many,
  NewLocation,
  NoContent,
  One,
  pickerParameters,
} from '@tendon/contracts'
import { membership, pageOf, parseList, parsePicker, permission } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { recorder } from '../../../platform/recorder.ts'
import { addRestoreRoute } from '../../../platform/restore.ts'
import { locationNameTaken, locationNotFound } from './errors.ts'
import {
  DELETING,
  deleteLocation,
  findLocation,
  findLocationForUpdate,
  insertLocation,
  listLocationChoices,
  listLocations,
  updateLocation,
} from './queries.ts'

const record = recorder({
  target: ({ id, name }: Location) => ({ type: 'location', id, label: name }),
  payload: ({ id }) => ({ location_id: id }),
  acts: {
    created: { action: 'locations.create', crud: 'C', event: 'location.created' },
    updated: { action: 'locations.update', crud: 'U', event: 'location.updated' },
    deleted: { action: 'locations.delete', crud: 'D', event: 'location.deleted' },
    restored: { action: 'locations.restore', crud: 'U', event: 'location.restored' },
  },
})

export const locationRoutes: Routes = (app) => {
  app.get(
    '/v1/organizations/:id/locations',
    {
      config: { access: membership(), summary: 'List locations' },
      schema: { params: ById, querystring: listParameters(locationList), response: { 200: Many(Location) } },
    },
    async (request) => {
      const list = parseList(locationList, request.query)
      const { rows, total } = await request.findPage((tx) => listLocations(tx, list))
      return { data: rows, pagination: pageOf(list, total) }
    },
  )

  app.get(
    '/v1/organizations/:id/locations/picker',
    {
      config: { access: membership(), summary: 'List locations for a picker' },
      schema: { params: ById, querystring: pickerParameters, response: { 200: Choices(LocationChoice) } },
    },
    async (request) => ({
      data: await request.tenant((tx) => listLocationChoices(tx, parsePicker(request.query))),
    }),
  )

  app.get(
    '/v1/organizations/:id/locations/:locationId',
    {
      config: { access: membership(), summary: 'Get a location', refusals: [locationNotFound] },
      schema: { params: LocationParams, response: { 200: One(Location) } },
    },
    async (request) => {
      const location = await request.find((tx) => findLocation(tx, request.params.locationId))
      if (!location) throw locationNotFound()
      return { data: location }
    },
  )

  app.post(
    '/v1/organizations/:id/locations',
    {
      config: {
        access: permission('locations.manage'),
        idempotent: true,
        summary: 'Create a location',
        refusals: [locationNameTaken],
      },
      schema: { params: ById, body: NewLocation, response: { 201: One(Location) } },
    },
    (request, reply) =>
      request.tenantCreate(reply, async (tx) => {
        const created = await insertLocation(tx, request.body)
        await record.created(request, tx, created)
        return { data: created }
      }),
  )

  app.patch(
    '/v1/organizations/:id/locations/:locationId',
    {
      config: {
        access: permission('locations.manage'),
        versioned: 'version',
        summary: 'Update a location',
        refusals: [locationNotFound, locationNameTaken],
      },
      schema: { params: LocationParams, body: LocationChanges, response: { 200: One(Location) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const before = await findLocationForUpdate(tx, request.params.locationId)
        if (!before) throw locationNotFound()
        await request.mustMatch(tx, before)
        const after = await updateLocation(tx, before.id, request.body)
        await record.updated(request, tx, before, after)
        return { data: after }
      }),
  )

  app.delete(
    '/v1/organizations/:id/locations/:locationId',
    {
      config: {
        access: permission('locations.manage'),
        service: DELETING,
        versioned: 'version',
        summary: 'Delete a location',
        description: 'Its name can be used again.',
        refusals: [locationNotFound],
      },
      schema: { params: LocationParams, response: { 204: NoContent } },
    },
    async (request, reply) => {
      await request.tenant(async (tx) => {
        const before = await findLocationForUpdate(tx, request.params.locationId)
        if (!before) throw locationNotFound()
        await request.mustMatch(tx, before)
        await record.deleted(request, tx, before, { deleted_at: await deleteLocation(tx, before.id) })
      })
      return reply.code(204).send(null)
    },
  )

  addRestoreRoute(app, {
    url: '/v1/organizations/:id/locations/:locationId',
    params: LocationParams,
    id: 'locationId',
    table: 'locations',
    access: 'locations.manage',
    one: 'a location',
    contract: Location,
    notFound: locationNotFound,
    refusals: [locationNameTaken],
    read: findLocation,
    record: (request, tx, row, changes) => record.restored(request, tx, row, row, { changes }),
  })
}
