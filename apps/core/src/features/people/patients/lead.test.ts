import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type Json, type Person, sharedCore, type TestCore } from '../../../testing/core.ts'
import { runsOf } from '../../care/session-runs/runs.testing.ts'
import { created, lastMonday, type SchedulingClinic, schedulingClinic } from '../../scheduling/clinic.testing.ts'

const UNKNOWN = '019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17'
const PERSON = { first_name: 'Maria', last_name: 'Stan' }

describe('the lead specialist of a patient', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  const onboard = (clinic: SchedulingClinic, body: object = {}, as = clinic.admin) =>
    core.post('/v1/patients', { as, body: { ...PERSON, ...body } })
  const update = (clinic: SchedulingClinic, id: string, body: object = {}, as = clinic.admin) =>
    core.put(`/v1/patients/${id}`, { as, body: { ...PERSON, ...body } })
  const leadOf = async (clinic: SchedulingClinic, id: string): Promise<Json> => {
    const { body } = await core.get(`/v1/patients/${id}`, { as: clinic.admin })
    assert.equal(body.data.lead_specialist?.id ?? null, body.data.lead_specialist_id)
    return body.data.lead_specialist
  }
  /** A specialist with a login, who writes plans. */
  async function therapist(clinic: SchedulingClinic, name = 'Dan') {
    const person = await core.member(clinic, 'specialist')
    const { id } = await created(
      core.post('/v1/specialists', {
        as: clinic.admin,
        body: { name, slug: `s-${randomUUID()}`, scheduling_timezone: 'Europe/Bucharest', human_id: person.id },
      }),
    )
    return { person, id }
  }
  const writePlan = (as: Person, patientId: string) =>
    created(core.post('/v1/treatment-plans', { as, body: { patient_id: patientId, title: 'Knee' } }))
  const book = (clinic: SchedulingClinic, patientId: string, hour = 10, specialistId = clinic.specialist.id) =>
    created(
      core.post('/v1/appointments', {
        as: clinic.admin,
        body: {
          service_id: clinic.service.id,
          specialist_id: specialistId,
          starts_at: lastMonday(hour).toISOString(),
          patient_id: patientId,
        },
      }),
    )
  const setStatus = async (as: Person, id: string, status: string) => {
    const answer = await core.put(`/v1/appointments/${id}/status`, { as, body: { status } })
    assert.equal(answer.status, 200, answer.text)
  }
  const changesOf = (id: string) =>
    core.database.query<{ action: string }>(
      `select action from audit_log where target_id = $1 and action = 'patients.update'`,
      [id],
    )
  const eventsOf = (id: string) =>
    core.database.query(
      `select 1 from outbox_events where type = 'patient.updated' and payload ->> 'patient_id' = $1`,
      [id],
    )

  async function clinicWithNotice() {
    const clinic = await schedulingClinic(core)
    await core.publishNotice(clinic)
    // The free plan allows two specialists.
    await core.database.query(`update organizations set plan = 'pro' where id = $1`, [clinic.id])
    return clinic
  }

  test('staff set, keep and remove the lead of a record; readers need not see specialists', async () => {
    const clinic = await clinicWithNotice()
    const added = await created(onboard(clinic, { lead_specialist_id: clinic.specialist.id }))
    const lead = { id: clinic.specialist.id, name: 'Ana' }
    assert.deepEqual([added.lead_specialist_id, added.lead_specialist], [lead.id, lead])
    const kept = await update(clinic, added.id, { notes: 'Prefers the morning.' })
    assert.deepEqual([kept.status, kept.body.data.lead_specialist], [200, lead])
    const reader = await core.memberWith(clinic, ['patients.view_org'])
    for (const path of [`/v1/patients/${added.id}`, `/v1/patients?patient_profile_id=${added.patient_profile_id}`]) {
      const { body, text } = await core.get(path, { as: reader })
      assert.deepEqual([body.data].flat()[0]?.lead_specialist, lead, text)
    }
    const removed = await update(clinic, added.id, { lead_specialist_id: null })
    assert.deepEqual([removed.body.data.lead_specialist_id, removed.body.data.lead_specialist], [null, null])
    assert.equal((await changesOf(added.id)).length, 2)
  })

  test('a lead is a specialist of the clinic who is not deleted (422), and changes nothing otherwise', async () => {
    const [clinic, other] = [await clinicWithNotice(), await clinicWithNotice()]
    const gone = await therapist(clinic)
    const { id } = await created(onboard(clinic, { lead_specialist_id: gone.id }))
    await core.database.query('update specialists set deleted_at = now() where id = $1', [gone.id])
    const { id: second } = await created(onboard(clinic))
    for (const lead_specialist_id of [other.specialist.id, UNKNOWN, gone.id]) {
      for (const answer of [
        await onboard(clinic, { lead_specialist_id }),
        await update(clinic, second, { lead_specialist_id }),
      ]) {
        assert.equal(answer.status, 422, answer.text)
        assert.deepEqual(Object.keys(answer.body.error.fields), ['lead_specialist_id'])
      }
    }
    assert.equal((await update(clinic, second, { lead_specialist_id: 'nobody' })).status, 422)
    assert.equal(await leadOf(clinic, second), null)
    // The name of a lead who left is still shown, and other details can be saved with it.
    assert.equal((await update(clinic, id, { lead_specialist_id: gone.id })).status, 200)
    assert.deepEqual(await leadOf(clinic, id), { id: gone.id, name: 'Dan' })
  })

  test('who may not update patients sets no lead (403), and nobody does while processing is restricted (409)', async () => {
    const clinic = await clinicWithNotice()
    const { id } = await created(onboard(clinic))
    const body = { lead_specialist_id: clinic.specialist.id }
    const reader = await core.memberWith(clinic, ['patients.view_org', 'specialists.view_org'])
    assert.equal((await update(clinic, id, body, reader)).status, 403)
    await core.database.query('update patients set restricted_at = now() where id = $1', [id])
    const refused = await update(clinic, id, body)
    assert.deepEqual([refused.status, refused.body.error.code], [409, 'processing_restricted'])
    assert.equal(await leadOf(clinic, id), null)
  })

  test('the first plan makes its author the lead, if the author is a specialist; the next ones change nothing', async () => {
    const clinic = await clinicWithNotice()
    const [first, second] = [await therapist(clinic, 'Dan'), await therapist(clinic, 'Eva')]
    const { id } = await created(onboard(clinic))
    await writePlan(clinic.admin, id)
    assert.deepEqual([await leadOf(clinic, id), (await changesOf(id)).length], [null, 0])
    await writePlan(first.person, id)
    assert.deepEqual(await leadOf(clinic, id), { id: first.id, name: 'Dan' })
    assert.deepEqual([(await changesOf(id)).length, (await eventsOf(id)).length], [1, 1])
    await writePlan(second.person, id)
    const visit = await book(clinic, id)
    await setStatus(clinic.admin, visit.id, 'completed')
    assert.deepEqual(await leadOf(clinic, id), { id: first.id, name: 'Dan' })
    assert.deepEqual([(await changesOf(id)).length, (await eventsOf(id)).length], [1, 1])
  })

  test('the first completed visit makes its specialist the lead, also by staff who may not update patients', async () => {
    const clinic = await clinicWithNotice()
    const { id } = await created(onboard(clinic))
    const desk = await core.memberWith(clinic, ['appointments.view_org', 'appointments.manage'])
    const missed = await book(clinic, id, 8)
    await setStatus(desk, missed.id, 'no_show')
    const visit = await book(clinic, id, 10)
    await setStatus(desk, visit.id, 'checked_in')
    assert.equal(await leadOf(clinic, id), null)
    await setStatus(desk, visit.id, 'completed')
    assert.deepEqual(await leadOf(clinic, id), { id: clinic.specialist.id, name: 'Ana' })
    assert.equal((await changesOf(id)).length, 1)
    const later = await therapist(clinic, 'Eva')
    const next = await book(clinic, id, 12, later.id)
    await setStatus(desk, next.id, 'completed')
    assert.equal((await leadOf(clinic, id)).name, 'Ana')
  })

  test('a completed booking that is linked to a patient counts as the first visit', async () => {
    const clinic = await clinicWithNotice()
    const { id } = await created(onboard(clinic))
    const visit = await created(
      core.post('/v1/appointments', {
        as: clinic.admin,
        body: {
          service_id: clinic.service.id,
          specialist_id: clinic.specialist.id,
          starts_at: lastMonday(9).toISOString(),
        },
      }),
    )
    await setStatus(clinic.admin, visit.id, 'completed')
    const linked = await core.post(`/v1/appointments/${visit.id}/link-patient`, {
      as: clinic.admin,
      body: { patient_id: id },
    })
    assert.equal(linked.status, 200, linked.text)
    assert.equal((await leadOf(clinic, id)).name, 'Ana')
  })

  test('a visit that is completed while processing is restricted sets no lead', async () => {
    const clinic = await clinicWithNotice()
    const { id } = await created(onboard(clinic))
    const visit = await book(clinic, id)
    await core.database.query('update patients set restricted_at = now() where id = $1', [id])
    await setStatus(clinic.admin, visit.id, 'completed')
    assert.equal(await leadOf(clinic, id), null)
  })

  test('of plans and visits at the same moment exactly one sets the lead', async () => {
    const clinic = await clinicWithNotice()
    const authors = await Promise.all(Array.from({ length: 5 }, () => therapist(clinic)))
    const { id } = await created(onboard(clinic))
    const visit = await book(clinic, id)
    await Promise.all([
      ...authors.map(({ person }) => writePlan(person, id)),
      setStatus(clinic.admin, visit.id, 'completed'),
    ])
    assert.notEqual(await leadOf(clinic, id), null)
    assert.deepEqual([(await changesOf(id)).length, (await eventsOf(id)).length], [1, 1])
  })

  test('patients, plans, runs and forms are filtered by lead, of this clinic only', async () => {
    const [clinic, other] = [await clinicWithNotice(), await clinicWithNotice()]
    const runs = runsOf(core)
    const [dan, eva] = [await therapist(clinic), await therapist(clinic, 'Eva')]
    const [mine, theirs, unled] = [await runs.patient(clinic), await runs.patient(clinic), await runs.patient(clinic)]
    await created(onboard(other, { lead_specialist_id: other.specialist.id }))
    for (const one of [mine, theirs, unled]) await runs.started(one)
    for (const [{ id }, lead] of [
      [mine, dan],
      [theirs, eva],
    ] as const)
      await core.database.query('update patients set lead_specialist_id = $2 where id = $1', [id, lead.id])
    const template = await created(
      core.post('/v1/form-templates', {
        as: clinic.admin,
        body: { title: 'Intake', type: 'intake', fields: [{ key: 'a', label: 'A', type: 'text' }] },
      }),
    )
    await core.post(`/v1/form-templates/${template.id}/publish`, { as: clinic.admin })
    for (const { profile_id: patient_profile_id } of [mine, theirs, unled])
      await created(
        core.post('/v1/forms', { as: clinic.admin, body: { form_template_id: template.id, patient_profile_id } }),
      )

    const named = async (path: string, leads: string) => {
      const { status, body, text } = await core.get(`${path}?lead_specialist_id=${leads}`, { as: clinic.admin })
      assert.equal(status, 200, text)
      assert.equal(body.pagination.total, body.data.length)
      return new Set(body.data.map((row: Json) => row.patient?.id ?? row.id))
    }
    for (const path of ['/v1/patients', '/v1/treatment-plans', '/v1/session-runs', '/v1/forms']) {
      assert.deepEqual(await named(path, dan.id), new Set([mine.id]), path)
      assert.deepEqual(await named(path, `${dan.id},${eva.id}`), new Set([mine.id, theirs.id]), path)
      assert.deepEqual(await named(path, other.specialist.id), new Set(), path)
    }
  })
})
