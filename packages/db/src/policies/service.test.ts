import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '@tendon/testing'
import { sql } from 'kysely'
import { Database } from '../database.ts'
import type { Login } from '../roles.ts'
import { asService } from '../service.ts'
import type { Context, TenantTx } from '../transaction.ts'
import { type Clinic, createClinic } from './clinic.fixtures.ts'
import { createForms } from './forms.fixtures.ts'

const ROLLBACK = new Error('undone')
const NIL_UUID = '00000000-0000-0000-0000-000000000000'
const FORGED = `set_config('app.service', 'on', true) is not null`

/** Statements without a `where`: what they reach is what the policies allow. */
const ERASED = [
  `update pain_reports set note = null`,
  `update session_feedback set comment = null`,
  `update webhook_events set body = null`,
  `update break_glass_grants set reason = 'Erased together with the patient'`,
  `update automation_executions set data = null, patient_profile_id = null`,
  `update privacy_requests set reason = null`,
  `update patient_profiles set human_id = null, claimed_at = null`,
  `update patients set erased_at = now(), deleted_at = now(), merged_into_id = null`,
  `delete from impersonations`,
  `delete from appointment_documents`,
  `delete from run_finalisations`,
  `delete from replay_blobs`,
  `delete from library_views`,
  `delete from waitlist_offers`,
  `update appointments set rescheduled_from_id = null`,
  `update appointment_reviews set comment = null`,
  `update appointment_files set uploaded_by_principal_id = null`,
  `update mail_outbox set patient_profile_id = null`,
  `delete from mail_outbox`,
  `delete from booking_links`,
]

/** What statistics, timelines and the safety check read, with the codes of their routes. */
const CLINICAL_CODES = [
  'data.view_deleted',
  'exercises.manage_org',
  'patients.view_org',
  'session_runs.view_org',
  'treatment_plans.view_org',
]
const CLINICAL_TABLES = [
  'session_runs',
  'session_run_events',
  'session_feedback',
  'pain_reports',
  'treatment_plans',
  'plan_sessions',
  'session_exercises',
  'patient_conditions',
  'exercises',
  'exercise_contraindications',
  'exercise_prerequisites',
]

