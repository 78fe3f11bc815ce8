import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { onServer, until } from '@tendon/testing'
import { type Person, sharedCore, type TestCore } from '../../../testing/core.ts'
import { runsOf } from '../../care/session-runs/runs.testing.ts'
import { plansOf, session } from '../../care/treatment-plans/plans.testing.ts'
import { formTools, NOTE } from '../../records/forms/forms.testing.ts'

describe('two records of one person', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  async function clinicWithNotice() {
    const clinic = await core.organization()
    await core.publishNotice(clinic)
    return clinic
  }
  type Clinic = Awaited<ReturnType<typeof clinicWithNotice>>

  const link = (clinic: Clinic, id: string, patient_id: string, headers = {}, as: Person = clinic.admin) =>
    core.put(`/v1/patients/${id}/merged-into`, { as, body: { patient_id }, headers })
  const unlink = (clinic: Clinic, id: string, headers = {}) =>
    core.delete(`/v1/patients/${id}/merged-into`, { as: clinic.admin, headers })
  const read = async (clinic: Clinic, id: string) =>
    (await core.get(`/v1/patients/${id}`, { as: clinic.admin })).body.data

  const isWaiting = async () => (await core.database.countWaiting()) > 0

  async function linkedPair(clinic: Clinic, humans: [Person?, Person?] = []) {
    const main = await core.patient(clinic, humans[0], { first_name: 'Ana' })
    const second = await core.patient(clinic, humans[1], { first_name: 'Anna' })
    const linked = await link(clinic, second.id, main.id)
    assert.equal(linked.status, 200, linked.text)
    return { main, second }
  }

  test('two records of one person are linked and unlinked; both records show the link, both logs record it, and events are published', async () => {
    const clinic = await clinicWithNotice()
    const { main, second } = await linkedPair(clinic)
    const [first, other] = [await read(clinic, main.id), await read(clinic, second.id)]
    assert.deepEqual([first.merged_into_id, other.merged_into_id], [null, main.id])
    const shown = (record: { linked_records: { id: string; is_main: boolean }[] }) =>
      record.linked_records.map(({ id, is_main }) => [id, is_main])
    assert.deepEqual([shown(first), shown(other)], [[[second.id, false]], [[main.id, true]]])
    const list = await core.get('/v1/patients?merged=false', { as: clinic.admin })
    assert.deepEqual(
      list.body.data.map(({ id }: { id: string }) => id),
      [main.id],
    )

    assert.equal((await unlink(clinic, second.id)).status, 204)
    assert.deepEqual((await read(clinic, main.id)).linked_records, [])
    const again = await unlink(clinic, second.id)
    assert.deepEqual([again.status, again.body.error.code], [409, 'not_merged'])
    const entries = await core.database.query(
      `select action, target_id from audit_log where organization_id = $1 and action like 'patients.%merge'`,
      [clinic.id],
    )
    assert.deepEqual(
      new Set(entries.map(({ action, target_id }) => `${action} ${target_id}`)),
      new Set([main, second].flatMap(({ id }) => [`patients.merge ${id}`, `patients.unmerge ${id}`])),
    )
    assert.equal(entries.length, 4)
    const events = await core.database.query(
      `select type from outbox_events where organization_id = $1 and type like 'patient.%merged' order by occurred_at`,
      [clinic.id],
    )
    assert.deepEqual(events, [{ type: 'patient.merged' }, { type: 'patient.unmerged' }])
  })

  test('linking needs patients.merge (403), records of the clinic (404) and the current version (409)', async () => {
    const [clinic, other] = [await clinicWithNotice(), await clinicWithNotice()]
    const [main, second, foreign] = [await core.patient(clinic), await core.patient(clinic), await core.patient(other)]
    const editor = await core.memberWith(clinic, ['patients.view_org', 'patients.update'])
    assert.equal((await link(clinic, second.id, main.id, {}, editor)).status, 403)
    for (const unknown of [foreign.id, randomUUID()]) {
      assert.equal((await link(clinic, second.id, unknown)).status, 404)
      assert.equal((await link(clinic, unknown, main.id)).status, 404)
      assert.equal((await unlink(clinic, unknown)).status, 404)
    }
    assert.equal((await link(clinic, second.id, second.id)).status, 422)
    const stale = await link(clinic, second.id, main.id, { 'if-match': '"7"' })
    assert.deepEqual([stale.status, stale.body.error.code], [409, 'stale_version'])
    assert.equal((await link(clinic, second.id, main.id, { 'if-match': '"1"' })).status, 200)
    assert.equal((await unlink(clinic, second.id, { 'if-match': '"1"' })).status, 409)
    assert.equal((await read(clinic, second.id)).merged_into_id, main.id)
    assert.equal((await unlink(clinic, second.id, { 'if-match': '"2"' })).status, 204)
  })

  test('a group has one main record: no record can be linked to a linked one (409 already_merged)', async () => {
    const clinic = await clinicWithNotice()
    const { main, second } = await linkedPair(clinic)
    const third = await core.patient(clinic)
    for (const [id, into] of [
      [third.id, second.id],
      [second.id, third.id],
      [main.id, third.id],
    ] as const) {
      const refused = await link(clinic, id, into)
      assert.deepEqual([refused.status, refused.body.error.code], [409, 'already_merged'])
    }
    assert.equal((await link(clinic, third.id, main.id)).status, 200)
    assert.equal((await read(clinic, second.id)).linked_records.length, 2)
  })

  test('of two opposite links at the same time one succeeds', async () => {
    const clinic = await clinicWithNotice()
    const [one, two] = [await core.patient(clinic), await core.patient(clinic)]
    const answers = await Promise.all([link(clinic, one.id, two.id), link(clinic, two.id, one.id)])
    assert.deepEqual(
      answers.map(({ status }) => status).sort((a, b) => a - b),
      [200, 409],
    )
  })

  test('a link waits for a claim in progress, and is refused when it shows different people (409)', async () => {
    const clinic = await clinicWithNotice()
    const [ana, ion] = [await core.signIn(), await core.signIn()]
    const [mine, free] = [await core.patient(clinic, ana), await core.patient(clinic)]
    const answer = await onServer(new URL(core.database.url).pathname.slice(1), async (claim) => {
      await claim.query('begin')
      await claim.query(
        `update patient_profiles set human_id = $1, claimed_at = now()
          where id = (select patient_profile_id from patients where id = $2)`,
        [ion.id, free.id],
      )
      const linked = link(clinic, free.id, mine.id)
      await Promise.race([until(isWaiting), linked])
      await claim.query('commit')
      return linked
    })
    assert.deepEqual([answer.status, answer.body.error?.code], [409, 'different_people'])
    assert.deepEqual((await read(clinic, mine.id)).linked_records, [])
  })

  test('a deadlock changes nothing and asks the client to repeat the request (503)', async () => {
    const clinic = await clinicWithNotice()
    const [one, two] = [await core.patient(clinic), await core.patient(clinic)]
    const answer = await onServer(new URL(core.database.url).pathname.slice(1), async (other) => {
      await other.query(`begin; set local deadlock_timeout = '1min'`)
      await other.query('select 1 from patient_profiles where id = $1 for update', [one.profile_id])
      const linked = link(clinic, one.id, two.id)
      await until(isWaiting)
      await other.query('select 1 from patients where id = $1 for update', [one.id])
      await other.query('rollback')
      return linked
    })
    assert.deepEqual([answer.status, answer.body.error?.code], [503, 'unavailable'])
    assert.equal(answer.headers.get('retry-after'), '1')
    assert.deepEqual((await read(clinic, one.id)).linked_records, [])
    assert.equal((await link(clinic, one.id, two.id)).status, 200)
  })

  test('links, claims and the end of links at the same time end without a deadlock', async () => {
    const clinic = await clinicWithNotice()
    for (let round = 0; round < 5; round += 1) {
      const email = `${randomUUID()}@mail.example`
      const [main, second, third] = [
        await core.patient(clinic, await core.signIn()),
        await core.patient(clinic),
        await core.patient(clinic),
      ]
      await core.database.query('update patient_profiles set invited_email = $1, invited_at = now() where id = $2', [
        email,
        second.profile_id,
      ])
      assert.equal((await link(clinic, second.id, main.id)).status, 200)
      const claim = core.signIn({ email })
      const answers = await Promise.all([
        unlink(clinic, second.id),
        link(clinic, third.id, second.id),
        link(clinic, third.id, main.id),
        link(clinic, second.id, third.id),
      ])
      await claim
      for (const { status, text } of answers) assert.ok([200, 204, 409].includes(status), text)
    }
  })

  test('two records of one person are not linked when different people claimed them, one is restricted, or one is being erased (409)', async () => {
    const clinic = await clinicWithNotice()
    const [ana, ion] = [await core.signIn(), await core.signIn()]
    const [mine, his, free] = [
      await core.patient(clinic, ana),
      await core.patient(clinic, ion),
      await core.patient(clinic),
    ]
    const different = await link(clinic, mine.id, his.id)
    assert.deepEqual([different.status, different.body.error.code], [409, 'different_people'])
    assert.equal((await link(clinic, free.id, mine.id)).status, 200)
    const through = await link(clinic, his.id, mine.id)
    assert.equal(through.body.error.code, 'different_people')

    const [restricted, erased] = [await core.patient(clinic), await core.patient(clinic)]
    const as = clinic.admin
    await core.post('/v1/gdpr/restrict', { as, body: { patient_id: restricted.id, restricted: true, reason: 'Asked' } })
    await core.post('/v1/gdpr/erase', { as, body: { patient_id: erased.id, reason: 'Asked', confirm: 'ERASE' } })
    for (const [id, code] of [
      [restricted.id, 'processing_restricted'],
      [erased.id, 'being_erased'],
    ] as const) {
      assert.equal((await link(clinic, id, mine.id)).body.error.code, code)
      assert.equal((await link(clinic, mine.id, id)).body.error.code, code)
    }
  })

  test('a link ends when a second person claims the other record', async () => {
    const clinic = await clinicWithNotice()
    const { second } = await linkedPair(clinic, [await core.signIn()])
    const stranger = await core.signIn()
    await core.database.query('update patient_profiles set human_id = $1, claimed_at = now() where id = $2', [
      stranger.id,
      second.profile_id,
    ])
    assert.equal((await read(clinic, second.id)).merged_into_id, null)
    const events = await core.database.query(
      `select payload from outbox_events where organization_id = $1 and type = 'patient.unmerged'`,
      [clinic.id],
    )
    assert.deepEqual(events, [{ payload: { patient_id: second.id, patient_profile_id: second.profile_id } }])
  })

  test('lists of one record show rows of both, and the safety check knows the conditions of both', async () => {
    const clinic = await clinicWithNotice()
    const { main, second } = await linkedPair(clinic)
    const as = clinic.admin
    const plans = plansOf(core)
    const [exercise, condition_id] = [await plans.exercise(clinic), await plans.condition(clinic)]
    await plans.contraindicate(exercise, condition_id, 'contraindicated')
    const added = await core.post(`/v1/patients/${second.id}/conditions`, { as, body: { condition_id } })
    assert.equal(added.status, 201, added.text)
    const conditions = await core.get(`/v1/patients/${main.id}/conditions`, { as })
    assert.deepEqual(
      conditions.body.data.map(({ patient_id }: { patient_id: string }) => patient_id),
      [second.id],
    )
    const plan = await core.post('/v1/treatment-plans', {
      as,
      body: { patient_id: second.id, title: 'Knee', sessions: [] },
    })
    assert.equal(plan.status, 201, plan.text)
    for (const { id } of [main, second]) {
      const listed = await core.get(`/v1/treatment-plans?patient_id=${id}`, { as })
      assert.deepEqual(
        listed.body.data.map((row: { id: string }) => row.id),
        [plan.body.data.id],
      )
    }
    const assign = () =>
      core.post('/v1/treatment-plans', {
        as,
        body: { patient_id: main.id, title: 'Jumps', sessions: [session([exercise])] },
      })
    assert.equal((await assign()).body.error?.code, 'contraindicated')
    await unlink(clinic, second.id)
    assert.deepEqual((await core.get(`/v1/patients/${main.id}/conditions`, { as })).body.data, [])
    assert.equal((await assign()).status, 201)
  })

  test('every list by patient shows rows of both records, and no row, consent or audit key moves', async () => {
    const clinic = await clinicWithNotice()
    const runs = runsOf(core)
    const forms = formTools(core)
    const as = clinic.admin
    const [main, second] = [await core.patient(clinic), await runs.patient(clinic)]
    const run = await runs.started(second)
    const form = await forms.form(
      clinic,
      { ...second, organization_id: clinic.id },
      await forms.template(clinic, [NOTE]),
    )
    const printed = await core.post(`/v1/treatment-plans/${second.plan_id}/render`, { as, body: { language: 'en' } })
    assert.equal(printed.status, 201, printed.text)
    const stored = async () => {
      const rows: string[] = []
      for (const table of [
        'consents',
        'forms',
        'treatment_plans',
        'session_runs',
        'appointment_documents',
        'audit_keys',
      ])
        for (const { id, owner } of await core.database.query<{ id: string; owner: string }>(
          `select id, patient_profile_id as owner from ${table} where organization_id = $1`,
          [clinic.id],
        ))
          rows.push(`${table} ${id} ${owner}`)
      return new Set(rows)
    }
    const before = await stored()
    assert.equal((await link(clinic, second.id, main.id)).status, 200)
    for (const { id, profile_id } of [main, second])
      for (const [path, expected] of [
        [`/v1/session-runs?patient_id=${id}`, run],
        [`/v1/patients/${id}/session-runs`, run],
        [`/v1/treatment-plans?patient_id=${id}`, second.plan_id],
        [`/v1/forms?patient_profile_id=${profile_id}`, form.id],
        [`/v1/appointment-documents?patient_profile_id=${profile_id}`, printed.body.data.id],
      ] as const) {
        const { body, text } = await core.get(path, { as })
        assert.deepEqual(body.data?.map((row: { id: string }) => row.id) ?? text, [expected], path)
      }
    const after = await stored()
    assert.ok(before.size > 8)
    assert.deepEqual(
      [...before].filter((row) => !after.has(row)),
      [],
    )
  })

  test('an export, an erasure and a restriction apply to both records', async () => {
    const clinic = await clinicWithNotice()
    const { main, second } = await linkedPair(clinic)
    const as = clinic.admin
    const exported = await core.post('/v1/gdpr/export', { as, body: { patient_id: second.id } })
    assert.equal(exported.body.data.linked_request_ids.length, 1)
    await core.post('/v1/gdpr/restrict', { as, body: { patient_id: main.id, restricted: true, reason: 'Asked' } })
    assert.ok((await read(clinic, second.id)).restricted_at)
    assert.equal((await unlink(clinic, second.id)).status, 204, 'undone at any time')
    await core.post('/v1/gdpr/restrict', { as, body: { patient_id: main.id, restricted: false, reason: 'Asked' } })
    await core.post('/v1/gdpr/restrict', { as, body: { patient_id: second.id, restricted: false, reason: 'Asked' } })
    assert.equal((await link(clinic, second.id, main.id)).status, 200)
    const erased = await core.post('/v1/gdpr/erase', {
      as,
      body: { patient_id: main.id, reason: 'Asked', confirm: 'ERASE' },
    })
    assert.equal(erased.status, 202, erased.text)
    const requests = await core.database.query(
      `select patient_id from privacy_requests where organization_id = $1 and kind = 'erase' order by id`,
      [clinic.id],
    )
    assert.deepEqual(requests, [{ patient_id: main.id }, { patient_id: second.id }])
  })

  test('erasing the account erases a linked record that nobody claimed', async () => {
    const clinic = await clinicWithNotice()
    const me = await core.signIn()
    const { main, second } = await linkedPair(clinic, [me])
    await core.acceptAll(main)
    const erased = await core.post('/v1/me/erase', { as: me, body: { confirm: 'ERASE' } })
    assert.equal(erased.status, 200, erased.text)
    const events = await core.database.query(
      `select payload ->> 'patient_id' as id from outbox_events where organization_id = $1 and type = 'patient.account_erased'`,
      [clinic.id],
    )
    assert.deepEqual(new Set(events.map(({ id }) => id)), new Set([main.id, second.id]))
  })
})
