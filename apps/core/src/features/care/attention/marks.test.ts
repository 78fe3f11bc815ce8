import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Json, type Person, sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { days, factsOf, hours, type Subject } from './attention.testing.ts'

describe('marks of what needs attention', () => {
  let core: TestCore
  let facts: ReturnType<typeof factsOf>
  before(async () => {
    core = await sharedCore()
    facts = factsOf(core)
  })
  after(() => core.close())

  interface Hurt {
    clinic: TestOrganization
    patient: Subject
    run: string
    key: string
  }
  async function hurt(): Promise<Hurt> {
    const clinic = await core.organization()
    const patient = await core.patient(clinic)
    const run = await facts.run(clinic, patient)
    return { clinic, patient, run, key: `pain.${await facts.pain(clinic, patient, { run })}` }
  }

  async function marked(as: Person, key: string, body: object): Promise<Json> {
    const answer = await facts.mark(as, key, body)
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.body.data.key, key)
    return answer.body.data.mark
  }
  const statesOf = (items: Json[]) => items.map(({ key, mark }) => [key, mark?.state ?? null])
  const inDatabase = (key: string, values: string) =>
    core.database.query(`update attention_marks set ${values} where key = $1`, [key])
  const stored = (key: string) =>
    core.database.query('select state, marked_by_principal_id from attention_marks where key = $1', [key])

  test('what is done stays for the rest of the day, after what is open, and says who did it; a new report is a new fact', async () => {
    const { clinic, patient, run, key } = await hurt()
    const colleague = await core.member(clinic, 'specialist')
    const mark = await marked(colleague, key, { state: 'done' })
    assert.deepEqual([mark.state, mark.by, mark.until], ['done', { id: colleague.id, name: colleague.name }, null])
    const [item] = await facts.list(clinic.admin)
    assert.deepEqual([item?.key, item?.mark], [key, mark])
    const second = `pain.${await facts.pain(clinic, patient, { run })}`
    assert.deepEqual(statesOf(await facts.list(clinic.admin)), [
      [second, null],
      [key, 'done'],
    ])
    await inDatabase(key, `marked_at = now() - interval '25 hours'`)
    assert.deepEqual(statesOf(await facts.list(clinic.admin)), [[second, null]])
  })

  test('what is snoozed is gone until then and open again afterwards; a snoozed item can be opened at once', async () => {
    const { clinic, key } = await hurt()
    const until = days(3)
    assert.equal((await marked(clinic.admin, key, { state: 'snoozed', until })).until, until)
    assert.deepEqual(await facts.list(clinic.admin), [])
    await inDatabase(key, `until = now() - interval '1 second'`)
    assert.deepEqual(statesOf(await facts.list(clinic.admin)), [[key, null]])
    await marked(clinic.admin, key, { state: 'snoozed', until })
    assert.deepEqual(await facts.list(clinic.admin), [])
    assert.equal((await marked(clinic.admin, key, { state: 'open' })).state, 'open')
    assert.deepEqual(statesOf(await facts.list(clinic.admin)), [[key, null]])
  })

  test('an item is snoozed until a time in the next 30 days, and only snoozing takes a time (422)', async () => {
    const { clinic, key } = await hurt()
    const bodies = [
      { state: 'snoozed' },
      { state: 'snoozed', until: hours(-1) },
      { state: 'snoozed', until: days(31) },
      { state: 'snoozed', until: 'tomorrow' },
      { state: 'done', until: days(1) },
      { state: 'open', until: days(1) },
    ]
    for (const body of bodies) {
      const answer = await facts.mark(clinic.admin, key, body)
      assert.deepEqual([answer.status, Object.keys(answer.body.error.fields)], [422, ['until']], JSON.stringify(body))
    }
    assert.equal((await facts.mark(clinic.admin, key, { state: 'gone' })).status, 422)
    assert.equal((await facts.mark(clinic.admin, key, {})).status, 422)
    assert.deepEqual(await stored(key), [])
  })

  test('a key of another form, of no fact, of another clinic, or of a list that the caller may not read is not found (404)', async () => {
    const { clinic, key } = await hurt()
    const other = await core.organization()
    const desk = await core.memberWith(clinic, ['patients.view_org', 'appointments.view_org'])
    const [, id] = key.split('.')
    const refused: [Person, string][] = [
      [clinic.admin, 'hunger.1'],
      [clinic.admin, 'pain'],
      [clinic.admin, 'pain.1'],
      [clinic.admin, `pain.${id}.7`],
      [clinic.admin, `to_sign.${id}`],
      [clinic.admin, `PAIN.${id}`],
      [clinic.admin, 'notice_outdated.1'],
      [other.admin, key],
      [desk, key],
    ]
    for (const [as, unknown] of refused) {
      const answer = await facts.mark(as, unknown, { state: 'done' })
      assert.equal(answer.status, 404, `${unknown} ${answer.text}`)
    }
    assert.deepEqual(await stored(key), [])
    await core.database.query('update pain_reports set severity = 1 where id = $1', [id])
    const over = await facts.mark(clinic.admin, key, { state: 'done' })
    assert.deepEqual([over.status, over.body.error.code], [404, 'attention_not_found'])
  })

  test('of two people who mark at once both get an answer that says who, and the last mark counts', async () => {
    const { clinic, key } = await hurt()
    const others = await Promise.all(Array.from({ length: 4 }, () => core.member(clinic, 'specialist')))
    const bodies = others.map((_, n) => (n % 2 === 0 ? { state: 'done' } : { state: 'snoozed', until: days(1) }))
    const marks = await Promise.all(others.map((as, n) => marked(as, key, bodies[n] ?? {})))
    for (const [n, mark] of marks.entries())
      assert.deepEqual([mark.state, mark.by.id], [bodies[n]?.state, others[n]?.id])
    const [row] = await stored(key)
    assert.ok(marks.some(({ state, by }) => state === row?.state && by.id === row?.marked_by_principal_id))
    const changes = await core.database.query(
      `select 1 from audit_log where organization_id = $1 and action = 'attention.mark'`,
      [clinic.id],
    )
    assert.equal(changes.length, 4)
    await marked(clinic.admin, key, { state: 'done' })
    const [item] = await facts.list(clinic.admin)
    assert.deepEqual([item?.mark.state, item?.mark.by.id], ['done', clinic.admin.id])
  })

  test('a mark is audited under the key of its patient', async () => {
    const { clinic, patient, key } = await hurt()
    await marked(clinic.admin, key, { state: 'done' })
    const entries = await core.database.query(
      `select a.crud, a.actor_principal_id, k.patient_profile_id from audit_log a join audit_keys k on k.id = a.key_id
       where a.organization_id = $1 and a.action = 'attention.mark'`,
      [clinic.id],
    )
    assert.deepEqual(entries, [
      { crud: 'U', actor_principal_id: clinic.admin.id, patient_profile_id: patient.profile_id },
    ])
  })

  test('a patient who exercises and stops again is a new fact', async () => {
    const clinic = await core.organization()
    const patient = await core.patient(clinic)
    const plan = await facts.plan(clinic, patient)
    const [first] = await facts.list(clinic.admin)
    assert.ok(first)
    await marked(clinic.admin, first.key, { state: 'snoozed', until: days(9) })
    assert.deepEqual(await facts.list(clinic.admin), [])
    await facts.run(clinic, patient, days(-4), plan)
    const [again] = await facts.list(clinic.admin)
    assert.deepEqual([again?.kind, again?.mark, again?.key === first.key], ['not_exercising', null, false])
  })
})
