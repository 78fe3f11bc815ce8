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
import { recorder } from '../../../platform/recorder.ts'
import { hasMemberships, humanNotFound, lastSuperadmin, platformMembershipNotFound } from './errors.ts'
import {
  deletePlatformMembership,
  findHumanId,
  findPlatformMembership,
  insertPlatformMembership,
  listPlatformMemberships,
} from './queries.ts'

const record = recorder({
  target: ({ principal_id, name, email }: PlatformMembership) => ({
    type: 'platform_membership',
    id: principal_id,
    label: name ?? email,
  }),
  facts: ({ role }) => ({ role }),
  payload: ({ principal_id }) => ({ principal_id }),
  acts: {
    granted: { action: 'platform_memberships.grant', crud: 'C', event: 'platform_membership.granted' },
    revoked: { action: 'platform_memberships.revoke', crud: 'D', event: 'platform_membership.revoked' },
  },
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
        const reason = 'send either email or principal_id'
        throw validationFailed({ fields: { email: reason, principal_id: reason } })
      }
      return request.platformCreate(reply, async (tx) => {
        const principalId = await findHumanId(tx, request.body)
        if (principalId === undefined) throw humanNotFound()
        const isNew = await insertPlatformMembership(tx, principalId, request.caller.principal_id)
        const granted = await findPlatformMembership(tx, principalId)
        if (!granted) throw conflict() // was one, and is revoked in this moment
        if (isNew) {
          await record.granted(request, tx, granted)
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
        await record.revoked(request, tx, before)
      })
      return reply.code(204).send(null)
    },
  )
}
