import { resolveLanguage } from '@tendon/access'
import {
  ById,
  Choices,
  listParameters,
  Many,
  Member,
  MemberChoice,
  MemberParams,
  memberList,
  NewMember,
  NoContent,
  One,
  pickerParameters,
} from '@tendon/contracts'
import { existing, type TenantTx } from '@tendon/db'
import { pageOf, parseList, parsePicker, permission } from '@tendon/http'
import type { FastifyRequest } from 'fastify'
import type { Routes } from '../../../feature.ts'
import { sendMail } from '../../../platform/mail.ts'
import { recorder } from '../../../platform/recorder.ts'
import { assignableRole } from './assignment.ts'
import { lastManager, memberExceedsCaller, memberNotFound, roleExceedsCaller, superadminMembership } from './errors.ts'
import { memberInvited } from './mails.ts'
import {
  deleteMembershipOrInvitation,
  findMember,
  findMemberForUpdate,
  findOrganizationName,
  insertMembership,
  LOCKING_ROLE,
  listMemberChoices,
  listMembers,
  lockInvitation,
  updateMembership,
  upsertHuman,
} from './queries.ts'

const access = permission('organizations.manage_members')

const record = recorder({
  target: ({ principal_id, name, email }: Member) => ({ type: 'member', id: principal_id, label: name ?? email }),
  facts: ({ name, email, role }) => ({ name, email, role }),
  payload: ({ principal_id, role }) => ({ principal_id, role_id: role.id }),
  acts: {
    added: { action: 'members.add', crud: 'C', event: 'member.added' },
    updated: { action: 'members.update', crud: 'U', event: 'member.updated' },
    removed: { action: 'members.remove', crud: 'D', event: 'member.removed' },
  },
})

export const memberRoutes: Routes = (app) => {
  app.get(
    '/v1/organizations/:id/members',
    {
      config: { access, summary: 'List members' },
      schema: { params: ById, querystring: listParameters(memberList), response: { 200: Many(Member) } },
    },
    async (request) => {
      const list = parseList(memberList, request.query)
      const { rows, total } = await request.findPage((tx) => listMembers(tx, list))
      return { data: rows, pagination: pageOf(list, total) }
    },
  )

  app.get(
    '/v1/organizations/:id/members/picker',
    {
      config: { access: permission('organizations.view_directory'), summary: 'List members for a picker' },
      schema: { params: ById, querystring: pickerParameters, response: { 200: Choices(MemberChoice) } },
    },
    async (request) => {
      const picker = parsePicker(request.query)
      return { data: await request.tenant((tx) => listMemberChoices(tx, picker)) }
    },
  )

  app.post(
    '/v1/organizations/:id/members',
    {
      config: {
        access,
        service: LOCKING_ROLE,
        idempotent: true,
        operationId: 'addMember',
        summary: 'Add a member',
        description: 'Invites a person by e-mail (201). When the person is already a member, changes their role (200).',
        refusals: [roleExceedsCaller, memberExceedsCaller, superadminMembership, lastManager],
      },
      schema: { params: ById, body: NewMember, response: { 200: One(Member), 201: One(Member) } },
    },
    (request, reply) =>
      request.tenantCreate(reply, async (tx) => {
        const { email, role_id, name } = request.body
        const role = await assignableRole(tx, role_id)
        const principalId = await upsertHuman(tx, email)
        const before = await findMemberForUpdate(tx, principalId)
        if (!before)
          return {
            data: await add(request, tx, {
              principal_id: principalId,
              role_id: role.id,
              invited_email: email,
              invited_name: name ?? null,
            }),
          }
        reply.code(200)
        return { data: before.role.id === role.id ? before : await changeRole(request, tx, before, role.id) }
      }),
  )

  app.delete(
    '/v1/organizations/:id/members/:userId',
    {
      config: {
        access,
        service: LOCKING_ROLE,
        operationId: 'removeMember',
        summary: 'Remove a member',
        refusals: [memberNotFound, memberExceedsCaller, lastManager],
      },
      schema: { params: MemberParams, response: { 204: NoContent } },
    },
    async (request, reply) => {
      await request.tenant(async (tx) => {
        await lockInvitation(tx, request.params.userId)
        const member = await findMemberForUpdate(tx, request.params.userId)
        if (member?.type !== 'human') throw memberNotFound()
        await assignableRole(tx, member.role.id, memberExceedsCaller)
        await deleteMembershipOrInvitation(tx, member.principal_id)
        await record.removed(request, tx, member, { name: null, email: null, role: null })
      })
      return reply.code(204).send(null)
    },
  )
}

async function add(
  request: FastifyRequest,
  tx: TenantTx,
  membership: Parameters<typeof insertMembership>[1] & { invited_email: string },
) {
  await insertMembership(tx, membership)
  const member = existing(await findMember(tx, membership.principal_id))
  await record.added(request, tx, member)
  const { name, email, organization_language } = request.caller
  await sendMail(tx, memberInvited, {
    to_address: membership.invited_email,
    language: resolveLanguage(null, organization_language),
    data: {
      organization_name: await findOrganizationName(tx),
      role_name: member.role.name,
      inviter_name: name ?? email,
    },
  })
  return member
}

async function changeRole(request: FastifyRequest, tx: TenantTx, before: Member, roleId: string): Promise<Member> {
  await assignableRole(tx, before.role.id, memberExceedsCaller)
  await updateMembership(tx, before.principal_id, roleId)
  const after = existing(await findMember(tx, before.principal_id))
  await record.updated(request, tx, before, after)
  return after
}
