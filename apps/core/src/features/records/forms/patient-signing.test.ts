import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { formTools, SMOKER } from './forms.testing.ts'

const DONE = { field_smoker: 'No' }

describe('forms that the patient signs', () => {
  let core: TestCore
  let tools: ReturnType<typeof formTools>
  let clinic: TestOrganization
  before(async () => {
    core = await sharedCore()
    tools = formTools(core)
    clinic = await core.organization()
    await core.publishNotice(clinic)
  })
  after(() => core.close())

  async function completed(details: object = {}) {
    const template = await tools.template(clinic, [SMOKER], { signed_by: 'patient', ...details })
    const { patient, as } = await tools.person(clinic)
    const form = await tools.form(clinic, patient, template)
    await tools.ok(tools.save(form.id, as, DONE), 200)
    return { form, as, patient, template }
  }

  test('the patient signs; staff cannot (403 patient_signs), and the seal is valid', async () => {
    const { form, as } = await completed()
    assert.equal(form.signed_by, 'patient')
    const refused = await tools.sign(form.id, clinic.admin)
    assert.deepEqual([refused.status, refused.body.error.code], [403, 'patient_signs'])
    await tools.ok(tools.sign(form.id, as), 200)
    const signed = (await tools.read(form.id, clinic.admin)).body.data
    assert.deepEqual([signed.status, signed.signed_by_principal_id], ['signed', as.id])
    assert.equal((await tools.verify(form.id, clinic.admin)).valid, true)
    assert.equal((await tools.save(form.id, as, { field_smoker: 'Yes' })).status, 409)
  })

  test('a patient cannot sign a form for staff or the form of another patient', async () => {
    const staff = await completed({ signed_by: 'staff' })
    const own = await tools.sign(staff.form.id, staff.as)
    assert.deepEqual([own.status, own.body.error.required], [403, 'forms.sign'])
    const other = await completed()
    const foreign = await tools.sign(other.form.id, staff.as)
    assert.deepEqual([foreign.status, foreign.body.error.code], [404, 'form_not_found'])
  })

  test('the list filters by who signs', async () => {
    const [own, staff] = [await completed(), await completed({ signed_by: 'staff' })]
    const ids = async (signer: string) => {
      const path = `/v1/forms?status=completed&signed_by=${signer}&limit=100`
      return (await core.get(path, { as: clinic.admin })).body.data.map(({ id }: { id: string }) => id) as string[]
    }
    const [signedByStaff, signedByPatient] = [await ids('staff'), await ids('patient')]
    assert.ok(signedByStaff.includes(staff.form.id) && !signedByStaff.includes(own.form.id))
    assert.ok(signedByPatient.includes(own.form.id) && !signedByPatient.includes(staff.form.id))
  })

  test('a form keeps the signer that its template had when the form was created', async () => {
    const { form, as, template } = await completed()
    const body = { title: 'Intake', type: 'intake', fields: [SMOKER], signed_by: 'staff' }
    await tools.ok(core.put(`/v1/form-templates/${template}`, { as: clinic.admin, body }), 200)
    await tools.ok(core.post(`/v1/form-templates/${template}/publish`, { as: clinic.admin }), 200)
    await tools.ok(tools.sign(form.id, as), 200)
    const versions = await core.get(`/v1/form-templates/${template}/versions?sort=version`, { as: clinic.admin })
    assert.deepEqual(
      versions.body.data.map(({ signed_by }: { signed_by: string }) => signed_by),
      ['patient', 'staff'],
    )
  })

  test('a consent form that the patient signs records the patient’s consents', async () => {
    const { form, as, patient } = await completed({ type: 'consent', consent_purposes: ['telerehab'] })
    await tools.ok(tools.sign(form.id, as), 200)
    const rows = await core.database.query(
      'select purpose_code, source, granted_by_principal_id from consents where patient_profile_id = $1 and source_form_id = $2',
      [patient.profile_id, form.id],
    )
    assert.deepEqual(rows, [{ purpose_code: 'telerehab', source: 'form', granted_by_principal_id: as.id }])
  })

  test('an unknown signer is refused (400)', async () => {
    const body = { title: 'Intake', type: 'intake', fields: [SMOKER], signed_by: 'nobody' }
    const answer = await core.post('/v1/form-templates', { as: clinic.admin, body })
    assert.deepEqual([answer.status, Object.keys(answer.body.error.fields)], [400, ['signed_by']])
  })
})
