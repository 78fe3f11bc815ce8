import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { onServer, until } from '@tendon/testing'
import { type CoreAndWorker, startCoreAndWorker } from './work.testing.ts'

describe('locks of an erasure', () => {
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

  test('an erasure that waits for one row of the patient keeps nobody from the other', async () => {
    const clinic = await core.organization()
    const patient = await core.patient(clinic)
    await onServer(new URL(core.database.url).pathname.slice(1), async (writer) => {
      await writer.query('begin')
      await writer.query('select 1 from patient_profiles where id = $1 for key share', [patient.profile_id])
      const id = await core.ask('erase', clinic, patient.id)
      const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`
      await until(async () => (await core.database.query(waiting)).length > 0)
      await writer.query('select 1 from patients where id = $1 for key share', [patient.id])
      await writer.query('commit')
      assert.equal((await core.ended(clinic, id)).status, 'completed')
    })
  })
})
