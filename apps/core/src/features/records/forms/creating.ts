import type { Form, FormConsent, FormField, FormQuestion, NewForm } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import type { Scheduling } from '../../../platform/scheduling.ts'
import { findPatientForUpdate } from '../../people/patients/index.ts'
import { listVersionsInForce, textUnpublished } from '../../privacy/consents/index.ts'
import { listPrivateFields, readValues } from '../custom-fields/index.ts'
import {
  findLinked,
  findUsableVersion,
  formTemplateOutdated,
  invalidForm,
  optionProblems,
} from '../form-templates/index.ts'
import { asPrivateToday } from './privacy.ts'
import { linkedIdsOf } from './privacy-rules.ts'
import { type FormRow, findForm, findPatientId, type NewFormRow } from './queries.ts'
import { prefilled, questionsOf, translationsOf } from './snapshot.ts'

/** A template's last published version, or what a signed form holds: what the new form copies. */
type Source = Pick<Form, 'title' | 'type' | 'template_version' | 'translations' | 'signed_by'> & {
  fields: Form['fields']
  values: Form['values']
  purposes: string[]
}

/** The row of a new form, after everything that the body names was found; what was not is named, all of it. */
export async function draftForm(
  tx: TenantTx,
  body: NewForm,
  clinicId: string,
  scheduling: Scheduling,
): Promise<NewFormRow> {
  const { form_template_id, patient_profile_id, appointment_id = null, amends_form_id = null } = body
  const fields: Record<string, string> = {}

  const patientId = await findPatientId(tx, patient_profile_id)
  const patient = patientId && (await findPatientForUpdate(tx, patientId))
  if (!patient)
    fields.patient_profile_id = 'must be the patient_profile_id of a patient of your clinic (GET /v1/patients)'

  if (appointment_id !== null) {
    const found = await scheduling.listAppointments(tx, [appointment_id])
    if (!found.some((one) => one.patient_profile_id === patient_profile_id))
      fields.appointment_id = 'must be an appointment of this patient'
  }

  const source =
    amends_form_id === null
      ? await templateSource(tx, form_template_id, patientId)
      : await amendedSource(tx, await findForm(tx, amends_form_id), body)
  if (!source && amends_form_id === null)
    fields.form_template_id = 'must be a published template that is not archived (GET /v1/form-templates/picker)'
  else if (!source) fields.amends_form_id = 'must be a signed form of this patient, made from this template'

  if (!source || Object.keys(fields).length > 0) throw invalidForm({ fields })
  const { purposes, ...copied } = source
  const consent_purposes = await consentsOf(tx, purposes, clinicId)
  return { form_template_id, patient_profile_id, appointment_id, amends_form_id, ...copied, consent_purposes }
}

async function templateSource(
  tx: TenantTx,
  templateId: string,
  patientId: string | undefined,
): Promise<Source | undefined> {
  const template = await findUsableVersion(tx, templateId)
  if (!template) return undefined
  const { title, type, version, consent_purposes, signed_by } = template
  const fields = await questions(tx, template.fields)
  const outdated = optionProblems(fields)
  if (Object.keys(outdated).length > 0) throw formTemplateOutdated({ fields: outdated })
  const translations = translationsOf(template, fields)
  const linked = linkedIdsOf(fields)
  const stored = patientId && linked.length > 0 ? await readValues(tx, patientId, linked) : []
  const profile = new Map(stored.map(({ custom_field_id, value }) => [custom_field_id, value]))
  const values = prefilled(fields, profile)
  return { title, type, signed_by, template_version: version, translations, fields, values, purposes: consent_purposes }
}

async function questions(tx: TenantTx, fields: readonly FormField[]): Promise<FormQuestion[]> {
  const linked = await findLinked(tx, fields)
  return questionsOf(fields, linked, await listPrivateFields(tx, linkedIdsOf(fields)))
}

/** A correction asks what the signed form asked, whatever became of the template; what is private today is so in it. */
async function amendedSource(tx: TenantTx, amended: FormRow | undefined, body: NewForm): Promise<Source | undefined> {
  if (amended?.status !== 'signed' || amended.patient_profile_id !== body.patient_profile_id) return undefined
  if (amended.form_template_id !== body.form_template_id) return undefined
  const { title, type, signed_by, template_version, translations, values, consent_purposes } = amended
  const { fields } = await asPrivateToday(tx, amended)
  const purposes = consent_purposes.map(({ purpose_code }) => purpose_code)
  return { title, type, signed_by, template_version, translations, fields, values, purposes }
}

/** The consents that signing will record, with the current texts. */
async function consentsOf(tx: TenantTx, purposes: readonly string[], clinicId: string): Promise<FormConsent[]> {
  if (purposes.length === 0) return []
  const inForce = new Map((await listVersionsInForce(tx, clinicId)).map(({ code, version }) => [code, version]))
  return purposes.map((purpose_code) => {
    const purpose_version = inForce.get(purpose_code) ?? null
    if (purpose_version === null) throw textUnpublished({ purpose_code })
    return { purpose_code, purpose_version }
  })
}
