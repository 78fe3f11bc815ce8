import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { freePort, randomFrom, soakRuns, soakSeed, until } from '@tendon/testing'
import pg from 'pg'
import { sharedCore, type TestCore } from '../testing/core.ts'
import type { TestOrganization } from '../testing/people.ts'
import { complaintAbout, startServerProcess } from '../testing/process.ts'
import { startServer } from './start-server.ts'

describe('the server as a process', () => {
  let core: TestCore
  let clinic: TestOrganization
  let env: Record<string, string>
  before(async () => {
    core = await sharedCore()
    clinic = await core.organization()
    env = {
      NODE_ENV: 'test',
      DATABASE_URL: core.database.url,
      DATABASE_ROLE_SECRET: core.config.DATABASE_ROLE_SECRET,
      AUTH_ISSUER: core.issuer.issuer,
      DATA_DIR: core.config.DATA_DIR,
      RATE_LIMIT_ENTRY_PER_MINUTE: '1000000',
      RATE_LIMIT_ORGANIZATION_PER_MINUTE: '1000000',
    }
  })
  after(() => core.close())

  const patch = (url: string, body: unknown) =>
    fetch(`${url}/v1/organizations/${clinic.id}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${clinic.admin.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

  test('SIGTERM finishes the running requests, then exits with 0', async () => {
    // A connection that held up the exit would do so until the shutdown is given up, with exit code 1.
    const server = await startServerProcess({ ...env, HEADERS_TIMEOUT_MS: '60000', SHUTDOWN_TIMEOUT_MS: '40000' })
    const locker = new pg.Client({ connectionString: core.database.url })
    await locker.connect()
    await locker.query('begin')
    await locker.query('select 1 from organizations where id = $1 for update', [clinic.id])
    const silent = connect(Number(new URL(server.url).port), '127.0.0.1') // as browsers open in advance
    await once(silent, 'connect')
    const underWay = patch(server.url, { phone: 'written while stopping' })
    await waitingForLock(locker)
    server.child.kill('SIGTERM')
    await until(() => isRefused(server.url))
    await locker.query('commit')
    const answer = await underWay
    assert.equal(answer.status, 200)
    assert.equal(await server.exited, 0, 'a connection without a request does not hold up the exit')
    const [row] = await core.database.query<{ phone: string }>('select phone from organizations where id = $1', [
      clinic.id,
    ])
    assert.equal(row?.phone, 'written while stopping')
    await locker.end()
  })

  test('kill -9 under load loses nothing that was acknowledged, and leaves nothing half-written', async () => {
    const random = randomFrom(soakSeed())
    for (let round = 0; round < soakRuns(1); round += 1) {
      const server = await startServerProcess(env)
      const acknowledged: string[] = []
      const writers = Array.from({ length: 8 }, async (_, writer) => {
        for (let count = 0; ; count += 1) {
          const name = `${round}-${writer}-${count}`
          const answer = await fetch(`${server.url}/v1/organizations/${clinic.id}/locations`, {
            method: 'POST',
            headers: { authorization: `Bearer ${clinic.admin.token}`, 'content-type': 'application/json' },
            body: JSON.stringify({ name }),
          }).catch(() => undefined)
          if (!answer) return
          if (answer.status === 201) acknowledged.push(name)
        }
      })
      while (acknowledged.length === 0 && server.child.exitCode === null)
        await new Promise((resolve) => setTimeout(resolve, 5))
      setTimeout(() => server.child.kill('SIGKILL'), random() * 100)
      await Promise.all(writers)
      await server.exited
      assert.ok(acknowledged.length > 0)
      const rows = await core.database.query<{ name: string; entries: string; events: string }>(
        `select l.name,
           (select count(*) from audit_log a where a.target_id = l.id::text and a.action = 'locations.create') as entries,
           (select count(*) from outbox_events e where e.type = 'location.created' and e.payload->>'location_id' = l.id::text) as events
         from locations l where l.organization_id = $1 and l.name like $2`,
        [clinic.id, `${round}-%`],
      )
      const stored = new Set(rows.map((row) => row.name))
      assert.deepEqual(
        acknowledged.filter((name) => !stored.has(name)),
        [],
      )
      assert.deepEqual(
        rows.filter((row) => row.entries !== '1' || row.events !== '1'),
        [],
      )
    }
  })

  test('a port in use is reported in one sentence, without a stack', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => taken.once('listening', resolve))
    const { port } = taken.address() as { port: number }
    const ports = { CORE_PORT: String(await freePort()), CORE_METRICS_PORT: String(await freePort()) }
    for (const setting of ['CORE_PORT', 'CORE_METRICS_PORT']) {
      assert.equal(
        await complaintAbout(startServer({ ...env, ...ports, [setting]: String(port) })),
        `Port ${port} is in use by another program. Stop that program, or choose another port with ${setting}.`,
      )
    }
    taken.close()
  })

  test('production refuses default secrets, naming each', async () => {
    const complaint = await complaintAbout(startServer({ NODE_ENV: 'production' }))
    for (const name of [
      'DATABASE_URL',
      'DATABASE_ROLE_SECRET',
      'AUTH_ISSUER',
      'KEYRING',
      'BLIND_INDEX_KEY',
      'OBJECT_SIGNING_KEY',
      'RUN_TOKEN_KEYS',
    ]) {
      assert.match(complaint, new RegExp(`${name} must be set`))
    }
    assert.doesNotMatch(complaint, /at file:/)
  })
})

async function waitingForLock(client: pg.Client): Promise<void> {
  for (;;) {
    const { rowCount } = await client.query(
      `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
    )
    if (rowCount) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** Whether the server takes no new connections. */
const isRefused = (url: string) =>
  fetch(`${url}/health`).then(
    () => false,
    () => true,
  )
