import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { SegmentRule } from '@tendon/contracts'
import { until } from '@tendon/testing'
import { sql } from 'kysely'
import type { Json } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { scheduling } from '../../scheduling/scheduling.ts'
import { queueEvaluation } from './queue-queries.ts'
import { type SegmentsCore, startSegments } from './work.testing.ts'

describe('the evaluation of segments', () => {
  let core: SegmentsCore
  let clinic: TestOrganization
  let now = new Date('2026-06-15T09:00:00Z')
  before(async () => {
    const countAppointments: typeof scheduling.countAppointments = (statuses) => sql`
      select patient_id, count(*) as count, max(day) as last_date from visits
      where ${statuses}::text[] is null or status = any(${statuses}) group by patient_id`
    core = await startSegments({ now: () => now, scheduling: { ...scheduling, countAppointments } })
    await core.database.query('create table visits (patient_id uuid, status text, day text)')
    await core.database.query('grant select on visits to tendon_app, tendon_worker')
    clinic = await core.organization()
  })
  after(() => core.close())

  const asked = (custom_field_id: string, op: SegmentRule['op'], value?: SegmentRule['value']): SegmentRule => ({
    source: 'profile',
    custom_field_id,
    op,
    ...(value === undefined ? {} : { value }),
  })
  const path = (id: string, rest = '') => `/v1/segments/${id}${rest}`
  const change = (id: string, rules: SegmentRule[], of = clinic) =>
    core.ok('PUT', path(id), { as: of.admin, body: { name: 'Segment', match_mode: 'all', rules } })

  test('rules over profile, forms and appointments find their members; the newest completed form counts', async () => {
    const [pain, side, note] = await Promise.all(['number', 'select', 'text'].map((type) => core.field(clinic, type)))
    assert.ok(pain && side && note)
    const template_id = await core.template(clinic, [note])
    const [yes, old, none] = await Promise.all([core.patient(clinic), core.patient(clinic), core.patient(clinic)])
    for (const one of [yes, old, none]) await core.value(one, pain, 8)
    await core.value(yes, side, 'knee')
    await core.form(yes, template_id, { [note]: 'nothing' }, { completedAt: '2026-01-01' })
    await core.form(yes, template_id, { [note]: 'Durere la GENUNCHI' }, { completedAt: '2026-02-01' })
    await core.form(yes, template_id, { [note]: 'draft' }, { status: 'in_progress', completedAt: '2026-03-01' })
    await core.form(old, template_id, { [note]: 'genunchi' }, { completedAt: '2026-01-01' })
    await core.form(old, template_id, { [note]: 'nothing' }, { completedAt: '2026-02-01' })
    await core.database.query(
      `insert into visits values ($1, 'completed', '2026-06-01'), ($1, 'no_show', '2026-06-10')`,
      [yes.id],
    )
    const form: SegmentRule = { source: 'form', template_id, custom_field_id: note, op: 'contains', value: 'Génunchi' }
    const rules: SegmentRule[] = [
      asked(pain, 'gte', 7),
      asked(side, 'in', ['knee', 'hip']),
      form,
      { source: 'appointments', metric: 'count', op: 'eq', value: 1, filters: { status: 'completed' } },
      { source: 'appointments', metric: 'last_date', op: 'in_last', value: { amount: 1, unit: 'weeks' } },
    ]
    assert.deepEqual(await core.members(clinic, await core.segment(clinic, rules)), [yes.id])
    assert.deepEqual(await core.members(clinic, await core.segment(clinic, [form], 'any')), [yes.id])
    const never: SegmentRule = { source: 'appointments', metric: 'count', op: 'lt', value: 1 }
    const seldom = await core.members(clinic, await core.segment(clinic, [never, asked(pain, 'is_set')]))
    assert.deepEqual(seldom, [old.id, none.id].sort())
  })

  test('a negative operator matches patients without a value', async () => {
    const own = await core.organization()
    const side = await core.field(own, 'select')
    const [knee, hip, unset] = await Promise.all([core.patient(own), core.patient(own), core.patient(own)])
    await core.value(knee, side, 'knee')
    await core.value(hip, side, 'hip')
    const find = async (op: SegmentRule['op'], value?: SegmentRule['value']) =>
      core.members(own, await core.segment(own, [asked(side, op, value)]))
    assert.deepEqual(await find('neq', 'knee'), [hip.id, unset.id].sort())
    assert.deepEqual(await find('not_in', ['knee', 'hip']), [unset.id])
    assert.deepEqual(await find('is_not_set'), [unset.id])
  })

  test('days are days in the clinic’s time zone', async () => {
    const own = await core.organization({ time_zone: 'Pacific/Kiritimati' })
    const seen = await core.field(own, 'date')
    const [today, tomorrow] = await Promise.all([core.patient(own), core.patient(own)])
    // 09:00 in UTC is 23:00 on Kiritimati, 11:00 is one o’clock the next day.
    await core.value(today, seen, '2026-06-15')
    await core.value(tomorrow, seen, '2026-06-16')
    const id = await core.segment(own, [asked(seen, 'in_last', { amount: 3, unit: 'days' })])
    assert.deepEqual(await core.members(own, id), [today.id])
    const before = now
    now = new Date('2026-06-15T11:00:00Z')
    try {
      // By the clock: it is another day there, and nothing changed but the calendar.
      await core.database.query(`select graphile_worker.add_job('segments.follow_calendar')`)
      await until(async () => (await core.members(own, id)).length === 2)
    } finally {
      now = before
    }
  })

  test('evaluations whose worker died are queued again; recent ones, and those of a clinic that is being evaluated, are not', async () => {
    const [own, other, busy] = await Promise.all([core.organization(), core.organization(), core.organization()])
    const pain = await core.field(own, 'number')
    const old = [await core.segment(own, [asked(pain, 'gt', 5)]), await core.segment(own, [asked(pain, 'gt', 4)])]
    const young = await core.segment(other, [asked(await core.field(other, 'number'), 'gt', 5)])
    const field = await core.field(busy, 'number')
    const [next, underWay] = [
      await core.segment(busy, [asked(field, 'gt', 5)]),
      await core.segment(busy, [asked(field, 'gt', 4)]),
    ]
    const patient = await core.patient(own)
    await core.value(patient, pain, 6)
    const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
    await core.database.query(
      `insert into segment_evaluations (organization_id, segment_id, status, queued_at, started_at)
       values ($1, $2, 'queued', $9, null), ($1, $3, 'running', $9, $9), ($4, $5, 'queued', $10, null),
         ($6, $7, 'queued', $9, null), ($6, $8, 'running', $9, $10)`,
      [own.id, ...old, other.id, young, busy.id, next, underWay, ago(6), ago(4)],
    )
    await core.database.query(`select graphile_worker.add_job('segments.take_up')`)
    for (const id of old) await until(async () => (await core.members(own, id)).length === 1)
    await core.quiet()
    for (const [of, id] of [
      [other, young],
      [busy, next],
    ] as const) {
      assert.equal((await core.ok('GET', path(id, '/evaluation-status'), { as: of.admin })).status, 'queued')
      await core.ok('POST', path(id, '/evaluate'), { as: of.admin })
      await core.evaluated(of, id)
    }
  })

  test('an evaluation that started ten times and never ended fails; the schedule retries it the next day', async () => {
    const own = await core.organization()
    const id = await core.segment(own, [asked(await core.field(own, 'date'), 'in_last', { amount: 3, unit: 'days' })])
    await core.database.query('delete from segment_evaluations where segment_id = $1', [id])
    const old = new Date(now.getTime() - 6 * 60_000)
    await core.database.query(
      `insert into segment_evaluations (organization_id, segment_id, status, queued_at, started_at, attempts)
       values ($1, $2, 'running', $3, $3, 10)`,
      [own.id, id, old],
    )
    const follow = () => core.database.query(`select graphile_worker.add_job('segments.follow_calendar')`)
    const evaluations = () =>
      core.database.query(
        `select status, failure ->> 'error' as error from segment_evaluations where segment_id = $1 order by id`,
        [id],
      )
    await follow()
    await core.quiet()
    assert.equal((await evaluations()).length, 1, 'one is under way')
    await core.database.query(`select graphile_worker.add_job('segments.take_up')`)
    const givenUp = { status: 'failed', error: 'BegunTooOften' }
    await until(async () => (await evaluations())[0]?.status === 'failed')
    await follow()
    await core.quiet()
    assert.deepEqual(await evaluations(), [givenUp])
    const before = now
    now = new Date(now.getTime() + 24 * 3_600_000)
    try {
      await follow()
      await until(async () => (await evaluations())[1]?.status === 'completed')
    } finally {
      now = before
    }
  })

  test('an evaluation is queued once, however often it is requested before it starts, and then reports its result', async () => {
    const pain = await core.field(clinic, 'number')
    const id = await core.segment(clinic, [asked(pain, 'gt', 5)])
    const patient = await core.patient(clinic)
    await core.value(patient, pain, 6)
    const [queued, again] = await core.inClinic(clinic, async (tx) => [
      await queueEvaluation(tx, id),
      await queueEvaluation(tx, id),
    ])
    assert.equal(queued, again)
    const answer = await core.post(path(id, '/evaluate'), { as: clinic.admin })
    assert.equal(answer.status, 202)
    const { status, job_id, estimated_time, ...rest } = answer.body
    assert.deepEqual([status, job_id, rest], ['queued', queued, {}])
    assert.ok(Number.isInteger(estimated_time) && estimated_time >= 1)
    const done = await core.evaluated(clinic, id)
    assert.equal(done.status, 'completed')
    assert.deepEqual(await core.members(clinic, id), [patient.id])
    const [audit] = await core.database.query(
      `select 1 from audit_log where action = 'segments.evaluate' and target_id = $1`,
      [id],
    )
    assert.ok(audit)
  })

  test('events name patients who joined or left, and nobody else; other members keep their time', async () => {
    const own = await core.organization()
    const pain = await core.field(own, 'number')
    const [high, low] = await Promise.all([core.patient(own), core.patient(own)])
    await core.value(high, pain, 9)
    await core.value(low, pain, 4)
    const id = await core.segment(own, [asked(pain, 'gte', 3)])
    const matched_at = now.toISOString()
    const told = { segment_id: id, segment_name: 'Segment' }
    const first = await core.events(id)
    assert.deepEqual(
      first.sort((a, b) => (a.patient_id < b.patient_id ? -1 : 1)),
      [high.id, low.id].sort().map((patient_id) => ({ type: 'segment.member.added', ...told, patient_id, matched_at })),
    )
    const before = now
    now = new Date(now.getTime() + 1000)
    try {
      await change(id, [asked(pain, 'gte', 5)], own)
      const done = await core.evaluated(own, id)
      assert.deepEqual([done.members_added, done.members_removed], [0, 1])
      assert.deepEqual((await core.events(id)).slice(2), [
        { type: 'segment.member.removed', ...told, patient_id: low.id, reason: 'no_longer_matches' },
      ])
      const { members } = await core.ok('GET', path(id, '/members'), { as: own.admin })
      assert.deepEqual(members, [{ patient_id: high.id, name: 'Maria Stan', email: null, matched_at }])
      await core.ok('POST', path(id, '/evaluate'), { as: own.admin })
      assert.deepEqual((await core.evaluated(own, id)).members_added, 0)
      assert.equal((await core.events(id)).length, 3)
    } finally {
      now = before
    }
  })

  test('saving a profile or form re-evaluates the patient, without any right to segments', async () => {
    const pain = await core.field(clinic, 'number')
    const id = await core.segment(clinic, [asked(pain, 'gte', 7)])
    const patient = await core.patient(clinic)
    await core.value(patient, pain, 8)
    await core.changed(patient)
    await until(async () => (await core.members(clinic, id)).length === 1)
    await core.value(patient, pain, 2)
    await core.changed(patient)
    await until(async () => (await core.members(clinic, id)).length === 0)
    assert.deepEqual(
      (await core.events(id)).map(({ type }) => type),
      ['segment.member.added', 'segment.member.removed'],
    )
  })

  test('a patient who changes their own profile moves, and sees nothing of it', async () => {
    const pain = await core.field(clinic, 'number')
    const id = await core.segment(clinic, [asked(pain, 'gte', 7)])
    const person = await core.signIn()
    const patient = await core.patient(clinic, person)
    await core.acceptAll(patient)
    const saved = await core.ok('PUT', `/v1/patients/${patient.id}/profile`, { as: person, body: { [`f_${pain}`]: 8 } })
    assert.deepEqual(Object.keys(saved), ['patient_id', 'profile', 'version'])
    await until(async () => (await core.members(clinic, id)).includes(patient.id))
    assert.equal((await core.get(`/v1/patients/${patient.id}/segments`, { as: person })).status, 403)
  })

  test('the segments of one patient are evaluated at once and returned', async () => {
    const own = await core.organization()
    const pain = await core.field(own, 'number')
    const [high, low] = [
      await core.segment(own, [asked(pain, 'gte', 7)]),
      await core.segment(own, [asked(pain, 'lt', 7)]),
    ]
    const patient = await core.patient(own)
    const evaluate = () => core.ok('POST', `/v1/patients/${patient.id}/evaluate-segments`, { as: own.admin })
    await core.value(patient, pain, 9)
    assert.deepEqual(await evaluate(), { evaluated: 2, added_to: [high], removed_from: [] })
    assert.deepEqual(await evaluate(), { evaluated: 2, added_to: [], removed_from: [] })
    await core.value(patient, pain, 1)
    assert.deepEqual(await evaluate(), { evaluated: 2, added_to: [low], removed_from: [high] })
    const audit = await core.database.query(
      `select 1 from audit_log where action = 'segments.evaluate_patient' and patient_profile_id = $1`,
      [patient.profile_id],
    )
    assert.equal(audit.length, 2, 'one entry for each time that something changed')
    await core.database.query('update patients set restricted_at = now() where id = $1', [patient.id])
    const refused = await core.post(`/v1/patients/${patient.id}/evaluate-segments`, { as: own.admin })
    assert.deepEqual([refused.status, refused.body.error.code], [409, 'processing_restricted'])
  })

  test('new, deleted and restricted patients are re-evaluated at once', async () => {
    const own = await core.organization()
    await core.publishNotice(own)
    const pain = await core.field(own, 'number')
    const id = await core.segment(own, [asked(pain, 'is_not_set')])
    const created = await core.ok('POST', '/v1/patients', {
      as: own.admin,
      body: { first_name: 'Ana', last_name: 'Pop' },
    })
    const patient_id = created.data.id
    await until(async () => (await core.members(own, id)).includes(patient_id))
    const { data } = await core.ok('GET', path(id), { as: own.admin })
    assert.equal(data.member_count, 1)
    const restrict = (restricted: boolean) =>
      core.ok('POST', '/v1/gdpr/restrict', { as: own.admin, body: { patient_id, restricted, reason: 'Asked for' } })
    await restrict(true)
    assert.deepEqual(await core.members(own, id), [])
    await core.quiet()
    await restrict(false)
    await until(async () => (await core.members(own, id)).includes(patient_id))
    await core.ok('DELETE', `/v1/patients/${patient_id}`, { as: own.admin })
    assert.deepEqual(await core.members(own, id), [])
    await core.quiet()
    const reasons = (await core.events(id)).map(({ type, reason }) => reason ?? type)
    const added = 'segment.member.added'
    assert.deepEqual(reasons, [added, 'processing_restricted', added, 'patient_deleted'])
    const rows = await core.database.query('select 1 from segment_members where patient_id = $1', [patient_id])
    assert.equal(rows.length, 0)
  })

  test('a rule over a deleted field fails the evaluation; members stay, and other segments are evaluated', async () => {
    const own = await core.organization()
    const [pain, other] = await Promise.all([core.field(own, 'number'), core.field(own, 'number')])
    assert.ok(pain && other)
    const patient = await core.patient(own)
    await core.value(patient, pain, 9)
    const broken = await core.segment(own, [asked(pain, 'gte', 7)])
    const whole = await core.segment(own, [asked(other, 'eq', 1)])
    await core.database.query('delete from custom_field_values where custom_field_id = $1', [pain])
    await core.database.query('update custom_fields set deleted_at = now() where id = $1', [pain])
    await core.value(patient, other, 1)

    await core.ok('POST', path(broken, '/evaluate'), { as: own.admin })
    const status = await core.evaluated(own, broken)
    assert.deepEqual([status.status, status.failing_rule], ['failed', asked(pain, 'gte', 7)])
    assert.match(status.error, /deleted/)
    assert.deepEqual(await core.members(own, broken), [patient.id])

    const refused = await core.post(`/v1/patients/${patient.id}/evaluate-segments`, { as: own.admin })
    assert.deepEqual([refused.status, refused.body.status, refused.body.name], [500, 500, 'SegmentEvaluationError'])
    const { error, ...details } = refused.body.details
    assert.deepEqual(details, { segment_id: broken, patient_id: patient.id, failing_rule: asked(pain, 'gte', 7) })
    assert.match(error, /deleted/)
    assert.deepEqual(await core.members(own, whole), [patient.id])
    const explained = await core.get(path(broken, `/members/${patient.id}/explain`), { as: own.admin })
    assert.deepEqual([explained.status, explained.body.name], [500, 'SegmentEvaluationError'])
  })

  test('a preview returns a count and a sample, and saves nothing', async () => {
    const own = await core.organization()
    const pain = await core.field(own, 'number')
    const patients = await Promise.all(Array.from({ length: 12 }, () => core.patient(own)))
    for (const one of patients) await core.value(one, pain, 9)
    const body = { match_mode: 'any', rules: [asked(pain, 'eq', 9)] }
    const { data } = await core.ok('POST', '/v1/segments/preview', { as: own.admin, body })
    assert.equal(data.count, 12)
    assert.equal(data.sample.length, 10)
    assert.deepEqual(Object.keys(data.sample[0]).sort(), ['email', 'name', 'patient_id'])
    assert.ok(data.sample.every(({ patient_id }: Json) => patients.some(({ id }) => id === patient_id)))
    const none = await core.ok('POST', '/v1/segments/preview', {
      as: own.admin,
      body: { ...body, rules: [asked(pain, 'eq', 8)] },
    })
    assert.deepEqual(none.data, { count: 0, sample: [] })
    assert.deepEqual(await core.ok('GET', '/v1/segments', { as: own.admin }), { segments: [] })
  })
})
