import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { onServer, until } from '@tendon/testing'
import { createServices } from '../../../create-services.ts'
import { type Answer, startCore } from '../../../testing/core.ts'
import { jobTools } from '../../connections/job.testing.ts'
import { created, holdBody, nextMonday, type SchedulingClinic, schedulingClinic } from '../clinic.testing.ts'
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

  const expire = async (ids: string[]) => {
    for (const table of ['holds where id', 'time_claims where hold_id'])
      await core.database.query(
        `update ${table.replace(' where', ` set expires_at = now() - interval '1 s' where`)} = any ($1)`,
        [ids],
      )
  }
  const hold = async (clinic: SchedulingClinic, hour: number): Promise<string> =>
    (await created(core.post('/v1/public/holds', { body: holdBody(clinic, nextMonday(hour)) }))).id

  /** Locks rows while `work` runs; `pid` is the connection that has them. */
  const locking = (statement: string, id: string | undefined, work: (pid: number) => Promise<void>) =>
    onServer(new URL(core.database.url).pathname.slice(1), async (holder) => {
      await holder.query('begin')
      await holder.query(`${statement} = $1 for update`, [id])
      await work((await holder.query('select pg_backend_pid() as pid')).rows[0].pid)
      await holder.query('rollback')
    })

  test('the job that marks expired holds does not wait for holds and times that a request has locked, and marks them the next time', async () => {
    const clinic = await schedulingClinic(core)
    const ids = [await hold(clinic, 9), await hold(clinic, 10), await hold(clinic, 11)]
    await expire(ids)
    const [held, claimed] = ids
    await locking('select 1 from holds where id', held, () =>
      locking('select 1 from time_claims where hold_id', claimed, async () => {
        await mark()
        assert.deepEqual(await statuses(ids), ['active', 'expired, claimed', 'expired'])
      }),
    )
    await mark()
    assert.deepEqual(await statuses(ids), ['expired', 'expired', 'expired'])
  })

  test('the job that marks expired holds neither waits for a booking that is being made, nor stops it', async () => {
    const clinic = await schedulingClinic(core)
    const ids = [await hold(clinic, 9), await hold(clinic, 10)]
    const [booked = '', expired = ''] = ids
    await expire([expired])
    let booking: Promise<Answer> | undefined
    await locking('select 1 from time_claims where hold_id', booked, async (pid) => {
      booking = core.post('/v1/appointments', { as: clinic.admin, body: { hold_id: booked } })
      const isWaiting = 'select 1 from pg_stat_activity where $1 = any (pg_blocking_pids(pid))'
      await until(async () => (await core.database.query(isWaiting, [pid])).length > 0)
      await mark()
      assert.deepEqual(await statuses(ids), ['active, claimed', 'expired'])
    })
    assert.equal((await booking)?.status, 201)
    const [first] = await statuses([booked])
    assert.equal(first, 'converted, claimed')
  })

  test('the job that marks expired holds leaves the hold of an offer that a request has locked to the next run', async () => {
    const clinic = await schedulingClinic(core)
    const patient = await core.patient(clinic, await core.signIn())
    const post = (path: string, body: object) => created(core.post(path, { as: clinic.admin, body }))
    const waiting = { service_id: clinic.service.id, patient_id: patient.id, status: 'waitlist' }
    const entry = await post('/v1/appointments', waiting)
    const time = { starts_at: nextMonday(10).toISOString(), specialist_id: clinic.specialist.id }
    const offer = await post(`/v1/appointments/${entry.id}/offer`, time)
    await core.database.query('delete from time_claims where organization_id = $1', [clinic.id])
    await core.database.query(
      `update holds set status = 'expired', created_at = now() - interval '31 days' where organization_id = $1`,
      [clinic.id],
    )
    const countHolds = async () =>
      (await core.database.query('select 1 from holds where organization_id = $1', [clinic.id])).length
    await locking('select 1 from waitlist_offers where id', offer.id, async () => {
      await mark()
      assert.equal(await countHolds(), 1)
    })
    await mark()
    assert.equal(await countHolds(), 0)
  })
})
