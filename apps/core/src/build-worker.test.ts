import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemContext } from '@tendon/access'
import { until } from '@tendon/testing'
import pg from 'pg'
import { buildWorker, type Worker } from './build-worker.ts'
import { createServices } from './create-services.ts'
import { jobs } from './jobs.ts'
import { addJob, type Job, type JobPayload } from './platform/jobs.ts'
import { createOrphanSweep } from './platform/orphaned-jobs.ts'
import type { OutboxEvent } from './platform/outbox.ts'
import { startCore, type TestCore } from './testing/core.ts'

interface Ran {
  payload: JobPayload
  organizationId: string | null
  organizations: string[]
}

describe('worker', () => {
  let core: TestCore
  let services: ReturnType<typeof createServices>
  let worker: Worker
  const ran: Ran[] = []
  const events: OutboxEvent[] = []
  const log: string[] = []
  const running = new Map<unknown, PromiseWithResolvers<void>>()

  const record: Job = {
    name: 'record',
    async run(payload, { tenant, organizationId }) {
      const rows = await tenant((tx) => tx.selectFrom('organizations').select('id').execute())
      ran.push({ payload, organizationId, organizations: rows.map((row) => row.id) })
    },
  }
  const fail: Job = { name: 'fail', run: () => Promise.reject(new RangeError('ana@mail.example')) }
  const slow: Job = {
    name: 'slow',
    async run(payload) {
      const gate = Promise.withResolvers<void>()
      running.set(payload.mark, gate)
      await gate.promise
      running.delete(payload.mark)
    },
  }
  const audited: Job = {
    name: 'audited',
    run: (_payload, { tenant, audit }) =>
      tenant((tx) => audit(tx, { action: 'tests.job', crud: 'U', target: { type: 'test', id: null } })),
  }

  before(async () => {
    core = await startCore()
    services = createServices(core.config, 'tendon_worker', core.database.url)
    worker = await buildWorker(services, core.database.url, {
      jobs: [...jobs, record, fail, slow, audited],
      subscribers: [{ type: '*', handle: async (_tx, event) => void events.push(event) }],
      logStream: { write: (line) => void log.push(line) },
    })
  })
  after(async () => {
    await worker.stop()
    await services.close()
    await core.close()
  })

  const add = (organizationId: string | null, name: string, payload: JobPayload = {}, options = {}) =>
    core.services.db.tenant({ ...systemContext(organizationId), permissions: '' }, (tx) =>
      addJob(tx, name, payload, options),
    )
  const newClinic = async () => (await core.organization()).id
  const query = <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
    core.database.query<Row>(text, values)

  test('a job runs after the commit, in the organization that added it and no other', async () => {
    const [one, two] = [await newClinic(), await newClinic()]
    const mark = randomUUID()
    await add(one, 'record', { mark, organization_id: two })
    await add(null, 'record', { mark })
    await until(() => ran.filter(({ payload }) => payload.mark === mark).length === 2)
    assert.deepEqual(
      ran.find((job) => job.payload.mark === mark && job.organizationId !== null),
      { payload: { mark, organization_id: two }, organizationId: one, organizations: [one] },
    )
    const platform = ran.find((job) => job.payload.mark === mark && job.organizationId === null)
    assert.deepEqual(platform?.organizations, [])
  })

  test('a job of a transaction that fails never runs', async () => {
    const clinic = await newClinic()
    const [lost, kept] = [randomUUID(), randomUUID()]
    await assert.rejects(
      core.services.db.tenant(systemContext(clinic), async (tx) => {
        await addJob(tx, 'record', { mark: lost })
        throw new Error('changed my mind')
      }),
    )
    await add(clinic, 'record', { mark: kept })
    await until(() => ran.some(({ payload }) => payload.mark === kept))
    assert.ok(!ran.some(({ payload }) => payload.mark === lost))
  })

  test('superadmins add jobs too; nobody adds them past the function', async () => {
    const mark = randomUUID()
    await core.services.db.platform({ ...systemContext(null), organizationId: null }, (tx) =>
      addJob(tx, 'record', { mark }),
    )
    await until(() => ran.some(({ payload }) => payload.mark === mark))
    const past = `select graphile_worker.add_job('record')`
    await assert.rejects(core.services.db.call(past, []), { code: '42501' })
  })

  test('a key replaces the waiting job of the same organization only', async () => {
    const [one, two] = [await newClinic(), await newClinic()]
    const runAt = new Date(Date.now() + 3_600_000)
    for (const clinic of [one, one, two]) await add(clinic, 'record', {}, { key: 'k', runAt })
    const rows = await query<{ key: string }>(`select key from graphile_worker.jobs where key like '% k' order by key`)
    assert.deepEqual(
      rows.map((row) => row.key),
      [`${one} record k`, `${two} record k`].sort((a, b) => a.localeCompare(b)),
    )
  })

  test('a job added while a worker takes the one with the same key is not lost', async () => {
    const clinic = await newClinic()
    const mark = randomUUID()
    await add(clinic, 'record', {}, { key: 'taken', runAt: new Date(Date.now() + 3_600_000) })
    const taking = new pg.Client(core.database.url)
    await taking.connect()
    await taking.query('begin')
    await taking.query(
      `update graphile_worker._private_jobs set locked_at = now(), locked_by = 'a worker', attempts = 1 where key = $1`,
      [`${clinic} record taken`],
    )
    const adding = add(clinic, 'record', { mark }, { key: 'taken' })
    await until(async () => (await core.database.countWaiting()) > 0)
    await taking.query('commit')
    await taking.end()
    await adding
    await until(() => ran.some(({ payload }) => payload.mark === mark))
    await query(`delete from graphile_worker._private_jobs where locked_by = 'a worker'`)
  })

  test('a failed job waits for its next attempt; its row stores the kind of the error, not its message', async () => {
    // A day is added to the delay, so that no further attempt comes before this one is seen.
    await query(`create function a_day_later() returns trigger language plpgsql as
      $$ begin new.run_at := new.run_at + interval '1 day'; return new; end $$`)
    await query(`create trigger a_day_later before update on graphile_worker._private_jobs for each row
      when (new.last_error is distinct from old.last_error) execute function a_day_later()`)
    await add(await newClinic(), 'fail', {}, { maxAttempts: 3 })
    const failed = await until(async () => {
      const [row] = await query<{ attempts: number; last_error: string | null; later: boolean }>(
        `select attempts, last_error, run_at > created_at + interval '1 day 2 seconds' as later from graphile_worker.jobs
         where task_identifier = 'fail' and locked_at is null and attempts > 0`,
      )
      return row
    })
    await query('drop function a_day_later cascade')
    assert.deepEqual(failed, { attempts: 1, last_error: 'RangeError', later: true })
    assert.ok(log.some((line) => line.includes('job failed') && line.includes('"job":"fail"')))
  })

  test('what a job does is audited as the system', async () => {
    const clinic = await core.organization()
    await add(clinic.id, 'audited')
    const entry = await until(async () => {
      const { body } = await core.get('/v1/audit-logs?action=tests.job', { as: clinic.admin })
      return body.data[0]
    })
    assert.deepEqual(entry.actor, { principal_id: null, type: 'system', name: null })
  })

  test('events of the API reach the subscribers', async () => {
    const clinic = await newClinic()
    const created = await until(() => events.find((event) => event.organization_id === clinic))
    assert.equal(created.type, 'organization.created')
    assert.deepEqual(created.payload, { organization_id: clinic })
  })

  test('expired rows are deleted by the clock', async () => {
    const known = `select 1 from graphile_worker._private_known_crontabs where identifier = 'delete_expired_rows'`
    await until(async () => (await query(known)).length === 1)
    await query(`insert into idempotency_keys (path, key, principal_id, fingerprint, created_at)
      values ('/', 'old-key', gen_random_uuid(), '', now() - interval '25 hours'),
        ('/', 'new-key', gen_random_uuid(), '', now() - interval '23 hours')`)
    await add(null, 'delete_expired_rows')
    await until(async () => (await query(`select 1 from idempotency_keys where key = 'old-key'`)).length === 0)
    assert.equal((await query(`select 1 from idempotency_keys where key = 'new-key'`)).length, 1)
  })

  test('a new worker immediately seals waiting entries, and reports how far behind it is', async () => {
    await core.organization()
    const second = createServices(core.config, 'tendon_worker', core.database.url)
    const other = await buildWorker(second, core.database.url, { logStream: { write: () => {} } })
    const unsealed = `select 1 from audit_log a where not exists (select 1 from audit_seal_entries e where e.entry_id = a.id)`
    await until(async () => (await query(unsealed)).length === 0)
    await until(async () => (await query('select 1 from outbox_events where dispatched_at is null')).length === 0)
    const names = ['outbox_waiting', 'outbox_oldest_seconds', 'jobs_waiting', 'jobs_failed', 'webhooks_waiting']
    // Jobs by the clock may be due at this moment.
    const text = await until(async () => {
      const now = await second.metrics.metrics()
      return names.every((name) => now.includes(`\n${name}{service="worker"} 0\n`)) ? now : undefined
    })
    assert.match(text, /^audit_seal_age_seconds\{service="worker"\} \d/m)
    await other.stop()
    await second.close()
    assert.match(await second.metrics.metrics(), /^jobs_waiting\{service="worker"\} Nan$/im)
  })

  test('jobs of a dead worker are released after two checks; those of a live one are kept', async () => {
    const [dead, alive] = [randomUUID(), randomUUID()]
    await add(null, 'slow', { mark: alive })
    await until(() => running.has(alive))
    await add(null, 'record', { mark: dead }, { runAt: new Date(Date.now() + 3_600_000), key: 'dead' })
    await query(`update graphile_worker._private_jobs set locked_by = 'pool-dead', locked_at = now(), run_at = now()
      where key = 'platform record dead'`)
    const sweep = createOrphanSweep(services.db)
    assert.deepEqual(await sweep(), [])
    assert.deepEqual(await sweep(), ['pool-dead'])
    await until(() => ran.some(({ payload }) => payload.mark === dead))
    const locked = await query(
      `select 1 from graphile_worker.jobs where task_identifier = 'slow' and locked_by is not null`,
    )
    assert.equal(locked.length, 1)
    running.get(alive)?.resolve()
  })

  test('a worker reconnects after its connections break', async () => {
    const clinic = await core.organization()
    await query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and usename = 'tendon_worker'`)
    const mark = randomUUID()
    await add(clinic.id, 'record', { mark })
    await core.patch(`/v1/organizations/${clinic.id}`, { as: clinic.admin, body: { name: 'After the storm' } })
    await until(() => ran.some(({ payload }) => payload.mark === mark))
    await until(() =>
      events.some(({ type, organization_id }) => type.endsWith('updated') && organization_id === clinic.id),
    )
  })

  test('stopping takes no more jobs and waits for the running one', async () => {
    const mark = randomUUID()
    const second = createServices(core.config, 'tendon_worker', core.database.url)
    const late: Job = { name: 'late', run: async () => {} }
    const only: Job = { ...slow, name: 'slow_elsewhere' }
    const other = await buildWorker(second, core.database.url, { jobs: [only, late], logStream: { write: () => {} } })
    await add(null, 'slow_elsewhere', { mark })
    await until(() => running.has(mark))
    const [job] = await query<{ locked_by: string }>(
      `select locked_by from graphile_worker.jobs where task_identifier = 'slow_elsewhere'`,
    )
    const listening = async () =>
      JSON.stringify(
        await query('select query_start from pg_stat_activity where application_name = $1', [job?.locked_by]),
      )
    const before = await until(async () => (await listening()).match(/.*query_start.*/)?.[0])
    const stopping = other.stop()
    await until(async () => (await listening()) !== before)
    // Each of the four workers that wait may have asked for a job before.
    for (let n = 0; n < 6; n++) await add(null, 'late', {})
    assert.equal(await Promise.race([stopping, sleep(200, 'still running')]), 'still running')
    running.get(mark)?.resolve()
    await stopping
    await other.ended
    const left = await query<{ task_identifier: string; locked_by: string | null }>(
      `select task_identifier, locked_by from graphile_worker.jobs where task_identifier in ('slow_elsewhere', 'late')`,
    )
    assert.ok(left.length >= 2, `${left.length} of 6 jobs are left`)
    for (const one of left) assert.deepEqual(one, { task_identifier: 'late', locked_by: null })
    await second.close()
  })
})
