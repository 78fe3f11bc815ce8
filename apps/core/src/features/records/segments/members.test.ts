import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { SegmentRule } from '@tendon/contracts'
import type { Json } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { type SegmentsCore, startSegments } from './work.testing.ts'

const UNKNOWN = '019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17'

describe('the members of a segment', () => {
  let core: SegmentsCore
  let clinic: TestOrganization
  let pain: string
  let now = new Date()
  before(async () => {
    core = await startSegments({ now: () => now })
    clinic = await core.organization()
    pain = await core.field(clinic, 'number')
  })
  after(() => core.close())

  const atLeast = (value: number): SegmentRule => ({ source: 'profile', custom_field_id: pain, op: 'gte', value })
  const membersOf = (id: string, query = '') => core.get(`/v1/segments/${id}/members${query}`, { as: clinic.admin })
  const patientWith = async (value: number, names = {}) => {
    const patient = await core.patient(clinic, undefined, names)
    await core.value(patient, pain, value)
    return patient
  }
  const later = (seconds: number) => {
    now = new Date(now.getTime() + seconds * 1000)
  }

  test('the members of a segment are listed in pages; the total is right past the last one', async () => {
    const id = await core.segment(clinic, [atLeast(1000)])
    await core.database.query(
      `with profiles as (insert into patient_profiles (organization_id) select $1 from generate_series(1, 205) returning id),
        patients as (insert into patients (organization_id, patient_profile_id, first_name, last_name)
          select $1, id, 'Maria', 'Stan' from profiles returning id)
       insert into segment_members (organization_id, segment_id, patient_id, matched_at) select $1, $2, id, now() from patients`,
      [clinic.id, id],
    )
    const pages: [string, Json, number][] = [
      ['', { page: 1, per_page: 50, total: 205, total_pages: 5 }, 50],
      ['?page=5', { page: 5, per_page: 50, total: 205, total_pages: 5 }, 5],
      ['?page=9&per_page=100', { page: 9, per_page: 100, total: 205, total_pages: 3 }, 0],
      ['?per_page=1000', { page: 1, per_page: 200, total: 205, total_pages: 2 }, 200],
      ['?per_page=0&page=-1', { page: 1, per_page: 1, total: 205, total_pages: 205 }, 1],
      ['?per_page=x&page=x&fresh=x', { page: 1, per_page: 50, total: 205, total_pages: 5 }, 50],
    ]
    for (const [query, pagination, count] of pages) {
      const { body } = await membersOf(id, query)
      assert.deepEqual([body.pagination, body.members.length], [pagination, count], query)
    }
    const seen = new Set<string>()
    for (let page = 1; page <= 5; page += 1)
      for (const { patient_id } of (await membersOf(id, `?page=${page}`)).body.members) seen.add(patient_id)
    assert.equal(seen.size, 205)
  })

  test('the members of a segment are re-evaluated with fresh=true, once a minute for each segment (429)', async () => {
    const id = await core.segment(clinic, [atLeast(2000)])
    const patient = await patientWith(2000)
    assert.deepEqual((await membersOf(id)).body.members, [])
    const answers = await Promise.all(Array.from({ length: 5 }, () => membersOf(id, '?fresh=true')))
    assert.deepEqual(
      answers.map(({ status }) => status).sort((a, b) => a - b),
      [200, 429, 429, 429, 429],
    )
    const fresh = answers.find(({ status }) => status === 200)
    assert.deepEqual(
      fresh?.body.members.map(({ patient_id }: Json) => patient_id),
      [patient.id],
    )
    assert.equal(fresh?.headers.get('x-segment-freshness'), null)
    const status = await core.evaluated(clinic, id)
    assert.deepEqual([status.status, status.members_added], ['completed', 1])

    later(18)
    const refused = await membersOf(id, '?fresh=true')
    assert.deepEqual([refused.status, refused.body.status, refused.body.name], [429, 429, 'RateLimitError'])
    assert.deepEqual(refused.body.details, { retry_after: 42 })
    assert.equal(refused.headers.get('retry-after'), '42')
    assert.equal((await membersOf(id)).status, 200, 'without it there is no such limit')
    const another = await core.segment(clinic, [atLeast(2000)])
    assert.equal((await membersOf(another, '?fresh=true')).status, 200)
    later(42)
    assert.equal((await membersOf(id, '?fresh=true')).status, 200)
  })

  test('the members of a segment are the previous ones, marked in headers, when the evaluation fails', async () => {
    const field = await core.field(clinic, 'number')
    const patient = await core.patient(clinic)
    await core.value(patient, field, 1)
    const id = await core.segment(clinic, [{ source: 'profile', custom_field_id: field, op: 'eq', value: 1 }])
    const evaluatedAt = now.toISOString()
    later(5)
    await core.database.query('update custom_fields set deleted_at = now() where id = $1', [field])
    const answer = await membersOf(id, '?fresh=true')
    assert.equal(answer.status, 200)
    assert.deepEqual(
      answer.body.members.map(({ patient_id }: Json) => patient_id),
      [patient.id],
    )
    assert.equal(answer.headers.get('x-segment-freshness'), 'stale')
    assert.equal(answer.headers.get('x-segment-last-evaluated'), evaluatedAt)
  })

  test('the members of a segment are listed with their segments, and the access is logged', async () => {
    const patient = await patientWith(3000)
    const id = await core.segment(clinic, [atLeast(3000)], 'all', 'Very high')
    const { segments } = await core.ok('GET', `/v1/patients/${patient.id}/segments`, { as: clinic.admin })
    assert.deepEqual(
      segments.find((one: Json) => one.id === id),
      {
        id,
        name: 'Very high',
        description: '',
        matched_at: now.toISOString(),
      },
    )
    const audit = await core.database.query(
      `select 1 from audit_log where action = 'segments.read_patient' and crud = 'R' and patient_profile_id = $1`,
      [patient.profile_id],
    )
    assert.equal(audit.length, 1)
  })

  test('the members of a segment are explained rule by rule, with the value found', async () => {
    const [note, parts] = await Promise.all([core.field(clinic, 'text'), core.field(clinic, 'checkbox')])
    assert.ok(note && parts)
    const template_id = await core.template(clinic, [note])
    const patient = await patientWith(4000)
    await core.form(patient, template_id, { [note]: 'Knee' })
    await core.value(patient, parts, 'not a list')
    const rules: SegmentRule[] = [
      atLeast(4000),
      { source: 'form', template_id, custom_field_id: note, op: 'eq', value: 'knee' },
      { source: 'profile', custom_field_id: parts, op: 'not_contains', value: 'hip' },
      { source: 'appointments', metric: 'count', op: 'eq', value: 0 },
      { source: 'appointments', metric: 'last_date', op: 'is_set' },
    ]
    const id = await core.segment(clinic, rules, 'any')
    const explain = (as = clinic.admin, of = patient.id, segment = id) =>
      core.get(`/v1/segments/${segment}/members/${of}/explain`, { as })
    const { body } = await explain()
    const found = [
      [4000, true],
      ['Knee', false],
      [null, true],
      [0, true],
      [null, false],
    ]
    assert.deepEqual(body.data, {
      segment_id: id,
      patient_id: patient.id,
      match_mode: 'any',
      matches: true,
      is_member: true,
      rules: rules.map((rule, index) => ({
        rule,
        value: found[index]?.[0],
        withheld: false,
        result: found[index]?.[1],
      })),
    })
    const audit = await core.database.query(
      `select 1 from audit_log where action = 'segments.explain' and crud = 'R' and patient_profile_id = $1`,
      [patient.profile_id],
    )
    assert.equal(audit.length, 1)

    const without = await core.memberWith(clinic, ['segments.view', 'patients.view_org'])
    const withheld = (await explain(without)).body.data.rules[1]
    assert.deepEqual([withheld.value, withheld.withheld, withheld.result], [null, true, false])
    const stranger = await patientWith(0)
    const outside = await core.segment(clinic, [atLeast(4000)])
    const other = (await explain(clinic.admin, stranger.id, outside)).body.data
    assert.deepEqual([other.matches, other.is_member, other.rules[0].value], [false, false, 0])
    await core.database.query('update patients set restricted_at = now() where id = $1', [stranger.id])
    const restricted = await explain(clinic.admin, stranger.id, outside)
    assert.deepEqual([restricted.status, restricted.body.error?.code], [409, 'processing_restricted'])
    await core.database.query('update patients set restricted_at = null, deleted_at = now() where id = $1', [
      stranger.id,
    ])
    const deleted = await explain(clinic.admin, stranger.id, outside)
    assert.deepEqual([deleted.status, deleted.body.name], [404, 'NotFoundError'])
    for (const answer of [await explain(clinic.admin, UNKNOWN), await explain(clinic.admin, patient.id, UNKNOWN)])
      assert.deepEqual([answer.status, answer.body.name], [404, 'NotFoundError'])
  })

  test('the members of a segment are not explained to themselves: a patient sees no private field, also one who works here (403)', async () => {
    const specialist = await core.member(clinic, 'specialist')
    const patient = await core.patient(clinic, specialist)
    await core.acceptAll(patient)
    await core.value(patient, pain, 5000321)
    const id = await core.segment(clinic, [atLeast(5000321)])
    const explain = (of: { id: string }) => core.get(`/v1/segments/${id}/members/${of.id}/explain`, { as: specialist })
    const own = await explain(patient)
    assert.deepEqual([own.status, own.body.name, own.text.includes('5000321')], [403, 'ForbiddenError', false])
    assert.equal((await explain(await patientWith(5000321))).body.data.rules[0].value, 5000321)
  })
})
