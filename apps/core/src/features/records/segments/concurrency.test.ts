import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { SegmentRule } from '@tendon/contracts'
import { randomFrom, soakRuns, soakSeed, until } from '@tendon/testing'
import type { TestOrganization } from '../../../testing/people.ts'
import { deleteSegment } from './queries.ts'
import { queueEvaluation, startNextEvaluation } from './queue-queries.ts'
import { type SegmentsCore, startSegments } from './work.testing.ts'

describe('segments under concurrency', () => {
  let core: SegmentsCore
  let clinic: TestOrganization
  let pain: string
  before(async () => {
    core = await startSegments()
    clinic = await core.organization()
    pain = await core.field(clinic, 'number')
  })
  after(() => core.close())

  const asked = (op: SegmentRule['op'], value: number): SegmentRule => ({
    source: 'profile',
    custom_field_id: pain,
    op,
    value,
  })
  const change = (id: string, rules: SegmentRule[]) =>
    core.ok('PUT', `/v1/segments/${id}`, { as: clinic.admin, body: { name: 'Segment', match_mode: 'all', rules } })
  const patientWith = async (value: number) => {
    const patient = await core.patient(clinic)
    await core.value(patient, pain, value)
    return patient
  }
  const completed = (id: string) =>
    until(
      async () =>
        (await core.ok('GET', `/v1/segments/${id}/evaluation-status`, { as: clinic.admin })).status === 'completed',
    )

  test('members stay as they were while a rebuild runs, and all change at once when it ends', async () => {
    const patient = await patientWith(10)
    const id = await core.segment(clinic, [asked('eq', 10)])
    const next = await patientWith(10)
    await core.rebuilding(clinic, id, async () => assert.deepEqual(await core.members(clinic, id), [patient.id]))
    assert.deepEqual(await core.members(clinic, id), [patient.id, next.id].sort())
  })

  test('a patient who changes while a rebuild runs is not lost, neither in nor out', async () => {
    const [comes, goes] = await Promise.all([patientWith(0), patientWith(20)])
    const id = await core.segment(clinic, [asked('eq', 20)])
    const other = await core.segment(clinic, [asked('lt', 20)])
    await core.rebuilding(clinic, id, async () => {
      await core.value(comes, pain, 20)
      await core.value(goes, pain, 0)
      await Promise.all([core.changed(comes), core.changed(goes)])
      // The segment that nobody rebuilds does not wait for the one that is.
      await until(async () => (await core.members(clinic, other)).includes(goes.id))
      assert.deepEqual(await core.members(clinic, id), [goes.id])
    })
    await until(async () => (await core.members(clinic, id)).includes(comes.id))
    await until(async () => !(await core.members(clinic, id)).includes(goes.id))
  })

  test('a patient who is deleted while a rebuild runs is not added again', async () => {
    const patient = await patientWith(30)
    const id = await core.segment(clinic, [asked('eq', 30)])
    await core.database.query('delete from segment_members where segment_id = $1', [id])
    await core.rebuilding(clinic, id, () => core.ok('DELETE', `/v1/patients/${patient.id}`, { as: clinic.admin }))
    assert.deepEqual(await core.members(clinic, id), [])
    await until(
      async () => (await core.database.query('select 1 from segment_members where segment_id = $1', [id])).length === 0,
    )
  })

  test('an update waits for no rebuild, and the older rebuild does not overwrite the newer', async () => {
    const [first, second] = await Promise.all([patientWith(40), patientWith(41)])
    const id = await core.segment(clinic, [asked('eq', 40)])
    // The older one has read the rules of version 1 and ends only after version 2 is there and its rebuild is waiting.
    await core.rebuilding(clinic, id, async () => {
      await change(id, [asked('eq', 41)])
      assert.deepEqual(await core.members(clinic, id), [first.id])
    })
    await completed(id)
    assert.deepEqual(await core.members(clinic, id), [second.id])
  })

  test('an evaluation whose worker died runs again', async () => {
    const patient = await patientWith(50)
    const id = await core.segment(clinic, [asked('eq', 50)])
    const next = await patientWith(50)
    await core.quiet() // no worker looks for the next evaluation
    const started = await core.inClinic(clinic, async (tx) => {
      await queueEvaluation(tx, id)
      return startNextEvaluation(tx, [], new Date())
    })
    const { status } = await core.ok('GET', `/v1/segments/${id}/evaluation-status`, { as: clinic.admin })
    assert.deepEqual([started?.segment_id, status], [id, 'running'])
    // Whatever wakes the workers: here another segment.
    await core.segment(clinic, [asked('eq', -1)])
    await completed(id)
    assert.deepEqual(await core.members(clinic, id), [patient.id, next.id].sort())
  })

  test('a failed evaluation is retried, also when others were requested meanwhile', async () => {
    const [id, other] = await Promise.all([0, 1].map(() => core.segment(clinic, [asked('eq', 55)])))
    assert.ok(id && other)
    const next = await patientWith(55)
    const ask = (one: string) => core.ok('POST', `/v1/segments/${one}/evaluate`, { as: clinic.admin })
    const waiting = `from pg_stat_activity where wait_event = 'advisory' and datname = current_database()`
    await core.rebuilding(clinic, id, async () => {
      await ask(id)
      await until(async () => (await core.database.query(`select 1 ${waiting}`)).length > 0)
      await ask(other)
      await completed(other)
      await core.database.query(`select pg_cancel_backend(pid) ${waiting}`)
      await until(() => core.workerLog.some((line) => line.includes('segment evaluation failed')))
    })
    await completed(id)
    await core.quiet()
    for (const one of [id, other]) assert.deepEqual(await core.members(clinic, one), [next.id])
  })

  test('segments deleted while they are evaluated, updated and read leave nothing behind', async () => {
    const patients = await Promise.all([patientWith(60), patientWith(60)])
    const ids = await Promise.all(
      Array.from({ length: Math.min(8, soakRuns(4, 4)) }, () => core.segment(clinic, [asked('eq', 60)])),
    )
    const none = [200, 202, 404]
    await Promise.all(
      ids.flatMap((id) => [
        ...patients.map((patient) => core.changed(patient)),
        ...(['evaluate', 'members?fresh=true', ''] as const).map(async (path) => {
          const body = path === '' ? { name: 'Next', match_mode: 'all', rules: [asked('eq', 60)] } : undefined
          const method = path === 'evaluate' ? 'POST' : path === '' ? 'PUT' : 'GET'
          const answer = await core.call(method, `/v1/segments/${id}${path && `/${path}`}`, { as: clinic.admin, body })
          assert.ok(none.includes(answer.status), answer.text)
        }),
        core.ok('DELETE', `/v1/segments/${id}`, { as: clinic.admin }),
      ]),
    )
    await core.quiet()
    for (const table of ['segment_evaluations', 'segment_members', 'segment_versions'])
      assert.deepEqual(await core.database.query(`select 1 from ${table} where segment_id = any($1)`, [ids]), [], table)
    assert.deepEqual(
      core.workerLog.filter((line) => line.includes('deadlock')),
      [],
    )
  })

  test('a segment that is deleted while a patient is evaluated is left out', async () => {
    const patient = await patientWith(70)
    const [gone, stays] = await Promise.all([0, 1].map(() => core.segment(clinic, [asked('eq', 70)])))
    await core.database.query('delete from segment_members where patient_id = $1', [patient.id])
    const evaluating = await core.inClinic(clinic, async (tx) => {
      await deleteSegment(tx, gone ?? '')
      const answer = core.post(`/v1/patients/${patient.id}/evaluate-segments`, { as: clinic.admin })
      await until(async () => (await core.database.query('select 1 from pg_locks where not granted')).length > 0)
      return { answer }
    })
    const { status, body, text } = await evaluating.answer
    assert.equal(status, 200, text)
    assert.deepEqual(body.added_to, [stays])
  })

  test('after any concurrent changes the members are those that match the rules', async () => {
    const random = randomFrom(soakSeed())
    const level = () => 100 + Math.floor(random() * 4)
    const patients = await Promise.all(Array.from({ length: 12 }, () => patientWith(level())))
    const ids = await Promise.all([100, 102].map((value) => core.segment(clinic, [asked('eq', value)])))
    const wanted = new Map<string, number>()
    const steps = Array.from({ length: soakRuns(16) }, () => random())
    const change1 = async (at: number) => {
      const patient = patients[Math.floor(at * 1000) % patients.length]
      const id = ids[Math.floor(at * 7919) % ids.length]
      assert.ok(patient && id)
      if (at < 0.6) {
        await core.value(patient, pain, level())
        await core.changed(patient)
      } else if (at < 0.75) await core.ok('POST', `/v1/segments/${id}/evaluate`, { as: clinic.admin })
      else if (at < 0.9) await change(id, [asked('eq', level())])
      else await core.ok('POST', `/v1/patients/${patient.id}/evaluate-segments`, { as: clinic.admin })
    }
    for (let first = 0; first < steps.length; first += 8) await Promise.all(steps.slice(first, first + 8).map(change1))
    await core.quiet()
    for (const id of ids) {
      const { data } = await core.ok('GET', `/v1/segments/${id}`, { as: clinic.admin })
      wanted.set(id, data.rules[0].value)
      const rows = await core.database.query<{ entity_id: string }>(
        `select entity_id from custom_field_values where custom_field_id = $1 and value = to_jsonb($2::int)`,
        [pain, data.rules[0].value],
      )
      assert.deepEqual(await core.members(clinic, id), rows.map(({ entity_id }) => entity_id).sort())
    }
    // Each join and each leave has exactly one event, so the events add up to the members.
    for (const id of ids) {
      const said = new Set<string>()
      for (const { type, patient_id } of await core.events(id)) {
        assert.equal(said.has(patient_id), type === 'segment.member.removed', `${type} twice`)
        if (type === 'segment.member.added') said.add(patient_id)
        else said.delete(patient_id)
      }
      assert.deepEqual([...said].sort(), await core.members(clinic, id))
    }
  })
})
