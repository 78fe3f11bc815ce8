import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { anyText, createTestDatabase, type TestDatabase } from '@tendon/testing'
import fc from 'fast-check'
import { type Kysely, sql } from 'kysely'
import { Client } from 'pg'
import { Database, type DatabaseOptions } from './database.ts'
import { StatementNames } from './statement-names.ts'
import type { Context, TenantTx } from './transaction.ts'
import type { DB } from './types.ts'

const SETTINGS = ['app.org_id', 'app.principal_id', 'app.permissions']

const contextIn = (organizationId: string | null | undefined, permissions = '*'): Context => {
  return { principalId: randomUUID(), organizationId: organizationId ?? null, permissions }
}
const locationsOf = (tx: Kysely<DB>) => tx.selectFrom('locations').select(['organization_id', 'name']).execute()
const all = (tx: TenantTx) => tx.selectFrom('locations').selectAll().execute()
const addLocation = (tx: TenantTx, name: string) => tx.insertInto('locations').values({ name }).execute()
const pidOf = async (tx: Kysely<DB>) => {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
  return rows[0]?.pid
}
const sleep = (seconds: number) => (tx: Kysely<DB>) => sql`select pg_sleep(${seconds})`.execute(tx)
const timeout = (tx: Kysely<DB>) => sql<{ statement_timeout: string }>`show statement_timeout`.execute(tx)

