import { holds } from '@tendon/access'
import {
  Consent,
  ConsentOfPatient,
  ConsentStates,
  Consents,
  One,
  PatientInOrganization,
  StaffGrants,
  Withdrawal,
} from '@tendon/contracts'
import { permission } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { patientNotFound } from '../../people/patients/index.ts'
import { consentNotFound, notWithdrawable } from './errors.ts'
import { grantRefusals, insertGrants, isNew } from './granting.ts'
import { AS_STAFF, findPatientForChange, findPatientHere } from './patient-queries.ts'
import { findActiveConsentOf, listConsentsOf, listPurposes, updateWithdrawn } from './queries.ts'
import { recordGrants, recordWithdrawal } from './record.ts'
import { statesOf } from './rules.ts'

/** What a clinic's staff see and record of a patient's consents: those at their clinic, never the platform's. */
export const staffConsentRoutes: Routes = (app) => {
  app.get(
    '/v1/organizations/:org_id/patients/:patient_id/consents',
    {
      config: {
        access: permission('consents.view_org'),
        patientData: true,
        service: AS_STAFF,
        summary: 'List the consents of a patient',
        description: 'Returns the consents given at this clinic.',
        refusals: [patientNotFound],
      },
      schema: { params: PatientInOrganization, response: { 200: ConsentStates } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const { org_id, patient_id } = request.params
        const patient = await findPatientHere(tx, patient_id, {
          seesDeleted: holds(request.caller, 'data.view_deleted'),
        })
        if (!patient) throw patientNotFound()
        const { patient_profile_id } = patient
        const [purposes, rows] = await Promise.all([listPurposes(tx), listConsentsOf(tx, patient_profile_id)])
        await request.audit(tx, {
          action: 'consents.read',
          crud: 'R',
          target: { type: 'patient', id: patient_id },
          patientProfileId: patient_profile_id,
        })
        return { data: statesOf([org_id.toLowerCase()], purposes, rows) }
      }),
  )

  app.post(
    '/v1/organizations/:org_id/patients/:patient_id/consents/grant',
    {
      config: {
        access: permission('consents.manage'),
        patientData: true,
        service: AS_STAFF,
        idempotent: true,
        operationId: 'grantPatientConsents',
        summary: 'Record consents of a patient',
        description: 'Either all consents are recorded or none.',
        refusals: [patientNotFound, ...grantRefusals],
      },
      schema: { params: PatientInOrganization, body: StaffGrants, response: { 201: Consents } },
    },
    (request, reply) =>
      request.tenantCreate(reply, async (tx) => {
        const { org_id, patient_id } = request.params
        const patient = await findPatientForChange(tx, patient_id)
        if (!patient) throw patientNotFound()
        const granted = await insertGrants(tx, {
          profileId: patient.patient_profile_id,
          organizationId: org_id.toLowerCase(),
          grants: request.body.grants.map((grant) => ({ ...grant, source: 'staff_action' })),
          grantedBy: request.caller.principal_id,
          ip: request.ip,
        })
        await recordGrants(request, tx, granted.filter(isNew))
        return { data: granted.map(({ after }) => after) }
      }),
  )

  app.post(
    '/v1/organizations/:org_id/patients/:patient_id/consents/:id/withdraw',
    {
      config: {
        access: permission('consents.manage'),
        patientData: true,
        service: AS_STAFF,
        summary: 'Withdraw a consent of a patient',
        refusals: [patientNotFound, consentNotFound, notWithdrawable],
      },
      schema: { params: ConsentOfPatient, body: Withdrawal, response: { 200: One(Consent) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const patient = await findPatientForChange(tx, request.params.patient_id)
        if (!patient) throw patientNotFound()
        const before = await findActiveConsentOf(tx, patient.patient_profile_id, request.params.id)
        if (!before) throw consentNotFound()
        const after = await updateWithdrawn(tx, before.id, request.body?.withdrawal_reason ?? null)
        await recordWithdrawal(request, tx, before, after)
        return { data: after }
      }),
  )
}
