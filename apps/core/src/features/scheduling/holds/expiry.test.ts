import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { onServer } from '@tendon/testing'
import { createServices } from '../../../create-services.ts'
import { startCore } from '../../../testing/core.ts'
import { jobTools } from '../../connections/job.testing.ts'
import { created, holdBody, nextMonday, schedulingClinic } from '../clinic.testing.ts'
import { holdJobs } from './jobs.ts'

describe('the job that marks expired holds', () => {
  let core: Awaited<ReturnType<typeof startCore>>
  let worker: ReturnType<typeof createServices>
  before(async () => {
    core = await startCore()
    worker = createServices(core.config, 'tendon_worker', core.database.url)
  })
  after(async () => {
    await worker.close()
    await core.close()
  })

  const mark = () => holdJobs[0]?.run({}, jobTools(worker))
  const statuses = async (ids: string[]) =>
    (
      await core.database.query<{ state: string }>(
        `select h.status || case when c.id is null then '' else ', claimed' end as state
         from holds h left join time_claims c on c.hold_id = h.id where h.id = any ($1) order by h.starts_at`,
        [ids],
      )
    ).map(({ state }) => state)

  test('the job that marks expired holds does not wait for holds and times that a request has locked, and marks them the next time', async () => {
    const clinic = await schedulingClinic(core)
    const ids: string[] = []
    for (const hour of [9, 10, 11])
      ids.push((await created(core.post('/v1/public/holds', { body: holdBody(clinic, nextMonday(hour)) }))).id)
    for (const table of ['holds where id', 'time_claims where hold_id'])
      await core.database.query(
        `update ${table.replace(' where', ` set expires_at = now() - interval '1 s' where`)} = any ($1)`,
        [ids],
      )
    const [held, claimed] = ids
    await onServer(new URL(core.database.url).pathname.slice(1), async (holder) => {
      await holder.query('begin')
      await holder.query('select 1 from holds where id = $1 for update', [held])
      await holder.query('select 1 from time_claims where hold_id = $1 for update', [claimed])
      await mark()
      assert.deepEqual(await statuses(ids), ['active', 'expired, claimed', 'expired'])
      await holder.query('rollback')
    })
    await mark()
    assert.deepEqual(await statuses(ids), ['expired', 'expired', 'expired'])
  })
})
