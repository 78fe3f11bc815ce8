import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createTestDatabase, onServer, TEST_ROLE_SECRET } from '@tendon/testing'
import { Client, escapeIdentifier } from 'pg'
import { checkCatalogue, checkReference } from './catalogue/index.ts'
import { Database } from './database.ts'
import { migrate } from './migrate.ts'
import { assertUnchanged, checksumOf } from './migration-files.ts'

const DATABASE_DIR = join(import.meta.dirname, '../../../database')
const SEEDS = join(DATABASE_DIR, 'seed')
const MIGRATIONS = (await readdir(join(DATABASE_DIR, 'migrations'))).filter((name) => name.endsWith('.sql')).sort()

/** An empty database, and a client of its administrator. Both go with the test or suite. */
async function emptyDatabase(
  context: { after(work: () => Promise<void>): void },
  { name = `tendon_empty_${randomUUID()}`, template = 'template1' } = {},
) {
  await onServer('postgres', (client) =>
    client.query(`create database ${escapeIdentifier(name)} template ${template} strategy file_copy`),
  )
  const url = new URL(process.env.TEST_DATABASE_URL ?? '')
  url.pathname = `/${encodeURIComponent(name)}`
  const admin = new Client({ connectionString: url.href })
  await admin.connect()
  context.after(async () => {
    await admin.end()
    await onServer('postgres', (client) => client.query(`drop database ${escapeIdentifier(name)} with (force)`))
  })
  const query = async <Row extends object>(text: string, values?: unknown[]) =>
    (await admin.query<Row>(text, values)).rows
  return {
    url: url.href,
    query,
    migrated: async () =>
      (await query<{ name: string }>('select name from migrations order by name')).map(({ name }) => name),
  }
}

/** A database that has all migrations: a copy, since to run them takes a second. */
const migratedDatabase = (context: TestContext) => emptyDatabase(context, { template: 'tendon_template' })

/** A copy of the real folder, to which a test adds files. Without the seeds: they are half the time of a run. */
async function databaseDirWith(context: TestContext, files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tendon-migrations-'))
  context.after(() => rm(folder, { recursive: true, force: true }))
  await cp(DATABASE_DIR, folder, { recursive: true, filter: (path) => dirname(path) !== SEEDS })
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

const at = (url: string, databaseDir = DATABASE_DIR) => ({ url, roleSecret: TEST_ROLE_SECRET, databaseDir })

function migrateInChild(context: TestContext, url: string, databaseDir: string): ChildProcess {
  const code = `import { migrate } from ${JSON.stringify(import.meta.resolve('./migrate.ts'))}
    await migrate(${JSON.stringify(at(url, databaseDir))})`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'ignore', 'inherit'] })
  context.after(() => child.kill('SIGKILL'))
  return child
}

