import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '@tendon/testing'
import { Client } from 'pg'

/**
 * Functions in SQL that bypass row-level security and that the API or a worker in its login calls, but seldom: PostgreSQL
 * plans them again in every statement that calls them before version 18. What requests call often is in PL/pgSQL.
 */
const SELDOM: Readonly<Record<string, string>> = {
  'read or changed by one person now and then': `
    clinic_break_glass_grants cohort_outcomes find_usage is_appointment_of_erased join_organization my_accepted_texts my_access_log my_access_log_entries my_booked_ids my_clinic_names my_exports
    my_web_sessions request_my_exports role_member_count verify_document exercise_in_use
    lock_exercise_to_clone lock_exercises`,
  'once a session or a minute':
    'create_web_session end_my_web_sessions end_provider_sessions end_web_session touch_web_session',
  'one offer of a freed time': 'find_offer_organization hold_offered_time list_offer_recipients release_offered_time',
  'calendars of other programs, hosts and providers': `
    claim_token_refresh find_hosted_render find_inbound_integration find_platform_provider find_public_render read_calendar_feed`,
  'mails, in batches':
    'find_mail_recipient list_mail_suppressions mark_mail read_mails_under_lease suppress_mail_address',
  'at the start': 'applied_files',
}

const LARGE = 3_000
const SMALL_CLINICS = 40
/** PostgreSQL plans the first five calls for their values; then it keeps a plan. */
const CALLS = 8
/** An index that is one level deeper, and the pages of one more row. */
const MORE_PAGES = 12

describe('kept plans', () => {
  let database: TestDatabase
  let client: Client
  before(async () => {
    database = await createTestDatabase()
    client = new Client({ connectionString: database.url })
    await client.connect()
  })
  after(async () => {
    await client.end()
    await database.drop()
  })

  const work = async (clinic: string) => {
    await client.query(`select set_config('app.org_id', $1, false), set_config('app.permissions', '*', false)`, [
      clinic,
    ])
  }

  async function pagesOf(call: string): Promise<number> {
    for (let time = 0; time < CALLS; time += 1) await client.query(call)
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
      `explain (analyze, buffers, format json) ${call}`,
    )
    const plan = rows[0]?.['QUERY PLAN'][0].Plan
    return (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0)
  }

  async function clinicOf(patients: number) {
    const [clinic] = await database.query<{ id: string }>(
      'insert into organizations (name, slug) values ($1, $1) returning id',
      [`clinic-${randomUUID()}`],
    )
    const id = clinic?.id ?? ''
    await database.query(
      `with service as (
         insert into services (organization_id, name, slug, duration_minutes) values ($1, 'Session', 'session', 30) returning id),
       profile as (
         insert into patient_profiles (organization_id) select $1 from generate_series(1, $2::integer) returning id),
       patient as (
         insert into patients (organization_id, patient_profile_id, first_name, last_name)
         select $1, id, 'Ana', 'Pop' from profile returning id, patient_profile_id)
       insert into appointments (organization_id, service_id, patient_id, patient_profile_id, starts_at, ends_at, time_zone,
         mode, status, source)
       select $1, service.id, patient.id, patient_profile_id, now(), now() + interval '1 hour', 'UTC', 'phone', 'completed', 'staff'
       from service, patient`,
      [id, patients],
    )
    const [visit] = await database.query<{ id: string; patient_id: string; patient_profile_id: string }>(
      'select id, patient_id, patient_profile_id from appointments where organization_id = $1 limit 1',
      [id],
    )
    return {
      id,
      calls: [
        `select linked_profile_ids('${visit?.patient_profile_id}')`,
        `select with_linked_patients('{${visit?.patient_id}}')`,
        `select * from linked_patients('${visit?.patient_id}')`,
        `select with_moved_from('{${visit?.id}}')`,
        `select * from appointments_of_forms('{${visit?.id}}')`,
      ],
    }
  }

  test('functions that requests call often keep their plans on every version of PostgreSQL', async () => {
    const planned = await database.query<{ name: string }>(
      `select p.proname as name from pg_proc p join pg_language l on l.oid = p.prolang
       where p.pronamespace = 'public'::regnamespace and p.prosecdef and l.lanname = 'sql'
         and has_function_privilege('tendon_app', p.oid, 'execute')`,
    )
    assert.deepEqual(
      planned.map(({ name }) => name).sort(),
      Object.values(SELDOM)
        .flatMap((names) => names.trim().split(/\s+/))
        .sort(),
    )
  })

  test('a filter by no patients gives no patients', async () => {
    const { rows } = await client.query<{ none: string[]; empty: string[] }>(
      `select with_linked_patients(null) as none, with_linked_patients('{}') as empty`,
    )
    assert.deepEqual(rows, [{ none: [], empty: [] }])
  })

  test('a plan that was kept for a small clinic does not read all patients or appointments of a large one', async () => {
    for (const table of ['patients', 'appointments']) await database.query(`alter table ${table} disable trigger user`)
    const clinics = []
    for (let count = 0; count < SMALL_CLINICS; count += 1) clinics.push(await clinicOf(2))
    const large = await clinicOf(LARGE)
    await database.query('vacuum analyze patients, patient_profiles, appointments, services')
    const [small] = clinics
    assert.ok(small)
    for (const [index, call] of large.calls.entries()) {
      await work(small.id)
      const few = await pagesOf(small.calls[index] ?? '')
      await work(large.id)
      const many = await pagesOf(call)
      assert.ok(many <= few + MORE_PAGES, `${call}: ${few} pages in a small clinic, ${many} in a large one`)
    }
  })
})
