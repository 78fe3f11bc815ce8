import assert from 'node:assert/strict'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { bodyOf, FILES, partOf, upload } from '../../../platform/uploads.testing.ts'
import { sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { formTools, type Patient, SMOKER } from './forms.testing.ts'

const SCAN = { key: 'scan', label: 'Scan', type: 'file' }
const SECRET = { key: 'secret', label: 'For the doctor', type: 'file', private: true }
const PDF = bodyOf(partOf(FILES.pdf, 'application/pdf', 'Bilet.pdf'))

describe('verifying a signed form with files', () => {
  let core: TestCore
  let tools: ReturnType<typeof formTools>
  let clinic: TestOrganization
  let template: string
  before(async () => {
    core = await sharedCore({})
    tools = formTools(core)
    clinic = await core.organization()
    template = await tools.template(clinic, [SMOKER, SCAN, SECRET])
  })
  after(() => core.close())

  /** Signed, with a file in each field; the keys of their objects. */
  async function signed(patient: Patient) {
    const { id } = await tools.form(clinic, patient, template)
    const put = async (field: string): Promise<string> =>
      (await upload(`${core.url}/v1/forms/${id}/files/${field}`, clinic.admin, PDF)).body.file.s3_key
    const [scan, secret] = [await put('field_scan'), await put('field_secret')]
    await tools.ok(tools.save(id, clinic.admin, { field_smoker: 'No' }), 200)
    await tools.ok(tools.sign(id, clinic.admin), 200)
    return { id, scan, secret }
  }
  const replace = (key: string, content: Buffer) =>
    core.services.objects.put(key, content, { contentType: 'application/pdf', maxBytes: 10_000 })
  const verdict = async (id: string, as = clinic.admin) => {
    const { valid, changed_files } = await tools.verify(id, as)
    return [valid, changed_files]
  }

  test('verifying a signed form with files reads the files: one that was replaced or is missing is named', async () => {
    const { id, scan, secret } = await signed(await core.patient(clinic))
    assert.deepEqual(await verdict(id), [true, []])
    const sameLength = Buffer.from(FILES.pdf)
    sameLength.writeUInt8(sameLength.readUInt8(sameLength.length - 1) ^ 1, sameLength.length - 1)
    await replace(scan, sameLength)
    assert.deepEqual(await verdict(id), [false, ['field_scan']])
    await replace(secret, Buffer.concat([FILES.pdf, FILES.pdf]))
    assert.deepEqual(await verdict(id), [false, ['field_scan', 'field_secret']])
    await core.services.objects.delete(scan)
    await replace(secret, FILES.pdf)
    assert.deepEqual(await verdict(id), [false, ['field_scan']])
    await replace(scan, FILES.pdf)
    assert.deepEqual(await verdict(id), [true, []])
  })

  test('names no private field to the patient, and still says that the form is not as it was signed', async () => {
    const { patient, as } = await tools.person(clinic)
    const { id, scan, secret } = await signed(patient)
    await replace(secret, Buffer.from('%PDF-1.4 other'))
    assert.deepEqual(await verdict(id, as), [false, []])
    await replace(scan, Buffer.from('%PDF-1.4 other'))
    assert.deepEqual(await verdict(id, as), [false, ['field_scan']])
  })

  test('fails while the store is unavailable (503)', async () => {
    const { id } = await signed(await core.patient(clinic))
    const folder = join(core.config.DATA_DIR, 'objects', 'objects')
    await rename(folder, `${folder}-away`)
    const answer = await core.get(`/v1/forms/${id}/verify`, { as: clinic.admin })
    await rename(`${folder}-away`, folder)
    assert.deepEqual([answer.status, answer.body.error?.code], [503, 'unavailable'], answer.text)
    assert.ok(answer.headers.get('retry-after'))
    assert.deepEqual(await verdict(id), [true, []])
  })
})
