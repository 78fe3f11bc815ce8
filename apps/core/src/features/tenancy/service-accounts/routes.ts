import {
  ById,
  listParameters,
  Many,
  NewServiceAccount,
  NoContent,
  One,
  ServiceAccount,
  ServiceAccountChanges,
  ServiceAccountParams,
  serviceAccountList,
} from '@tendon/contracts'
import { existing } from '@tendon/db'
import { pageOf, parseList, permission } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { recorder } from '../../../platform/recorder.ts'
import {
  assignableRole,
  deleteMembership,
  insertMembership,
  LOCKING_ROLE,
  roleExceedsCaller,
  updateMembership,
} from '../members/index.ts'
import { serviceAccountNameTaken, serviceAccountNotFound } from './errors.ts'
import {
  deleteServiceAccount,
  findServiceAccount,
  findServiceAccountForUpdate,
  insertServiceAccount,
  listServiceAccounts,
  updateServiceAccount,
} from './queries.ts'

const access = permission('organizations.manage_members')

const record = recorder({
  target: ({ id, name }: ServiceAccount) => ({ type: 'service_account', id, label: name }),
  facts: ({ name, description, role }) => ({ name, description, role }),
  payload: ({ id, role }) => ({ service_account_id: id, role_id: role.id }),
  acts: {
    created: { action: 'service_accounts.create', crud: 'C', event: 'service_account.created' },
    updated: { action: 'service_accounts.update', crud: 'U', event: 'service_account.updated' },
    deleted: { action: 'service_accounts.delete', crud: 'D', event: 'service_account.deleted' },
  },
})

export const serviceAccountRoutes: Routes = (app) => {
  app.get(
    '/v1/organizations/:id/service-accounts',
    {
      config: { access, summary: 'List service accounts' },
      schema: {
        params: ById,
        querystring: listParameters(serviceAccountList),
        response: { 200: Many(ServiceAccount) },
      },
    },
    async (request) => {
      const list = parseList(serviceAccountList, request.query)
      const { rows, total } = await request.findPage((tx) => listServiceAccounts(tx, list))
      return { data: rows, pagination: pageOf(list, total) }
    },
  )

  app.post(
    '/v1/organizations/:id/service-accounts',
    {
      config: {
        access,
        service: LOCKING_ROLE,
        idempotent: true,
        summary: 'Create a service account',
        description: 'A service account lets a program call the API with a role of the organization.',
        refusals: [serviceAccountNameTaken, roleExceedsCaller],
      },
      schema: { params: ById, body: NewServiceAccount, response: { 201: One(ServiceAccount) } },
    },
    (request, reply) =>
      request.tenantCreate(reply, async (tx) => {
        const role = await assignableRole(tx, request.body.role_id)
        const id = await insertServiceAccount(tx, request.body)
        await insertMembership(tx, { principal_id: id, role_id: role.id })
        const created = existing(await findServiceAccount(tx, id))
        await record.created(request, tx, created)
        return { data: created }
      }),
  )

  app.get(
    '/v1/organizations/:id/service-accounts/:serviceAccountId',
    {
      config: { access, summary: 'Get a service account', refusals: [serviceAccountNotFound] },
      schema: { params: ServiceAccountParams, response: { 200: One(ServiceAccount) } },
    },
    async (request) => {
      const account = await request.find((tx) => findServiceAccount(tx, request.params.serviceAccountId))
      if (!account) throw serviceAccountNotFound()
      return { data: account }
    },
  )

  app.patch(
    '/v1/organizations/:id/service-accounts/:serviceAccountId',
    {
      config: {
        access,
        service: LOCKING_ROLE,
        versioned: 'version',
        summary: 'Update a service account',
        description: 'Changes its name, description or role.',
        refusals: [serviceAccountNotFound, serviceAccountNameTaken, roleExceedsCaller],
      },
      schema: { params: ServiceAccountParams, body: ServiceAccountChanges, response: { 200: One(ServiceAccount) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const before = await findServiceAccountForUpdate(tx, request.params.serviceAccountId)
        if (!before) throw serviceAccountNotFound()
        await request.mustMatch(tx, before)
        const { role_id = before.role.id, ...changed } = request.body
        if (role_id !== before.role.id) {
          const role = await assignableRole(tx, role_id)
          await updateMembership(tx, before.id, role.id)
        }
        await updateServiceAccount(tx, before, changed)
        const after = existing(await findServiceAccount(tx, before.id))
        await record.updated(request, tx, before, after)
        return { data: after }
      }),
  )

  app.delete(
    '/v1/organizations/:id/service-accounts/:serviceAccountId',
    {
      config: {
        access,
        versioned: 'header',
        summary: 'Delete a service account',
        description: 'Its keys stop working immediately.',
        refusals: [serviceAccountNotFound],
      },
      schema: { params: ServiceAccountParams, response: { 204: NoContent } },
    },
    async (request, reply) => {
      await request.tenant(async (tx) => {
        const account = await findServiceAccountForUpdate(tx, request.params.serviceAccountId)
        if (!account) throw serviceAccountNotFound()
        await request.mustMatch(tx, account)
        await deleteMembership(tx, account.id)
        await deleteServiceAccount(tx, account.id)
        await record.deleted(request, tx, account, { name: null, description: null, role: null })
      })
      return reply.code(204).send(null)
    },
  )
}
