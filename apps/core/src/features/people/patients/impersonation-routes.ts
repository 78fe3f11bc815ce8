import { randomBytes } from 'node:crypto'
import { hashApiKey, IMPERSONATION_PREFIX } from '@tendon/access'
import { ById, Impersonation, ImpersonationRequest, One } from '@tendon/contracts'
import { permission } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { impersonatorMustBeHuman, patientNotFound } from './errors.ts'
import { insertImpersonation } from './profile-queries.ts'
import { findPatientForUpdate, LOCKING_PATIENT } from './queries.ts'
import { mustSeePatients, record } from './record.ts'

const TOKEN_BYTES = 32
/** "A core-signed token of 15 minutes, bound to that clinic, GET only": see find_impersonated_caller and checkAccess. */
const IMPERSONATION_MINUTES = 15

export const impersonationRoutes: Routes = (app) => {
  app.post(
    '/v1/patients/:id/impersonate',
    {
      config: {
        access: permission('patients.impersonate'),
        service: LOCKING_PATIENT,
        patientData: true,
        idempotent: true,
        summary: 'Impersonate a patient',
        description:
          'Returns a read-only token, valid for 15 minutes, that shows what the patient sees at your clinic. The patient sees who used it and why.',
        refusals: [patientNotFound, impersonatorMustBeHuman],
      },
      schema: { params: ById, body: ImpersonationRequest, response: { 201: One(Impersonation) } },
    },
    (request, reply) =>
      request.tenantCreate(reply, async (tx) => {
        const { caller } = request
        if (caller.kind !== 'human') throw impersonatorMustBeHuman()
        mustSeePatients(request)
        const patient = await findPatientForUpdate(tx, request.params.id)
        if (!patient) throw patientNotFound()
        const token = IMPERSONATION_PREFIX + randomBytes(TOKEN_BYTES).toString('base64url')
        const expires_at = await insertImpersonation(tx, {
          patient_id: patient.id,
          principal_id: caller.principal_id,
          hash: hashApiKey(token),
          minutes: IMPERSONATION_MINUTES,
        })
        const { reason } = request.body
        await record.impersonated(request, tx, patient, { reason })
        return { data: { token, expires_at } }
      }),
  )
}
