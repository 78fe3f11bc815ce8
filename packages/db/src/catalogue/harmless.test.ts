import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { installedBinaries, startTemporaryPostgres, TEST_ROLE_SECRET } from '@tendon/testing'
import { Database } from '../database.ts'
import { migrate } from '../migrate.ts'
import {
  type AdministeredDatabase,
  connectAdministrator,
  createAdministeredDatabase,
} from './administrator.fixtures.ts'
import { HARMLESS_CHANGES } from './harmless.fixtures.ts'
import { checkDatabase } from './index.ts'
import { LOCK_ROLES } from './lock-roles.fixtures.ts'

/** What a server says that starts now. */
async function start(url: string): Promise<string[]> {
  const db = new Database({
    url,
    roleSecret: TEST_ROLE_SECRET,
    login: 'tendon_app',
    poolSize: 1,
    platformPoolSize: 1,
    connectionWaitMs: 60_000,
    statementTimeoutMs: 30_000,
    longStatementTimeoutMs: 30_000,
  })
  try {
    return await db.assertSafe()
  } finally {
    await db.close()
  }
}

describe('a server starts in spite of', () => {
  let admin: AdministeredDatabase

  before(async () => {
    admin = await createAdministeredDatabase()
  })
  after(() => admin.drop())

  for (const [what, ddl] of HARMLESS_CHANGES) {
    test(what, async () => {
      await admin.run(`begin; ${LOCK_ROLES}`)
      try {
        await admin.run(ddl)
        assert.deepEqual((await checkDatabase(admin.query)).problems, [])
      } finally {
        await admin.run('rollback')
      }
    })
  }
})

describe('a cluster of its own', () => {
  test('with an administrator of another name, other databases, extensions and settings of an operator', async (t) => {
    const binaries = installedBinaries(15)
    if (binaries === undefined) return t.skip('postgresql-15 is not installed')
    const postgres = await startTemporaryPostgres({ binaries })
    t.after(() => postgres.remove())
    const first = await connectAdministrator(postgres.url)
    const url = new URL(postgres.url)
    url.username = 'cloud admin'
    await first.run(`create role second login superuser password '${url.password}'`)
    const second = new URL(postgres.url)
    second.username = 'second'
    const { run } = await connectAdministrator(second.href)
    await run(`alter role postgres rename to "cloud admin"`)
    await run('create database "another tool"')
    const other = new URL(url)
    other.pathname = '/another tool'
    const aside = await connectAdministrator(other.href)
    await aside.run(
      `create table patients (n integer); create function uuidv7(text) returns uuid language sql security definer as 'select gen_random_uuid()'`,
    )
    await run(`alter database "another tool" set session_replication_role = replica`)
    await migrate({ url: url.href, roleSecret: TEST_ROLE_SECRET })
    assert.deepEqual(await start(url.href), [])

    await run(
      'create schema monitoring; create extension pg_stat_statements schema monitoring; create extension pg_buffercache',
    )
    await run('create extension dblink schema monitoring; create extension pgcrypto')
    await run(`alter system set log_min_duration_statement = 500`)
    await run(`alter system set statement_timeout = '1min'`)
    await run(
      `alter database postgres set datestyle = 'iso, dmy'; alter database postgres set intervalstyle = 'postgres'`,
    )
    await run('select pg_reload_conf()')
    assert.deepEqual(await start(url.href), [])

    await run(`create view leak as select * from humans; alter extension pg_buffercache add view leak`)
    await assert.rejects(
      start(url.href),
      /\n {2}- view leak \("owner second, of extension pg_buffercache"\) is not part of this release/,
    )
    await run('alter extension pg_buffercache drop view leak; drop view leak')

    await run('alter system set session_replication_role = replica')
    await run('select pg_reload_conf()')
    await assert.rejects(
      start(url.href),
      /session_replication_role = 'replica' of every session must not be set: replica switches triggers and foreign keys off\. Run: alter system reset session_replication_role/,
    )
    await run('alter system reset session_replication_role')
    await run('select pg_reload_conf()')
    assert.deepEqual(await start(url.href), [])

    // A path in which "pg_roles" is a table of somebody else does not deceive the check.
    await run(`create schema fake; create view fake.pg_db_role_setting as select null::oid as setdatabase, null::oid as setrole, null::text[] as setconfig where false;
      create function fake.applied_files() returns setof text language sql as 'select null::text where false';
      alter role tendon_app set search_path = fake, pg_catalog, public`)
    await assert.rejects(start(url.href), /search_path = 'fake, pg_catalog, public' of role tendon_app must not be set/)
  })

  test('whose administrator is no superuser, as at a provider', async (t) => {
    const postgres = await startTemporaryPostgres()
    t.after(() => postgres.remove())
    const { run } = await connectAdministrator(postgres.url)
    const url = new URL(postgres.url)
    url.username = 'manager'
    url.pathname = '/clinic'
    await run(`create role manager login createrole createdb bypassrls password '${url.password}'`)
    await run('create database clinic owner manager')
    await migrate({ url: url.href, roleSecret: TEST_ROLE_SECRET })
    assert.deepEqual(await start(url.href), [])
  })
})
