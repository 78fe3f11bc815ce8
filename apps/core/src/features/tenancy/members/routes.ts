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
import { nameOr } from '../../../platform/names.ts'
import { recorder } from '../../../platform/recorder.ts'
import { assignableRole } from './assignment.ts'
import {
  alreadyActive,
  invitedOften,
  invitedRecently,
  lastManager,
  memberExceedsCaller,
  memberNotFound,
  roleExceedsCaller,
  superadminMembership,
} from './errors.ts'
import { memberInvited } from './mails.ts'
import {
  deleteMembershipOrInvitation,
  findInvitation,
  findMember,
  findMemberForUpdate,
  findOrganizationName,
  insertMembership,
  LOCKING_ROLE,
  listInvitationsAgain,
  listMemberChoices,
  listMembers,
  lockInvitation,
  markInvited,
  REPLACING_MAIL,
  stopWaitingInvitations,
  updateMembership,
  upsertHuman,
} from './queries.ts'
import { secondsToNextDay, secondsToWait } from './rules.ts'

const access = permission('organizations.manage_members')
const INVITING = {
  codes: [...LOCKING_ROLE.codes, ...REPLACING_MAIL.codes],
  why: `${LOCKING_ROLE.why} ${REPLACING_MAIL.why}`,
}

const record = recorder({
  target: ({ principal_id, name, email }: Member) => ({ type: 'member', id: principal_id, label: name ?? email }),
  facts: ({ name, email, role }) => ({ name, email, role }),
  payload: ({ principal_id, role }) => ({ principal_id, role_id: role.id }),
  acts: {
    added: { action: 'members.add', crud: 'C', event: 'member.added' },
    invited: { action: 'members.invite', crud: 'U' },
    updated: { action: 'members.update', crud: 'U', event: 'member.updated' },
    removed: { action: 'members.remove', crud: 'D', event: 'member.removed' },
  },
})

export const memberRoutes: Routes = (app, services) => {
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

  app.post(
    '/v1/organizations/:id/members/:userId/invite',
    {
      config: {
        access,
        service: INVITING,
        operationId: 'inviteMemberAgain',
        summary: 'Invite a member again',
        description:
          'Sends the invitation once more to a person who has not accepted it. An earlier one that was not sent yet is stopped.',
        refusals: [memberNotFound, alreadyActive, roleExceedsCaller, invitedRecently, invitedOften],
      },
      schema: { params: MemberParams, response: { 200: One(Member) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        await lockInvitation(tx, request.params.userId)
        const member = await findMemberForUpdate(tx, request.params.userId)
        if (member?.type !== 'human') throw memberNotFound()
        if (member.status === 'active') throw alreadyActive()
        await assignableRole(tx, member.role.id)
        const { invited_email, invited_at } = await findInvitation(tx, member.principal_id)
        if (invited_email === null) throw memberNotFound()
        const now = services.now()
        const retry_after = secondsToWait(invited_at, now)
        if (retry_after > 0) throw invitedRecently({ retry_after }, { 'retry-after': String(retry_after) })
        const until = secondsToNextDay(await listInvitationsAgain(tx, member.created_at, invited_email), now)
        if (until > 0) throw invitedOften({ retry_after: until }, { 'retry-after': String(until) })
        await markInvited(tx, member.principal_id, now)
        await stopWaitingInvitations(tx, invited_email)
        const changes = [{ field: 'invited_email', before: null, after: invited_email }]
        await record.invited(request, tx, member, member, { changes })
        await sendInvitation(request, tx, member, invited_email)
        return { data: existing(await findMember(tx, member.principal_id)) }
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
  await sendInvitation(request, tx, member, membership.invited_email)
  return member
}

async function sendInvitation(request: FastifyRequest, tx: TenantTx, member: Member, email: string): Promise<void> {
  const { name, email: inviterEmail, organization_language } = request.caller
  await sendMail(tx, memberInvited, {
    to_address: email,
    language: resolveLanguage(null, organization_language),
    data: {
      organization_name: await findOrganizationName(tx),
      role_name: member.role.name,
      inviter_name: nameOr(name, inviterEmail),
    },
  })
}

async function changeRole(request: FastifyRequest, tx: TenantTx, before: Member, roleId: string): Promise<Member> {
  await assignableRole(tx, before.role.id, memberExceedsCaller)
  await updateMembership(tx, before.principal_id, roleId)
  const after = existing(await findMember(tx, before.principal_id))
  await record.updated(request, tx, before, after)
  return after
}
