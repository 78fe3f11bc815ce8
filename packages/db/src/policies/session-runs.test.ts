import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '@tendon/testing'
import { sql } from 'kysely'
import { Database } from '../database.ts'
import type { Context } from '../transaction.ts'
import { type Clinic, createClinic } from './clinic.fixtures.ts'
import { RUN_PARTS } from './session-runs.fixtures.ts'

const ROLLBACK = new Error('undone')
const TABLES = ['session_runs', ...Object.keys(RUN_PARTS)]

describe('row-level security of session runs', () => {
  let database: TestDatabase
  let app: Database
  let worker: Database
  let clinic: Clinic
  let other: Clinic
  before(async () => {
    database = await createTestDatabase()
    app = new Database({ ...database.options, login: 'tendon_app', poolSize: 2 })
    worker = new Database({ ...database.options, login: 'tendon_worker', poolSize: 2 })
    clinic = await createClinic(database)
    other = await createClinic(database)
  })
  after(async () => {
    await app.close()
    await worker.close()
    await database.drop()
  })

  const as = (organizationId: string, profileIds: string[], permissions = ''): Context => ({
    principalId: randomUUID(),
    organizationId,
    permissions,
    profileIds,
  })

  async function attempt(db: Database, context: Context, statement: string): Promise<string> {
    let rows = 0n
    try {
      await db.tenant(context, async (tx) => {
        rows = (await sql.raw(statement).execute(tx)).numAffectedRows ?? 0n
        throw ROLLBACK
      })
    } catch (error) {
      if (error === ROLLBACK) return rows > 0n ? 'rows' : 'none'
      const { code, constraint, message } = error as { code?: string; constraint?: string; message: string }
      return code === '42501' ? 'refused' : (constraint ?? message)
    }
    return 'not run'
  }
  const rowOf = (table: string, of: Clinic) =>
    `${table === 'session_runs' ? 'id' : 'session_run_id'} = '${of.sessionRun}'`

  test('patients read their own, at every clinic, and nobody else’s', async () => {
    for (const table of TABLES) {
      const own = `select 1 from ${table} where ${rowOf(table, clinic)}`
      assert.equal(await attempt(app, as(clinic.id, [clinic.profile]), own), 'rows', table)
      assert.equal(await attempt(app, as(other.id, [clinic.profile, other.profile]), own), 'rows', table)
      assert.equal(await attempt(app, as(clinic.id, [clinic.spareProfile]), own), 'none', table)
      assert.equal(await attempt(app, as(clinic.id, [other.profile]), own), 'none', table)
    }
  })

  test('patients write to a run of theirs, at the clinic in context; events and pain reports never change', async () => {
    const owner = as(clinic.id, [clinic.profile])
    const strangers = [
      as(clinic.id, [clinic.spareProfile]),
      as(other.id, [clinic.profile]),
      as(clinic.id, [], ',session_runs.view_org,'),
    ]
    const insert = (table: string) => `insert into ${table}
      (organization_id, session_run_id, patient_profile_id, ${RUN_PARTS[table]?.columns}) values
      ('${clinic.id}', '${clinic.sessionRun}', '${clinic.profile}', ${RUN_PARTS[table]?.values(clinic.runExercise)})
      on conflict do nothing`
    for (const table of Object.keys(RUN_PARTS)) {
      assert.match(await attempt(app, owner, insert(table)), /^(rows|none)$/, table)
      for (const stranger of strangers) assert.equal(await attempt(app, stranger, insert(table)), 'refused', table)
    }
    const changes: [string, string][] = [
      ['session_runs', `status = 'ended_explicit', ended_at = now()`],
      ['session_feedback', 'pain = 3'],
    ]
    for (const [table, set] of changes) {
      const change = `update ${table} set ${set} where ${rowOf(table, clinic)}`
      assert.equal(await attempt(app, owner, change), 'rows', table)
      for (const stranger of strangers) assert.equal(await attempt(app, stranger, change), 'none', table)
    }
    for (const [table, set] of [
      ['session_run_events', `type = 'completed'`],
      ['pain_reports', 'severity = 0'],
      ['session_runs', 'started_at = now()'],
      ['session_runs', `session_exercise_ids = '{}'`],
    ])
      assert.equal(await attempt(app, owner, `update ${table} set ${set}`), 'refused', table)
    for (const table of TABLES) assert.equal(await attempt(app, owner, `delete from ${table}`), 'refused', table)
  })

  test('a run starts in a session of one’s own, of an active plan, and in progress only once', async () => {
    const start = (of: Clinic, session: string) =>
      `insert into session_runs (organization_id, plan_session_id) values ('${of.id}', '${session}')`
    const owner = as(clinic.id, [clinic.profile])
    assert.equal(await attempt(app, owner, start(clinic, clinic.runSession)), 'session_runs_in_progress_key')
    assert.equal(await attempt(app, owner, start(clinic, clinic.emptySession)), 'session_runs_session_fkey')
    assert.equal(await attempt(app, owner, start(clinic, randomUUID())), 'session_runs_session_fkey')
    assert.equal(await attempt(app, owner, start(clinic, other.runSession)), 'session_runs_session_fkey')
    assert.equal(await attempt(app, owner, start(other, other.runSession)), 'refused')
    assert.equal(await attempt(app, as(clinic.id, [clinic.spareProfile]), start(clinic, clinic.runSession)), 'refused')
  })

  test('a stale run is found by the worker alone; without the mark of the service it does not end the run', async () => {
    const end = `update session_runs set ended_at = now() where id = '${clinic.sessionRun}'`
    const system = (of: Clinic): Context => ({ principalId: null, organizationId: of.id, permissions: '*' })
    assert.equal(await attempt(app, system(clinic), `select * from stale_session_runs(now(), 10)`), 'refused')
    for (const login of [app, worker])
      for (const one of [clinic, other]) assert.equal(await attempt(login, system(one), end), 'none')
  })

  test('exercises and plans of a run are for those who see the run; nobody here reads counts of the platform', async () => {
    for (const statement of ['select * from platform_exercise_counts()', 'select refresh_exercise_outcomes()'])
      assert.equal(await attempt(app, as(clinic.id, [], '*'), statement), 'refused', statement)
    for (const source of ['session_run_exercises', 'session_run_plans']) {
      const rows = `select 1 from ${source}('{${clinic.sessionRun}}')`
      assert.equal(await attempt(app, as(clinic.id, [], ',session_runs.view_org,'), rows), 'rows', source)
      assert.equal(await attempt(app, as(other.id, [clinic.profile]), rows), 'rows', source)
      assert.equal(await attempt(app, as(other.id, [other.profile], '*'), rows), 'none', source)
      assert.equal(await attempt(app, as(clinic.id, [clinic.spareProfile], ',stats.view_org,'), rows), 'none', source)
    }
  })
})
