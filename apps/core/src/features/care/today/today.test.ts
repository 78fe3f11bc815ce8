import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Person, sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { type Patient, runsOf, type TestRuns } from '../session-runs/runs.testing.ts'

describe('what a patient has to do', () => {
  let core: TestCore
  let runs: TestRuns
  before(async () => {
    core = await sharedCore()
    runs = runsOf(core)
  })
  after(() => core.close())

  const today = async (as: Person, headers = {}) => {
    const answer = await core.get('/v1/me/today', { as, headers })
    assert.equal(answer.status, 200, answer.text)
    return answer.body.data
  }

  const id = async (text: string, values: unknown[]) => {
    const [row] = await core.database.query<{ id: string }>(`${text} returning id`, values)
    assert.ok(row)
    return row.id
  }

  async function form(of: Patient, title: string, status = 'pending'): Promise<string> {
    const template = await id(
      `insert into form_templates (organization_id, title, type, fields) values ($1, $2, 'survey', '[]')`,
      [of.clinic.id, title],
    )
    await core.database.query(
      `insert into form_template_versions (organization_id, form_template_id, version, title, type, fields, translations,
         consent_purposes) values ($1, $2, 1, $3, 'survey', '[]', '{}', '{}')`,
      [of.clinic.id, template, title],
    )
    return id(
      `insert into forms (organization_id, form_template_id, template_version, patient_profile_id, title, type, status, fields,
         completed_at)
       values ($1, $2, 1, $3, $4, 'survey', $5, '[]', case when $5 = 'completed' then now() end)`,
      [of.clinic.id, template, of.profile_id, title, status],
    )
  }

  async function visit(of: Patient, inHours: number, status = 'confirmed'): Promise<string> {
    const service = await id(
      `insert into services (organization_id, name, slug, duration_minutes) values ($1, 'First visit', $2, 30)`,
      [of.clinic.id, `visit-${inHours}-${status}`.replace('_', '-')],
    )
    return id(
      `insert into appointments (organization_id, service_id, patient_id, patient_profile_id, starts_at, ends_at, time_zone,
         mode, status, source)
       values ($1, $2, $3, $4, now() + make_interval(hours => $5), now() + make_interval(hours => $5 + 1), 'Europe/Bucharest',
         'in_person', $6, 'staff')`,
      [of.clinic.id, service, of.id, of.profile_id, inHours, status],
    )
  }

  const clinicOf = ({ id: of, slug }: TestOrganization) => ({
    id: of,
    name: 'Clinica Test',
    slug,
    time_zone: 'Europe/Bucharest',
  })

  test('sessions of active plans come with their last run and the run in progress', async () => {
    const patient = await runs.patient(await core.organization())
    const fresh = await today(patient.person)
    assert.deepEqual([fresh.forms, fresh.next_visit, fresh.sessions.length], [[], null, 1])
    const [session] = fresh.sessions
    assert.deepEqual([session.id, session.title, session.exercises_count], [patient.plan_session_id, 'Monday', 2])
    assert.deepEqual([session.organization, session.treatment_plan.id], [clinicOf(patient.clinic), patient.plan_id])
    assert.deepEqual([session.last_run, session.run_in_progress], [null, null])
    const done = await runs.done(patient)
    const open = await runs.started(patient)
    const [later] = (await today(patient.person)).sessions
    assert.deepEqual([later.last_run.id, later.last_run.status], [done, 'ended_naturally'])
    assert.equal(later.run_in_progress.id, open)
  })

  test('the last run says how many of its exercises were completed', async () => {
    const patient = await runs.patient(await core.organization())
    await runs.done(patient)
    const completed = async () => (await today(patient.person)).sessions[0].last_run.exercises
    assert.deepEqual(await completed(), { total: 2, completed: 2 })
    const skipping = await runs.started(patient)
    for (const session_exercise_id of patient.exercises)
      await runs.event(patient, skipping, { session_exercise_id, type: 'skipped' })
    await runs.end(patient, skipping, 'ended_naturally')
    assert.deepEqual(await completed(), { total: 2, completed: 0 })
  })

  test('a plan that is over has no sessions to do, except the one whose run is in progress', async () => {
    const patient = await runs.patient(await core.organization())
    const open = await runs.started(patient)
    await core.database.query(`update treatment_plans set status = 'completed', completed_at = now() where id = $1`, [
      patient.plan_id,
    ])
    assert.deepEqual((await today(patient.person)).sessions[0].run_in_progress.id, open)
    await runs.end(patient, open)
    assert.deepEqual((await today(patient.person)).sessions, [])
  })

  test('forms to fill in and the next visit are of every clinic of the patient, and of nobody else', async () => {
    const [here, there] = [await core.organization(), await core.organization()]
    const person = await core.signIn()
    const [first, second] = [await runs.patient(here, { person }), await runs.patient(there, { person })]
    const stranger = await runs.patient(here)
    const wanted = [await form(first, 'Intake'), await form(second, 'Survey', 'in_progress')]
    await form(first, 'Done', 'completed')
    await form(stranger, 'Not mine')
    await visit(first, -3)
    await visit(first, 30)
    await visit(second, 2, 'cancelled')
    await visit(stranger, 1)
    const next = await visit(second, 5)
    for (const at of [here, there]) {
      const data = await today(person, { 'x-organization-id': at.id })
      assert.deepEqual(
        data.forms.map((one: { id: string }) => one.id),
        wanted,
      )
      assert.deepEqual([data.next_visit.id, data.next_visit.organization], [next, clinicOf(there)])
      assert.deepEqual([data.next_visit.service_name, data.next_visit.specialist_name], ['First visit', null])
      assert.equal(data.sessions.length, 2)
    }
  })

  test('what belongs to a clinic that the patient left is not there; staff have no such page (403)', async () => {
    const patient = await runs.patient(await core.organization())
    await form(patient, 'Intake')
    await visit(patient, 4)
    await core.database.query('update patients set deleted_at = now() where id = $1', [patient.id])
    assert.deepEqual(await today(patient.person), { sessions: [], forms: [], next_visit: null })
    assert.equal((await core.get('/v1/me/today', { as: patient.clinic.admin })).status, 403)
  })
})
