import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '@tendon/testing'
import { Client } from 'pg'
import { columnsRead } from './rights-reads.fixtures.ts'

/** What a server keeps is what these return. */
const KEPT = ['find_caller', 'find_web_session']

/** What is read of superadmins only, who are never kept. */
const OF_SUPERADMINS = ['break_glass_grants']

const COLUMNS = `select c.relname as table, a.attname as column, format_type(a.atttypid, null) as type
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v')`
const FUNCTIONS = `select proname as name, prosrc as body from pg_proc p join pg_language l on l.oid = p.prolang
  where pronamespace = 'public'::regnamespace and lanname in ('sql', 'plpgsql')`

/** A member with a role, a patient record and a session; and a superadmin. */
const IDS = {
  operator: '00000000-0000-4000-8000-000000000000',
  human: '11111111-1111-4111-8111-111111111111',
  organization: '22222222-2222-4222-8222-222222222222',
  role: '33333333-3333-4333-8333-333333333333',
  session: '44444444-4444-4444-8444-444444444444',
}
const PROFILE = '55555555-5555-4555-8555-555555555555'
const SCENE = `
  insert into organizations (id, name, slug) values ('${IDS.organization}', 'Clinic', 'clinic');
  insert into principals (id, kind) values ('${IDS.human}', 'human'), ('${IDS.operator}', 'human');
  insert into humans (id, email, name) values ('${IDS.human}', 'ana@mail.example', 'Ana'), ('${IDS.operator}', null, null);
  insert into platform_memberships (principal_id) values ('${IDS.operator}');
  insert into identities (issuer, subject, human_id) values ('issuer', 'ana', '${IDS.human}');
  insert into roles (id, organization_id, code, name) values ('${IDS.role}', '${IDS.organization}', 'x', 'X');
  insert into role_permissions (role_id, organization_id, permission_code)
    values ('${IDS.role}', '${IDS.organization}', 'patients.view_org');
  insert into organization_memberships (organization_id, principal_id, role_id, joined_at)
    values ('${IDS.organization}', '${IDS.human}', '${IDS.role}', now());
  insert into patient_profiles (id, organization_id, human_id, claimed_at)
    values ('${PROFILE}', '${IDS.organization}', '${IDS.human}', now());
  insert into patients (organization_id, patient_profile_id, first_name, last_name)
    values ('${IDS.organization}', '${PROFILE}', 'Ana', 'Ionescu');
  insert into web_sessions (id, id_hash, app, issuer, subject, idle_limit, expires_at)
    values ('${IDS.session}', 'x', 'console', 'issuer', 'ana', '1 hour', now() + interval '1 hour');`

/** Which of its rows are those of the scene, and how to insert one more where that gives or takes rights. */
const ROWS: Record<string, { where: string; another?: string }> = {
  identities: { where: `subject = 'ana'` },
  humans: { where: `id = '${IDS.human}'` },
  platform_memberships: {
    where: `principal_id = '${IDS.operator}'`,
    another: `insert into platform_memberships (principal_id) values ('${IDS.human}')`,
  },
  organization_memberships: {
    where: `principal_id = '${IDS.human}'`,
    another: `insert into organization_memberships (organization_id, principal_id, role_id)
      values (gen_random_uuid(), '${IDS.human}', gen_random_uuid())`,
  },
  patient_profiles: {
    where: `id = '${PROFILE}'`,
    another: `insert into patient_profiles (organization_id, human_id, claimed_at)
      values (gen_random_uuid(), '${IDS.human}', now())`,
  },
  patients: {
    where: `patient_profile_id = '${PROFILE}'`,
    another: `insert into patients (organization_id, patient_profile_id, first_name, last_name)
      values (gen_random_uuid(), '${PROFILE}', 'Ana', 'Pop')`,
  },
  organizations: { where: `id = '${IDS.organization}'` },
  roles: { where: `id = '${IDS.role}'` },
  role_permissions: {
    where: `role_id = '${IDS.role}'`,
    another: `insert into role_permissions (role_id, permission_code) values ('${IDS.role}', 'x')`,
  },
  web_sessions: { where: `id = '${IDS.session}'` },
}

const ANOTHER: Record<string, (column: string) => string> = {
  uuid: () => 'gen_random_uuid()',
  text: (column) => `coalesce(${column}, '') || 'x'`,
  citext: (column) => `upper(${column}::text)`,
  boolean: (column) => `not ${column}`,
  bytea: (column) => `sha256(${column})`,
  interval: (column) => `${column} - interval '1 minute'`,
  'timestamp with time zone': (column) => `coalesce(${column}, now()) - interval '1 minute'`,
}

