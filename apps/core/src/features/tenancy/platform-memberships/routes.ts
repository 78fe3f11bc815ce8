import {
  ByPrincipal,
  listParameters,
  Many,
  NewPlatformMembership,
  NoContent,
  One,
  PlatformMembership,
  platformMembershipList,
} from '@tendon/contracts'
import { conflict, pageOf, parseList, superadmin, validationFailed } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { publish } from '../../../platform/events.ts'
import { hasMemberships, humanNotFound, lastSuperadmin, platformMembershipNotFound } from './errors.ts'
import {
  deletePlatformMembership,
  findHumanId,
  findPlatformMembership,
  insertPlatformMembership,
  listPlatformMemberships,
} from './queries.ts'

const targetOf = ({ principal_id, name, email }: PlatformMembership) => ({
  type: 'platform_membership',
  id: principal_id,
  label: name ?? email,
})

export const platformMembershipRoutes: Routes = (app) => {
  app.get(
    '/v1/admin/platform-memberships',
    {
      config: { access: superadmin(), summary: 'List superadmins' },
      schema: { querystring: listParameters(platformMembershipList), response: { 200: Many(PlatformMembership) } },
    },
    async (request) => {
      const list = parseList(platformMembershipList, request.query)
      const { rows, total } = await request.platform((tx) => listPlatformMemberships(tx, list))
      return { data: rows, pagination: pageOf(list, total) }
    },
  )

  app.post(
    '/v1/admin/platform-memberships',
    {
      config: {
        access: superadmin(),
        idempotent: true,
        summary: 'Add a superadmin',
        description: 'Returns 200 when the person is already a superadmin.',
        refusals: [humanNotFound, hasMemberships],
      },
      schema: {
        body: NewPlatformMembership,
        response: { 200: One(PlatformMembership), 201: One(PlatformMembership) },
      },
    },
    async (request, reply) => {
      const { email, principal_id } = request.body
      if ((email === undefined) === (principal_id === undefined)) {
        const reason = 'give either email or principal_id'
        throw validationFailed({ fields: { email: reason, principal_id: reason } })
      }
      return request.platformCreate(reply, async (tx) => {
        const principalId = await findHumanId(tx, request.body)
        if (principalId === undefined) throw humanNotFound()
        const isNew = await insertPlatformMembership(tx, principalId, request.caller.principal_id)
        const granted = await findPlatformMembership(tx, principalId)
        if (!granted) throw conflict() // was one, and is revoked in this moment
        if (isNew) {
          const changes = [{ field: 'role', before: null, after: granted.role }]
          await request.audit(tx, {
            action: 'platform_memberships.grant',
            crud: 'C',
            target: targetOf(granted),
            changes,
          })
          await publish(tx, 'platform_membership.granted', { principal_id: principalId })
        } else reply.code(200)
        return { data: granted }
      })
    },
  )

  app.delete(
    '/v1/admin/platform-memberships/:principalId',
    {
      config: {
        access: superadmin(),
        summary: 'Remove a superadmin',
        refusals: [platformMembershipNotFound, lastSuperadmin],
      },
      schema: { params: ByPrincipal, response: { 204: NoContent } },
    },
    async (request, reply) => {
      await request.platform(async (tx) => {
        const before = await findPlatformMembership(tx, request.params.principalId)
        if (!before || !(await deletePlatformMembership(tx, before.principal_id))) throw platformMembershipNotFound()
        const changes = [{ field: 'role', before: before.role, after: null }]
        await request.audit(tx, { action: 'platform_memberships.revoke', crud: 'D', target: targetOf(before), changes })
        await publish(tx, 'platform_membership.revoked', { principal_id: before.principal_id })
      })
      return reply.code(204).send(null)
    },
  )
}
