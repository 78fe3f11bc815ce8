import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { unzip } from '../../../platform/zip.testing.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { type CoreAndWorker, startCoreAndWorker } from '../../privacy/gdpr/work.testing.ts'
import { formTools, NOTE, SMOKER } from './forms.testing.ts'

describe('forms in exports and erasures', () => {
  let core: CoreAndWorker
  let tools: ReturnType<typeof formTools>
  let clinic: TestOrganization
  let stop: () => Promise<void>
  before(async () => {
    core = await startCoreAndWorker()
    tools = formTools(core)
    clinic = await core.organization()
    stop = await core.startWorker()
  })
  after(async () => {
    await stop()
    await core.close()
  })

  /** A patient with a signed form and one that is not. */
  async function patientWithForms() {
    const patient = await core.patient(clinic)
    const template = await tools.template(clinic, [SMOKER, NOTE])
    const [signed, open] = [await tools.form(clinic, patient, template), await tools.form(clinic, patient, template)]
    for (const { id } of [signed, open]) {
      await tools.ok(tools.save(id, clinic.admin, { field_smoker: 'No', field_note: 'Secret thoughts' }), 200)
    }
    await tools.ok(tools.sign(signed.id, clinic.admin), 200)
    return { patient, signed: signed.id, open: open.id }
  }

  async function exported(patientId: string) {
    const request = await core.ended(clinic, await core.ask('export', clinic, patientId))
    const { pathname, search } = new URL(request.download_url)
    const files = unzip(Buffer.from(await (await fetch(core.url + pathname + search)).arrayBuffer()))
    const lines = String(files.get('forms.ndjson')).trim().split('\n')
    return { files, rows: lines.map((line) => JSON.parse(line)) }
  }

  test('the export contains the answers of the patient, and no private fields', async () => {
    const { patient, signed, open } = await patientWithForms()
    const { files, rows } = await exported(patient.id)
    assert.deepEqual(
      rows.map((row) => row.id),
      [signed, open],
    )
    for (const row of rows) assert.deepEqual(row.answers, [{ label: 'Do you smoke?', value: 'No' }])
    for (const [name, content] of files) assert.ok(!/Secret thoughts|field_note/.test(String(content)), name)
  })

  test('the export omits fields made private, or private and deleted, after they were answered', async () => {
    const patient = await core.patient(clinic)
    const text = { field_type: 'text', options: undefined }
    const asked = [await tools.customField(clinic, text), await tools.customField(clinic, text)]
    const template = await tools.template(clinic, [SMOKER, ...asked.map((field) => tools.linked(field))])
    const { id } = await tools.form(clinic, patient, template)
    const answers = Object.fromEntries(asked.map((field) => [`field_${field.id}`, 'Secret thoughts']))
    await tools.ok(tools.save(id, clinic.admin, { ...answers, field_smoker: 'No' }), 200)
    for (const field of asked) {
      await tools.ok(core.put(`/v1/custom-fields/${field.id}`, { as: clinic.admin, body: { is_private: true } }), 200)
      await tools.ok(core.post(`/v1/custom-fields/${field.id}/publish`, { as: clinic.admin }), 200)
    }
    await tools.ok(core.delete(`/v1/custom-fields/${asked[0]?.id}`, { as: clinic.admin }), 204)
    const { files, rows } = await exported(patient.id)
    assert.deepEqual(
      rows.map(({ answers }) => answers),
      [[{ label: 'Do you smoke?', value: 'No' }]],
    )
    for (const [name, content] of files) assert.ok(!/Secret thoughts/.test(String(content)), name)
  })

  test('an erasure deletes unsigned forms and keeps signed ones, with the reason; the seal still verifies', async () => {
    const { patient, signed, open } = await patientWithForms()
    const request = await core.ended(clinic, await core.ask('erase', clinic, patient.id))
    const forms = request.certificate.classes.find(({ name }: { name: string }) => name === 'forms')
    assert.deepEqual([forms.strategy, forms.rows], ['delete', 1])
    assert.match(forms.legal_reason, /medical record/)
    assert.equal((await tools.read(open, clinic.admin)).status, 404)
    assert.equal((await tools.verify(signed, clinic.admin)).valid, true)
  })
})
