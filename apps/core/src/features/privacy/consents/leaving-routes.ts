import { type AuditEntry, publish } from '@tendon/access'
import { ById, EraseAccount, ErasedAccount, LeaveClinic, LeftClinic, One } from '@tendon/contracts'
import { authenticated, patient, unauthenticated } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { lockMyAccount } from '../../people/me/index.ts'
import { eraseMyBookings } from '../../scheduling/bookings/index.ts'
import { eraseAccountRecord, listLinkedSubjects } from '../gdpr/index.ts'
import { clinicNotFound, humansOnly, stillAMember, superadminsStay } from './errors.ts'
import { asPatientAt, listMyRecords, updateErasedAccount, updateLeftClinic } from './patient-queries.ts'
import { listMyConsents, lockProfiles } from './queries.ts'

export const leavingRoutes: Routes = (app) => {
  app.post(
    '/v1/me/organizations/:id/leave',
    {
      config: {
        access: patient(),
        gate: 'open',
        operationId: 'leaveClinic',
        summary: 'Leave a clinic',
        description: 'Withdraws all your consents at the clinic and hides your record from it.',
        refusals: [clinicNotFound],
      },
      schema: { params: ById, body: LeaveClinic, response: { 200: One(LeftClinic) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const organizationId = request.params.id.toLowerCase()
        const reason = request.body.reason ?? null
        await lockProfiles(tx, request.caller.profile_ids ?? [])
        const active = (await listMyConsents(tx)).filter(
          (row) => row.organization_id === organizationId && row.withdrawn_at === null,
        )
        const left = await updateLeftClinic(tx, organizationId, reason)
        const [first] = left
        if (!first) throw clinicNotFound()
        await asPatientAt(tx, organizationId, async () => {
          for (const { patient_id, patient_profile_id, left_at } of left) {
            const ended = active.filter((row) => row.patient_profile_id === patient_profile_id)
            const entry: AuditEntry = {
              action: 'patients.leave',
              crud: 'U',
              target: { type: 'patient', id: patient_id },
              changes: [
                { field: 'deleted_at', before: null, after: left_at },
                ...ended.map((row) => ({ field: `consents.${row.purpose_code}`, before: 'active', after: 'left' })),
              ],
              patientProfileId: patient_profile_id,
            }
            await request.audit(tx, reason === null ? entry : { ...entry, reason }, organizationId)
            await publish(tx, 'patient.left', { patient_id, patient_profile_id })
          }
        })
        return { data: { organization_id: organizationId, left_at: first.left_at } }
      }),
  )

  app.post(
    '/v1/me/erase',
    {
      config: {
        access: authenticated(),
        gate: 'open',
        invitation: 'waits',
        summary: 'Erase your account',
        description: 'Erases your data at every clinic. This cannot be undone.',
        refusals: [humansOnly, superadminsStay, stillAMember],
      },
      schema: { body: EraseAccount, response: { 200: One(ErasedAccount) } },
    },
    (request) => {
      const { caller } = request
      if (caller.kind !== 'human') throw humansOnly()
      if (caller.is_superadmin) throw superadminsStay()
      return request.tenant(async (tx) => {
        await lockMyAccount(tx)
        await lockProfiles(tx, caller.profile_ids ?? [])
        const records = (await listMyRecords(tx)).filter(({ erased_at }) => erased_at === null)
        for (const { organization_id, ...mine } of records) {
          await asPatientAt(tx, organization_id, async () => {
            const linked = await listLinkedSubjects(tx, mine.patient_id)
            const others = linked.filter((one) => records.every(({ patient_id }) => patient_id !== one.patient_id))
            for (const { patient_id, patient_profile_id } of [mine, ...others]) {
              const target = { type: 'patient', id: patient_id }
              const entry: AuditEntry = {
                action: 'patients.erase_account',
                crud: 'D',
                target,
                patientProfileId: patient_profile_id,
              }
              await request.audit(tx, entry, organization_id)
              await publish(tx, 'patient.account_erased', { patient_id, patient_profile_id })
              await eraseAccountRecord(tx, patient_id)
            }
          })
        }
        // Now: afterwards nobody could tell whose they were.
        for (const id of new Set(records.map(({ organization_id }) => organization_id)))
          await asPatientAt(tx, id, () => eraseMyBookings(tx))
        const target = { type: 'human', id: caller.principal_id }
        await asPatientAt(tx, null, () => request.audit(tx, { action: 'me.erase', crud: 'D', target }, null))
        const erased_at = await updateErasedAccount(tx)
        if (erased_at === null) throw unauthenticated()
        return { data: { erased_at } }
      })
    },
  )
}
