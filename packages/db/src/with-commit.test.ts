import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { createTestDatabase, type RoundTrips, startRoundTrips, type TestDatabase } from '@tendon/testing'
import { type Kysely, sql } from 'kysely'
import { Database } from './database.ts'
import { type Context, type TenantTx, withCommit } from './transaction.ts'
import type { DB } from './types.ts'

const adding = (tx: Kysely<DB>, name: string) => sql`insert into locations (name) values (${name})`.compile(tx)
const names = async (tx: Kysely<DB>) =>
  (await tx.selectFrom('locations').select('name').orderBy('name').execute()).map(({ name }) => name)

describe('queries that are left to COMMIT', () => {
  let database: TestDatabase
  let trips: RoundTrips
  let db: Database
  before(async () => {
    database = await createTestDatabase()
    trips = await startRoundTrips(database.url)
    db = new Database({ ...database.options, url: trips.url, login: 'tendon_app', poolSize: 1 })
  })
  after(async () => {
    await db.close()
    await trips.close()
    await database.drop()
  })

  async function clinic(): Promise<Context> {
    const [row] = await database.query<{ id: string }>(
      `insert into organizations (name, slug) values ('Clinic', $1) returning id`,
      [`clinic-${randomUUID()}`],
    )
    return { principalId: randomUUID(), organizationId: row?.id ?? null, permissions: '*' }
  }
  const namesAt = (of: Context) => db.tenant(of, names)
  const repeatable = { repeatable: true }

  test('queries that are left to COMMIT run after the work, in the order in which they were left, in one message with COMMIT', async () => {
    const of = await clinic()
    await namesAt(of)
    const counted = await trips.count(async () => {
      const seen = await db.tenant(
        of,
        async (tx) => {
          withCommit(tx, adding(tx, 'One'))
          const seen = await names(tx)
          withCommit(tx, sql`update locations set name = name || ' and two' where name = 'One'`.compile(tx))
          return seen
        },
        repeatable,
      )
      assert.deepEqual(seen, [], 'the work does not see them')
    })
    assert.equal(counted, 2)
    assert.deepEqual(await namesAt(of), ['One and two'])
  })

  test('queries that are left to COMMIT are not taken by a transaction that may not be repeated', async () => {
    const of = await clinic()
    await db.tenant(of, async (tx) => assert.equal(withCommit(tx, adding(tx, 'One')), false))
    assert.deepEqual(await namesAt(of), [])
  })

  test('queries that are left to COMMIT do not run when the work throws', async () => {
    const of = await clinic()
    const failing = async (tx: TenantTx) => {
      withCommit(tx, adding(tx, 'One'))
      await names(tx)
      throw new Error('refused')
    }
    await assert.rejects(db.tenant(of, failing, repeatable), /refused/)
    assert.deepEqual(await namesAt(of), [])
  })

  test('when a query left to COMMIT violates a constraint, nothing is committed and the work is repeated once without deferring', async () => {
    const of = await clinic()
    await db.tenant(of, (tx) => tx.insertInto('locations').values({ name: 'Taken' }).execute())
    const taken: boolean[] = []
    const work = async (tx: TenantTx) => {
      await tx
        .insertInto('locations')
        .values({ name: `Attempt ${taken.length}` })
        .execute()
      const isTaken = withCommit(tx, adding(tx, 'Taken'))
      if (!isTaken) await tx.insertInto('locations').values({ name: 'Now' }).execute()
      taken.push(isTaken)
      return taken.length
    }
    assert.equal(await db.tenant(of, work, repeatable), 2)
    assert.deepEqual(taken, [true, false])
    assert.deepEqual(await namesAt(of), ['Attempt 1', 'Now', 'Taken'])
  })

  test('when a query left to COMMIT fails for another reason, the transaction fails with that error and is not repeated', async () => {
    const of = await clinic()
    let times = 0
    const work = async (tx: TenantTx) => {
      times += 1
      withCommit(tx, sql`select 1 / 0`.compile(tx))
      withCommit(tx, adding(tx, 'One'))
      return 'done'
    }
    await assert.rejects(db.tenant(of, work, repeatable), /division by zero/)
    assert.equal(times, 1)
    assert.deepEqual(await namesAt(of), [])
  })

  test('when the connection ends before COMMIT, there is no result, and the next transaction works', async () => {
    const of = await clinic()
    const work = async (tx: TenantTx) => {
      await names(tx)
      withCommit(tx, adding(tx, 'One'))
      trips.cutAt('commit')
      return 'done'
    }
    await assert.rejects(db.tenant(of, work, repeatable))
    assert.deepEqual(await namesAt(of), [])
  })

  test('COMMIT travels with the last of as many queries as were announced; one more is refused', async () => {
    const of = await clinic()
    const twice = (tx: TenantTx) => Promise.all([names(tx), names(tx)])
    await db.tenant(of, twice)
    assert.equal(await trips.count(() => db.tenant(of, twice)), 2)
    assert.equal(await trips.count(() => db.tenant(of, twice, { queries: 2 })), 1)
    await assert.rejects(
      db.tenant(of, async (tx) => [await twice(tx), await names(tx)], { queries: 2 }),
      /has ended/,
    )
    const left = async (tx: TenantTx) => {
      withCommit(tx, adding(tx, 'Late'))
      return names(tx)
    }
    await assert.rejects(db.tenant(of, left, { queries: 1, ...repeatable }), /has ended/)
  })
})
