import assert from 'node:assert/strict'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import {
  createTestDatabase,
  installedBinaries,
  randomFrom,
  soakSeed,
  startTemporaryPostgres,
  TEST_ROLE_SECRET,
} from '@tendon/testing'
import { Database } from '../database.ts'
import { migrate } from '../migrate.ts'
import {
  type AdministeredDatabase,
  connectAdministrator,
  createAdministeredDatabase,
} from './administrator.fixtures.ts'
import { compare } from './compare.ts'
import { checkReference, type Query } from './index.ts'
import type { Mutation } from './mutation.fixtures.ts'
import { listMutations } from './mutations.fixtures.ts'
import { BASE_MAJOR, parseReference, readReference } from './reference.ts'
import { type CatalogueObject, SNAPSHOT } from './snapshot/index.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const BATCH_SIZE = 50
/** In `npm test` so many of each kind, in a soak all. */
const SAMPLE = process.env.SOAK_FACTOR === undefined ? 2 : Number.POSITIVE_INFINITY

/** Cheap, and the ones that show another clinic's data. */
const ALWAYS = new Set(['policy that shows everything', 'policy that accepts everything'])

function sample(mutations: readonly Mutation[]): Mutation[] {
  const random = randomFrom(soakSeed())
  return [...Map.groupBy(mutations, ({ kind }) => kind)].flatMap(([kind, all]) =>
    ALWAYS.has(kind)
      ? all
      : all
          .map((mutation) => ({ mutation, rank: random() }))
          .sort((a, b) => a.rank - b.rank)
          .slice(0, SAMPLE)
          .map(({ mutation }) => mutation),
  )
}

