import { resolveLanguage } from '@tendon/access'
import {
  ById,
  Consent,
  type ConsentState,
  Consents,
  MyConsentStates,
  MyGrants,
  One,
  Withdrawal,
} from '@tendon/contracts'
import { patient, patientsOnly, validationFailed } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { clinicNotFound, consentNotFound, notWithdrawable } from './errors.ts'
import { type Granted, grantRefusals, insertGrants, isNew } from './granting.ts'
import { asPatientAt, findPlatformProfile, listMyRecords, type MyRecord } from './patient-queries.ts'
import { findMyActiveConsent, listMyConsents, listPurposes, lockProfiles, updateWithdrawn } from './queries.ts'
import { recordGrants, recordWithdrawal } from './record.ts'
import { problemsOf, statesOf } from './rules.ts'
import { describeStates } from './states.ts'

export const consentRoutes: Routes = (app, services) => {
  app.get(
    '/v1/me/consents',
    {
      config: {
        access: patient(),
        gate: 'open',
        contentTag: true,
        summary: 'List your consents',
        description:
          'Returns your consents at each clinic and on the platform, with names and texts in your language, and what a withdrawal stops.',
      },
      schema: { response: { 200: MyConsentStates } },
    },
    async (request) => {
      const { impersonator_id, organization_id, preferred_language, organization_language } = request.caller
      const language = resolveLanguage(preferred_language, organization_language)
      const data = await request.tenant(async (tx) => {
        const [purposes, records, rows] = await Promise.all([listPurposes(tx), listMyRecords(tx), listMyConsents(tx)])
        const describe = (states: ConsentState[]) =>
          describeStates(tx, states, { purposes, language, now: services.now() })
        if (impersonator_id !== null) {
          const here = rows.filter((row) => row.organization_id === organization_id)
          return describe(statesOf([organization_id], purposes, here))
        }
        const clinics = records.filter(({ deleted_at }) => deleted_at === null).map((record) => record.organization_id)
        return describe(statesOf([null, ...new Set(clinics)], purposes, rows))
      })
      return { data }
    },
  )

  app.post(
    '/v1/me/consents',
    {
      config: {
        access: patient(),
        gate: 'open',
        idempotent: true,
        operationId: 'giveConsents',
        summary: 'Give consent',
        description: 'Records your consent to one or more purposes: either all are recorded or none.',
        refusals: [clinicNotFound, ...grantRefusals],
      },
      schema: { body: MyGrants, response: { 201: Consents } },
    },
    (request, reply) =>
      request.tenantCreate(reply, async (tx) => {
        const grants = request.body.grants.map((grant) => ({
          ...grant,
          organization_id: grant.organization_id?.toLowerCase() ?? null,
        }))
        const [, purposes, records, platformProfile] = await Promise.all([
          lockProfiles(tx, request.caller.profile_ids ?? []),
          listPurposes(tx),
          listMyRecords(tx),
          findPlatformProfile(tx),
        ])
        const fields = problemsOf(grants, new Map(purposes.map((purpose) => [purpose.code, purpose])), 'grants')
        if (Object.keys(fields).length > 0) throw validationFailed({ fields })
        const granted: Granted[] = []
        for (const [organizationId, here] of Map.groupBy(grants, (grant) => grant.organization_id)) {
          const profileId = organizationId === null ? platformProfile : profileAt(organizationId, records)
          if (profileId === undefined) throw organizationId === null ? patientsOnly() : clinicNotFound()
          const grantedBy = request.caller.principal_id
          const rows = await insertGrants(tx, { profileId, organizationId, grants: here, grantedBy, ip: request.ip })
          const changed = rows.filter(isNew)
          if (changed.length > 0)
            await asPatientAt(tx, organizationId, () => recordGrants(request, tx, changed, organizationId))
          granted.push(...rows)
        }
        return { data: granted.map(({ after }) => after) }
      }),
  )

  app.post(
    '/v1/me/consents/:id/withdraw',
    {
      config: {
        access: patient(),
        gate: 'open',
        summary: 'Withdraw one of your consents',
        refusals: [consentNotFound, notWithdrawable],
      },
      schema: { params: ById, body: Withdrawal, response: { 200: One(Consent) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const [, before] = await Promise.all([
          lockProfiles(tx, request.caller.profile_ids ?? []),
          findMyActiveConsent(tx, request.params.id),
        ])
        if (!before) throw consentNotFound()
        const after = await updateWithdrawn(tx, before.id, request.body?.withdrawal_reason ?? null)
        const place = before.organization_id
        await asPatientAt(tx, place, () => recordWithdrawal(request, tx, before, after, place))
        return { data: after }
      }),
  )
}

/** The profile of the patient at that clinic; undefined: they are none there (any more). */
function profileAt(organizationId: string, records: readonly MyRecord[]): string | undefined {
  const here = records.find((record) => record.organization_id === organizationId && record.deleted_at === null)
  return here?.patient_profile_id
}
