import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { until } from '@tendon/testing'
import { bodyOf, FILES, partOf, upload } from '../../../../platform/uploads.testing.ts'
import { unzip } from '../../../../platform/zip.testing.ts'
import type { TestOrganization } from '../../../../testing/people.ts'
import { type CoreAndWorker, startCoreAndWorker } from '../../../privacy/gdpr/work.testing.ts'
import { formTools, type Patient } from '../forms.testing.ts'

const FIELDS = [
  { key: 'scan', label: 'Scan', type: 'file' },
  { key: 'secret', label: 'For the doctor', type: 'file', private: true },
]

/** What becomes of files with a worker at work: replaced, deleted, exported, erased. */
describe('the life cycle of a form’s file', () => {
  let core: CoreAndWorker
  let stopWorker: () => Promise<void>
  let tools: ReturnType<typeof formTools>
  let clinic: TestOrganization
  let template: string
  before(async () => {
    core = await startCoreAndWorker()
    stopWorker = await core.startWorker()
    tools = formTools(core)
    clinic = await core.organization()
    template = await tools.template(clinic, FIELDS)
  })
  after(async () => {
    await stopWorker()
    await core.close()
  })

  async function put(form: string, field = 'field_scan'): Promise<string> {
    const body = bodyOf(partOf(FILES.pdf, 'application/pdf', 'Bilet.pdf'))
    const answer = await upload(`${core.url}/v1/forms/${form}/files/${field}`, clinic.admin, body)
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    return answer.body.file.s3_key
  }
  const newForm = async (patient: Patient): Promise<string> => (await tools.form(clinic, patient, template)).id
  const isThere = async (key: string) => (await core.services.objects.head(key)) !== undefined
  const isGone = async (key: string) => !(await isThere(key))

  test('its object is deleted when it is replaced or deleted, or its form is', async () => {
    const form = await newForm(await core.patient(clinic))
    const first = await put(form)
    const second = await put(form)
    await until(() => isGone(first))
    assert.ok(await isThere(second))
    await core.delete(`/v1/forms/${form}/files/field_scan`, { as: clinic.admin })
    await until(() => isGone(second))
    const third = await put(form)
    await tools.remove(form, clinic.admin)
    await until(() => isGone(third))
    await until(async () => (await core.database.query('select 1 from unclaimed_objects')).length === 0)
  })

  test('an export contains it next to its row, unless its field is private', async () => {
    const patient = await core.patient(clinic)
    const form = await newForm(patient)
    await put(form)
    await put(form, 'field_secret')
    const request = await core.ended(clinic, await core.ask('export', clinic, patient.id))
    const { pathname, search } = new URL(request.download_url)
    const zip = unzip(Buffer.from(await (await fetch(core.url + pathname + search)).arrayBuffer()))
    const rows = String(zip.get('form_files.ndjson'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.deepEqual(
      rows.map(({ form_id, field_key, name, size, mime, object_key }) => [
        form_id,
        field_key,
        name,
        size,
        mime,
        object_key,
      ]),
      [[form, 'field_scan', 'Bilet.pdf', FILES.pdf.length, 'application/pdf', undefined]],
    )
    assert.deepEqual(zip.get(rows[0].file), FILES.pdf)
    for (const [name, content] of zip) assert.ok(!content.includes('field_secret'), name)
    assert.deepEqual(
      [...zip.keys()].filter((name) => name.startsWith('files/form_files/')),
      [rows[0].file],
    )
  })

  test('an erasure deletes it, unless its form is signed', async () => {
    const patient = await core.patient(clinic)
    const [open, signed] = [await newForm(patient), await newForm(patient)]
    const [gone, kept] = [await put(open), await put(signed)]
    await tools.ok(tools.save(signed, clinic.admin, {}), 200)
    await tools.ok(tools.sign(signed, clinic.admin), 200)
    const request = await core.ended(clinic, await core.ask('erase', clinic, patient.id))
    assert.equal(request.status, 'completed', JSON.stringify(request))
    assert.deepEqual([await isThere(gone), await isThere(kept)], [false, true])
    const rows = await core.database.query('select object_key from form_files where patient_profile_id = $1', [
      patient.profile_id,
    ])
    assert.deepEqual(rows, [{ object_key: kept }])
    const told = request.certificate.classes.find((one: { name: string }) => one.name === 'form_files')
    assert.deepEqual([told.strategy, told.rows, request.certificate.files_deleted], ['delete', 1, 1])
    assert.match(told.legal_reason, /medical|semnat/)
  })
})