describe('row-level security of the service of a clinic', () => {
  let database: TestDatabase
  let clinic: Clinic
  let other: Clinic
  const logins = new Map<Login, Database>()

  before(async () => {
    database = await createTestDatabase()
    clinic = await createClinic(database)
    other = await createClinic(database)
    // A neighbour of the clinic's patient, with a form of their own.
    await database.query(
      `insert into patients (organization_id, patient_profile_id, first_name, last_name) values ($1, $2, 'Ion', 'Pop')`,
      [clinic.id, clinic.spareProfile],
    )
    const query: TestDatabase['query'] = (text, values) => database.query(text, values)
    await createForms(query, { id: clinic.id, profile: clinic.spareProfile, human: clinic.spareHuman })
    for (const login of ['tendon_app', 'tendon_worker'] satisfies Login[])
      logins.set(login, new Database({ ...database.options, login, poolSize: 2 }))
  })
  after(async () => {
    for (const db of logins.values()) await db.close()
    await database.drop()
  })

  const caller = (permissions: string, changes: Partial<Context> = {}): Context => ({
    principalId: clinic.human,
    organizationId: clinic.id,
    permissions,
    ...changes,
  })
  const patient = (changes: Partial<Context> = {}) =>
    caller('', { principalId: clinic.spareHuman, profileIds: [clinic.profile], serviceCodes: [], ...changes })
  const system = (organizationId: string | null) => caller('*', { organizationId, serviceCodes: '*' })

  /** Runs a statement as the caller, or as the service; rolls it back, and returns the rows, or that it was refused. */
  async function attempt(context: Context, statement: string, login: Login = 'tendon_app'): Promise<string> {
    let rows = 0n
    const run = async (tx: TenantTx) => {
      rows = (await sql.raw(statement).execute(tx)).numAffectedRows ?? 0n
    }
    try {
      await logins.get(login)?.tenant(context, async (tx) => {
        if (context.serviceCodes === undefined) await run(tx)
        else await asService(tx, context.serviceCodes, run)
        throw ROLLBACK
      })
    } catch (error) {
      if (error === ROLLBACK) return `${rows} rows`
      const { code, message } = error as { code?: string; message: string }
      return code === '42501' ? 'refused' : message
    }
    return 'not run'
  }

  const countIn = async (of: Clinic, table: string) => {
    const rows = await database.query(`select 1 from ${table} where organization_id = $1`, [of.id])
    return `${rows.length} rows`
  }

  test('in a patient’s request it reads, locks and changes rows of that patient only, also without a condition', async () => {
    for (const statement of [
      `select 1 from patients`,
      `select 1 from patients for share`,
      `select 1 from forms for no key update`,
      `update patients set notes = 'Changed'`,
    ])
      assert.equal(await attempt(patient(), statement), '1 rows', statement)
    for (const statement of [`select 1 from patients for share`, `update patients set notes = 'Changed'`]) {
      assert.equal(await attempt(patient({ organizationId: other.id }), statement), '0 rows', statement)
      assert.equal(await attempt(patient({ organizationId: NIL_UUID }), statement), '0 rows', statement)
      assert.equal(await attempt(patient({ profileIds: [] }), statement), '0 rows', statement)
    }
  })

  test('it reads the accounts of patients of the clinic in context, with the permission to see the patients', async () => {
    const account = `select 1 from humans where id = '${clinic.spareHuman}'`
    const reading = (organizationId: string, serviceCodes: string[]) => caller('', { organizationId, serviceCodes })
    assert.equal(await attempt(reading(clinic.id, ['patients.view_org']), account), '1 rows')
    assert.equal(await attempt(reading(clinic.id, []), account), '0 rows')
    assert.equal(await attempt(reading(other.id, ['patients.view_org']), account), '0 rows')
    assert.equal(await attempt(reading(NIL_UUID, ['patients.view_org']), account), '0 rows')
    assert.equal(await attempt(caller('*'), account), '0 rows')
    assert.equal(await attempt(caller('', { organizationId: other.id }), `${account} and ${FORGED}`), '0 rows')
    assert.equal(await attempt(patient(), `select 1 from humans where id <> '${clinic.spareHuman}'`), '0 rows')
  })

  test('a mark of the service that somebody forges gives no permission', async () => {
    const unmarked = caller('')
    assert.equal(await attempt(unmarked, `select 1 from patients where ${FORGED}`), '0 rows')
    assert.equal(await attempt(unmarked, `update patients set notes = 'x' where ${FORGED}`), '0 rows')
    assert.equal(
      await attempt(unmarked, `update consents set withdrawn_at = now(), ended_as = 'left' where ${FORGED}`),
      '0 rows',
    )
    assert.equal(
      await attempt(
        caller('*', { organizationId: other.id }),
        `select 1 from patients where ${FORGED} and organization_id = '${clinic.id}'`,
      ),
      '0 rows',
    )
  })

  test('deletion, restriction, links and erasure of a record are written by the service only', async () => {
    for (const column of ['deleted_at = now()', 'restricted_at = now()', 'merged_into_id = null']) {
      const statement = `update patients set ${column} where id = '${clinic.patient}'`
      assert.equal(await attempt(caller('*'), statement), 'refused', column)
      assert.equal(await attempt(patient({ profileIds: [] }), statement), '0 rows', column)
      assert.equal(await attempt(system(clinic.id), statement), '1 rows', column)
      assert.equal(await attempt(system(other.id), statement), '0 rows', column)
    }
    const codes = ['patients.view_org', 'patients.update', 'data.view_deleted']
    const deleting = `update patients set deleted_at = now() where id = '${clinic.patient}'`
    assert.equal(await attempt(caller('', { serviceCodes: codes }), deleting), 'refused')
    assert.equal(await attempt(caller('', { serviceCodes: [...codes, 'patients.delete'] }), deleting), '1 rows')
  })

  test('only the service with its permission changes what becomes of mails of the clinic in context', async () => {
    const statement = `update mail_outbox set locked_until = now()`
    const codes = ['mails.manage', 'mails.view_org']
    const resending = (organizationId: string, held = codes) => caller('', { organizationId, serviceCodes: held })
    assert.equal(await attempt(resending(clinic.id), statement), await countIn(clinic, 'mail_outbox'))
    assert.equal(await attempt(resending(other.id), `${statement} where organization_id = '${clinic.id}'`), '0 rows')
    assert.equal(await attempt(resending(NIL_UUID), statement), '0 rows')
    assert.equal(await attempt(resending(clinic.id, ['mails.view_org']), statement), '0 rows')
    assert.equal(await attempt(caller('*'), statement), '0 rows')
    for (const column of ['to_address', 'data', 'sent_at', 'organization_id'])
      assert.equal(await attempt(resending(clinic.id), `update mail_outbox set ${column} = null`), 'refused', column)
  })

  test('only the service ends consents because somebody left', async () => {
    const statement = `update consents set withdrawn_at = now(), ended_as = 'left' where organization_id = '${clinic.id}'`
    assert.equal(await attempt(caller('*'), statement), 'refused')
    assert.equal(await attempt(system(clinic.id), statement), await countIn(clinic, 'consents'))
    assert.equal(await attempt(system(other.id), statement), '0 rows')
  })

  test('with its permission it ends runs of the clinic in context, without one those of the calling patient', async () => {
    const statement = `update session_runs set last_event_at = now()`
    const viewing = (organizationId: string) => caller('', { organizationId, serviceCodes: ['session_runs.view_org'] })
    assert.equal(await attempt(viewing(clinic.id), statement), await countIn(clinic, 'session_runs'))
    assert.equal(await attempt(viewing(clinic.id), `${statement} where organization_id = '${other.id}'`), '0 rows')
    assert.equal(await attempt(caller('*'), statement), '0 rows')
    assert.equal(await attempt(patient({ profileIds: [clinic.spareProfile] }), statement), '0 rows')
    assert.equal(await attempt(patient(), `update session_feedback set comment = 'x'`), '1 rows')
    assert.equal(
      await attempt(patient({ profileIds: [clinic.spareProfile] }), `update session_feedback set comment = 'x'`),
      '0 rows',
    )
  })

  test('only the service says that an exercise is a copy, and who judged it when; of the clinic in context only', async () => {
    const judgement = `'${clinic.spareHuman}', now() - interval '1 day'`
    const partsOf = ({ spareExercise, tag, spareCondition }: Clinic) => [
      `exercise_instructions (exercise_id, sort_order, content, instruction_type, image_object_key)
        values ('${spareExercise}', 9, 'Sit', 'step', 'key')`,
      `exercise_tags (exercise_id, axis, tag_id, tagged_by_principal_id, tagged_at)
        values ('${spareExercise}', 'category', '${tag}', ${judgement})`,
      `exercise_contraindications (exercise_id, condition_id, severity, tagged_by_principal_id, tagged_at)
        values ('${spareExercise}', '${spareCondition}', 'relative', ${judgement})`,
    ]
    const copied = `exercises (name, slug, cloned_from_id) values ('Copy', 'a-copy', '${clinic.exercise}')`
    const service = caller('', { serviceCodes: ['exercises.manage_org'] })
    for (const row of [copied, ...partsOf(clinic)]) {
      assert.equal(await attempt(caller('*'), `insert into ${row}`), 'refused', row)
      assert.equal(await attempt(service, `insert into ${row}`), '1 rows', row)
      assert.equal(await attempt(caller('', { serviceCodes: [] }), `insert into ${row}`), 'refused', row)
    }
    for (const row of partsOf(other)) assert.equal(await attempt(service, `insert into ${row}`), 'refused', row)
    const lock = (of: Clinic) => `select 1 where lock_exercise_to_clone('${of.exercise}')`
    assert.equal(await attempt(service, lock(clinic)), '1 rows')
    assert.equal(await attempt(service, lock(other)), '0 rows')
    assert.equal(await attempt(caller('exercises.view_published'), lock(clinic)), '0 rows')
  })

  for (const table of CLINICAL_TABLES) {
    test(`${table} are read for numbers and checks without a condition, and are those of the clinic in context`, async () => {
      const rows = `select 1 from ${table} where organization_id is not null`
      const reading = (organizationId: string) => caller('', { organizationId, serviceCodes: CLINICAL_CODES })
      assert.notEqual(await countIn(clinic, table), '0 rows')
      assert.equal(await attempt(reading(clinic.id), rows), await countIn(clinic, table))
      assert.equal(await attempt(reading(NIL_UUID), rows), '0 rows')
      assert.equal(await attempt(caller(''), `${rows} and ${FORGED}`), '0 rows')
      const foreign = `${rows} and organization_id = '${other.id}'`
      assert.equal(await attempt(reading(clinic.id), foreign), '0 rows')
    })
  }

  for (const statement of ERASED) {
    test(`only the worker erases, and rows of the clinic in context only: ${statement}`, async () => {
      const table = statement.split(' ')[statement.startsWith('delete') ? 2 : 1] ?? ''
      const expected = await countIn(clinic, table)
      assert.notEqual(expected, '0 rows')
      assert.equal(await attempt(system(clinic.id), statement, 'tendon_worker'), expected)
      assert.equal(await attempt(system(NIL_UUID), statement, 'tendon_worker'), '0 rows')
      assert.equal(await attempt(system(null), statement, 'tendon_worker'), '0 rows')
      if (table !== 'session_feedback') assert.equal(await attempt(system(clinic.id), statement), 'refused')
    })
  }
})
