import { holds } from '@tendon/access'
import {
  ById,
  Choices,
  includeParameters,
  listParameters,
  Many,
  NoContent,
  One,
  PATIENT_INCLUDES,
  Patient,
  PatientChoice,
  PatientDeletion,
  PatientDetails,
  PatientRecord,
  PatientSummary,
  patientList,
  pickerParameters,
} from '@tendon/contracts'
import { asService, together } from '@tendon/db'
import { forbidden, pageOf, parseInclude, parseList, parsePicker, permission, processingRestricted } from '@tendon/http'
import type { Static } from 'typebox'
import type { Routes } from '../../../feature.ts'
import { lockProfiles } from '../../privacy/consents/index.ts'
import { cancelVisitsOf, listFutureVisits } from '../../scheduling/appointments/index.ts'
import { cancelVisitsIsBoolean, hasFutureVisits, patientNotFound } from './errors.ts'
import { refuseUnknownLead } from './lead.ts'
import { SETTING_LEAD } from './lead-queries.ts'
import { listLinkedRecords } from './merge-queries.ts'
import { deleteInvitation } from './profile-queries.ts'
import {
  DELETING_PATIENT,
  deletePatient,
  findPatientWithLinks,
  isInOrderOfIndex,
  listPatientChoices,
  listPatients,
  updatePatient,
} from './queries.ts'
import { mustSeePatients, openRecord, readRecord, record, refuseIfWrong } from './record.ts'
import { isSameAddress, problemsOfPatient } from './rules.ts'
import { overviewOf, summariesOf } from './summary.ts'

const SEEING_VISITS = ['appointments.view_org', 'appointments.manage']
const DELETING_WITH_VISITS = {
  codes: [...DELETING_PATIENT.codes, ...SEEING_VISITS],
  why: `${DELETING_PATIENT.why} A person who deletes patients may not see their visits, which must not be left behind.`,
}

export const patientRoutes: Routes = (app, services) => {
  app.get(
    '/v1/patients',
    {
      config: {
        access: permission('patients.view_org'),
        patientData: true,
        summary: 'List patients',
        description: 'include=summary adds visits, the last run and pain to each row. What you may not list is null.',
      },
      schema: { querystring: listParameters(patientList), response: { 200: Many(PatientSummary) } },
    },
    async (request) => {
      const {
        filters: { include, ...filters },
        ...rest
      } = parseList(patientList, request.query)
      const list = { ...rest, filters }
      const { rows, total } = await request.findPage((tx) => listPatients(tx, list), {
        inOrder: isInOrderOfIndex(list),
      })
      const pagination = pageOf(list, total)
      if (!include || rows.length === 0) return { data: rows, pagination }
      const summaries = await request.tenant((tx) => summariesOf(tx, request.caller, rows))
      return { data: rows.map((row) => ({ ...row, summary: summaries.get(row.id) })), pagination }
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
        description: 'include=summary adds the summary. Access is logged, once.',
        refusals: [patientNotFound],
      },
      schema: { params: ById, querystring: includeParameters(PATIENT_INCLUDES), response: { 200: One(PatientRecord) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const found = await findPatientWithLinks(tx, request.params.id)
        if (!found) throw patientNotFound()
        const { has_links, ...patient } = found
        const isIncluded = parseInclude(PATIENT_INCLUDES, request.query).length > 0
        const summary = isIncluded ? { summary: await overviewOf(tx, request.caller, patient) } : {}
        await record.read(request, tx, patient)
        const linked_records = has_links ? await listLinkedRecords(tx, patient.id) : []
        return { data: { ...patient, linked_records, ...summary } }
      }),
  )

  app.put(
    '/v1/patients/:id',
    {
      config: {
        access: permission('patients.update'),
        service: SETTING_LEAD,
        patientData: true,
        versioned: 'version',
        summary: 'Update a patient',
        description:
          'Replaces the details; without lead_specialist_id, the lead stays. Changing the e-mail address cancels a pending invitation.',
        refusals: [patientNotFound, processingRestricted],
      },
      schema: { params: ById, body: PatientDetails, response: { 200: One(Patient) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        refuseIfWrong(problemsOfPatient(request.body, services.now()))
        const before = await openRecord(request, tx, request.params.id)
        await request.mustMatch(tx, before)
        await refuseUnknownLead(tx, request.body, before)
        const isSame = isSameAddress(before.email, request.body.email ?? null)
        const [, , after] = await together([
          updatePatient(tx, before.id, request.body),
          isSame ? undefined : deleteInvitation(tx, before.patient_profile_id),
          readRecord(tx, before.id),
        ])
        await record.updated(request, tx, before, after)
        return { data: after }
      }),
  )

  app.delete(
    '/v1/patients/:id',
    {
      config: {
        access: permission('patients.delete'),
        service: DELETING_WITH_VISITS,
        versioned: 'header',
        patientData: true,
        summary: 'Delete a patient',
        description:
          'Soft delete: the record stays visible to callers who may view deleted records. A patient with future visits is deleted only with cancel_visits, in the query or in a JSON body; the visits are then cancelled as if one by one, which needs appointments.manage.',
        refusals: [patientNotFound, processingRestricted, hasFutureVisits],
      },
      schema: { params: ById, querystring: PatientDeletion, response: { 204: NoContent } },
    },
    async (request, reply) => {
      const isCancelling = wantsVisitsCancelled(request)
      if (isCancelling && !holds(request.caller, 'appointments.manage'))
        throw forbidden({ required: 'appointments.manage' })
      await request.tenant(async (tx) => {
        mustSeePatients(request)
        // A consent given at the same moment ends with the record, or is refused.
        await lockProfiles(tx, [(await readRecord(tx, request.params.id)).patient_profile_id])
        const patient = await openRecord(request, tx, request.params.id)
        await request.mustMatch(tx, patient)
        await asService(tx, SEEING_VISITS, async (service) => {
          const visits = isCancelling ? [] : await listFutureVisits(service, patient.id)
          const seen = holds(request.caller, 'appointments.view_org') ? visits : []
          if (visits.length > 0) throw hasFutureVisits({ visits: seen })
          await cancelVisitsOf(request, service, patient.id)
        })
        await record.deleted(request, tx, patient, { deleted_at: await deletePatient(tx, patient.id) })
      })
      return reply.code(204).send(null)
    },
  )
}

/** The option may come in the query or, for clients that send a body with DELETE, in JSON. */
function wantsVisitsCancelled({ query, body }: { query: Static<typeof PatientDeletion>; body: unknown }): boolean {
  const given = typeof body === 'object' && body !== null && 'cancel_visits' in body ? body.cancel_visits : undefined
  if (given !== undefined && typeof given !== 'boolean') throw cancelVisitsIsBoolean()
  return query.cancel_visits === true || given === true
}
