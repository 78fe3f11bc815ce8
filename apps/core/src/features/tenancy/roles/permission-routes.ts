import {
  ById,
  ByRole,
  isUuid,
  Many,
  One,
  Permission,
  PermissionQuery,
  permissionList,
  Role,
  RoleGrants,
} from '@tendon/contracts'
import { pageOf, parseList, permission } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { grantNotHeld, lastManager, roleNotFound } from './errors.ts'
import { checkGrants } from './grants.ts'
import { findRole, findRoleForUpdate, listPermissions, updateGrants } from './queries.ts'
import { record } from './record.ts'
import { differenceOf } from './rules.ts'

export const permissionRoutes: Routes = (app) => {
  app.get(
    '/v1/organizations/:id/permissions',
    {
      config: {
        access: permission('organizations.manage_roles'),
        summary: 'List permissions',
        description: 'Returns the permissions that roles can grant.',
        refusals: [roleNotFound],
      },
      schema: { params: ById, querystring: PermissionQuery, response: { 200: Many(Permission) } },
    },
    async (request) => {
      const list = parseList(permissionList, request.query)
      const { role_id } = request.query
      const { rows, total } = await request.tenant(async (tx) => {
        if (role_id !== undefined && !(isUuid(role_id) && (await findRole(tx, role_id)))) throw roleNotFound()
        return listPermissions(tx, list, role_id)
      })
      return { data: rows, pagination: pageOf(list, total) }
    },
  )

  app.put(
    '/v1/organizations/:id/roles/:roleId/permissions',
    {
      config: {
        access: permission('organizations.manage_roles'),
        operationId: 'replaceRolePermissions',
        versioned: 'version',
        summary: 'Replace the permissions of a role',
        refusals: [roleNotFound, grantNotHeld, lastManager],
      },
      schema: { params: ByRole, body: RoleGrants, response: { 200: One(Role) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const before = await findRoleForUpdate(tx, request.params.roleId)
        if (!before) throw roleNotFound()
        await request.mustMatch(tx, before)
        const difference = differenceOf(before.permissions, request.body.permissions)
        await checkGrants(tx, request.caller, difference.added)
        if (difference.added.length + difference.removed.length === 0) return { data: before }
        const after = await updateGrants(tx, before.id, difference)
        await record.permissionsChanged(request, tx, before, after, { payload: difference })
        return { data: after }
      }),
  )
}
