import {
  ById,
  listParameters,
  Many,
  One,
  RoleGrants,
  RoleTemplate,
  RoleTemplateChanges,
  roleTemplateList,
} from '@tendon/contracts'
import { pageOf, parseList, superadmin } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { recorder } from '../../../platform/recorder.ts'
import { differenceOf, listUnknownCodes, unknownCodes } from '../roles/index.ts'
import { roleTemplateNotFound } from './errors.ts'
import {
  findRoleTemplate,
  findRoleTemplateForUpdate,
  listRoleTemplates,
  updateRoleTemplate,
  updateTemplateGrants,
} from './queries.ts'

const record = recorder({
  target: ({ id, name }: RoleTemplate) => ({ type: 'role_template', id, label: name }),
  payload: ({ id }) => ({ role_template_id: id }),
  acts: {
    updated: { action: 'role_templates.update', crud: 'U', event: 'role_template.updated' },
    permissionsChanged: {
      action: 'role_templates.update_permissions',
      crud: 'U',
      event: 'role_template.permissions_changed',
    },
  },
})

export const roleTemplateRoutes: Routes = (app) => {
  app.get(
    '/v1/admin/role-templates',
    {
      config: { access: superadmin(), summary: 'List role templates' },
      schema: { querystring: listParameters(roleTemplateList), response: { 200: Many(RoleTemplate) } },
    },
    async (request) => {
      const list = parseList(roleTemplateList, request.query)
      const { rows, total } = await request.platform((tx) => listRoleTemplates(tx, list))
      return { data: rows, pagination: pageOf(list, total) }
    },
  )

  app.get(
    '/v1/admin/role-templates/:id',
    {
      config: { access: superadmin(), summary: 'Get a role template', refusals: [roleTemplateNotFound] },
      schema: { params: ById, response: { 200: One(RoleTemplate) } },
    },
    async (request) => {
      const template = await request.platform((tx) => findRoleTemplate(tx, request.params.id))
      if (!template) throw roleTemplateNotFound()
      return { data: template }
    },
  )

  app.patch(
    '/v1/admin/role-templates/:id',
    {
      config: {
        access: superadmin(),
        versioned: 'version',
        summary: 'Update a role template',
        description: 'Changes the name or description for organizations created later.',
        refusals: [roleTemplateNotFound],
      },
      schema: { params: ById, body: RoleTemplateChanges, response: { 200: One(RoleTemplate) } },
    },
    (request) =>
      request.platform(async (tx) => {
        const before = await findRoleTemplateForUpdate(tx, request.params.id)
        if (!before) throw roleTemplateNotFound()
        await request.mustMatch(tx, before)
        const after = await updateRoleTemplate(tx, before.id, request.body)
        await record.updated(request, tx, before, after)
        return { data: after }
      }),
  )

  app.put(
    '/v1/admin/role-templates/:id/permissions',
    {
      config: {
        access: superadmin(),
        versioned: 'version',
        operationId: 'replaceRoleTemplatePermissions',
        summary: 'Replace the permissions of a role template',
        description: 'Added permissions reach the existing roles made from the template; removed permissions do not.',
        refusals: [roleTemplateNotFound],
      },
      schema: { params: ById, body: RoleGrants, response: { 200: One(RoleTemplate) } },
    },
    (request) =>
      request.platform(
        async (tx) => {
          const before = await findRoleTemplateForUpdate(tx, request.params.id)
          if (!before) throw roleTemplateNotFound()
          await request.mustMatch(tx, before)
          const difference = differenceOf(before.permissions, request.body.permissions)
          const unknown = await listUnknownCodes(tx, difference.added)
          if (unknown.length > 0) throw unknownCodes(unknown)
          if (difference.added.length + difference.removed.length === 0) return { data: before }
          const after = await updateTemplateGrants(tx, before.id, difference)
          const changes = [{ field: 'permissions', before: before.permissions, after: after.permissions }]
          await record.permissionsChanged(request, tx, before, after, { changes, payload: difference })
          return { data: after }
        },
        { long: true }, // writes to the clones of every organization
      ),
  )
}
