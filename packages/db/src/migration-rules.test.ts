import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkDatabaseFiles, findLocks, findUnexplained, OUTSIDE_TRANSACTION } from './migration-rules.ts'
import { splitStatements } from './sql-statements.ts'

const locksOf = (text: string, name = '0050_new.sql') => findLocks({ name, text })

describe('the rules of migrations', () => {
  test('the rules of migrations hold for every file of the repository', async () => {
    assert.deepEqual(await checkDatabaseFiles(), [])
  })

  test('a function that bypasses row-level security says why', () => {
    const bare = `create or replace function f() returns int language sql security definer as $$ select 1 $$;`
    assert.equal(findUnexplained({ name: 'a.sql', text: `-- What it does.\n${bare}` }).length, 1)
    assert.deepEqual(findUnexplained({ name: 'a.sql', text: `-- Security definer: across clinics.\n${bare}` }), [])
  })

  describe('refuse what blocks the writers of an existing table', () => {
    for (const statement of [
      'create index patients_x_idx on patients (email)',
      'create unique index if not exists patients_x_key on public.patients (email)',
      'alter table patients add column token uuid not null default gen_random_uuid()',
      'alter table patients add a int, add b uuid default uuidv7()',
      'alter table patients add column folded text generated always as (lower(email)) stored',
      'alter table patients add column number bigint generated always as identity',
      `alter table patients add column kind text check (kind in ('a', 'b'))`,
      'alter table patients add constraint patients_x_check check (email is not null)',
      'alter table patients add constraint patients_x_fkey foreign key (a, b) references plans (a, b)',
      'alter table patients add constraint patients_x_key unique (email)',
      'alter table patients add a int, add constraint patients_x_check check (a > 0)',
      'alter table only patients alter column email set not null',
      'alter table patients alter email type text',
      'alter table patients alter column email set data type text',
      'update patients set email = lower(email)',
      'delete from patients',
      'truncate patients',
      'lock table patients',
    ]) {
      test(statement, () => {
        const [sentence, ...others] = locksOf(`create table other (n int);\n-- Why.\n${statement};`)
        assert.match(sentence ?? '', /^0050_new\.sql \(patients\) .+\.$/)
        assert.deepEqual(others, [])
      })
    }
  })

  describe('allow what is quick', () => {
    for (const text of [
      `alter table patients add column merged_into_id uuid references patients (id), add note text not null default '(none)'`,
      'alter table patients add column seen_at timestamptz not null default now()',
      'alter table patients add constraint patients_x_check check (email is not null) not valid',
      'alter table patients validate constraint patients_x_check',
      'alter table patients add constraint patients_x_key unique using index patients_x_idx',
      '-- Checked: patients_x_check\nalter table patients alter column email set not null',
      `update plans set name = 'Free' where code = 'free'`,
      'create table notes (n int check (n > 0)); create index notes_idx on notes (n); update notes set n = 1',
      '-- Small table: plans (one row per plan).\nalter table plans add constraint plans_x_check check (true)',
      `${OUTSIDE_TRANSACTION}\ndrop index concurrently if exists a_idx;\ncreate index concurrently a_idx on patients (email);`,
      'create policy notes_select on patients for select using (true)',
      `comment on table patients is 'create index a on patients (b); update patients set x = 1'`,
    ]) {
      test(text.replaceAll('\n', ' '), () => assert.deepEqual(locksOf(text), []))
    }

    test('anything in the baseline, whose tables are empty', () =>
      assert.deepEqual(locksOf('create index a on patients (b)', '0003_people.sql'), []))
  })

  test('refuse to validate a constraint in the transaction that adds it', () =>
    assert.match(
      locksOf(
        `alter table patients add constraint c check (true) not valid; alter table patients validate constraint c`,
      )[0] ?? '',
      /validates c in the transaction that adds it/,
    ))

  test('refuse a file outside a transaction that cannot be repeated after a kill', () => {
    assert.match(
      locksOf(`${OUTSIDE_TRANSACTION}\ncreate index concurrently a_idx on patients (b);`)[0] ?? '',
      /cannot be repeated/,
    )
    assert.match(locksOf(`${OUTSIDE_TRANSACTION}\nalter table patients add a int;`)[0] ?? '', /does more than/)
  })
})

describe('SQL text', () => {
  test('SQL text is split at semicolons outside of comments, strings and bodies', () =>
    assert.deepEqual(splitStatements(`-- a; b\nselect ';' as ";"; /* ; */ do $x$ begin; end $x$;\n-- the end;\n`), [
      `-- a; b\nselect ';' as ";"`,
      `/* ; */ do $x$ begin; end $x$`,
    ]))
})
