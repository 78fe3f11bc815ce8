import { holds } from '@tendon/access'
import {
  ById,
  ChangedPatientProfile,
  isUnset,
  type Patient,
  PatientProfile,
  Prefill,
  ProfileChanges,
  prefillParameters,
} from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { forbidden, permissionOrPatient, processingRestricted } from '@tendon/http'
import type { FastifyRequest } from 'fastify'
import type { Routes } from '../../../feature.ts'
import {
  findPatient,
  findPatientForUpdate,
  LOCKING_PATIENT,
  lockOwnPatient,
  nationalIdsOf,
  problemOfNationalId,
  recordProfile,
} from '../../people/patients/index.ts'
import { isNationalIdField, lockValues, type PublishedDefinition } from '../custom-fields/index.ts'
import { patientChanged } from '../segments/index.ts'
import { nationalIdTaken, patientNotFound } from './errors.ts'
import { changeProfile, listFieldsOf, readProfile, type Subject, versionOf } from './profile.ts'
import { shownFields } from './rules.ts'

const VIEW = 'patients.view_org'
const CHANGE = 'patients.update'

/** Callers open their own record as its patient, also when they work at the clinic. */
const subjectOf = ({ caller }: FastifyRequest, { id, patient_profile_id }: Patient): Subject => ({
  type: 'patient',
  id,
  asPatient: caller.profile_ids?.includes(patient_profile_id) ?? false,
})

/** Locks a record that is not deleted. Staff who change it must also be able to view it. */
async function openPatient(request: FastifyRequest, tx: TenantTx, id: string): Promise<Patient> {
  const { caller } = request
  const seen = await findPatient(tx, id)
  const asPatient = seen !== undefined && subjectOf(request, seen).asPatient
  if (!asPatient && holds(caller, CHANGE) && !holds(caller, VIEW)) throw forbidden({ required: VIEW })
  if (asPatient) await lockOwnPatient(tx, id)
  const patient = await (asPatient ? findPatient(tx, id) : findPatientForUpdate(tx, id))
  if (!patient) throw patientNotFound()
  if (!asPatient && !holds(caller, CHANGE)) throw forbidden({ required: CHANGE })
  if (patient.restricted_at !== null) throw processingRestricted()
  return patient
}

export const profileRoutes: Routes = (app, services) => {
  const nationalIds = nationalIdsOf(services)

  /** All values; the identification number from where it is kept, for staff alone. */
  async function valuesOf(
    request: FastifyRequest,
    tx: TenantTx,
    patient: Patient,
    fields: PublishedDefinition[],
    subject: Subject,
  ) {
    const profile = await readProfile(tx, subject, fields)
    const field = fields.find(isNationalIdField)
    const number = field && !subject.asPatient ? await nationalIds.read(request, tx, patient) : null
    return field && number !== null ? { [field.key]: number, ...profile } : profile
  }

  async function shown(...[request, tx, patient, fields, subject]: Parameters<typeof valuesOf>) {
    const profile = await valuesOf(request, tx, patient, fields, subject)
    return { patient_id: patient.id, profile, version: versionOf(await readProfile(tx, subject, fields)) }
  }

  async function mustMatch(...given: Parameters<typeof valuesOf>): Promise<void> {
    const [request, tx, { id }, fields, subject] = given
    const version = versionOf(await readProfile(tx, subject, fields))
    await request.mustMatch(tx, { id, version }, () => shown(...given))
  }

  app.get(
    '/v1/patients/:id/profile',
    {
      config: {
        access: permissionOrPatient(VIEW),
        patientData: true,
        envelope: 'named',
        summary: 'Get the profile of a patient',
        description: 'Returns the custom fields and their values. Access by staff is logged.',
        refusals: [patientNotFound],
      },
      schema: { params: ById, response: { 200: PatientProfile } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const patient = await findPatient(tx, request.params.id)
        if (!patient) throw patientNotFound()
        const subject = subjectOf(request, patient)
        const fields = await listFieldsOf(tx, subject)
        if (!subject.asPatient) await recordProfile.read(request, tx, patient)
        const profile = await valuesOf(request, tx, patient, fields, subject)
        return {
          patient_id: patient.id,
          profile,
          fields: shownFields(fields),
          version: versionOf(await readProfile(tx, subject, fields)),
        }
      }),
  )

  app.put(
    '/v1/patients/:id/profile',
    {
      config: {
        access: permissionOrPatient(CHANGE),
        service: LOCKING_PATIENT,
        patientData: true,
        envelope: 'named',
        versioned: 'header',
        summary: 'Update the profile of a patient',
        description: 'Fields left out keep their value; null clears a value.',
        refusals: [patientNotFound, nationalIdTaken, processingRestricted],
        constraints: {
          patient_profiles_national_id_key: nationalIdTaken,
          custom_field_values_entity_fkey: patientNotFound,
        },
      },
      schema: { params: ById, body: ProfileChanges, response: { 200: ChangedPatientProfile } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const { body: given } = request
        let patient = await openPatient(request, tx, request.params.id)
        const subject = subjectOf(request, patient)
        const fields = await listFieldsOf(tx, subject)
        const number = fields.find(isNationalIdField)
        await lockValues(tx, patient.id)
        await mustMatch(request, tx, patient, fields, subject)
        const changes = await changeProfile(tx, subject, fields, { given, number, numberProblem: problemOfNationalId })
        let changed = changes.length > 0
        if (number && Object.hasOwn(given, number.key)) {
          const value = isUnset(given[number.key]) ? null : String(given[number.key])
          changed = (await nationalIds.write(request, tx, patient, value)) || changed
          patient = { ...patient, has_national_id: value !== null }
        }
        await recordProfile.updated(request, tx, patient, patient, { changes, publish: changed })
        if (changed) await patientChanged(tx, patient.id)
        return shown(request, tx, patient, fields, subject)
      }),
  )

  app.get(
    '/v1/patients/:id/prefill',
    {
      config: {
        access: permissionOrPatient(VIEW),
        patientData: true,
        envelope: 'named',
        summary: 'Get profile values to prefill a form',
        description: 'Keys without a value are left out.',
        refusals: [patientNotFound],
      },
      schema: { params: ById, querystring: prefillParameters, response: { 200: Prefill } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const patient = await findPatient(tx, request.params.id)
        if (!patient) throw patientNotFound()
        const subject = subjectOf(request, patient)
        const keys = new Set(request.query.keys.split(',').map((key) => key.trim()))
        const fields = (await listFieldsOf(tx, subject)).filter(({ key }) => keys.has(key))
        if (!subject.asPatient) await recordProfile.prefilled(request, tx, patient)
        return { patient_id: patient.id, values: await readProfile(tx, subject, fields) }
      }),
  )
}
