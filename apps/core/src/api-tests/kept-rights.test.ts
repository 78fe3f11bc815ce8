import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { soakRuns, until } from '@tendon/testing'
import { Client } from 'pg'
import { created, nextMonday, schedulingClinic } from '../features/scheduling/clinic.testing.ts'
import { startCore, type TestCore } from '../testing/core.ts'
import { startServerProcess } from '../testing/process.ts'
import { probe, RIGHTS, rightsOf } from './kept-rights.testing.ts'

const ROUNDS = soakRuns(50)
const ROUNDS_ELSEWHERE = soakRuns(20)
const KEPT_MS = 1_000
const TOLD_MS = 100

describe('rights that are kept for a second', () => {
  let core: TestCore
  before(async () => {
    core = await startCore({ routes: [probe] })
  })
  after(() => core.close())

  /** A change that fires no trigger is not seen while the caller is kept. */
  async function isKept(person: { id: string; token: string }): Promise<boolean> {
    const name = `Name ${performance.now()}`
    const nameOf = async () => (await core.get('/v1/probe/caller', { as: person })).body.name
    await nameOf()
    const client = new Client({ connectionString: core.database.url })
    await client.connect()
    await client.query('set session_replication_role = replica')
    await client.query('update humans set name = $2 where id = $1', [person.id, name])
    await client.end()
    return (await nameOf()) !== name
  }

  test('the rights of a caller are kept', async () => {
    const clinic = await core.organization()
    await until(() => isKept(clinic.admin))
  })

  for (const what of RIGHTS)
    test(`a person who lost ${what} is refused on the next request, each time`, async () => {
      const right = await rightsOf(core)[what]()
      const { path, headers } = right.request
      const ask = async () => (await core.get(path, { headers })).status
      for (let round = 0; round < ROUNDS; round += 1) {
        assert.deepEqual([await ask(), await ask()], [200, 200])
        await Promise.all([right.take(), ask(), ask()])
        assert.equal(await ask(), right.refusedWith, `round ${round}`)
        await right.giveBack()
      }
    })

  test('another process refuses a person who lost a right within a tenth of a second, and always after a second', async () => {
    const server = await startServerProcess({
      NODE_ENV: 'test',
      DATABASE_URL: core.database.url,
      DATABASE_ROLE_SECRET: core.config.DATABASE_ROLE_SECRET,
      AUTH_ISSUER: core.issuer.issuer,
      DATA_DIR: core.config.DATA_DIR,
      RATE_LIMIT_ENTRY_PER_MINUTE: '1000000',
      RATE_LIMIT_ORGANIZATION_PER_MINUTE: '1000000',
    })
    try {
      for (const [what, make] of Object.entries(rightsOf(core))) {
        const right = await make()
        const ask = async () => {
          const { path, headers } = right.request
          const asked = performance.now()
          const { status } = await fetch(server.url + path, { headers })
          return { asked, status }
        }
        const lateMs: number[] = []
        for (let round = 0; round < ROUNDS_ELSEWHERE; round += 1) {
          await until(async () => (await ask()).status === 200)
          await ask()
          await right.take()
          const taken = performance.now()
          let late = 0
          await until(async () => {
            const { asked, status } = await ask()
            if (status !== right.refusedWith) late = asked - taken
            return status === right.refusedWith
          })
          lateMs.push(late)
          await right.giveBack()
        }
        lateMs.sort((one, other) => one - other)
        assert.ok((lateMs.at(-1) ?? 0) <= KEPT_MS, `${what}: ${lateMs.join()}`)
        // On a busy machine one of them may be late.
        assert.ok((lateMs[Math.floor(ROUNDS_ELSEWHERE / 2)] ?? 0) <= TOLD_MS, `${what}: ${lateMs.join()}`)
      }
    } finally {
      server.child.kill('SIGTERM')
      await server.exited
    }
  })

  test('frequent writes do not send notices of changed rights', async () => {
    const clinic = await schedulingClinic(core)
    await core.publishNotice(clinic)
    const listening = new Client({ connectionString: core.database.url })
    await listening.connect()
    const notices: (string | undefined)[] = []
    listening.on('notification', ({ payload }) => notices.push(payload))
    await listening.query('listen rights')
    const [session] = await core.database.query<{ id: string }>(
      `insert into web_sessions (id_hash, app, issuer, subject, idle_limit, expires_at, seen_at)
       select 'x', 'console', issuer, subject, '30 minutes', now() + interval '1 hour', now() - interval '2 minutes'
       from identities where human_id = $1 returning id`,
      [clinic.admin.id],
    )
    const as = clinic.admin
    const patient = await created(core.post('/v1/patients', { as, body: { first_name: 'Ana', last_name: 'Pop' } }))
    await core.get(`/v1/patients/${patient.id}`, { as })
    const body = { first_name: 'Ana', last_name: 'Popa' }
    const changed = await core.put(`/v1/patients/${patient.id}`, { as, body })
    assert.equal(changed.status, 200, changed.text)
    const visit = { service_id: clinic.service.id, specialist_id: clinic.specialist.id }
    await created(core.post('/v1/appointments', { as, body: { ...visit, starts_at: nextMonday().toISOString() } }))
    await core.services.db.call('select touch_web_session($1)', [session?.id])
    const [touched] = await core.database.query<{ is_touched: boolean }>(
      `select seen_at > now() - interval '1 minute' as is_touched from web_sessions where id = $1`,
      [session?.id],
    )
    assert.equal(touched?.is_touched, true)
    await listening.query('select 1')
    assert.deepEqual(notices, [])
    await listening.end()
  })
})
