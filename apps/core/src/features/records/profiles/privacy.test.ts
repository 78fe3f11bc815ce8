import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { unzip } from '../../../platform/zip.testing.ts'
import { type CoreAndWorker, startCoreAndWorker } from '../../privacy/gdpr/work.testing.ts'

describe('profiles in exports', () => {
  let core: CoreAndWorker
  let stop: () => Promise<void>
  before(async () => {
    core = await startCoreAndWorker()
    stop = await core.startWorker()
  })
  after(async () => {
    await stop()
    await core.close()
  })

  test('the export contains no private fields, not even in the list of changes', async () => {
    const clinic = await core.organization()
    const as = clinic.admin
    const field = { entity_type: 'patient', key: 'suspicion', label: 'Suspicion', field_type: 'text', is_private: true }
    assert.equal((await core.post('/v1/custom-fields', { as, body: field })).status, 201)
    const patient = await core.patient(clinic)
    for (const suspicion of ['Drinks', null]) {
      const body = { suspicion, occupation: `Teacher ${suspicion}` }
      assert.equal((await core.put(`/v1/patients/${patient.id}/profile`, { as, body })).status, 200)
    }
    const { body } = await core.get('/v1/audit-logs?action=patients.update_profile&limit=1', { as })
    const told = body.data[0].changes.map((change: { field: string }) => change.field)
    assert.deepEqual(told, ['occupation', 'suspicion'], 'the clinic’s own log has it')

    const request = await core.ended(clinic, await core.ask('export', clinic, patient.id))
    const { pathname, search } = new URL(request.download_url)
    const files = unzip(Buffer.from(await (await fetch(core.url + pathname + search)).arrayBuffer()))
    for (const [name, content] of files) assert.ok(!/suspicion|Drinks/i.test(String(content)), name)
    assert.match(String(files.get('audit_log.ndjson')), /"changed_fields":\["occupation"\]/)
    assert.match(String(files.get('custom_field_values.ndjson')), /Teacher null/)
  })
})
