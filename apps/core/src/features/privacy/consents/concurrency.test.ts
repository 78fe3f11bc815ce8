import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { randomFrom, soakRuns, soakSeed } from '@tendon/testing'
import { type Answer, type Json, sharedCore, type TestCore } from '../../../testing/core.ts'

const REQUESTS = 200
const AT_ONCE = 40

describe('parallel grants and withdrawals', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  test('parallel grants and withdrawals are serialized: at most one active row, and a complete history in which each row ends before the next starts', async () => {
    const clinic = await core.organization()
    await core.publishNotice(clinic)
    const me = await core.signIn()
    const patient = await core.patient(clinic, me)
    const desk = `/v1/organizations/${clinic.id}/patients/${patient.id}/consents`
    const random = randomFrom(soakSeed())
    function pick<Value>(values: readonly Value[]): Value {
      const [picked] = values.slice(Math.floor(random() * values.length))
      assert.ok(picked !== undefined)
      return picked
    }
    const codes = ['marketing_email', 'analytics', 'telerehab'] as const
    const known: string[] = []
    const answers: Answer[] = []
    const inserted = new Set<string>()

    const grantSelf = () => {
      const grants = codes
        .filter(() => random() < 0.5)
        .map((purpose_code) => ({
          organization_id: clinic.id,
          purpose_code,
          purpose_version: 1,
          source: 'self_toggle',
        }))
      const platform = {
        organization_id: null,
        purpose_code: 'platform_terms',
        purpose_version: 1,
        source: 'self_toggle',
      }
      return core.post('/v1/me/consents', {
        as: me,
        body: { grants: [...grants.sort(() => random() - 0.5), platform] },
      })
    }
    const grantAtDesk = () =>
      core.post(`${desk}/grant`, {
        as: clinic.admin,
        body: { grants: [{ purpose_code: pick(codes), purpose_version: 1 }] },
      })
    const withdrawSelf = () => core.post(`/v1/me/consents/${pick(known)}/withdraw`, { as: me })
    const withdrawAtDesk = () => core.post(`${desk}/${pick(known)}/withdraw`, { as: clinic.admin })

    const total = soakRuns(REQUESTS)
    await grantSelf()
    for (let sent = 0; sent < total; sent += AT_ONCE) {
      const active = await core.database.query<{ id: string }>(
        `select id from consents where organization_id = $1 and withdrawn_at is null`,
        [clinic.id],
      )
      known.push(...active.map(({ id }) => id))
      const moves = known.length > 0 ? [grantSelf, grantAtDesk, withdrawSelf, withdrawAtDesk] : [grantSelf, grantAtDesk]
      answers.push(...(await Promise.all(Array.from({ length: AT_ONCE }, () => pick(moves)()))))
      known.splice(0, known.length - 6)
    }
    for (const { status, text } of answers) assert.ok([200, 201, 404].includes(status), text)
    const granted: Json[] = answers.filter(({ status }) => status === 201).flatMap(({ body }) => body.data)
    for (const { id } of granted) inserted.add(id)

    const rows = await core.database.query<Json>(
      `select id, purpose_code, granted_at::text, withdrawn_at::text, ended_as, withdrawn_by_principal_id,
         lead(granted_at) over next >= withdrawn_at as in_turn, lead(id) over next is null as last
       from consents where patient_profile_id = $1
       window next as (partition by organization_id, purpose_code order by granted_at, id)`,
      [patient.profile_id],
    )
    assert.ok(rows.length > total / 20, `only ${rows.length} rows`)
    for (const row of rows) {
      if (!row.last) assert.ok(row.in_turn, JSON.stringify(row))
      if (row.withdrawn_at !== null) assert.equal(row.ended_as, 'withdrawn')
    }
    const ids = new Set(rows.map(({ id }) => id))
    assert.ok(
      [...inserted].every((id) => ids.has(id)),
      'no row that was answered is missing',
    )
    const withdrawn = answers.filter(({ status }) => status === 200).map(({ body }) => body.data.id)
    assert.equal(new Set(withdrawn).size, withdrawn.length, 'no row is withdrawn twice')
    assert.equal(rows.filter(({ withdrawn_at }) => withdrawn_at !== null).length, withdrawn.length)
    assert.equal(rows.filter(({ purpose_code }) => purpose_code === 'platform_terms').length, 1)
    const events = await core.database.query<{ type: string; count: string }>(
      `select type, count(*)::text as count from outbox_events where payload ->> 'patient_profile_id' = $1 group by type order by type`,
      [patient.profile_id],
    )
    assert.deepEqual(
      events.map(({ type, count }) => [type, Number(count)]),
      [['consent.granted', rows.length], ['consent.withdrawn', withdrawn.length]], // biome-ignore format: rows
    )
  })

  test('fifty parallel first grants create one row, and each answer contains it', async () => {
    const clinic = await core.organization()
    await core.publishNotice(clinic)
    const me = await core.signIn()
    await core.patient(clinic, me)
    const grants = [
      { organization_id: clinic.id, purpose_code: 'telerehab', purpose_version: 1, source: 'self_toggle' },
    ]
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => core.post('/v1/me/consents', { as: me, body: { grants } })),
    )
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201])
    assert.equal(new Set(answers.map(({ body }) => body.data[0].id)).size, 1)
  })

  test('a grant that races with leaving or erasing never leaves an active row behind', async () => {
    for (const way of ['leave', 'erase']) {
      const clinic = await core.organization()
      await core.publishNotice(clinic)
      const me = await core.signIn()
      const patient = await core.patient(clinic, me)
      const grants = ['org_terms', 'analytics'].map((purpose_code) => ({
        organization_id: clinic.id,
        purpose_code,
        purpose_version: 1,
        source: 'self_toggle',
      }))
      const platform = {
        organization_id: null,
        purpose_code: 'platform_terms',
        purpose_version: 1,
        source: 'self_toggle',
      }
      const [path, body] =
        way === 'leave'
          ? [`/v1/me/organizations/${clinic.id}/leave`, { confirm: true }]
          : ['/v1/me/erase', { confirm: 'ERASE' }]
      const moves = Array.from({ length: 20 }, (_, place) =>
        place === 10
          ? core.post(path, { as: me, body })
          : core.post('/v1/me/consents', { as: me, body: { grants: place % 2 ? grants : [platform] } }),
      )
      const answers = await Promise.all(moves)
      assert.equal(answers[10]?.status, 200, answers[10]?.text)
      assert.ok(answers.every(({ status }) => [200, 201, 403, 404].includes(status)), answers.map(({ status }) => status).join()) // biome-ignore format: one line
      const active = await core.database.query<{ organization_id: string | null }>(
        'select organization_id from consents where patient_profile_id = $1 and withdrawn_at is null',
        [patient.profile_id],
      )
      assert.deepEqual(active.filter(({ organization_id }) => organization_id !== null || way === 'erase'), [], way) // biome-ignore format: one line
    }
  })
})
