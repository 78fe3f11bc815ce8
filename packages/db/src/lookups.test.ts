import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '@tendon/testing'
import { Database } from './database.ts'
import { NOBODY } from './transaction.ts'

describe('look-ups', () => {
  let database: TestDatabase
  let db: Database
  before(async () => {
    database = await createTestDatabase()
    db = new Database({ ...database.options, login: 'tendon_app', poolSize: 3 })
  })
  after(async () => {
    await db.close()
    await database.drop()
  })

  const ask = (value: number) =>
    db.lookUp<{ pid: number; value: number }>('select pg_backend_pid() as pid, 100 / $1::integer as value', [value])

  test('in parallel share one connection; each gets its own result', async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, (_, index) => ask((index % 5) + 1)))
    assert.equal(new Set(answers.flat().map(({ pid }) => pid)).size, 1)
    assert.deepEqual(
      answers.slice(0, 5).map(([row]) => row?.value),
      [100, 50, 33, 25, 20],
    )
  })

  test('look-ups that fail do not affect others', async () => {
    const answers = await Promise.allSettled([ask(1), ask(0), ask(2), ask(0), ask(4)])
    assert.deepEqual(
      answers.map((answer) => (answer.status === 'fulfilled' ? answer.value[0]?.value : answer.reason.code)),
      [100, '22012', 50, '22012', 25],
    )
  })

  test('whose connection breaks fail; later ones use another', async () => {
    const slow = db.lookUp('select pg_sleep(30)', [])
    const behind = ask(1)
    const failures = Promise.allSettled([slow, behind])
    while (
      (
        await database.query(`select pg_terminate_backend(pid) from pg_stat_activity where query ~ '^select pg_sleep'
      and datname = current_database() and state = 'active'`)
      ).length === 0
    );
    assert.deepEqual(
      (await failures).map(({ status }) => status),
      ['rejected', 'rejected'],
    )
    assert.equal((await ask(2))[0]?.value, 50)
  })

  test('release their connection, also when connecting failed', async () => {
    const one = new Database({ ...database.options, login: 'tendon_app', poolSize: 1 })
    for (let round = 0; round < 3; round += 1) {
      await Promise.all([one.lookUp('select 1', []), one.lookUp('select 2', [])])
      await one.tenant(NOBODY, async () => {})
    }
    await one.close()
    await assert.rejects(one.lookUp('select 1', []))
    await assert.rejects(one.lookUp('select 1', []))
  })
})
