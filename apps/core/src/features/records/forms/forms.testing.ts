import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Answer, Person, TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'

// What the tests of forms share: clinics, templates, patients and forms, made through the API.

export const SMOKER = { key: 'smoker', label: 'Do you smoke?', type: 'radio', options: ['Yes', 'No'], required: true }
export const CIGARETTES = {
  key: 'cigarettes',
  label: 'How many a day?',
  type: 'number',
  required: true,
  min: 1,
  visible_when: { mode: 'all', conditions: [{ field_key: 'smoker', op: 'eq', value: 'Yes' }] },
}
export const NOTE = { key: 'note', label: 'What the doctor thinks', type: 'textarea', private: true }

export const statusesOf = (answers: Answer[]) => answers.map(({ status }) => status).sort((a, b) => a - b)

export interface Patient {
  id: string
  profile_id: string
  organization_id: string
}

export function formTools(core: TestCore) {
  async function ok(answer: Promise<Answer>, status: number) {
    const { body, ...rest } = await answer
    assert.equal(rest.status, status, rest.text)
    return body
  }

  async function template(of: TestOrganization, fields: object[], details: object = {}): Promise<string> {
    const body = { title: 'Intake', type: 'intake', fields, ...details }
    const { data } = await ok(core.post('/v1/form-templates', { as: of.admin, body }), 201)
    await ok(core.post(`/v1/form-templates/${data.id}/publish`, { as: of.admin }), 200)
    return data.id
  }

  async function customField(of: TestOrganization, values: object = {}) {
    const key = `f_${randomUUID().slice(0, 8)}`
    const body = {
      entity_type: 'patient',
      key,
      label: 'Blood type',
      field_type: 'select',
      options: ['A', 'B'],
      ...values,
    }
    const { data } = await ok(core.post('/v1/custom-fields', { as: of.admin, body }), 201)
    return data as { id: string; key: string; field_type: string; version: number }
  }

  const linked = ({ id, key, field_type }: { id: string; key: string; field_type: string }, more: object = {}) => ({
    custom_field_id: id,
    key,
    type: field_type,
    ...more,
  })

  const create = (of: { admin: Person }, body: unknown, as: Person = of.admin) => core.post('/v1/forms', { as, body })

  async function form(of: TestOrganization, patient: Patient, templateId: string, more: object = {}) {
    const body = { form_template_id: templateId, patient_profile_id: patient.profile_id, ...more }
    return (await ok(create(of, body), 201)).data
  }

  const read = (id: string, as: Person) => core.get(`/v1/forms/${id}`, { as })
  const save = (id: string, as: Person, values: unknown) => core.put(`/v1/forms/${id}`, { as, body: { values } })
  const sign = (id: string, as: Person) => core.post(`/v1/forms/${id}/sign`, { as })
  const remove = (id: string, as: Person) => core.delete(`/v1/forms/${id}`, { as })
  const verify = async (id: string, as: Person) => (await ok(core.get(`/v1/forms/${id}/verify`, { as }), 200)).data

  /** A patient who signs in and has agreed to everything. */
  async function person(of: TestOrganization): Promise<{ patient: Patient; as: Person }> {
    const as = await core.signIn()
    const patient = await core.patient(of, as)
    await core.acceptAll(patient)
    return { patient, as }
  }

  /** What the profile of a patient holds for a custom field. */
  async function profileValue(patient: Patient, field: { id: string }): Promise<unknown> {
    const [row] = await core.database.query<{ value: unknown }>(
      'select value from custom_field_values where entity_id = $1 and custom_field_id = $2',
      [patient.id, field.id],
    )
    return row?.value
  }

  const eventsOf = async (formId: string) =>
    (
      await core.database.query<{ type: string }>(
        `select type from outbox_events where payload ->> 'form_id' = $1 order by occurred_at, id`,
        [formId],
      )
    ).map(({ type }) => type)

  const auditOf = async (targetId: string) =>
    (
      await core.database.query<{ action: string }>(
        'select action from audit_log where target_id = $1 order by occurred_at, id',
        [targetId],
      )
    ).map(({ action }) => action)

  return {
    ok,
    template,
    customField,
    linked,
    create,
    form,
    read,
    save,
    sign,
    remove,
    verify,
    person,
    profileValue,
    eventsOf,
    auditOf,
  }
}
