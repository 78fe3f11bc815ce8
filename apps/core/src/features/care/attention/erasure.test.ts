import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type CoreAndWorker, startCoreAndWorker } from '../../privacy/gdpr/work.testing.ts'
import { factsOf } from './attention.testing.ts'

describe('marks of an erased patient', () => {
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

  test('an erasure deletes the marks about the patient, and no others', async () => {
    const facts = factsOf(core)
    const clinic = await core.organization()
    const [patient, other] = [await core.patient(clinic), await core.patient(clinic)]
    for (const one of [patient, other]) await facts.pain(clinic, one)
    for (const { key } of await facts.list(clinic.admin))
      assert.equal((await facts.mark(clinic.admin, key, { state: 'done' })).status, 200)
    const request = await core.ended(clinic, await core.ask('erase', clinic, patient.id))
    assert.equal(request.status, 'completed')
    const left = await core.database.query(
      'select patient_profile_id from attention_marks where organization_id = $1',
      [clinic.id],
    )
    assert.deepEqual(left, [{ patient_profile_id: other.profile_id }])
  })
})
