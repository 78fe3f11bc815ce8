import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sharedCore, type TestCore } from '../../../testing/core.ts'
import { formTools, SMOKER } from '../../records/forms/forms.testing.ts'
import { codeOf } from '../documents.testing.ts'

describe('a document that takes too long', () => {
  let core: TestCore
  before(async () => {
    // Shorter than the time to start a rendering process.
    core = await sharedCore({ env: { PDF_TIMEOUT_MS: '20' } })
  })
  after(() => core.close())

  test('a document that takes too long is answered 503 render_timeout, stores nothing, and other requests still work', async () => {
    const forms = formTools(core)
    const clinic = await core.organization()
    const { patient } = await forms.person(clinic)
    const { id } = await forms.form(clinic, patient, await forms.template(clinic, [SMOKER]))
    await forms.save(id, clinic.admin, { field_smoker: 'No' })
    for (let round = 0; round < 3; round++) {
      const answer = await core.post(`/v1/forms/${id}/render`, { as: clinic.admin })
      assert.deepEqual(codeOf(answer), [503, 'render_timeout'])
      assert.equal(answer.headers.get('retry-after'), '5')
    }
    assert.equal((await core.get(`/v1/forms/${id}`, { as: clinic.admin })).status, 200)
    const documents = await core.get('/v1/appointment-documents', { as: clinic.admin })
    assert.equal(documents.body.pagination.total, 0)
    assert.deepEqual(await Array.fromAsync(core.services.objects.list(`documents/${clinic.id}/`)), [])
  })
})
