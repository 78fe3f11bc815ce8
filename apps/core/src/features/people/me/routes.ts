import { type Caller, changesBetween, publish, resolveLanguage, setCookies } from '@tendon/access'
import { Me, MembershipParams, MyChanges, NoContent, One, SwitchOrganization } from '@tendon/contracts'
import { authenticated, unauthenticated } from '@tendon/http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Routes } from '../../../feature.ts'
import { lastManager } from '../../tenancy/members/index.ts'
import { formatsOf } from '../../tenancy/settings/index.ts'
import { humansOnly, notYourMembership, notYourOrganization } from './errors.ts'
import {
  deleteMyMembership,
  findCurrentOrganization,
  findHumanForUpdate,
  findInvitedEmail,
  listMyMemberships,
  listMyPatientRecords,
  lockMyAccount,
  type MyMembership,
  type MyOrganization,
  type MyRecord,
  updateCurrentOrganization,
  updateHuman,
} from './queries.ts'

export const meRoutes: Routes = (app, { config }) => {
  const secure = config.NODE_ENV === 'production'

  /** Reads the caller's own account and sets the four cookies to match. */
  async function answer(request: FastifyRequest, reply: FastifyReply, caller = request.caller) {
    const [memberships, organization, records] = await request.tenant((tx) =>
      Promise.all([listMyMemberships(tx), findCurrentOrganization(tx), listMyPatientRecords(tx)]),
    )
    const data = describe(caller, memberships, organization, records)
    setCookies(reply, { language: data.language, organization: data.current_organization }, secure)
    return { data }
  }

  app.get(
    '/v1/me',
    {
      config: {
        access: authenticated(),
        gate: 'open',
        summary: 'Get your account',
        description:
          'Your profile, memberships, patient records and the permissions you hold in the current organization.',
      },
      schema: { response: { 200: One(Me) } },
    },
    (request, reply) => answer(request, reply),
  )

  app.patch(
    '/v1/me',
    {
      config: {
        access: authenticated(),
        gate: 'open',
        summary: 'Update your account',
        description: 'Changes your name or language.',
        refusals: [humansOnly],
      },
      schema: { body: MyChanges, response: { 200: One(Me) } },
    },
    async (request, reply) => {
      const { caller } = request
      if (caller.kind !== 'human') throw humansOnly()
      const after = await request.tenant(async (tx) => {
        if (!(await lockMyAccount(tx))) throw unauthenticated()
        const before = await findHumanForUpdate(tx, caller.principal_id)
        const after = await updateHuman(tx, caller.principal_id, request.body)
        const target = { type: 'human', id: caller.principal_id, label: after.name }
        await request.audit(tx, { action: 'me.update', crud: 'U', target, changes: changesBetween(before, after) })
        return after
      })
      return answer(request, reply, { ...caller, ...after })
    },
  )

  app.put(
    '/v1/me/switch-organization',
    {
      config: {
        access: authenticated(),
        gate: 'open',
        operationId: 'switchOrganization',
        summary: 'Switch the current organization',
        refusals: [humansOnly, notYourOrganization],
      },
      schema: { body: SwitchOrganization, response: { 200: One(Me) } },
    },
    async (request, reply) => {
      if (request.caller.kind !== 'human') throw humansOnly()
      const { organization_id } = request.body
      if (!(await request.enterOrganization(organization_id))) throw notYourOrganization()
      // In the log of the organization that is entered: the one that is left need not know of it.
      await request.tenant(async (tx) => {
        if (!(await lockMyAccount(tx))) throw unauthenticated()
        if (!(await updateCurrentOrganization(tx, organization_id))) throw notYourOrganization()
        const target = { type: 'organization', id: organization_id }
        await request.audit(tx, { action: 'me.switch_organization', crud: 'U', target })
      })
      return answer(request, reply)
    },
  )

  app.delete(
    '/v1/me/memberships/:organizationId',
    {
      config: {
        access: authenticated(),
        gate: 'open',
        invitation: 'waits',
        operationId: 'leaveOrganization',
        summary: 'Leave an organization',
        description: 'Ends your own membership, or declines an invitation to become a member.',
        refusals: [humansOnly, notYourMembership, lastManager],
      },
      schema: { params: MembershipParams, response: { 204: NoContent } },
    },
    async (request, reply) => {
      if (request.caller.kind !== 'human') throw humansOnly()
      const { organizationId } = request.params
      if (!(await request.enterOrganization(organizationId))) throw notYourMembership()
      await request.tenant(async (tx) => {
        const { principal_id, name, joined } = request.caller
        const label = joined === false ? await findInvitedEmail(tx, principal_id) : name
        const target = { type: 'member', id: principal_id, label }
        await request.audit(tx, { action: 'me.leave_membership', crud: 'D', target })
        if (!(await deleteMyMembership(tx, organizationId))) throw notYourMembership()
        await publish(tx, 'member.removed', { principal_id })
      })
      return reply.code(204).send(null)
    },
  )
}

function describe(
  caller: Caller,
  memberships: MyMembership[],
  organization: MyOrganization | undefined,
  records: MyRecord[],
): Me {
  return {
    principal_id: caller.principal_id,
    type: caller.kind,
    name: caller.name,
    email: caller.email,
    email_verified: caller.email_verified,
    preferred_language: caller.preferred_language,
    language: resolveLanguage(caller.preferred_language, organization?.language_code ?? null),
    is_superadmin: caller.is_superadmin,
    current_organization: organization ? summaryOf(organization) : null,
    permissions:
      caller.permissions === '*'
        ? ['*']
        : (caller.permissions ?? '')
            .split(',')
            .filter((code) => code !== '')
            .sort(),
    // A session in the portal has a patient's rights only.
    memberships: (caller.web_session?.app === 'portal' ? [] : memberships).map((m) => ({
      organization: summaryOf(m),
      role: { id: m.role_id, code: m.role_code, name: m.role_name },
      specialist_id: m.specialist_id,
      created_at: m.created_at,
    })),
    patient_records: records.map((record) => ({
      organization_id: record.organization_id,
      patient_id: record.patient_id,
      organization: summaryOf(record),
    })),
  }
}

const summaryOf = (clinic: MyOrganization) => ({
  id: clinic.organization_id,
  name: clinic.organization_name,
  slug: clinic.organization_slug,
  language_code: clinic.language_code,
  time_zone: clinic.time_zone,
  formats: formatsOf(clinic),
})
