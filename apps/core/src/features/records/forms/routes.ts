import { holds } from '@tendon/access'
import {
  ById,
  DeletedForm,
  Form,
  FormSave,
  FormSummary,
  formList,
  listParameters,
  Many,
  NewForm,
  One,
  SavedForm,
} from '@tendon/contracts'
import { pageOf, parseList, permission, permissionOrPatient, processingRestricted } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { LOCKING_PATIENT } from '../../people/patients/index.ts'
import { textUnpublished } from '../../privacy/consents/index.ts'
import { formTemplateOutdated, invalidForm } from '../form-templates/index.ts'
import { patientChanged } from '../segments/index.ts'
import { draftForm } from './creating.ts'
import { formAlreadySigned, formNotFound } from './errors.ts'
import { asPrivateToday, shownForm } from './privacy.ts'
import { deleteForm, insertForm, listForms } from './queries.ts'
import {
  isAbout,
  LOCKING_FORM,
  mustSeeForms,
  openForm,
  openFormToFill,
  READING_FORM,
  readForm,
  record,
} from './record.ts'
import { changedValues } from './rules.ts'
import { saveForm } from './saving.ts'

const CREATING_FORM = {
  codes: [...LOCKING_PATIENT.codes, ...READING_FORM.codes],
  why: `${LOCKING_PATIENT.why} ${READING_FORM.why}`,
}

export const formRoutes: Routes = (app, services) => {
  const { scheduling } = services

  app.get(
    '/v1/forms',
    {
      config: {
        access: permissionOrPatient('forms.view_org'),
        patientData: true,
        summary: 'List forms',
        description: 'Patients get their own forms.',
      },
      schema: { querystring: listParameters(formList), response: { 200: Many(FormSummary) } },
    },
    async (request) => {
      const { caller } = request
      const list = parseList(formList, request.query)
      const asStaff = holds(caller, 'forms.view_org')
      if (asStaff) mustSeeForms(request)
      return request.tenant(async (tx) => {
        const { rows, total } = await listForms(tx, list, asStaff ? undefined : (caller.profile_ids ?? []))
        const pagination = pageOf(list, total)
        if (!list.filters.include) return { data: rows, pagination }
        const ids = rows.flatMap(({ appointment_id }) => appointment_id ?? [])
        const found = new Map((await scheduling.listAppointments(tx, ids)).map((one) => [one.id, one]))
        const data = rows.map((row) => ({ ...row, appointment: found.get(row.appointment_id ?? '') ?? null }))
        return { data, pagination }
      })
    },
  )

  app.post(
    '/v1/forms',
    {
      config: {
        access: permission('forms.create'),
        service: CREATING_FORM,
        patientData: true,
        idempotent: true,
        summary: 'Create a form',
        description: 'Copies the fields of the template and prefills them from the patient’s profile.',
        invalid: invalidForm,
        refusals: [formTemplateOutdated, processingRestricted, textUnpublished],
      },
      schema: { body: NewForm, response: { 201: One(Form) } },
    },
    (request, reply) => {
      mustSeeForms(request)
      return request.tenantCreate(reply, async (tx) => {
        const row = await draftForm(tx, request.body, request.caller.organization_id ?? '', scheduling)
        const form = await readForm(request, tx, await insertForm(tx, row))
        const changes = changedValues(form.fields, {}, form.values)
        await record.created(request, tx, form, { changes })
        return { data: await shownForm(tx, request, form) }
      })
    },
  )

  app.get(
    '/v1/forms/:id',
    {
      config: {
        access: permissionOrPatient('forms.view_org'),
        service: READING_FORM,
        patientData: true,
        summary: 'Get a form',
        description: 'Patients can get their own forms, without private fields.',
        refusals: [formNotFound],
      },
      schema: { params: ById, response: { 200: One(Form) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const form = await readForm(request, tx, request.params.id)
        if (!isAbout(request.caller, form)) await record.read(request, tx, form)
        return { data: await shownForm(tx, request, form) }
      }),
  )

  app.put(
    '/v1/forms/:id',
    {
      config: {
        access: permissionOrPatient('forms.fill_own'),
        service: LOCKING_FORM,
        patientData: true,
        versioned: 'version',
        current: Form,
        summary: 'Save the answers of a form',
        description:
          'Answers left out are kept; null clears an answer. The form is complete when all required fields have an answer.',
        invalid: invalidForm,
        refusals: [formNotFound, formAlreadySigned, processingRestricted],
      },
      schema: { params: ById, body: FormSave, response: { 200: SavedForm } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const form = await openFormToFill(request, tx, request.params.id)
        await request.mustMatch(tx, form, async () => shownForm(tx, request, await readForm(request, tx, form.id)))
        return saveForm(request, tx, form, request.body.values, { now: services.now() })
      }),
  )

  app.delete(
    '/v1/forms/:id',
    {
      config: {
        access: permission('forms.delete'),
        service: LOCKING_FORM,
        versioned: 'header',
        patientData: true,
        summary: 'Delete a form',
        description: 'Deletes a form that is not signed, and its files.',
        refusals: [formNotFound, formAlreadySigned, processingRestricted],
      },
      schema: { params: ById, response: { 200: DeletedForm } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const form = await asPrivateToday(tx, await openForm(request, tx, request.params.id))
        if (form.status === 'signed') throw formAlreadySigned()
        await request.mustMatch(tx, form)
        await deleteForm(tx, form.id)
        await patientChanged(tx, form.patient_id)
        const changes = changedValues(form.fields, form.values, {})
        await record.deleted(request, tx, form, undefined, { changes })
        return { id: form.id, message: 'The form was deleted.' }
      }),
  )
}
