import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { freePort, processEnv, START_MS, TEST_ROLE_SECRET, until } from '@tendon/testing'
import pg from 'pg'
import { verifyAuditLog } from '../features/privacy/audit-logs/verify.ts'
import { startCore, type TestCore } from '../testing/core.ts'
import { complaintAbout } from '../testing/process.ts'
import { startWorker } from './start-worker.ts'

describe('worker process', () => {
  let core: TestCore
  let metricsPort: number
  /** The second worker, which continues after the first was killed. Started once, used by two tests. */
  let next: ReturnType<typeof start> | undefined
  before(async () => {
    core = await startCore()
    metricsPort = await freePort()
  })
  after(async () => {
    next?.child.kill('SIGKILL')
    await core.close()
  })

  function start(port: number, env: Record<string, string> = { DATABASE_URL: core.database.url }) {
    const child = spawn(process.execPath, [join(import.meta.dirname, '../worker.ts')], {
      env: {
        ...processEnv(),
        WORKER_METRICS_PORT: String(port),
        DATABASE_ROLE_SECRET: TEST_ROLE_SECRET,
        LOG_LEVEL: 'info',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += String(text)))
    const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
    const answers = () =>
      fetch(`http://127.0.0.1:${port}/metrics`).then(
        ({ ok }) => ok,
        () => false,
      )
    const started = async () => {
      await until(async () => child.exitCode !== null || (await answers()), START_MS)
      assert.equal(child.exitCode, null, output)
    }
    return { child, exited, started, output: () => output }
  }

  async function count(condition: string): Promise<number> {
    const [row] = await core.database.query<{ count: string }>(`select count(*) from outbox_events where ${condition}`)
    return Number(row?.count)
  }
  const emit = (events: number) =>
    core.database.query(
      `insert into outbox_events (type, payload) select 'tests.event', '{}' from generate_series(1, $1)`,
      [events],
    )

  test('kill -9 loses nothing: the next worker continues', async (t) => {
    await emit(3_000)
    // Held by another until the first is dead: however fast it is, it does not come to the end.
    const holder = new pg.Client({ connectionString: core.database.url })
    await holder.connect()
    await holder.query(`begin; select 1 from outbox_events where type = 'tests.event' limit 1 for update`)
    const first = start(await freePort())
    t.after(async () => {
      first.child.kill('SIGKILL')
      await holder.end()
    })
    await first.started()
    await until(async () => (await count(`dispatched_at is not null and type = 'tests.event'`)) > 200)
    first.child.kill('SIGKILL')
    await first.exited
    await holder.end()
    assert.ok((await count('dispatched_at is null')) > 0)
    next = start(metricsPort)
    await next.started()
    await until(async () => (await count('dispatched_at is null')) === 0)
    const unsealed = 'select 1 from audit_log where id not in (select entry_id from audit_seal_entries)'
    await until(async () => (await core.database.query(unsealed)).length === 0)
    assert.equal((await verifyAuditLog(core.services.db, () => {})).ok, true)
  })

  test('serves its metrics, works, and stops on SIGTERM', async () => {
    next ??= start(metricsPort)
    await next.started()
    await emit(10)
    await until(async () => (await count('dispatched_at is null')) === 0)
    const metrics = await fetch(`http://127.0.0.1:${metricsPort}/metrics`)
    assert.match(await metrics.text(), /^outbox_waiting\{service="worker"\} 0$/m)
    next.child.kill('SIGTERM')
    assert.equal(await next.exited, 0, next.output())
    assert.match(next.output(), /SIGTERM: stopping/)
  })

  test('worker process reports in one sentence that its port is in use, or that there is no database', async () => {
    const port = await freePort()
    const squatter = createServer().listen(port, '127.0.0.1')
    const env = { DATABASE_URL: core.database.url, DATABASE_ROLE_SECRET: TEST_ROLE_SECRET }
    assert.equal(
      await complaintAbout(startWorker({ ...env, WORKER_METRICS_PORT: String(port) })),
      `Port ${port} is in use by another program. Stop that program, or choose another port with WORKER_METRICS_PORT.`,
    )
    squatter.close()
    const gone = new URL(core.database.url)
    gone.port = String(await freePort())
    assert.match(
      await complaintAbout(startWorker({ ...env, DATABASE_URL: gone.href })),
      /^The database is not ready\. Start the project first with npm start\. .*$/,
    )
  })
})
