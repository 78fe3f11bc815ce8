import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { onServer, TEST_ROLE_SECRET } from '@tendon/testing'
import { Client } from 'pg'
import { migrate } from './migrate.ts'

const DATABASE_DIR = join(import.meta.dirname, '../../../database')
const SEEDS = join(DATABASE_DIR, 'seed')
const [WITH, WITHOUT, DEFAULTS] = ['11', '22', '33'].map((digits) => `${digits.repeat(4)}-1111-4111-8111-111111111111`)

/** What an earlier release said about a reminder, and the status of its mail. */
const REMINDERS = [
  { status: 'planned', mail: 'none', after: ['planned', null] },
  { status: 'skipped', mail: 'none', after: ['skipped', 'unknown'] },
  { status: 'sent', mail: 'sent', after: ['sent', null] },
  { status: 'sent', mail: 'none', after: ['skipped', 'unknown'] },
  { status: 'sent', mail: 'suppressed', after: ['skipped', 'unknown'] },
  { status: 'sent', mail: 'failed', after: ['skipped', 'unknown'] },
].map((one) => ({ ...one, id: randomUUID() }))

/** Rows that servers of an earlier release wrote, as a migration between theirs and the next ones. */
const ROWS = `
  reset role;
  set local session_replication_role = replica;
  insert into organizations (id, name, slug) values ('${WITH}', 'A', 'a-clinic'), ('${WITHOUT}', 'B', 'b-clinic'), ('${DEFAULTS}', 'C', 'c-clinic');
  insert into organization_settings (organization_id, brand_color) values ('${WITH}', '#123456');
  insert into scheduling_settings (organization_id, reminder_offsets_minutes, feed_shows_details)
    values ('${WITH}', '{60,30}', true), ('${WITHOUT}', '{}', false);
  insert into appointment_reminders (id, organization_id, appointment_id, offset_minutes, starts_at, send_at, status)
    select id::uuid, '${WITH}', gen_random_uuid(), 60, now(), now(), status
    from (values ${REMINDERS.map(({ id, status }) => `('${id}', '${status}')`).join()}) as r (id, status);
  insert into mail_outbox (organization_id, to_address, template, language, data, kind, status, appointment_reminder_id)
    select '${WITH}', 'a@mail.example', 'appointment_reminder', 'en', '{}', 'care', mail, id::uuid
    from (values ${REMINDERS.map(({ id, mail }) => `('${id}', '${mail}')`).join()}) as r (id, mail) where mail <> 'none';
  insert into forms (organization_id, form_template_id, template_version, patient_profile_id, appointment_id, title, type, fields)
    values ('${WITH}', gen_random_uuid(), 1, gen_random_uuid(), gen_random_uuid(), 'open', 'x', '[]');
  insert into forms (organization_id, form_template_id, template_version, patient_profile_id, appointment_id, title, type, fields,
    status, completed_at, signed_at, signed_by_principal_id, seal)
    values ('${WITH}', gen_random_uuid(), 1, gen_random_uuid(), gen_random_uuid(), 'signed', 'x', '[]', 'signed', now(), now(),
      gen_random_uuid(), '');
  set local session_replication_role = origin;
  set local role tendon_owner;`

describe('an upgrade of a database with rows of an earlier release', () => {
  const name = `tendon_upgrade_${randomUUID().slice(0, 8)}`
  let folder: string
  let admin: Client
  before(async () => {
    await onServer('postgres', (client) => client.query(`create database ${name}`))
    folder = await mkdtemp(join(tmpdir(), 'tendon-upgrade-'))
    await cp(DATABASE_DIR, folder, { recursive: true, filter: (path) => dirname(path) !== SEEDS })
    await writeFile(join(folder, 'migrations/0093_rows.sql'), ROWS)
    const url = new URL(process.env.TEST_DATABASE_URL ?? '')
    url.pathname = `/${name}`
    await migrate({ url: url.href, roleSecret: TEST_ROLE_SECRET, databaseDir: folder })
    admin = new Client({ connectionString: url.href })
    await admin.connect()
  })
  after(async () => {
    await admin.end()
    await rm(folder, { recursive: true, force: true })
    await onServer('postgres', (client) => client.query(`drop database ${name} with (force)`))
  })

  test('an upgrade of a database with rows of an earlier release keeps reminders and calendar feeds of every clinic, beside its brand colour', async () => {
    const { rows } = await admin.query(
      `select organization_id, brand_color, reminder_offsets_minutes, feed_shows_details
       from organization_settings order by organization_id`,
    )
    assert.deepEqual(
      rows.map((row) => Object.values(row)),
      [
        [WITH, '#123456', [60, 30], true],
        [WITHOUT, null, [], false],
      ],
    )
  })

  test('calls a reminder sent only where its mail was sent; what is skipped has a reason', async () => {
    const { rows } = await admin.query('select id, status, reason from appointment_reminders')
    const found = new Map(rows.map(({ id, status, reason }) => [id, [status, reason]]))
    for (const { id, status, mail, after } of REMINDERS)
      assert.deepEqual(found.get(id), after, `${status}, mail ${mail}`)
  })

  test('an upgrade of a database with rows of an earlier release takes appointments that no longer exist out of forms; a signed form stays as it was signed', async () => {
    const { rows } = await admin.query(`select title, appointment_id is null as cleared from forms order by title`)
    assert.deepEqual(rows, [
      { title: 'open', cleared: true },
      { title: 'signed', cleared: false },
    ])
    const { rows: forced } = await admin.query(
      `select relname from pg_class where relname in ('forms', 'appointments') and relforcerowsecurity order by relname`,
    )
    assert.deepEqual(
      forced.map(({ relname }) => relname),
      ['appointments', 'forms'],
    )
  })
})
