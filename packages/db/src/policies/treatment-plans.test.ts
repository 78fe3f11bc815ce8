import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '@tendon/testing'
import { sql } from 'kysely'
import { Database } from '../database.ts'
import { type Context, NIL_UUID } from '../transaction.ts'
import { type Clinic, createClinic } from './clinic.fixtures.ts'

const ROLLBACK = new Error('undone')

describe('row-level security of treatment plans', () => {
  let database: TestDatabase
  let db: Database
  let clinic: Clinic
  let other: Clinic
  before(async () => {
    database = await createTestDatabase()
    db = new Database({ ...database.options, login: 'tendon_app', poolSize: 2 })
    clinic = await createClinic(database)
    other = await createClinic(database)
  })
  after(async () => {
    await db.close()
    await database.drop()
  })

  const holding = (of: Clinic, ...codes: string[]): Context => ({
    principalId: of.human,
    organizationId: of.id,
    permissions: `,${codes.join(',')},`,
  })
  const owning = (organizationId: string | null, profile: string): Context => ({
    principalId: randomUUID(),
    organizationId,
    permissions: '',
    profileIds: [profile],
  })

  /** Runs a statement, rolls it back, and returns the outcome. */
  async function attempt(context: Context, statement: string): Promise<string> {
    let rows = 0n
    try {
      await db.tenant(context, async (tx) => {
        rows = (await sql.raw(statement).execute(tx)).numAffectedRows ?? 0n
        throw ROLLBACK
      })
    } catch (error) {
      if (error === ROLLBACK) return `${rows} rows`
      const { code, constraint, message } = error as { code?: string; constraint?: string; message: string }
      return code === '42501' ? 'refused' : (constraint ?? message)
    }
    return 'not run'
  }
  const VIEW = 'treatment_plans.view_org'
  const MANAGE = 'treatment_plans.manage'

  test('patients see their activated plans at every clinic, no drafts, and change nothing', async () => {
    for (const organizationId of [clinic.id, other.id, NIL_UUID, null]) {
      const owner = owning(organizationId, clinic.profile)
      assert.equal(await attempt(owner, 'select 1 from treatment_plans'), '1 rows')
      assert.equal(await attempt(owner, `select 1 from treatment_plans where id = '${clinic.plan}'`), '0 rows')
      assert.equal(await attempt(owner, `select 1 from plan_sessions where id = '${clinic.session}'`), '1 rows')
      const exercise = `select 1 from session_exercises where id = '${clinic.sessionExercise}'`
      assert.equal(await attempt(owner, exercise), '1 rows')
      assert.equal(await attempt(owner, 'select 1 from programs'), '0 rows')
      for (const table of ['treatment_plans', 'plan_sessions', 'session_exercises']) {
        assert.equal(await attempt(owner, `delete from ${table}`), '0 rows')
        assert.equal(await attempt(owner, `update ${table} set updated_at = now()`), '0 rows')
      }
    }
    await database.query(`update treatment_plans set status = 'draft' where id = $1`, [clinic.givenPlan])
    for (const table of ['treatment_plans', 'plan_sessions', 'session_exercises'])
      assert.equal(await attempt(owning(clinic.id, clinic.profile), `select 1 from ${table}`), '0 rows')
    await database.query(`update treatment_plans set status = 'active' where id = $1`, [clinic.givenPlan])
  })

  test('patients see their conditions at the clinic in context, and nobody else’s', async () => {
    assert.equal(await attempt(owning(clinic.id, clinic.profile), 'select 1 from patient_conditions'), '1 rows')
    for (const stranger of [owning(other.id, clinic.profile), owning(clinic.id, clinic.spareProfile)])
      assert.equal(await attempt(stranger, 'select 1 from patient_conditions'), '0 rows')
  })

  test('the exercises of a plan are visible to those who see the plan, and nobody else', async () => {
    for (const name of ['planned_exercises', 'planned_instructions']) {
      const call = `select 1 from ${name}(array['${clinic.sessionExercise}', '${other.sessionExercise}']::uuid[])`
      for (const context of [holding(clinic, VIEW), owning(other.id, clinic.profile)])
        assert.equal(await attempt(context, call), '1 rows', name)
      for (const context of [holding(clinic), owning(clinic.id, clinic.spareProfile), owning(null, randomUUID())])
        assert.equal(await attempt(context, call), '0 rows', name)
    }
    await database.query(`update treatment_plans set status = 'draft' where id = $1`, [clinic.givenPlan])
    const call = `select 1 from planned_exercises(array['${clinic.sessionExercise}']::uuid[])`
    assert.equal(await attempt(owning(clinic.id, clinic.profile), call), '0 rows')
    await database.query(`update treatment_plans set status = 'active' where id = $1`, [clinic.givenPlan])
    assert.equal(await attempt(holding(clinic, VIEW), `select list_plan_exercises('{}')`), 'refused')
  })

  test('exercises are locked for those who manage plans, and only the clinic’s own', async () => {
    const ids = `array['${clinic.exercise}', '${other.exercise}']::uuid[]`
    assert.equal(await attempt(holding(clinic, MANAGE), `select lock_exercises(${ids})`), '1 rows')
    assert.equal(await attempt(holding(clinic, VIEW), `select lock_exercises(${ids})`), '0 rows')
  })

  test('a row of another clinic cannot be referred to, and nobody learns whether it exists', async () => {
    const unknown: Clinic = {
      ...other,
      profile: randomUUID(),
      condition: randomUUID(),
      program: randomUUID(),
      exercise: randomUUID(),
      session: randomUUID(),
      givenPlan: randomUUID(),
    }
    const references: [string, (of: Clinic) => string][] = [
      [
        'patient_conditions_patient_fkey',
        (of) => `patient_conditions (patient_profile_id, condition_id) values ('${of.profile}', '${clinic.condition}')`,
      ],
      [
        'patient_conditions_condition_fkey',
        (of) => `patient_conditions (patient_profile_id, condition_id) values ('${clinic.profile}', '${of.condition}')`,
      ],
      [
        'treatment_plans_patient_fkey',
        (of) => `treatment_plans (patient_profile_id, title) values ('${of.profile}', 'New')`,
      ],
      [
        'treatment_plans_program_fkey',
        (of) =>
          `treatment_plans (patient_profile_id, program_id, title) values ('${clinic.profile}', '${of.program}', 'New')`,
      ],
      [
        'plan_sessions_plan_fkey',
        (of) => `plan_sessions (treatment_plan_id, patient_profile_id, position, title)
          values ('${of.givenPlan}', '${clinic.profile}', 1, 'New')`,
      ],
      [
        'plan_sessions_program_fkey',
        (of) => `plan_sessions (program_id, position, title) values ('${of.program}', 1, 'New')`,
      ],
      [
        'session_exercises_session_fkey',
        (of) => `session_exercises (plan_session_id, exercise_id, position)
          values ('${of.session}', '${clinic.exercise}', 1)`,
      ],
      [
        'session_exercises_exercise_fkey',
        (of) => `session_exercises (plan_session_id, exercise_id, position)
          values ('${clinic.session}', '${of.exercise}', 1)`,
      ],
    ]
    for (const [constraint, row] of references) {
      for (const foreign of [other, unknown])
        assert.equal(await attempt({ ...holding(clinic), permissions: '*' }, `insert into ${row(foreign)}`), constraint)
    }
  })

  test('an activated plan cannot be deleted, and an unpublished exercise cannot be in one', async () => {
    const all = { ...holding(clinic), permissions: '*' }
    assert.equal(await attempt(all, `delete from treatment_plans where id = '${clinic.givenPlan}'`), '0 rows')
    await database.query(`update exercises set status = 'archived' where id = $1`, [clinic.spareExercise])
    const put = `insert into session_exercises (plan_session_id, exercise_id, position)
      values ('${clinic.session}', '${clinic.spareExercise}', 2)`
    assert.equal(await attempt(all, put), 'session_exercises_exercise_fkey')
  })
})
