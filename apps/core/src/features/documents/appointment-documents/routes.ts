import { holds } from '@tendon/access'
import {
  AppointmentDocument,
  AppointmentDocumentRequest,
  appointmentDocumentList,
  ById,
  DocumentRequest,
  FileRedirect,
  listParameters,
  Many,
  One,
} from '@tendon/contracts'
import { pageOf, parseList, permission, permissionOrPatient, processingRestricted } from '@tendon/http'
import type { FastifyRequest } from 'fastify'
import type { Routes } from '../../../feature.ts'
import { treatmentPlanNotFound } from '../../care/treatment-plans/index.ts'
import { patientNotFound } from '../../people/patients/index.ts'
import { formNotFound, READING_FORM } from '../../records/forms/index.ts'
import { appointmentNotFound } from '../../scheduling/appointments/index.ts'
import {
  imagesTooLarge,
  pdfTemplateNotFound,
  renderFailed,
  renderTimeout,
  templateNotPublished,
  unprintableCharacter,
} from '../pdf-templates/index.ts'
import { readAppointmentSource } from './appointment-source.ts'
import {
  appointmentCancelled,
  appointmentNotAttended,
  appointmentNotStarted,
  appointmentWithoutTime,
  contentChanged,
  documentNotFound,
  formNotCompleted,
  treatmentPlanIsDraft,
  wrongTemplateKind,
} from './errors.ts'
import { readFormSource } from './form-source.ts'
import { issue, prepare } from './issuing.ts'
import { readPlanSource } from './plan-source.ts'
import { findDocument, LOCKING_PATIENT, listDocuments } from './queries.ts'
import { record } from './record.ts'
import { chooseTemplate } from './source.ts'

const LINK_SECONDS = 15 * 60
const CREATE = permission('documents.create')
const PRINTING_FORM = {
  codes: [...new Set([...LOCKING_PATIENT.codes, ...READING_FORM.codes])],
  why: `${LOCKING_PATIENT.why} ${READING_FORM.why}`,
}
const RENDER_REFUSALS = [
  patientNotFound,
  contentChanged,
  pdfTemplateNotFound,
  templateNotPublished,
  wrongTemplateKind,
  imagesTooLarge,
  unprintableCharacter,
  renderTimeout,
  renderFailed,
  processingRestricted,
]
const SAME = 'Returns the existing document when the content has not changed.'

export const appointmentDocumentRoutes: Routes = (app, services) => {
  app.post(
    '/v1/forms/:id/render',
    {
      config: {
        access: CREATE,
        service: PRINTING_FORM,
        patientData: true,
        idempotent: true,
        operationId: 'renderForm',
        summary: 'Create a PDF of a form',
        description: `The form must be completed or signed. Private fields are not printed. A signed form is printed with its certificate. ${SAME}`,
        refusals: [formNotFound, formNotCompleted, ...RENDER_REFUSALS],
      },
      schema: { params: ById, body: DocumentRequest, response: { 201: One(AppointmentDocument) } },
    },
    (request, reply) =>
      issue(request, reply, services, async (tx) => {
        const chosen = await chooseTemplate(tx, 'form', request.body ?? {})
        return prepare(tx, await readFormSource(request, tx, request.params.id, chosen), chosen)
      }),
  )

  app.post(
    '/v1/appointments/:id/documents',
    {
      config: {
        access: CREATE,
        service: LOCKING_PATIENT,
        patientData: true,
        idempotent: true,
        summary: 'Create a PDF of an appointment',
        description: `Creates a letter (the default) or, after the start, a certificate of attendance. ${SAME}`,
        refusals: [
          appointmentNotFound,
          appointmentNotAttended,
          appointmentNotStarted,
          appointmentCancelled,
          appointmentWithoutTime,
          ...RENDER_REFUSALS,
        ],
      },
      schema: { params: ById, body: AppointmentDocumentRequest, response: { 201: One(AppointmentDocument) } },
    },
    async (request, reply) => {
      const { kind = 'appointment_letter', ...asked } = request.body ?? {}
      return issue(request, reply, services, async (tx) => {
        const chosen = await chooseTemplate(tx, kind, asked)
        return prepare(tx, await readAppointmentSource(tx, request.params.id, kind, chosen, services.now()), chosen)
      })
    },
  )

  app.post(
    '/v1/treatment-plans/:id/render',
    {
      config: {
        access: CREATE,
        service: LOCKING_PATIENT,
        patientData: true,
        idempotent: true,
        operationId: 'renderTreatmentPlan',
        summary: 'Create a PDF of a treatment plan',
        description: `Prints the plan as the patient sees it. The plan must not be a draft. ${SAME}`,
        refusals: [treatmentPlanNotFound, treatmentPlanIsDraft, ...RENDER_REFUSALS],
      },
      schema: { params: ById, body: DocumentRequest, response: { 201: One(AppointmentDocument) } },
    },
    (request, reply) =>
      issue(request, reply, services, async (tx) => {
        const chosen = await chooseTemplate(tx, 'treatment_plan', request.body ?? {})
        return prepare(tx, await readPlanSource(tx, request.params.id, chosen), chosen)
      }),
  )

  app.get(
    '/v1/appointment-documents',
    {
      config: {
        access: permissionOrPatient('documents.view_org'),
        patientData: true,
        summary: 'List documents',
        description: 'Patients get only their own documents.',
      },
      schema: { querystring: listParameters(appointmentDocumentList), response: { 200: Many(AppointmentDocument) } },
    },
    async (request) => {
      const list = parseList(appointmentDocumentList, request.query)
      const { rows, total } = await request.findPage((tx) => listDocuments(tx, list, ownProfiles(request)))
      return { data: rows, pagination: pageOf(list, total) }
    },
  )

  app.get(
    '/v1/appointment-documents/:id',
    {
      config: {
        access: permissionOrPatient('documents.view_org'),
        patientData: true,
        summary: 'Get a document',
        refusals: [documentNotFound],
      },
      schema: { params: ById, response: { 200: One(AppointmentDocument) } },
    },
    async (request) => ({ data: await request.tenant((tx) => readDocument(request, tx, request.params.id)) }),
  )

  app.get(
    '/v1/appointment-documents/:id/download',
    {
      config: {
        access: permissionOrPatient('documents.view_org'),
        patientData: true,
        operationId: 'downloadAppointmentDocument',
        summary: 'Download a document',
        description: 'Redirects to a URL that is valid for 15 minutes.',
        refusals: [documentNotFound],
      },
      schema: { params: ById, response: { 302: FileRedirect } },
    },
    async (request, reply) => {
      const document = await request.tenant(async (tx) => {
        const found = await readDocument(request, tx, request.params.id)
        await record.downloaded(request, tx, found)
        return found
      })
      const url = await services.objects.signedUrl(document.object_key, {
        method: 'GET',
        expiresInSeconds: LINK_SECONDS,
        downloadName: `${document.kind.replaceAll('_', '-')}-${document.created_at.slice(0, 10)}.pdf`,
        contentType: 'application/pdf',
      })
      return reply.redirect(url, 302)
    },
  )
}

/** The profiles whose documents the caller may read; undefined for all documents of the clinic. */
const ownProfiles = ({ caller }: FastifyRequest): readonly string[] | undefined =>
  holds(caller, 'documents.view_org') ? undefined : (caller.profile_ids ?? [])

async function readDocument(request: FastifyRequest, tx: Parameters<typeof findDocument>[0], id: string) {
  const document = await findDocument(tx, id)
  const own = ownProfiles(request)
  if (!document || (own && !own.includes(document.patient_profile_id ?? ''))) throw documentNotFound()
  return document
}
