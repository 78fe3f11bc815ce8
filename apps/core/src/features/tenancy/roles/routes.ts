import {
  ById,
  ByRole,
  Choices,
  listParameters,
  Many,
  NewRole,
  NoContent,
  One,
  pickerParameters,
  Role,
  RoleChanges,
  RoleChoice,
  roleList,
} from '@tendon/contracts'
import { pageOf, parseList, parsePicker, permission, validationFailed } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { grantNotHeld, roleCodeTaken, roleInUse, roleNotFound, systemRole } from './errors.ts'
import { checkGrants } from './grants.ts'
import {
  deleteRole,
  findRole,
  findRoleForUpdate,
  insertRole,
  listRoleChoices,
  listRoles,
  updateRole,
} from './queries.ts'
import { record } from './record.ts'
import { codeFromName } from './rules.ts'

export const roleRoutes: Routes = (app) => {
  app.get(
    '/v1/organizations/:id/roles',
    {
      config: { access: permission('organizations.manage_members'), summary: 'List roles' },
      schema: { params: ById, querystring: listParameters(roleList), response: { 200: Many(Role) } },
    },
    async (request) => {
      const list = parseList(roleList, request.query)
      const { rows, total } = await request.findPage((tx) => listRoles(tx, list))
      return { data: rows, pagination: pageOf(list, total) }
    },
  )

  app.get(
    '/v1/organizations/:id/roles/picker',
    {
      config: { access: permission('organizations.manage_members'), summary: 'List roles for a picker' },
      schema: { params: ById, querystring: pickerParameters, response: { 200: Choices(RoleChoice) } },
    },
    async (request) => {
      const picker = parsePicker(request.query)
      return { data: await request.tenant((tx) => listRoleChoices(tx, picker)) }
    },
  )

  app.post(
    '/v1/organizations/:id/roles',
    {
      config: {
        access: permission('organizations.manage_roles'),
        idempotent: true,
        summary: 'Create a role',
        description: 'Creates a custom role of the organization.',
        refusals: [roleCodeTaken, grantNotHeld],
      },
      schema: { params: ById, body: NewRole, response: { 201: One(Role) } },
    },
    (request, reply) =>
      request.tenantCreate(reply, async (tx) => {
        const permissions = [...new Set(request.body.permissions)]
        const code = request.body.code ?? codeFromName(request.body.name)
        if (code === undefined)
          throw validationFailed({ fields: { code: 'is required: no code can be derived from this name' } })
        await checkGrants(tx, request.caller, permissions)
        const created = await insertRole(tx, { ...request.body, code, permissions })
        await record.created(request, tx, created)
        return { data: created }
      }),
  )

  app.get(
    '/v1/organizations/:id/roles/:roleId',
    {
      config: {
        access: permission('organizations.manage_members'),
        summary: 'Get a role',
        refusals: [roleNotFound],
      },
      schema: { params: ByRole, response: { 200: One(Role) } },
    },
    async (request) => {
      const role = await request.find((tx) => findRole(tx, request.params.roleId))
      if (!role) throw roleNotFound()
      return { data: role }
    },
  )

  app.patch(
    '/v1/organizations/:id/roles/:roleId',
    {
      config: {
        access: permission('organizations.manage_roles'),
        versioned: 'version',
        summary: 'Update a role',
        description: 'Changes the name or description of a custom role.',
        refusals: [roleNotFound, systemRole, roleCodeTaken],
      },
      schema: { params: ByRole, body: RoleChanges, response: { 200: One(Role) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const before = await findRoleForUpdate(tx, request.params.roleId)
        if (!before) throw roleNotFound()
        if (before.is_system) throw systemRole()
        await request.mustMatch(tx, before)
        const after = await updateRole(tx, before.id, request.body)
        await record.updated(request, tx, before, after)
        return { data: after }
      }),
  )

  app.delete(
    '/v1/organizations/:id/roles/:roleId',
    {
      config: {
        access: permission('organizations.manage_roles'),
        versioned: 'header',
        summary: 'Delete a role',
        description: 'Only a role that nobody holds can be deleted.',
        refusals: [roleNotFound, systemRole, roleInUse],
      },
      schema: { params: ByRole, response: { 204: NoContent } },
    },
    async (request, reply) => {
      await request.tenant(async (tx) => {
        const role = await findRoleForUpdate(tx, request.params.roleId)
        if (!role) throw roleNotFound()
        if (role.is_system) throw systemRole()
        await request.mustMatch(tx, role)
        await deleteRole(tx, role.id)
        await record.deleted(request, tx, role)
      })
      return reply.code(204).send(null)
    },
  )
}
