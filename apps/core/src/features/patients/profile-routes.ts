import { ById, One, type Patient, PatientProfile, PatientProfileDetails } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { permission, processingRestricted } from '@tendon/http'
import type { FastifyRequest } from 'fastify'
import type { Feature } from '../../features.ts'
import { publish } from '../../platform/events.ts'
import { nationalIdTaken, patientNotFound } from './errors.ts'
import { createNationalIds } from './national-id.ts'
import { findProfile, updateNationalId } from './profile-queries.ts'
import { entryAbout, eventOf, openRecord, organizationOf, readRecord, refuseIfWrong } from './record.ts'
import { problemsOfPatient } from './rules.ts'

// The only routes that take the identification number out of its envelope. What is told of a change is that there was one.

export const profileRoutes: Feature = (app, services) => {
  const nationalIds = createNationalIds(services)

  async function describe(request: FastifyRequest, tx: TenantTx, patient: Patient): Promise<PatientProfile> {
    const profile = await findProfile(tx, patient.patient_profile_id)
    const national_id = nationalIds.open(profile.national_id_encrypted, organizationOf(request), profile.id)
    return { ...profile, national_id, patient_id: patient.id, status: patient.status }
  }

  app.get(
    '/v1/patients/:id/profile',
    {
      config: {
        access: permission('patients.view_org'),
        patientData: true,
        summary: 'Read a patient’s profile with the identification number; each reading is logged',
        refusals: [patientNotFound],
      },
      schema: { params: ById, response: { 200: One(PatientProfile) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const patient = await readRecord(tx, request.params.id)
        await request.audit(tx, entryAbout(patient, { action: 'patients.read_national_id', crud: 'R' }))
        return { data: await describe(request, tx, patient) }
      }),
  )

  app.put(
    '/v1/patients/:id/profile',
    {
      config: {
        access: permission('patients.update'),
        patientData: true,
        summary: 'Set a patient’s identification number, or clear it with null',
        refusals: [patientNotFound, nationalIdTaken, processingRestricted],
      },
      schema: { params: ById, body: PatientProfileDetails, response: { 200: One(PatientProfile) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        refuseIfWrong(problemsOfPatient(request.body, services.now()))
        const patient = await openRecord(request, tx, request.params.id)
        const before = await findProfile(tx, patient.patient_profile_id)
        const sealed = nationalIds.seal(request.body.national_id, organizationOf(request), before.id)
        if (!isSame(before.national_id_index, sealed.national_id_index)) {
          await updateNationalId(tx, before.id, sealed)
          const changes = [{ field: 'national_id', before: null, after: 'changed' }]
          await request.audit(tx, entryAbout(patient, { action: 'patients.update_national_id', crud: 'U', changes }))
          await publish(tx, 'patient.updated', eventOf(patient))
        }
        return { data: await describe(request, tx, patient) }
      }),
  )
}

const isSame = (one: Buffer | null, other: Buffer | null): boolean =>
  one === null || other === null ? one === other : one.equals(other)
