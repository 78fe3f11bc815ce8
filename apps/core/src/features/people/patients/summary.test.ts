import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Json, type Person, sharedCore, type TestCore } from '../../../testing/core.ts'
import { schedulingClinic } from '../../scheduling/clinic.testing.ts'
import { recordsOf } from './summary.testing.ts'

const UNKNOWN = '019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17'

/** The parts that each permission opens, beside conditions. */
const PARTS: Record<string, string[]> = {
  'appointments.view_org': ['next_visit', 'last_visit'],
  'session_runs.view_org': ['last_run', 'pain'],
  'treatment_plans.view_org': ['plan'],
  'forms.view_org': ['forms_open', 'to_sign'],
  'consents.view_org': ['missing_consents'],
}

describe('the summary of a patient', () => {
  let core: TestCore
  let records: ReturnType<typeof recordsOf>
  before(async () => {
    core = await sharedCore()
    records = recordsOf(core)
  })
  after(() => core.close())

  const read = (as: Person, id: string) => core.get(`/v1/patients/${id}/summary`, { as })
  const listed = async (as: Person, id: string) => {
    const { status, body, text } = await core.get('/v1/patients?include=summary', { as })
    assert.equal(status, 200, text)
    return body.data.find((row: Json) => row.id === id)
  }
  const entriesOf = (id: string) =>
    core.database.query<{ action: string; crud: string }>(
      `select action, crud from audit_log where target_id = $1 and crud = 'R' order by occurred_at, id`,
      [id],
    )
  const present = (parts: object) =>
    Object.entries(parts)
      .filter(([, value]) => value !== null)
      .map(([name]) => name)
      .sort()

  test('a summary tells the state of a patient at a glance', async () => {
    const { clinic, patient, condition, last, next, runId, form } = await records.clinicWithPatient()
    const { status, body, text } = await read(clinic.admin, patient.id)
    assert.equal(status, 200, text)
    const { conditions, next_visit, last_visit, last_run, pain, ...rest } = body.data
    assert.deepEqual(
      conditions.map((one: Json) => [one.id, one.condition.name, one.status]),
      [[condition.id, 'Knee pain', 'active']],
    )
    assert.deepEqual([next_visit.id, next_visit.status, next_visit.mode], [next, 'confirmed', 'in_person'])
    assert.deepEqual(next_visit.specialist, { id: clinic.specialist.id, name: 'Ana' })
    assert.deepEqual(next_visit.service, { id: clinic.service.id, name: 'Session' })
    assert.deepEqual([last_visit.id, last_run.id, last_run.status], [last, runId, 'ended_explicit'])
    assert.deepEqual([pain.last, pain.worst, pain.trend, typeof pain.at], [6, 6, [6], 'string'])
    assert.deepEqual(rest, {
      plan: { id: patient.plan_id, title: 'Knee', runs_14d: 1 },
      forms_open: 1,
      to_sign: 0,
      missing_consents: ['telemedicine'],
    })
    await core.database.query(`update forms set status = 'completed', completed_at = now() where id = $1`, [form.id])
    const later = (await read(clinic.admin, patient.id)).body.data
    assert.deepEqual([later.forms_open, later.to_sign], [0, 1])
  })

  test('each part needs the permission of its list, alone and in a row of the list', async () => {
    const { clinic, patient } = await records.clinicWithPatient()
    const alone = await core.memberWith(clinic, ['patients.view_org'])
    assert.deepEqual(present((await read(alone, patient.id)).body.data), ['conditions'])
    assert.deepEqual(present((await listed(alone, patient.id)).summary), [])
    for (const [code, parts] of Object.entries(PARTS)) {
      const member = await core.memberWith(clinic, ['patients.view_org', code])
      assert.deepEqual(present((await read(member, patient.id)).body.data), ['conditions', ...parts].sort(), code)
      const rowParts = parts.filter((part) => /visit|run|pain/.test(part))
      assert.deepEqual(present((await listed(member, patient.id)).summary), rowParts.sort(), code)
    }
    const planner = await core.memberWith(clinic, ['patients.view_org', 'treatment_plans.view_org'])
    assert.equal((await read(planner, patient.id)).body.data.plan.runs_14d, null)
    const registrar = await core.memberWith(clinic, ['patients.view_org', 'consents.view_org'])
    assert.deepEqual((await read(registrar, patient.id)).body.data.missing_consents, [])
    const stranger = await core.memberWith(clinic, Object.keys(PARTS))
    assert.equal((await read(stranger, patient.id)).status, 403)
  })

  test('staff who are patients here see no more of themselves than of others', async () => {
    const { clinic, patient } = await records.clinicWithPatient()
    const role = await core.memberWith(clinic, ['patients.view_org'])
    await core.database.query(
      `update organization_memberships set principal_id = $2 where organization_id = $1 and principal_id = $3`,
      [clinic.id, patient.person.id, role.id],
    )
    assert.deepEqual(present((await read(patient.person, patient.id)).body.data), ['conditions'])
    assert.deepEqual(present((await listed(patient.person, patient.id)).summary), [])
  })

  test('without visits, runs, plans and forms, the parts are empty', async () => {
    const clinic = await schedulingClinic(core)
    const { id } = await core.patient(clinic)
    assert.deepEqual((await read(clinic.admin, id)).body.data, {
      conditions: [],
      next_visit: null,
      last_visit: null,
      last_run: null,
      pain: null,
      plan: null,
      forms_open: 0,
      to_sign: 0,
      missing_consents: ['org_terms'],
    })
    await core.publishNotice(clinic)
    assert.deepEqual((await read(clinic.admin, id)).body.data.missing_consents, ['org_privacy_notice', 'org_terms'])
  })

  test('a visit that has begun is the next one until it ends; cancelled and missed ones are neither next nor last', async () => {
    const clinic = await schedulingClinic(core)
    const patient = await core.patient(clinic)
    for (const [hours, status] of [
      [-3, 'no_show'],
      [-2, 'cancelled'],
      [1, 'cancelled'],
    ] as const)
      await records.visit(clinic, patient, { hours, status })
    const edges = async () => {
      const { next_visit, last_visit } = (await read(clinic.admin, patient.id)).body.data
      return [next_visit?.id ?? null, last_visit?.id ?? null]
    }
    assert.deepEqual(await edges(), [null, null])
    const open = await records.visit(clinic, patient, { hours: -4 })
    const begun = await records.visit(clinic, patient, { hours: -0.2, status: 'checked_in' })
    await records.visit(clinic, patient, { hours: 24 })
    assert.deepEqual(await edges(), [begun, open])
    await core.database.query(`update appointments set status = 'completed' where id = $1`, [begun])
    assert.equal((await edges())[1], begun)
  })

  test('the trend has the worst pain of each of the last eight runs with a report, oldest first', async () => {
    const clinic = await schedulingClinic(core)
    const patient = await records.patient(clinic)
    for (let day = 12; day >= 3; day -= 1) await records.run(patient, day, 12 - day)
    const quiet = await records.run(patient, 2)
    const { pain, last_run } = (await read(clinic.admin, patient.id)).body.data
    assert.equal(last_run.id, quiet)
    assert.deepEqual([pain.last, pain.worst, pain.trend], [9, 9, [2, 3, 4, 5, 6, 7, 8, 9]])
    assert.deepEqual((await listed(clinic.admin, patient.id)).summary.pain, pain)
  })

  test('what linked records have is included', async () => {
    const { clinic, patient, next, runId } = await records.clinicWithPatient()
    const main = await core.patient(clinic)
    await core.database.query('update patients set merged_into_id = $1 where id = $2', [main.id, patient.id])
    const { body } = await read(clinic.admin, main.id)
    assert.deepEqual([body.data.next_visit.id, body.data.last_run.id], [next, runId])
    assert.deepEqual([body.data.plan.id, body.data.forms_open], [patient.plan_id, 1])
    assert.equal((await listed(clinic.admin, main.id)).summary.next_visit.id, next)
  })

  test('another clinic, a deleted and an unknown patient have no summary (404); a restricted patient has one', async () => {
    const { clinic, patient } = await records.clinicWithPatient()
    const other = await core.organization()
    const hidden = async (as: Person, id: string) => (await read(as, id)).body.error.code
    assert.equal(await hidden(other.admin, patient.id), 'patient_not_found')
    assert.equal(await hidden(clinic.admin, UNKNOWN), 'patient_not_found')
    await records.restrict(patient)
    assert.equal((await read(clinic.admin, patient.id)).body.data.plan.id, patient.plan_id)
    await records.restrict(patient, false)
    await core.database.query('update patients set deleted_at = now() where id = $1', [patient.id])
    const member = await core.memberWith(clinic, ['patients.view_org', ...Object.keys(PARTS)])
    assert.equal(await hidden(member, patient.id), 'patient_not_found')
    assert.equal((await core.get('/v1/patients?include=summary', { as: member })).body.data.length, 0)
  })

  test('a summary is logged like the record; the record with its summary is logged once', async () => {
    const clinic = await schedulingClinic(core)
    const { id } = await core.patient(clinic)
    await read(clinic.admin, id)
    assert.deepEqual(await entriesOf(id), [{ action: 'patients.read', crud: 'R' }])
    const { body } = await core.get(`/v1/patients/${id}?include=summary`, { as: clinic.admin })
    assert.deepEqual([body.data.id, body.data.linked_records, body.data.summary.forms_open], [id, [], 0])
    assert.equal((await entriesOf(id)).length, 2)
    const plain = await core.get(`/v1/patients/${id}`, { as: clinic.admin })
    assert.equal('summary' in plain.body.data, false)
    await core.get('/v1/patients?include=summary', { as: clinic.admin })
    assert.equal((await entriesOf(id)).length, 3)
  })

  test('under break-glass for one patient, the summary of that patient alone is read', async () => {
    const { clinic, patient } = await records.clinicWithPatient()
    const neighbour = await core.patient(clinic)
    const operator = await core.superadmin()
    const at = { as: operator, headers: { 'x-organization-id': clinic.id } }
    const outcome = async (path: string) => {
      const { status, body } = await core.get(path, at)
      return status === 200 ? 200 : body.error.code
    }
    const paths = ['summary', 'timeline'].map((part) => `/v1/patients/${patient.id}/${part}`)
    for (const path of paths) assert.equal(await outcome(path), 'break_glass_required')
    const opened = await core.post('/v1/admin/break-glass', {
      as: operator,
      body: { organization_id: clinic.id, patient_id: patient.id, reason: 'Support ticket 4711: the record is empty' },
    })
    assert.equal(opened.status, 201, opened.text)
    for (const path of paths) assert.equal(await outcome(path), 200)
    assert.equal(await outcome(`/v1/patients/${neighbour.id}/summary`), 'break_glass_required')
    assert.equal(await outcome(`/v1/patients/${neighbour.id}/timeline`), 'break_glass_required')
  })
})