describe('changes of rights', () => {
  let database: TestDatabase
  let client: Client
  let read: { table: string; column: string; type: string }[]
  const told = new Set<string | undefined>()
  before(async () => {
    database = await createTestDatabase()
    client = new Client({ connectionString: database.url })
    await client.connect()
    client.on('notice', ({ message, detail }) => {
      if (message === 'rights changed') told.add(detail)
    })
    await client.query(SCENE)
    const columns = (await client.query<{ table: string; column: string; type: string }>(COLUMNS)).rows
    const functions = (await client.query<{ name: string; body: string }>(FUNCTIONS)).rows
    const columnsOf = new Map(
      Object.entries(Object.groupBy(columns, ({ table }) => table)).map(([table, of = []]) => [
        table,
        of.map(({ column }) => column),
      ]),
    )
    const found = columnsRead(KEPT, functions, columnsOf)
    read = columns.filter((one) => found.some(({ table, column }) => table === one.table && column === one.column))
  })
  after(async () => {
    await client.end()
    await database.drop()
  })

  /** What a write tells, without the other triggers and constraints of its table. Nothing of it is kept. */
  async function toldBy(table: string, write: string): Promise<Set<string | undefined>> {
    await client.query('begin')
    try {
      await client.query(`do $$ declare v record; begin
        alter table ${table} disable trigger all;
        for v in select tgname from pg_trigger t join pg_proc p on p.oid = t.tgfoid
          where tgrelid = '${table}'::regclass and proname like '%notify_rights_change'
        loop execute format('alter table ${table} enable trigger %I', v.tgname); end loop;
        for v in select conname from pg_constraint where conrelid = '${table}'::regclass and contype = 'c'
        loop execute format('alter table ${table} drop constraint %I', v.conname); end loop; end $$`)
      told.clear()
      const { rowCount } = await client.query(write)
      assert.equal(rowCount, 1, write)
      return new Set(told)
    } finally {
      await client.query('rollback')
    }
  }
  const isTold = (by: Set<string | undefined>) => Object.values(IDS).some((id) => by.has(id))

  test('every table that a kept caller is read from is known here', () => {
    const tables = new Set(read.map(({ table }) => table))
    assert.deepEqual([...tables].sort(), [...Object.keys(ROWS), ...OF_SUPERADMINS].sort())
  })

  test('a change of any column that a kept caller is read from notifies, with an id of that caller', async () => {
    const silent: string[] = []
    for (const { table, column, type } of read) {
      const of = ROWS[table]
      if (!of) continue
      const change = ANOTHER[type]
      assert.ok(change, `${table}.${column} is a ${type}`)
      const by = await toldBy(table, `update ${table} set ${column} = ${change(column)} where ${of.where}`)
      if (!isTold(by)) silent.push(`${table}.${column}`)
    }
    assert.deepEqual(silent, [])
    assert.ok(read.length > 30, String(read.length))
  })

  test('a deleted row notifies, and so does an inserted one that matters', async () => {
    for (const [table, { where, another }] of Object.entries(ROWS)) {
      if (another) assert.ok(isTold(await toldBy(table, another)), `insert into ${table}`)
      assert.ok(isTold(await toldBy(table, `delete from ${table} where ${where}`)), `delete from ${table}`)
    }
  })

  test('what changes no rights does not notify', async () => {
    const writes = [
      ['web_sessions', `update web_sessions set seen_at = seen_at + interval '1 minute'`],
      ['web_sessions', `update web_sessions set user_agent = 'x', ip = '127.0.0.1'`],
      ['patients', `update patients set first_name = 'Maria', email = 'maria@mail.example', restricted_at = now()`],
      ['humans', `update humans set updated_at = now(), linked_at = now() where id = '${IDS.human}'`],
      ['patient_profiles', `update patient_profiles set invited_email = 'x@mail.example', invited_at = now()`],
      ['organizations', `update organizations set phone = '1', plan = 'pro', name = 'x'`],
      ['roles', `update roles set description = 'x' where id = '${IDS.role}'`],
      ['organization_memberships', `update organization_memberships set invited_name = 'x'`],
      ['patient_profiles', `insert into patient_profiles (organization_id) values ('${IDS.organization}')`],
      [
        'patients',
        `insert into patients (organization_id, patient_profile_id, first_name, last_name)
         values ('${IDS.organization}', gen_random_uuid(), 'Ana', 'Pop')`,
      ],
    ] as const
    for (const [table, write] of writes) assert.deepEqual([...(await toldBy(table, write))], [], write)
  })

  test('a session that has ended is deleted without a notice', async () => {
    await client.query('begin')
    try {
      await client.query(`update web_sessions set expires_at = now() - interval '1 second'`)
      told.clear()
      await client.query('delete from web_sessions')
      assert.deepEqual([...told], [])
    } finally {
      await client.query('rollback')
    }
  })
})
