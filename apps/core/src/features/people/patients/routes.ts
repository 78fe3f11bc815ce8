import {
  ById,
  Choices,
  listParameters,
  Many,
  NoContent,
  One,
  Patient,
  PatientChoice,
  PatientDetails,
  PatientRecord,
  PatientSummary,
  patientList,
  pickerParameters,
} from '@tendon/contracts'
import { pageOf, parseList, parsePicker, permission, processingRestricted } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { lockProfiles } from '../../privacy/consents/index.ts'
import { patientNotFound } from './errors.ts'
import { listLinkedRecords } from './merge-queries.ts'
import { deleteInvitation } from './profile-queries.ts'
import { deletePatient, listPatientChoices, listPatients, updatePatient } from './queries.ts'
import { mustSeePatients, openRecord, readRecord, record, refuseIfWrong } from './record.ts'
import { isSameAddress, problemsOfPatient } from './rules.ts'

export const patientRoutes: Routes = (app, services) => {
  app.get(
    '/v1/patients',
    {
      config: { access: permission('patients.view_org'), patientData: true, summary: 'List patients' },
      schema: { querystring: listParameters(patientList), response: { 200: Many(PatientSummary) } },
    },
    async (request) => {
      const list = parseList(patientList, request.query)
      const { rows, total } = await request.tenant((tx) => listPatients(tx, list))
      return { data: rows, pagination: pageOf(list, total) }
    },
  )

  app.get(
    '/v1/patients/picker',
    {
      config: { access: permission('patients.view_org'), patientData: true, summary: 'List patients for a picker' },
      schema: { querystring: pickerParameters, response: { 200: Choices(PatientChoice) } },
    },
    async (request) => ({ data: await request.tenant((tx) => listPatientChoices(tx, parsePicker(request.query))) }),
  )

  app.get(
    '/v1/patients/:id',
    {
      config: {
        access: permission('patients.view_org'),
        patientData: true,
        summary: 'Get a patient',
        refusals: [patientNotFound],
      },
      schema: { params: ById, response: { 200: One(PatientRecord) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const patient = await readRecord(tx, request.params.id)
        await record.read(request, tx, patient)
        return { data: { ...patient, linked_records: await listLinkedRecords(tx, patient.id) } }
      }),
  )

  app.put(
    '/v1/patients/:id',
    {
      config: {
        access: permission('patients.update'),
        patientData: true,
        versioned: 'version',
        summary: 'Update a patient',
        description: 'Replaces the details. Changing the e-mail address cancels a pending invitation.',
        refusals: [patientNotFound, processingRestricted],
      },
      schema: { params: ById, body: PatientDetails, response: { 200: One(Patient) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        refuseIfWrong(problemsOfPatient(request.body, services.now()))
        const before = await openRecord(request, tx, request.params.id)
        await request.mustMatch(tx, before)
        await updatePatient(tx, before.id, request.body)
        if (!isSameAddress(before.email, request.body.email ?? null)) {
          await deleteInvitation(tx, before.patient_profile_id)
        }
        const after = await readRecord(tx, before.id)
        await record.updated(request, tx, before, after)
        return { data: after }
      }),
  )

  app.delete(
    '/v1/patients/:id',
    {
      config: {
        access: permission('patients.delete'),
        versioned: 'header',
        patientData: true,
        summary: 'Delete a patient',
        description: 'Soft delete: the record stays visible to callers who may view deleted records.',
        refusals: [patientNotFound, processingRestricted],
      },
      schema: { params: ById, response: { 204: NoContent } },
    },
    async (request, reply) => {
      await request.tenant(async (tx) => {
        mustSeePatients(request)
        // A consent given at the same moment ends with the record, or is refused.
        await lockProfiles(tx, [(await readRecord(tx, request.params.id)).patient_profile_id])
        const patient = await openRecord(request, tx, request.params.id)
        await request.mustMatch(tx, patient)
        await record.deleted(request, tx, patient, { deleted_at: await deletePatient(tx, patient.id) })
      })
      return reply.code(204).send(null)
    },
  )
}
