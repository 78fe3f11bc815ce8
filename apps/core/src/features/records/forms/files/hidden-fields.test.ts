import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { bodyOf, FILES, partOf, upload } from '../../../../platform/uploads.testing.ts'
import { type Person, sharedCore, type TestCore } from '../../../../testing/core.ts'
import type { TestOrganization } from '../../../../testing/people.ts'
import { formTools, type Patient, SMOKER } from '../forms.testing.ts'

const ifSmoker = { mode: 'all', conditions: [{ field_key: 'smoker', op: 'eq', value: 'Yes' }] }
const SCAN = { key: 'scan', label: 'Scan of the lungs', type: 'file', visible_when: ifSmoker }
const LETTER = {
  key: 'letter',
  label: 'Letter on the scan',
  type: 'file',
  visible_when: { mode: 'all', conditions: [{ field_key: 'scan', op: 'exists' }] },
}
const NAME = { key: 'name', label: 'Name', type: 'text', required: true }
const PDF = bodyOf(partOf(FILES.pdf, 'application/pdf', 'Bilet.pdf'))

describe('files of hidden fields', () => {
  let core: TestCore
  let tools: ReturnType<typeof formTools>
  let clinic: TestOrganization
  let patient: Patient
  let as: Person
  let template: string
  before(async () => {
    core = await sharedCore()
    tools = formTools(core)
    clinic = await core.organization()
    ;({ patient, as } = await tools.person(clinic))
    template = await tools.template(clinic, [SMOKER, SCAN, LETTER, NAME])
  })
  after(() => core.close())

  const newForm = async (): Promise<string> => (await tools.form(clinic, patient, template)).id
  const put = (form: string, field: string) => upload(`${core.url}/v1/forms/${form}/files/${field}`, as, PDF)
  const save = (form: string, values: object) => tools.ok(tools.save(form, as, values), 200)
  const filesOf = async (form: string) => Object.keys((await tools.read(form, clinic.admin)).body.data.files)
  const actionsOn = async (form: string) => (await tools.auditOf(form)).filter((one) => one.startsWith('form_files.'))
  const doomed = async (keys: string[]) =>
    (await core.database.query('select 1 from unclaimed_objects where object_key = any($1)', [keys])).length

  test('files of hidden fields are refused (400), as answers to them are', async () => {
    const form = await newForm()
    for (const answer of [undefined, 'No']) {
      if (answer) await save(form, { field_smoker: answer })
      for (const field of ['field_scan', 'field_letter']) {
        const { status, body } = await put(form, field)
        assert.deepEqual([status, body.error?.code], [400, 'validation_error'], JSON.stringify(body))
        assert.deepEqual(body.error.fields, { [field]: 'is hidden by the other answers' })
      }
    }
    assert.deepEqual([await filesOf(form), await actionsOn(form)], [[], []])
    await save(form, { field_smoker: 'Yes' })
    assert.equal((await put(form, 'field_letter')).status, 400)
    assert.equal((await put(form, 'field_scan')).status, 201)
    assert.equal((await put(form, 'field_letter')).status, 201)
  })

  test('files of hidden fields stay while the form is incomplete, and are deleted with their objects when it is completed', async () => {
    const form = await newForm()
    await save(form, { field_smoker: 'Yes' })
    const keys = [await put(form, 'field_scan'), await put(form, 'field_letter')].map(({ body }) => body.file.s3_key)
    await save(form, { field_smoker: 'No' })
    assert.deepEqual(await filesOf(form), ['field_letter', 'field_scan'])
    assert.equal(await doomed(keys), 0)
    assert.equal((await save(form, { field_name: 'Ana' })).status, 'completed')
    assert.deepEqual(await filesOf(form), [])
    assert.equal(await doomed(keys), 2)
    assert.deepEqual((await actionsOn(form)).slice(2), ['form_files.delete', 'form_files.delete'])
    const events = (await tools.eventsOf(form)).filter((type) => type === 'form.file_deleted')
    assert.equal(events.length, 2)
  })

  test('files of hidden fields are not part of what is signed, also when the last answer of a completed form hides them', async () => {
    const form = await newForm()
    await save(form, { field_smoker: 'Yes', field_name: 'Ana' })
    assert.equal((await put(form, 'field_scan')).status, 201)
    assert.equal((await put(form, 'field_letter')).status, 201)
    await core.delete(`/v1/forms/${form}/files/field_scan`, { as })
    assert.deepEqual(await filesOf(form), [])
    assert.equal((await put(form, 'field_scan')).status, 201)
    await save(form, { field_smoker: 'No' })
    await tools.ok(tools.sign(form, clinic.admin), 200)
    assert.deepEqual(await filesOf(form), [])
    assert.equal((await tools.verify(form, clinic.admin)).valid, true)
  })
})