/** Seeded rows would refuse mutations such as a column that becomes mandatory. */
async function removeRows({ query, run }: AdministeredDatabase): Promise<void> {
  const [found] = await query<{ tables: string }>(
    `select string_agg(oid::regclass::text, ', ') as tables from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  )
  await run(`set session_replication_role = replica; truncate ${found?.tables}; reset session_replication_role`)
}

/** Mutations of one kind and of different objects, which are tried together: each must be named. */
function batches(mutations: readonly Mutation[]): Mutation[][] {
  const made: Mutation[][] = []
  for (const mutation of mutations) {
    // What is dropped may take others along: it is tried alone.
    const size = mutation.ddl.endsWith(' cascade') ? 1 : BATCH_SIZE
    const open = made.find(
      (batch) =>
        batch.length < size && batch.every(({ kind, object }) => kind === mutation.kind && object !== mutation.object),
    )
    if (open) open.push(mutation)
    else made.push([mutation])
  }
  return made
}

describe('the reference of the database', () => {
  let admin: AdministeredDatabase
  const query: Query = (text) => admin.query(text)

  before(async () => {
    admin = await createAdministeredDatabase()
  })
  after(() => admin.drop())

  test('the reference of the database matches the migrations and functions', async () => {
    assert.deepEqual(await checkReference(query), { problems: [], unknown: [], warnings: [] })
  })

  test('every mutation of a table, column, index, policy, trigger, grant, function, role or extension is found', async (t) => {
    const own = await createAdministeredDatabase()
    t.after(() => own.drop())
    const { objects } = await readReference(ROOT, BASE_MAJOR)
    const mutations = sample(await listMutations(own.query))
    assert.ok(mutations.length >= 150)
    await removeRows(own)
    const missed: string[] = []
    for (const batch of batches(mutations)) {
      await own.run('begin; set local check_function_bodies = off')
      try {
        await own.run(batch.map(({ ddl }) => ddl).join(';\n'))
        const found = await own.query<CatalogueObject>(SNAPSHOT)
        const { problems } = compare(objects, found, { isExact: true, isNewer: false })
        const isNamed = ({ object }: Mutation) => problems.some((problem) => problem.startsWith(`${object} `))
        missed.push(...batch.filter((mutation) => !isNamed(mutation)).map(({ kind, ddl }) => `${kind}: ${ddl}`))
      } finally {
        await own.run('rollback')
      }
    }
    assert.deepEqual(missed, [])
  })

  test('a server refuses to start and names what differs', async (t) => {
    const own = await createTestDatabase()
    const db = new Database({ ...own.options, login: 'tendon_app' })
    t.after(async () => {
      await db.close()
      await own.drop()
    })
    assert.deepEqual(await db.assertSafe(), [])
    await own.query(`alter policy humans_select on humans using (true); alter table patients disable trigger patients_refuse_restricted;
      alter function search_patients(text) security invoker`)
    await assert.rejects(db.assertSafe(), (error: Error) => {
      assert.match(error.message, /^The database does not have the expected structure\. Refusing to start:\n/)
      assert.match(error.message, /\n {2}- policy humans\.humans_select has another definition\n/)
      assert.match(
        error.message,
        /\n {2}- trigger patients\.patients_refuse_restricted is "disabled, calls refuse_restricted", not "enabled, calls refuse_restricted"/,
      )
      assert.match(
        error.message,
        /\n {2}- function search_patients\(text\) is "owner tendon_definer, stable, .*, not "owner tendon_definer, security definer, stable, /,
      )
      assert.match(
        error.message,
        /\nFunctions: as an administrator run "update function_files set is_current = false", then npm run migrate\./,
      )
      assert.match(
        error.message,
        /\nTables, their columns, .* restore the definition in database\/schema\.sql as tendon_owner\.\nWhat to do: /,
      )
      return true
    })
  })

  test('a server refuses to start when a login has rights on the database that it must not have', async (t) => {
    const own = await createTestDatabase()
    const db = new Database({ ...own.options, login: 'tendon_app' })
    t.after(async () => {
      await db.close()
      await own.drop()
    })
    await own.query('create schema aside; grant usage on schema aside to tendon_app')
    await assert.rejects(db.assertSafe(), /Refusing to start:\n {2}- tendon_app in aside must not reach a schema/)
  })

  test('on a major without a reference commands, roles, states, owners, grants and sources are compared', () => {
    const text = [
      'policy a.a_select: select to public #0000000000000001',
      'function f(): owner o, executed by nobody @0000000000000002 #0000000000000003',
    ].join('\n')
    const reference = parseReference(text)
    const found = (changed: string) => [...parseReference(changed).values()]
    const check = (changed: string, isExact: boolean) =>
      compare(reference, found(changed), { isExact, isNewer: false }).problems
    const printed = text
      .replace('#0000000000000001', '#1000000000000001')
      .replace('#0000000000000003', '#1000000000000003')
    assert.deepEqual(check(printed, false), [])
    assert.equal(check(printed, true).length, 2)
    assert.deepEqual(check(printed.replace('select to', 'all to'), false), [
      'policy a.a_select is "all to public", not "select to public"',
    ])
    assert.deepEqual(check(printed.replace('@0', '@1'), false), ['function f() has another definition'])
  })

  describe('another release', () => {
    /** A copy of this release's database folder. */
    async function release(t: TestContext): Promise<string> {
      const root = await mkdtemp(join(tmpdir(), 'tendon-release-'))
      t.after(() => rm(root, { recursive: true, force: true }))
      await cp(join(ROOT, 'database'), join(root, 'database'), { recursive: true })
      return root
    }
    const upgrade = (url: string, root: string) =>
      migrate({ url, roleSecret: TEST_ROLE_SECRET, databaseDir: join(root, 'database') })
    const NEW_TABLE = `create table letters (id int);
      alter table letters enable row level security; alter table letters force row level security;`
    const NEW_FUNCTION = `create or replace function letters_count() returns bigint language sql as $$ select count(*) from letters $$;`

    test('that is newer: what is known is compared, the rest is reported', async (t) => {
      const own = await createTestDatabase()
      t.after(() => own.drop())
      const newer = await release(t)
      await writeFile(join(newer, 'database/migrations/9001_letters.sql'), NEW_TABLE)
      await writeFile(join(newer, 'database/functions/letters.sql'), NEW_FUNCTION)
      await upgrade(own.url, newer)
      const state = await checkReference(own.query)
      assert.deepEqual(state.problems, [])
      assert.equal(
        state.warnings[0],
        'A newer release has migrated the database (functions/letters.sql, migrations/9001_letters.sql).',
      )
      assert.match(state.warnings[1] ?? '', /^Not compared: .*function letters_count\(\).*; table letters/)
      await own.query('alter policy patients_select on patients using (true)')
      assert.deepEqual((await checkReference(own.query)).problems, [
        'policy patients.patients_select has another definition',
      ])
    })

    test('that made a column optional and dropped an index: the release before it still starts, and says so', async (t) => {
      const own = await createTestDatabase()
      t.after(() => own.drop())
      const newer = await release(t)
      const widened = `alter table humans alter column email_verified drop not null; drop index humans_email_key;`
      await writeFile(join(newer, 'database/migrations/9001_widened.sql'), widened)
      await upgrade(own.url, newer)
      const { problems, warnings } = await checkReference(own.query)
      assert.deepEqual(problems, [])
      assert.equal(
        warnings[1],
        'Not compared: column humans.email_verified is "boolean, default", not "boolean not null, default"; index humans.humans_email_key is missing.',
      )
      await own.query('alter table patients alter column organization_id drop not null')
      assert.deepEqual((await checkReference(own.query)).problems, [
        'column patients.organization_id is "uuid, default", not "uuid not null, default"',
      ])
    })

    test('that changed a function only: the release before it still starts, and says so', async (t) => {
      const own = await createTestDatabase()
      t.after(() => own.drop())
      const newer = await release(t)
      const file = join(newer, 'database/functions/analytics.sql')
      await writeFile(file, (await readFile(file, 'utf8')).replace('p_count - p_count % 10', 'p_count - p_count % 20'))
      await upgrade(own.url, newer)
      const { problems, warnings } = await checkReference(own.query)
      assert.deepEqual(problems, [])
      assert.equal(warnings[1], 'Not compared: function round_down_to_tens(bigint,bigint) has another definition.')
    })

    test('that is older: the start is refused with the command to run', async (t) => {
      const newer = await release(t)
      await writeFile(join(newer, 'database/migrations/9001_letters.sql'), NEW_TABLE)
      await writeFile(join(newer, 'database/functions/letters.sql'), NEW_FUNCTION)
      assert.deepEqual((await checkReference(query, newer)).problems, [
        'The database lacks migrations/9001_letters.sql, functions/letters.sql: run npm run migrate',
      ])
    })
  })

  test('another release holds on PostgreSQL 15', async (t) => {
    const binaries = installedBinaries(15)
    if (binaries === undefined) return t.skip('postgresql-15 is not installed')
    const postgres = await startTemporaryPostgres({ binaries })
    t.after(() => postgres.remove())
    await migrate({ url: postgres.url, roleSecret: TEST_ROLE_SECRET })
    const on15 = await connectAdministrator(postgres.url)
    assert.deepEqual(await checkReference(on15.query), { problems: [], unknown: [], warnings: [] })
    await on15.run('alter policy consents_select on consents using (true)')
    assert.deepEqual((await checkReference(on15.query)).problems, [
      'policy consents.consents_select has another definition',
    ])
    await on15.close()
  })
})
