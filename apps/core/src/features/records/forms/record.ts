import { type Caller, comesAsPatient, holds } from '@tendon/access'
import { type Form, type FormFile, openFields } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { type ApiError, forbidden, processingRestricted } from '@tendon/http'
import type { FastifyRequest } from 'fastify'
import { recorder } from '../../../platform/recorder.ts'
import { READING_PRIVATE } from '../custom-fields/index.ts'
import { formAlreadySigned, formNotFound } from './errors.ts'
import { listFiles, type StoredFormFile } from './files/queries.ts'
import { type FormRow, findForm, findFormForUpdate, LOCK_CODES, SIGN_CODES } from './queries.ts'
import { patientView } from './view-rules.ts'

// What the routes about one form share.

/** What a route that shows a form declares. */
export const READING_FORM = READING_PRIVATE
const LOCKING = 'Locks the form and its patient, which needs the right to update them.'
/** What a route that changes a form declares. */
export const LOCKING_FORM = {
  codes: [...LOCK_CODES, ...READING_PRIVATE.codes],
  why: `${LOCKING} ${READING_PRIVATE.why}`,
}
/** What the route that signs declares. */
export const SIGNING_FORM = {
  codes: [...new Set([...LOCK_CODES, ...SIGN_CODES])],
  why: `${LOCKING} Only the service writes signatures.`,
}

/** Staff who work with forms see them and the patients they are about. */
const VIEW_PERMISSIONS = ['forms.view_org', 'patients.view_org']

export function mustSeeForms({ caller }: FastifyRequest): void {
  const lacking = VIEW_PERMISSIONS.find((code) => !holds(caller, code))
  if (lacking !== undefined) throw forbidden({ required: lacking })
}

/** The person a form is about is its patient, also when they work at the clinic. */
export const isAbout = (caller: Caller, { patient_profile_id }: Pick<Form, 'patient_profile_id'>): boolean =>
  caller.profile_ids?.includes(patient_profile_id) ?? false

export async function readForm(request: FastifyRequest, tx: TenantTx, id: string): Promise<FormRow> {
  const form = await findForm(tx, id)
  if (!form) throw missing(request)
  return form
}

/** A form to change, locked. */
export async function openForm(request: FastifyRequest, tx: TenantTx, id: string): Promise<FormRow> {
  const form = await findFormForUpdate(tx, id, holds(request.caller, 'forms.view_org') ? LOCK_CODES : [])
  if (!form) throw missing(request)
  if (form.is_restricted && form.status !== 'signed') throw processingRestricted()
  return form
}

/** A form to fill in: by its patient or author, or with forms.fill_org; never a signed one. */
export async function openFormToFill(request: FastifyRequest, tx: TenantTx, id: string): Promise<FormRow> {
  const { caller } = request
  const form = await openForm(request, tx, id)
  const isOwn = form.created_by_principal_id === caller.principal_id && holds(caller, 'forms.fill_own')
  if (!isOwn && !isAbout(caller, form) && !holds(caller, 'forms.fill_org'))
    throw forbidden({ required: 'forms.fill_org' })
  if (form.status === 'signed') throw formAlreadySigned()
  return form
}

function missing(request: FastifyRequest): ApiError {
  const { caller, routeOptions } = request
  const lacking = VIEW_PERMISSIONS.find((code) => !holds(caller, code))
  const asStaff = caller.role_id !== null && !comesAsPatient(routeOptions.config.access, caller)
  return asStaff && lacking !== undefined ? forbidden({ required: lacking }) : formNotFound()
}

export const fileKeysOf = (files: readonly StoredFormFile[]): ReadonlySet<string> =>
  new Set(files.map(({ field_key }) => field_key))

export const fileHashesOf = (files: readonly StoredFormFile[]): Record<string, string> =>
  Object.fromEntries(files.map(({ field_key, sha256 }) => [field_key, sha256.toString('hex')]))

/** The form as the caller may see it. */
export async function viewOf(tx: TenantTx, { caller }: FastifyRequest, form: FormRow): Promise<Form> {
  const stored = await listFiles(tx, form.id)
  const files: Record<string, FormFile> = Object.fromEntries(stored.map(({ field_key, ...file }) => [field_key, file]))
  return isAbout(caller, form) ? patientView({ ...form, files }) : { ...form, files }
}

export const isComplete = (form: FormRow, files: readonly StoredFormFile[]): boolean =>
  form.status === 'completed' && openFields(form.fields, form.values, fileKeysOf(files)).length === 0

/** Every audit entry about a patient is encrypted under the patient's own key. Its changes are answers (`changedValues`). */
export const record = recorder({
  target: ({ id, title }: FormRow) => ({ type: 'form', id, label: title }),
  payload: ({ id, form_template_id, patient_profile_id, type }) => ({
    form_id: id,
    form_template_id,
    patient_profile_id,
    type,
  }),
  patientProfileId: ({ patient_profile_id }) => patient_profile_id,
  acts: {
    created: { action: 'forms.create', crud: 'C', event: 'form.created' },
    read: { action: 'forms.read', crud: 'R' },
    saved: { action: 'forms.update', crud: 'U' },
    submitted: { action: 'forms.update', crud: 'U', event: 'form.submitted' },
    signed: { action: 'forms.sign', crud: 'U', event: 'form.signed' },
    verified: { action: 'forms.verify', crud: 'R' },
    deleted: { action: 'forms.delete', crud: 'D', event: 'form.deleted' },
  },
})
