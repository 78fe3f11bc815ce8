import { type Change, publish, resolveLanguage } from '@tendon/access'
import {
  BreakGlassGrant,
  ById,
  breakGlassList,
  clinicBreakGlassList,
  listParameters,
  Many,
  NewBreakGlassGrant,
  NoContent,
  One,
} from '@tendon/contracts'
import type { PlatformTx } from '@tendon/db'
import { pageOf, parseList, permission, superadmin } from '@tendon/http'
import type { FastifyRequest } from 'fastify'
import type { Routes } from '../../../feature.ts'
import { sendMail } from '../../../platform/mail.ts'
import { breakGlassNotFound, organizationNotFound, patientNotFound } from './errors.ts'
import { breakGlassOpened } from './mails.ts'
import { findProfileOf, insertGrant, listClinicGrants, listGrants, listWatchers, updateGrantEnded } from './queries.ts'

export const breakGlassRoutes: Routes = (app) => {
  app.post(
    '/v1/admin/break-glass',
    {
      config: {
        access: superadmin(),
        idempotent: true,
        operationId: 'startBreakGlass',
        summary: 'Start break-glass access',
        description:
          'Gives you read access to the patient data of a clinic for up to one hour. The clinic is notified.',
        refusals: [organizationNotFound, patientNotFound],
      },
      schema: { body: NewBreakGlassGrant, response: { 201: One(BreakGlassGrant) } },
    },
    (request, reply) =>
      request.platformCreate(reply, async (tx) => {
        const grant = await insertGrant(tx, request.caller.principal_id, request.body)
        const { patient_id, expires_at } = grant
        await auditInBoth(request, tx, grant, 'open', [
          { field: 'patient_id', before: null, after: patient_id },
          { field: 'expires_at', before: null, after: expires_at },
        ])
        await tellClinic(tx, grant)
        return { data: grant }
      }),
  )

  app.get(
    '/v1/admin/break-glass',
    {
      config: { access: superadmin(), summary: 'List break-glass access', description: 'Newest first.' },
      schema: { querystring: listParameters(breakGlassList), response: { 200: Many(BreakGlassGrant) } },
    },
    async (request) => {
      const list = parseList(breakGlassList, request.query)
      const { rows, total } = await request.platform((tx) => listGrants(tx, list))
      return { data: rows, pagination: pageOf(list, total) }
    },
  )

  app.delete(
    '/v1/admin/break-glass/:id',
    {
      config: {
        access: superadmin(),
        operationId: 'endBreakGlass',
        summary: 'End break-glass access',
        description: 'Ends your own access or that of another operator before it expires.',
        refusals: [breakGlassNotFound],
      },
      schema: { params: ById, response: { 204: NoContent } },
    },
    async (request, reply) => {
      await request.platform(async (tx) => {
        const grant = await updateGrantEnded(tx, request.params.id)
        if (!grant) throw breakGlassNotFound()
        const changes = [{ field: 'ended_at', before: null, after: grant.ended_at }]
        await auditInBoth(request, tx, grant, 'end', changes)
        await publish(tx, 'break_glass.ended', { break_glass_id: grant.id }, grant.organization.id)
      })
      return reply.code(204).send(null)
    },
  )

  app.get(
    '/v1/organizations/:id/break-glass',
    {
      config: {
        access: permission('audit_log.view_org'),
        operationId: 'listOrganizationBreakGlass',
        summary: 'List break-glass access to an organization',
        description: 'Returns which operators accessed the clinic’s patient data, when, why and until when.',
      },
      schema: {
        params: ById,
        querystring: listParameters(clinicBreakGlassList),
        response: { 200: Many(BreakGlassGrant) },
      },
    },
    async (request) => {
      const list = parseList(clinicBreakGlassList, request.query)
      const { rows, total } = await request.findPage((tx) => listClinicGrants(tx, list))
      return { data: rows, pagination: pageOf(list, total) }
    },
  )
}

/** The reason is only in the clinic's audit log, where it is erased with the patient. */
async function auditInBoth(
  request: FastifyRequest,
  tx: PlatformTx,
  { id, organization, patient_id, reason }: BreakGlassGrant,
  verb: 'open' | 'end',
  changes: Change[],
): Promise<void> {
  const entry = {
    action: `break_glass.${verb}`,
    crud: verb === 'open' ? ('C' as const) : ('U' as const),
    target: { type: 'break_glass', id, label: organization.name },
    changes,
  }
  const about = patient_id === null ? {} : { patientProfileId: await findProfileOf(tx, patient_id) }
  await request.audit(tx, { ...entry, reason, ...about }, organization.id)
  await request.audit(tx, entry)
}

async function tellClinic(tx: PlatformTx, grant: BreakGlassGrant): Promise<void> {
  const { id, organization, patient_id, opened_by, expires_at } = grant
  for (const { to_address, language_code } of await listWatchers(tx, organization.id)) {
    await sendMail(tx, breakGlassOpened, {
      to_address,
      language: resolveLanguage(null, language_code),
      data: { break_glass_id: id, organization_name: organization.name, opened_by: opened_by.name, expires_at },
      organization_id: organization.id,
    })
  }
  const payload = { break_glass_id: id, principal_id: opened_by.principal_id, patient_id, expires_at }
  await publish(tx, 'break_glass.opened', payload, organization.id)
}