describe('transactions', () => {
  let database: TestDatabase
  let organizations: string[]

  before(async () => {
    database = await createTestDatabase()
    const rows = await database.query<{ id: string }>(
      `insert into organizations (name, slug) select 'Clinic ' || n, 'clinic-' || n from generate_series(1, 20) n returning id`,
    )
    organizations = rows.map(({ id }) => id)
    await database.query(`insert into locations (organization_id, name) select id, 'Main' from organizations`)
  })
  after(() => database.drop())

  /** A database with the given options, closed when the work is done. */
  async function using<Result>(options: Partial<DatabaseOptions>, work: (db: Database) => Promise<Result>) {
    const db = new Database({ ...database.options, login: 'tendon_app', ...options })
    try {
      return await work(db)
    } finally {
      await db.close()
    }
  }
  const named = (name: string) => database.query('select 1 from locations where name = $1', [name])
  const terminate = (pid: number | undefined) => database.query('select pg_terminate_backend($1, 5000) as gone', [pid])

  test('work that returns is committed; work that throws is rolled back', async () => {
    await using({}, async (db) => {
      await db.tenant(contextIn(organizations[0]), (tx) => addLocation(tx, 'kept'))
      await assert.rejects(
        db.tenant(contextIn(organizations[0]), async (tx) => {
          await addLocation(tx, 'lost')
          throw new Error('changed my mind')
        }),
        /changed my mind/,
      )
    })
    assert.equal((await named('kept')).length, 1)
    assert.equal((await named('lost')).length, 0)
  })

  test('a context is set as it is, with any characters', async () => {
    const text = fc.oneof(
      anyText(30).filter((one) => !one.includes('\0')),
      fc.constantFrom("'", "\\'", `', true); drop table humans; --`, '\n', "*\n'", '{a,b}', ',a.b,c:d,'),
    )
    const read = sql<{ principal: string; permissions: string }>`
      select current_setting('app.principal_id') as principal, current_setting('app.permissions') as permissions`
    await using({ poolSize: 1 }, (db) =>
      fc.assert(
        fc.asyncProperty(text, text, async (principalId, permissions) => {
          const context = { principalId, organizationId: organizations[0] ?? null, permissions }
          const { rows } = await db.tenant(context, (tx) => read.execute(tx))
          assert.deepEqual(rows, [{ principal: principalId, permissions }])
        }),
      ),
    )
  })

  test('a transaction used after its end throws, whether it committed or not', async () => {
    await using({ poolSize: 1 }, async (db) => {
      const kept: TenantTx[] = []
      await db.tenant(contextIn(organizations[0]), async (tx) => kept.push(tx))
      await assert.rejects(
        db.tenant(contextIn(organizations[0]), async (tx) => {
          kept.push(tx)
          throw new Error('no')
        }),
        /no/,
      )
      assert.equal(kept.length, 2)
      for (const tx of kept) await assert.rejects(locationsOf(tx), /has ended/)
    })
  })

  test('a transaction inside a transaction is refused', async () => {
    await using({}, (db) =>
      db.tenant(contextIn(organizations[0]), async (tx) => {
        await assert.rejects(
          tx.transaction().execute(async () => {}),
          /already open/,
        )
      }),
    )
  })

  test('a context leaves nothing behind on its connection', async () => {
    await using({ poolSize: 1 }, async (db) => {
      const [before] = await db.tenant(contextIn(organizations[0]), async (tx) => [await pidOf(tx)])
      await db.tenant(contextIn(organizations[0]), () => Promise.reject(new Error('failed'))).catch(() => {})
      const [state] = await db.call(
        `select pg_backend_pid() as pid, ${SETTINGS.map((name) => `current_setting('${name}', true)`).join(' || ')} as left_over,
          current_app_org_id() as organization, current_app_holds('organizations.update') as holds,
          (select count(*) from locations) as seen`,
        [],
      )
      assert.deepEqual(state, { pid: before, left_over: '', organization: null, holds: false, seen: 0 })
      assert.deepEqual(await db.public((tx) => locationsOf(tx)), [])
    })
  })

  test('a context cannot break out of its setting', async () => {
    await using({}, async (db) => {
      const permissions = `,a'); select set_config('app.permissions', '*', true); --\\,`
      const seen = await db.tenant({ ...contextIn(organizations[0]), permissions }, (tx) =>
        sql<{ permissions: string }>`select current_setting('app.permissions') as permissions`.execute(tx),
      )
      assert.equal(seen.rows[0]?.permissions, permissions)
      await assert.rejects(db.tenant(contextIn(`x' or true --`), locationsOf), { code: '22P02' })
    })
  })

  test('an error that the work swallows does not commit the rest silently', async () => {
    await using({}, async (db) => {
      await assert.rejects(
        db.tenant(contextIn(organizations[0]), async (tx) => {
          await addLocation(tx, 'half')
          await sql`select 1 / 0`.execute(tx).catch(() => {})
          return 'all is well'
        }),
        /rolled back although its work returned/,
      )
    })
    assert.equal((await named('half')).length, 0)
  })

  test('an error under a savepoint leaves the rest', async () => {
    await using({}, (db) =>
      db.tenant(contextIn(organizations[0]), async (tx) => {
        await addLocation(tx, 'outside')
        await sql`savepoint s`.execute(tx)
        await assert.rejects(addLocation(tx, 'outside'), { constraint: 'locations_name_key' })
        await sql`rollback to savepoint s`.execute(tx)
      }),
    )
    assert.equal((await named('outside')).length, 1)
  })

  test('a query that nobody awaits runs inside the transaction or not at all', async () => {
    await using({ poolSize: 1 }, async (db) => {
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, async (_, index) => {
          let forgotten: Promise<string> | undefined
          const committed = await db
            .tenant(contextIn(organizations[1]), async (tx) => {
              forgotten = addLocation(tx, `forgotten-${index}`).then(
                () => 'ran',
                (error: Error) => (/has ended/.test(error.message) ? 'refused' : error.message),
              )
              for (let turn = 0; turn < index; turn += 1) await Promise.resolve()
            })
            .then(() => true)
          assert.ok(committed)
          return forgotten
        }),
      )
      assert.deepEqual(new Set(outcomes), new Set(['ran', 'refused']), 'both happen')
      for (const [index, outcome] of outcomes.entries()) {
        assert.equal((await named(`forgotten-${index}`)).length, outcome === 'ran' ? 1 : 0)
      }
    })
  })

  test('a query that nobody awaits and that fails rolls back the transaction', async () => {
    await using({}, async (db) => {
      await assert.rejects(
        db.tenant(contextIn(organizations[1]), async (tx) => {
          await addLocation(tx, 'with a failure')
          sql`select 1 / 0`.execute(tx).catch(() => {})
          await new Promise(setImmediate)
        }),
        /rolled back although its work returned/,
      )
    })
    assert.equal((await named('with a failure')).length, 0)
  })

  for (const { when, during } of [
    { when: 'under a running query', during: (tx: TenantTx) => sql`select pg_sleep(20)`.execute(tx) },
    { when: 'between two queries', during: () => Promise.resolve() },
  ]) {
    test(`a connection that the server ends ${when} is an error, and the next one works`, async () => {
      await using({ poolSize: 1 }, async (db) => {
        await assert.rejects(
          db.tenant(contextIn(organizations[2]), async (tx) => {
            await addLocation(tx, 'on a dead connection')
            const pid = await pidOf(tx)
            const running = during(tx)
            await Promise.all([running, terminate(pid)])
            await locationsOf(tx)
          }),
          /terminat|ECONNRESET|not queryable/i,
        )
        const rows = await db.tenant(contextIn(organizations[2]), locationsOf)
        assert.deepEqual(rows, [{ organization_id: organizations[2], name: 'Main' }])
      })
    })
  }

  test('a connection that the server ends while it is idle is replaced', async () => {
    await using({ poolSize: 1 }, async (db) => {
      await terminate(await db.tenant(contextIn(organizations[2]), pidOf))
      const answers = await Promise.allSettled([1, 2, 3].map(() => db.tenant(contextIn(organizations[2]), pidOf)))
      assert.ok(answers.some(({ status }) => status === 'fulfilled'))
      assert.equal(typeof (await db.tenant(contextIn(organizations[2]), pidOf)), 'number')
    })
  })

  test('a statement that takes too long is ended; `long` gives it more time, for that transaction only', async () => {
    await using({ poolSize: 1, statementTimeoutMs: 1_000, longStatementTimeoutMs: 60_000 }, async (db) => {
      await Promise.all([
        assert.rejects(db.tenant(contextIn(organizations[3]), sleep(30)), { code: '57014' }),
        assert.rejects(db.platform(contextIn(null), sleep(30)), { code: '57014' }),
      ])
      await Promise.all([
        db.tenant(contextIn(organizations[3]), sleep(1.2), { long: true }),
        db.platform(contextIn(null), sleep(1.2), { long: true }),
      ])
      const { rows } = await db.tenant(contextIn(organizations[3]), timeout)
      assert.deepEqual(rows, [{ statement_timeout: '1s' }])
    })
    await using({}, async (db) => {
      assert.deepEqual((await db.public(timeout)).rows, [{ statement_timeout: '5s' }])
    })
  })

  test('a login that row-level security does not bind is refused', async () => {
    await using({}, (db) => db.assertRestricted())
    await using({ login: 'tendon_platform' }, async (db) => {
      await assert.rejects(db.assertRestricted(), /tendon_platform bypasses row-level security. Refusing to start/)
      await assert.rejects(db.assertSafe(), /bypasses row-level security/)
    })
  })

  test('200 transactions of 20 organizations on 5 connections never see each other', async () => {
    await using({ poolSize: 5 }, async (db) => {
      await Promise.all(
        Array.from({ length: 200 }, async (_, index) => {
          const organizationId = organizations[index % organizations.length]
          const context = contextIn(organizationId, index % 3 === 0 ? '*' : '')
          await db
            .tenant(context, async (tx) => {
              const [rows, again] = await Promise.all([locationsOf(tx), locationsOf(tx)])
              assert.ok(rows.length > 0)
              assert.deepEqual(
                new Set([...rows, ...again].map((row) => row.organization_id)),
                new Set([organizationId]),
              )
              const { rows: settings } = await sql<{ principal: string; holds: boolean }>`
                select current_app_principal_id() as principal, current_app_holds('x.y') as holds`.execute(tx)
              assert.deepEqual(settings, [{ principal: context.principalId, holds: index % 3 === 0 }])
              if (index % 7 === 0) throw new Error('on purpose')
              if (index % 11 === 0) await sql`select 1 / 0`.execute(tx)
            })
            .catch((error: Error) => assert.match(error.message, /on purpose|division by zero/))
        }),
      )
    })
  })

  test('a running server survives a migration that adds a column under its prepared statements', async () => {
    await using({ poolSize: 1 }, async (db) => {
      await db.tenant(contextIn(organizations[4]), all)
      await database.query('alter table locations add column floor integer')
      await db.tenant(contextIn(organizations[4]), all).catch(() => {})
      assert.equal((await db.tenant(contextIn(organizations[4]), all)).length, 1)
    })
  })

  test('a transaction for one query returns its rows, refuses a second query, and leaves nothing behind', async () => {
    await using({ poolSize: 1 }, async (db) => {
      const single = { queries: 1 }
      const rows = await db.tenant(contextIn(organizations[5]), locationsOf, single)
      assert.deepEqual(rows, [{ organization_id: organizations[5], name: 'Main' }])
      const twice = async (tx: TenantTx) => [await locationsOf(tx), await locationsOf(tx)]
      await assert.rejects(db.tenant(contextIn(organizations[5]), twice, single), /This transaction has ended/)
      const broken = (tx: TenantTx) => sql`select 1 / 0`.execute(tx)
      await assert.rejects(db.tenant(contextIn(organizations[5]), broken, single), /division by zero/)
      await assert.rejects(
        db.tenant(contextIn(organizations[5]), () => Promise.reject(new Error('none')), single),
        /none/,
      )
      assert.deepEqual(await db.public((tx) => tx.selectFrom('locations').select('id').execute()), [])
      assert.equal((await db.tenant(contextIn(organizations[6]), locationsOf))[0]?.organization_id, organizations[6])
    })
  })

  test('a statement has one name, and the number of names is bounded', () => {
    const names = new StatementNames()
    const first = names.nameOf('select 0')
    for (let n = 1; n < 10_000; n += 1) names.nameOf(`select ${n}`)
    assert.equal(names.nameOf('select 0'), first)
    // Callers can make lists of every sort and filter: each name costs memory in each connection.
    assert.equal(names.nameOf('select 1000'), undefined)
  })

  test('times are returned in milliseconds, for any precision and year', async () => {
    const times = {
      '2026-11-15 04:02:16.123999+00': '2026-11-15T04:02:16.123Z',
      '2026-11-15 04:02:16.12+00': '2026-11-15T04:02:16.120Z',
      '2026-11-15 04:02:16+00': '2026-11-15T04:02:16.000Z',
      '1969-12-31 23:59:59.999999+00': '1969-12-31T23:59:59.999Z',
    }
    await using({}, async (db) => {
      const rows = await db.call<{ given: string }>('select unnest($1::timestamptz[]) as given', [Object.keys(times)])
      assert.deepEqual(
        rows.map(({ given }) => given),
        Object.values(times),
      )
    })
  })

  test('an organization with many slow queries leaves connections for the others', async () => {
    // Slow until the test says so.
    const gate = new Client({ connectionString: database.url })
    await gate.connect()
    await gate.query('select pg_advisory_lock(7)')
    const waits = (tx: TenantTx) => sql`select pg_advisory_xact_lock_shared(7)`.execute(tx)
    await using({ poolSize: 4, statementTimeoutMs: 60_000 }, async (db) => {
      const ended: string[] = []
      const loud = Array.from({ length: 6 }, () =>
        db.tenant(contextIn(organizations[0]), waits).then(() => void ended.push('loud')),
      )
      const quiet = db.tenant(contextIn(organizations[1]), all).then(() => void ended.push('quiet'))
      await Promise.race([quiet, ...loud])
      await gate.end()
      await Promise.all([...loud, quiet])
      assert.deepEqual(ended, ['quiet', ...loud.map(() => 'loud')])
    })
  })
})