describe('migrate', () => {
  // To run all of them takes a second: once, and these look at it. Its name is one that needs quotes.
  describe('two at once on an empty database', () => {
    let database: Awaited<ReturnType<typeof emptyDatabase>>
    let ran: string[][]

    const cleanups: (() => Promise<void>)[] = []
    after(async () => {
      for (const clean of cleanups) await clean()
    })
    before(async () => {
      database = await emptyDatabase(
        { after: (clean) => cleanups.push(clean) },
        { name: `clinic "Mlădiță" 100% 'x' ${randomUUID().slice(0, 8)}` },
      )
      ran = await Promise.all([migrate(at(database.url)), migrate(at(database.url))])
    })

    test('both succeed, each migration runs once', async () => {
      assert.deepEqual(ran.flat(), MIGRATIONS)
      assert.deepEqual(await database.migrated(), MIGRATIONS)
      assert.deepEqual(await checkCatalogue(database.query), [])
      assert.deepEqual((await checkReference(database.query)).problems, [])
    })

    test('a server starts on what they made', async (t) => {
      const db = new Database({
        url: database.url,
        roleSecret: TEST_ROLE_SECRET,
        login: 'tendon_app',
        poolSize: 1,
        platformPoolSize: 1,
        connectionWaitMs: 60_000,
        statementTimeoutMs: 5_000,
        longStatementTimeoutMs: 30_000,
      })
      t.after(() => db.close())
      await db.assertSafe()
    })

    test('it belongs to tendon_owner, and no login keeps a right to create', async () => {
      assert.deepEqual(
        await database.query(
          `select distinct relowner::regrole::text as owner from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
        ),
        [{ owner: 'tendon_owner' }],
      )
      assert.deepEqual(
        await database.query(`select rolname from pg_roles where rolname like 'tendon_%' and rolcanlogin and (
          has_schema_privilege(rolname, 'public', 'create') or has_database_privilege(rolname, current_database(), 'create, temporary'))`),
        [],
      )
    })
  })

  test('three databases of one cluster at once, though roles belong to all', async (t) => {
    const databases = await Promise.all([migratedDatabase(t), migratedDatabase(t), migratedDatabase(t)])
    await Promise.all([...databases, ...databases].map(({ url }) => migrate(at(url))))
  })

  test('kill -9 half-way leaves whole migrations only, and the next run completes them', async (t) => {
    const { url, query, migrated } = await migratedDatabase(t)
    const databaseDir = await databaseDirWith(t, {
      'migrations/9001_waits.sql':
        'create table half (n int); select pg_advisory_xact_lock(42); create table whole (n int);',
    })
    await query('select pg_advisory_lock(42)')
    const child = migrateInChild(t, url, databaseDir)
    const waiting = `select 1 from pg_locks where locktype = 'advisory' and objid = 42 and not granted
      and database = (select oid from pg_database where datname = current_database())`
    while ((await query(waiting)).length === 0) {
      assert.equal(child.exitCode, null)
      await delay(5)
    }
    child.kill('SIGKILL')
    await once(child, 'exit')
    assert.deepEqual(await migrated(), MIGRATIONS)
    assert.deepEqual(await query(`select to_regclass('half') as half, to_regclass('whole') as whole`), [
      { half: null, whole: null },
    ])

    const next = migrate(at(url, databaseDir))
    await query('select pg_advisory_unlock(42)')
    assert.deepEqual(await next, ['9001_waits.sql'])
    assert.deepEqual(await migrated(), [...MIGRATIONS, '9001_waits.sql'])
    assert.deepEqual(await query('select * from half, whole'), [])
  })

  test('a failing migration names its file and leaves the ones before it', async (t) => {
    const { url, query, migrated } = await migratedDatabase(t)
    const databaseDir = await databaseDirWith(t, {
      'migrations/9001_good.sql': 'create table good (n int)',
      'migrations/9002_bad.sql': 'create table bad (n int); select no_such_function()',
      'migrations/9003_never.sql': 'create table never (n int)',
    })
    await assert.rejects(
      migrate(at(url, databaseDir)),
      /^Error: 9002_bad\.sql failed: function no_such_function\(\) does not exist/,
    )
    assert.deepEqual(await migrated(), [...MIGRATIONS, '9001_good.sql'])
    assert.deepEqual(
      await query(`select to_regclass('good') as good, to_regclass('bad') as bad, to_regclass('never') as never`),
      [{ good: 'good', bad: null, never: null }],
    )
    await writeFile(join(databaseDir, 'migrations/9002_bad.sql'), 'create table bad (n int)')
    assert.deepEqual(await migrate(at(url, databaseDir)), ['9002_bad.sql', '9003_never.sql'])
  })

  describe('what was applied', () => {
    const ONE = { name: '9001_one.sql', text: 'create table one (n int);\n' }
    const TWO = { name: '9002_two.sql', text: 'create table two (n int);\n' }
    const refusal = (what: string) => ({
      name: 'MigrationsRefused',
      message: `The migrations differ from those that created this database (${what}): restore the files as they were, and put changes into a new migration.`,
    })

    async function applied(context: TestContext) {
      const database = await migratedDatabase(context)
      const databaseDir = await databaseDirWith(context, {
        [`migrations/${ONE.name}`]: ONE.text,
        [`migrations/${TWO.name}`]: TWO.text,
      })
      await migrate(at(database.url, databaseDir))
      return { ...database, databaseDir, file: (name: string) => join(databaseDir, 'migrations', name) }
    }

    test('what was applied is refused when its file was changed, before anything else is done', async (t) => {
      const { url, query, migrated, databaseDir, file } = await applied(t)
      const before = await migrated()
      await writeFile(file('9001_one.sql'), 'create table one (n bigint);\n')
      await writeFile(file('9003_three.sql'), 'create table three (n int)')
      await writeFile(join(databaseDir, 'roles.sql'), 'create table roles_ran (n int)')
      await assert.rejects(migrate(at(url, databaseDir)), refusal('9001_one.sql was changed'))
      assert.deepEqual(await migrated(), before)
      assert.deepEqual(await query(`select to_regclass('three') as three, to_regclass('roles_ran') as roles`), [
        { three: null, roles: null },
      ])
    })

    test('what was applied is refused when its file is gone from between the others, with everything that is wrong in one message', () => {
      const files = [ONE, { ...TWO, text: 'create table two (n bigint)' }]
      const known = [ONE, { ...ONE, name: '9001_another.sql' }, TWO].map((file) => ({
        name: file.name,
        checksum: checksumOf(file),
      }))
      assert.throws(
        () => assertUnchanged(files, known),
        refusal('9001_another.sql is missing, 9002_two.sql was changed'),
      )
      assertUnchanged([ONE, { ...ONE, name: '9001_another.sql' }, TWO], known)
    })

    test('what was applied may be later than all files: an older release starts next to a newer one', async (t) => {
      const { url, migrated } = await applied(t)
      assert.deepEqual(await migrate(at(url)), [])
      assert.deepEqual(await migrated(), [...MIGRATIONS, '9001_one.sql', '9002_two.sql'])
    })

    test('what was applied does not depend on line endings', () => {
      const windows = { ...ONE, text: ONE.text.replaceAll('\n', '\r\n') }
      assert.equal(checksumOf(windows), checksumOf(ONE))
    })
  })

  test('a lower number that arrives later is applied', async (t) => {
    const { url, migrated } = await migratedDatabase(t)
    const databaseDir = await databaseDirWith(t, { 'migrations/9005_later.sql': 'create table later (n int)' })
    await migrate(at(url, databaseDir))
    await writeFile(join(databaseDir, 'migrations/9001_late.sql'), 'create table late (n int)')
    assert.deepEqual(await migrate(at(url, databaseDir)), ['9001_late.sql'])
    assert.deepEqual(await migrated(), [...MIGRATIONS, '9001_late.sql', '9005_later.sql'])
  })

  test('a database from before the baseline is refused and stays as it is', async (t) => {
    const { url, query } = await emptyDatabase(t)
    await query(`create table migrations (name text primary key, applied_at timestamptz, checksum text);
      insert into migrations (name) values ('0001_context.sql'), ('0002_organizations.sql')`)
    const state = `select relname::text from pg_class where relnamespace = 'public'::regnamespace order by 1`
    const before = [await query(state), await query('select * from migrations')]
    await assert.rejects(migrate(at(url)), {
      name: 'MigrationsRefused',
      message:
        'This database was made by a version of Tendon before its first release and cannot be brought up to date: use a new, empty database (locally: remove the data folder, DATA_DIR, and start again).',
    })
    assert.deepEqual([await query(state), await query('select * from migrations')], before)
    assert.deepEqual(await query(`select nspname::text from pg_namespace where nspname = 'graphile_worker'`), [])
  })

  test('a migration that waits for a long transaction does not stop the queries of others', async (t) => {
    const database = await migratedDatabase(t)
    const reader = new Client({ connectionString: database.url })
    await reader.connect()
    await reader.query('begin; select 1 from locations limit 1')
    const lines: string[] = []
    const databaseDir = await databaseDirWith(t, {
      'migrations/9001_note.sql': 'alter table locations add column note text;',
    })
    const waits = (line: string) => line === 'migration 9001_note.sql waits for a lock'
    const migrated = migrate({ ...at(database.url, databaseDir), onProgress: (line) => void lines.push(line) })
    while (!lines.some(waits)) await database.query('select 1 from locations limit 1')
    await reader.end()
    assert.deepEqual(await migrated, ['9001_note.sql'])
  })

  test('renders from before an upgrade do not count against the quota of its day', async (t) => {
    const database = await migratedDatabase(t)
    await database.query('set session_replication_role = replica')
    await database.query(
      `insert into renders (organization_id, exercise_id, asset_version, manifest, language, sets, seed, fingerprint, created_at)
       select uuidv7(), uuidv7(), 1, '{}', 'en', '[]', 1, 'x', now() - days * interval '1 day' from generate_series(0, 3) days`,
    )
    await database.query(`delete from migrations where name = '0116_requests_of_old_renders.sql'`)
    await migrate(at(database.url))
    assert.deepEqual(
      await database.query(`select count(*)::integer from renders where requested_at > now() - interval '1 day'`),
      [{ count: 1 }],
    )
  })

  test('an index is created concurrently, and again after a kill left it invalid', async (t) => {
    const { url, query } = await migratedDatabase(t)
    await query(
      'create table crowd (n int); alter table crowd owner to tendon_owner; insert into crowd values (1), (1)',
    )
    await assert.rejects(query('create unique index concurrently crowd_n_idx on crowd (n)'))
    await query('delete from crowd')
    const databaseDir = await databaseDirWith(t, {
      'migrations/9001_crowd.sql': `-- Runs outside a transaction.
        drop index concurrently if exists crowd_n_idx;
        create unique index concurrently crowd_n_idx on crowd (n);`,
    })
    assert.deepEqual(await migrate(at(url, databaseDir)), ['9001_crowd.sql'])
    assert.deepEqual(
      await query(`select indisvalid as valid from pg_index where indexrelid = 'crowd_n_idx'::regclass`),
      [{ valid: true }],
    )
  })

  describe('seeds', () => {
    const NEW_PERMISSION = `select ship_permission('letters.write', 'Write letters', '{admin}');`
    const rolesWith = `select coalesce(o.slug, 'template') as of from role_permissions p join roles r on r.id = p.role_id
      left join organizations o on o.id = r.organization_id where p.permission_code = $1 and r.code = 'admin' order by 1`

    test('seeds run again at every migration and change no existing rows', async (t) => {
      const database = await createTestDatabase()
      t.after(() => database.drop())
      const all = `select p.*, r.code, r.updated_at from role_permissions p join roles r on r.id = p.role_id order by 1, 3`
      const before = [await database.query(all), await database.query('select * from permissions order by 1')]
      await migrate(at(database.url))
      await migrate(at(database.url))
      assert.deepEqual(
        [await database.query(all), await database.query('select * from permissions order by 1')],
        before,
      )
    })

    test('a permission that the operator removed from a template stays removed', async (t) => {
      const database = await createTestDatabase()
      t.after(() => database.drop())
      await database.query(`delete from role_permissions where permission_code = 'locations.manage'`)
      await migrate(at(database.url))
      assert.deepEqual(await database.query(rolesWith, ['locations.manage']), [])
    })

    test('a new permission reaches the template and the clones that no clinic has changed', async (t) => {
      const database = await createTestDatabase()
      t.after(() => database.drop())
      for (const slug of ['untouched', 'customized']) {
        await database.query(
          `with o as (insert into organizations (name, slug) values ($1, $1) returning id) select clone_role_templates(id) from o`,
          [slug],
        )
      }
      await database.query(
        `update roles set customized_at = now() where organization_id = (select id from organizations where slug = 'customized')`,
      )
      const databaseDir = await databaseDirWith(t, { 'seed/9001_letters.sql': NEW_PERMISSION })
      await migrate(at(database.url, databaseDir))
      assert.deepEqual(await database.query(rolesWith, ['letters.write']), [{ of: 'template' }, { of: 'untouched' }])

      await database.query(
        `delete from role_permissions where permission_code = 'letters.write' and organization_id is not null`,
      )
      await migrate(at(database.url, databaseDir))
      assert.deepEqual(
        await database.query(rolesWith, ['letters.write']),
        [{ of: 'template' }],
        'shipped once, not again',
      )
    })
  })
})
