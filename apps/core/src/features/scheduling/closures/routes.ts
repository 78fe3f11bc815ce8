import { changesBetween, publish } from '@tendon/access'
import {
  ById,
  Closure,
  ClosureChanges,
  closureList,
  listParameters,
  Many,
  NewClosure,
  NoContent,
  One,
} from '@tendon/contracts'
import { pageOf, parseList, permission } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { closureNotFound } from './errors.ts'
import { deleteClosure, findClosureForUpdate, insertClosure, listClosures, updateClosure } from './queries.ts'

const targetOf = ({ id, name }: Closure) => ({ type: 'closure', id, label: name })

export const closureRoutes: Routes = (app) => {
  app.get(
    '/v1/closures',
    {
      config: { access: permission('calendars.view_org'), summary: 'List closures' },
      schema: { querystring: listParameters(closureList), response: { 200: Many(Closure) } },
    },
    async (request) => {
      const list = parseList(closureList, request.query)
      const { rows, total } = await request.findPage((tx) => listClosures(tx, list))
      return { data: rows, pagination: pageOf(list, total) }
    },
  )

  app.post(
    '/v1/closures',
    {
      config: {
        access: permission('calendars.manage'),
        idempotent: true,
        summary: 'Create a closure',
        description: 'Days on which the clinic or one location is closed. Appointments that are already booked stay.',
      },
      schema: { body: NewClosure, response: { 201: One(Closure) } },
    },
    (request, reply) =>
      request.tenantCreate(reply, async (tx) => {
        const created = await insertClosure(tx, request.body)
        const target = targetOf(created)
        await request.audit(tx, { action: 'closures.create', crud: 'C', target, changes: changesBetween({}, created) })
        await publish(tx, 'closure.created', { closure_id: created.id })
        return { data: created }
      }),
  )

  app.patch(
    '/v1/closures/:id',
    {
      config: {
        access: permission('calendars.manage'),
        summary: 'Update a closure',
        versioned: 'version',
        refusals: [closureNotFound],
      },
      schema: { params: ById, body: ClosureChanges, response: { 200: One(Closure) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const before = await findClosureForUpdate(tx, request.params.id)
        if (!before) throw closureNotFound()
        await request.mustMatch(tx, before)
        const after = await updateClosure(tx, before.id, request.body)
        const changes = changesBetween(before, after)
        await request.audit(tx, { action: 'closures.update', crud: 'U', target: targetOf(after), changes })
        await publish(tx, 'closure.updated', { closure_id: after.id })
        return { data: after }
      }),
  )

  app.delete(
    '/v1/closures/:id',
    {
      config: {
        access: permission('calendars.manage'),
        versioned: 'header',
        summary: 'Delete a closure',
        refusals: [closureNotFound],
      },
      schema: { params: ById, response: { 204: NoContent } },
    },
    async (request, reply) => {
      await request.tenant(async (tx) => {
        const before = await findClosureForUpdate(tx, request.params.id)
        if (!before) throw closureNotFound()
        await request.mustMatch(tx, before)
        await deleteClosure(tx, before.id)
        const changes = changesBetween(before, {})
        await request.audit(tx, { action: 'closures.delete', crud: 'D', target: targetOf(before), changes })
        await publish(tx, 'closure.deleted', { closure_id: before.id })
      })
      return reply.code(204).send(null)
    },
  )
}
