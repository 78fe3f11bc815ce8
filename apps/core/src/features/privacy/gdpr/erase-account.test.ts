import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { until } from '@tendon/testing'
import { Client } from 'pg'
import type { TestOrganization } from '../../../testing/people.ts'
import { type CoreAndWorker, startCoreAndWorker } from './work.testing.ts'

describe('the record of an erased account', () => {
  let core: CoreAndWorker
  let clinic: TestOrganization
  let stop: () => Promise<void>
  before(async () => {
    core = await startCoreAndWorker()
    clinic = await core.organization()
    await core.publishNotice(clinic)
    stop = await core.startWorker()
  })
  after(async () => {
    await stop()
    await core.close()
  })

  const query = <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
    core.database.query<Row>(text, values)

  test('the record of an erased account is erased also when the clinic cancels its own request at the same time', async () => {
    const me = await core.signIn()
    const patient = await core.patient(clinic, me)
    await core.acceptAll(patient)
    const [row] = await query<{ id: string }>(
      `insert into privacy_requests (organization_id, kind, patient_id, patient_profile_id) values ($1, 'erase', $2, $3) returning id`,
      [clinic.id, patient.id, patient.profile_id],
    )
    const cancelling = new Client({ connectionString: core.database.url })
    await cancelling.connect()
    try {
      await cancelling.query('begin')
      await cancelling.query('select 1 from privacy_requests where id = $1 for update', [row?.id])
      const answer = await core.post('/v1/me/erase', { as: me, body: { confirm: 'ERASE' } })
      assert.equal(answer.status, 200, answer.text)
      await until(async () => (await core.database.countWaiting()) > 0)
      await cancelling.query(`update privacy_requests set status = 'cancelled' where id = $1`, [row?.id])
      await cancelling.query('commit')
    } finally {
      await cancelling.end()
    }
    const erased = 'select 1 from patients where id = $1 and erased_at is not null'
    await until(async () => (await query(erased, [patient.id])).length > 0)
    assert.equal((await core.read(clinic, row?.id ?? '')).status, 'cancelled')
    const { body } = await core.get(`/v1/gdpr/requests?patient_id=${patient.id}`, { as: clinic.admin })
    assert.equal(body.pagination.total, 2)
  })
})
