import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { createTestDatabase, TEST_ROLE_SECRET } from '@tendon/testing'
import { migrate } from './migrate.ts'

const DATABASE_DIR = join(import.meta.dirname, '../../../database')

/** A migrated database, and a copy of the folder (without seeds, for speed) to which the test adds files. */
async function withFiles(context: TestContext, files: Record<string, string>) {
  const database = await createTestDatabase()
  context.after(() => database.drop())
  const databaseDir = await mkdtemp(join(tmpdir(), `tendon-functions-${randomUUID().slice(0, 8)}-`))
  context.after(() => rm(databaseDir, { recursive: true, force: true }))
  const seeds = join(DATABASE_DIR, 'seed')
  await cp(DATABASE_DIR, databaseDir, { recursive: true, filter: (path) => dirname(path) !== seeds })
  const write = async (added: Record<string, string>) => {
    for (const [name, text] of Object.entries(added)) await writeFile(join(databaseDir, name), text)
  }
  await write(files)
  return {
    query: database.query,
    write,
    remove: (name: string) => rm(join(databaseDir, name)),
    migrate: async () => {
      const lines: string[] = []
      await migrate({
        url: database.url,
        roleSecret: TEST_ROLE_SECRET,
        databaseDir,
        onProgress: (line) => lines.push(line),
      })
      return lines
    },
  }
}

const answer = (result: string, head = 'answer() returns integer') =>
  `create or replace function ${head} language sql as $$ select ${result} $$;\n`

describe('the files of functions', () => {
  test('a migration uses functions of its area, and they use its tables', async (t) => {
    const { query, migrate } = await withFiles(t, {
      'migrations/9001_notes.sql': `create table notes (id int primary key default next_note(), text text);
        create trigger notes_check before insert on notes for each row execute function notes_check();
        alter table notes enable row level security;
        create policy notes_select on notes for select using ((select may_read_notes()));`,
      'functions/notes.sql': `
        create or replace function newest_note() returns notes language sql as $$ select * from notes order by id desc limit 1 $$;
        create or replace function next_note() returns integer language sql as $$ select coalesce(max(id), 0) + 1 from notes $$;
        create or replace function may_read_notes() returns boolean language sql as $$ select true $$;
        create or replace function notes_check() returns trigger language plpgsql as $$
          begin new.text := upper(new.text); return new; end $$;`,
    })
    await migrate()
    await query(`insert into notes (text) values ('a'), ('b')`)
    assert.deepEqual(await query('select * from newest_note()'), [{ id: 2, text: 'B' }])
  })

  test('the files of functions are applied again when the text of one changes, and only then', async (t) => {
    const { query, write, migrate } = await withFiles(t, { 'functions/answers.sql': answer('1') })
    assert.deepEqual(await migrate(), ['functions answers.sql'])
    assert.deepEqual(await query('select answer()'), [{ answer: 1 }])
    assert.deepEqual(await migrate(), [])
    await write({ 'functions/answers.sql': answer('2') })
    assert.deepEqual(await migrate(), ['functions answers.sql'])
    assert.deepEqual(await query('select answer()'), [{ answer: 2 }])
  })

  test('a function can change its result type and lose an overload', async (t) => {
    const { query, write, migrate } = await withFiles(t, {
      'functions/answers.sql': answer('1') + answer('n', 'answer(n integer) returns integer'),
    })
    await migrate()
    await write({ 'functions/answers.sql': answer(`'two'`, 'answer() returns text') })
    await migrate()
    assert.deepEqual(await query('select answer()'), [{ answer: 'two' }])
    await assert.rejects(query('select answer(3)'), /does not exist/)
  })

  test('an overload that has a grant is dropped when it is no longer in the file', async (t) => {
    const granted = 'grant execute on function answer(integer) to tendon_app;'
    const { query, write, migrate } = await withFiles(t, {
      'functions/answers.sql': `${answer('1')}${answer('n', 'answer(n integer) returns integer')}${granted}`,
    })
    await migrate()
    await write({ 'functions/answers.sql': answer('1') })
    await migrate()
    assert.deepEqual(await query('select answer()'), [{ answer: 1 }])
    await assert.rejects(query('select answer(3)'), /does not exist/)
  })

  test('a grant that is no longer in the file is revoked, also when the function stays as it is', async (t) => {
    const overload = `${answer('n', 'answer(n integer) returns integer')}grant execute on function answer(integer) to tendon_app;`
    const withGrant = (to: string) => ({
      'functions/answers.sql': `${answer('1')}grant execute on function answer() to ${to};${overload}`,
    })
    const { query, write, migrate } = await withFiles(t, withGrant('public, tendon_app, tendon_worker'))
    await migrate()
    await write(withGrant('tendon_worker'))
    await migrate()
    const may = (role: string, name: string) => `has_function_privilege('${role}', '${name}', 'execute')`
    const grants = `select ${may('public', 'answer()')} as everybody, ${may('tendon_app', 'answer()')} as app,
      ${may('tendon_worker', 'answer()')} as worker, ${may('tendon_app', 'answer(integer)')} as overload`
    assert.deepEqual(await query(grants), [{ everybody: false, app: false, worker: true, overload: true }])
  })

  test('a function that is no longer in any file is dropped, unless something uses it', async (t) => {
    const { query, write, remove, migrate } = await withFiles(t, { 'functions/answers.sql': answer('1') })
    await migrate()
    await query('create table uses_answer (n int default answer())')
    await remove('functions/answers.sql')
    await assert.rejects(
      migrate(),
      /^Error: Function answer\(\) is in no file of database\/functions, but still in use .+ Put it into a file, or drop what uses it in a migration\.$/,
    )
    await write({ 'migrations/9001_unused.sql': 'drop table uses_answer' })
    await query('alter table uses_answer owner to tendon_owner')
    assert.deepEqual(await migrate(), ['migration 9001_unused.sql', 'functions answers.sql'])
    await assert.rejects(query('select answer()'), /does not exist/)
  })

  test('a mistake is reported with its file and function, and changes nothing', async (t) => {
    const { query, write, migrate } = await withFiles(t, { 'functions/answers.sql': answer('1') })
    await migrate()
    await write({ 'functions/answers.sql': `${answer('2')}create or replace function broken( returns int;` })
    await assert.rejects(migrate(), /functions\/answers\.sql: broken failed: syntax error/)
    assert.deepEqual(await query('select answer()'), [{ answer: 1 }])
  })

  test('an older release leaves the functions of a newer one', async (t) => {
    const { query, write, remove, migrate } = await withFiles(t, {
      'functions/answers.sql': answer('2'),
      'migrations/9001_newer.sql': 'create table newer (n int)',
    })
    await migrate()
    await remove('migrations/9001_newer.sql')
    await write({ 'functions/answers.sql': answer('1') })
    assert.deepEqual(await migrate(), [])
    assert.deepEqual(await query('select answer()'), [{ answer: 2 }])
  })
})
