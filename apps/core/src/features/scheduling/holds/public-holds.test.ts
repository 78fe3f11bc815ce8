import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type Answer, sharedCore, type TestCore } from '../../../testing/core.ts'
import { created, holdBody, nextMonday, schedulingClinic } from '../clinic.testing.ts'

const MAX_HOLDS = 50

describe('holds and bookings of visitors at the same time', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
  })
  after(() => core.close())

  let address = 0
  const newAddress = () => `10.47.${address >> 8}.${address++ & 255}`
  const hold = (body: object, headers: Record<string, string> = {}) =>
    core.post('/v1/public/holds', { body, headers: { 'x-forwarded-for': newAddress(), ...headers } })
  const codeOf = ({ status, body }: Pick<Answer, 'status' | 'body'>) => [status, body?.error?.code]

  test('who comes later for a taken time gets 409 slot_taken, a moment or a minute later', async () => {
    const clinic = await schedulingClinic(core)
    const answers = await Promise.all(Array.from({ length: 20 }, () => hold(holdBody(clinic))))
    answers.push(await hold(holdBody(clinic)))
    const lost = answers.filter(({ status }) => status !== 201)
    assert.equal(lost.length, 20)
    for (const answer of lost) assert.deepEqual(codeOf(answer), [409, 'slot_taken'])
  })

  test(`a clinic has ${MAX_HOLDS} active holds of visitors, and not one more in a race`, async () => {
    const clinic = await schedulingClinic(core, { duration_minutes: 30, slot_interval_minutes: 30 })
    await core.database.query(
      `insert into holds (organization_id, service_id, specialist_id, mode, starts_at, ends_at, expires_at, client_index)
       select $1, $2, $3, 'phone', now(), now() + interval '1 hour', now() + interval '1 hour', '\\x00'
       from generate_series(1, $4)`,
      [clinic.id, clinic.service.id, clinic.specialist.id, MAX_HOLDS - 4],
    )
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        hold(holdBody(clinic, new Date(nextMonday(7).getTime() + index * 1_800_000))),
      ),
    )
    assert.equal(answers.filter(({ status }) => status === 201).length, 4)
    for (const answer of answers.filter(({ status }) => status !== 201))
      assert.deepEqual(codeOf(answer), [429, 'too_many_holds'])
  })

  test('a hold that is sent again with its Idempotency-Key is the same hold', async () => {
    const clinic = await schedulingClinic(core)
    const headers = { 'x-forwarded-for': newAddress(), 'idempotency-key': randomUUID() }
    const first = await hold(holdBody(clinic), headers)
    const again = await hold(holdBody(clinic), headers)
    assert.deepEqual([first.status, again.status, again.headers.get('idempotency-replayed')], [201, 201, 'true'])
    assert.deepEqual(again.body, first.body)
    const other = await hold(holdBody(clinic, nextMonday(12)), headers)
    assert.deepEqual(codeOf(other), [422, 'idempotency_key_reused'])
  })

  test('requests at once with one Idempotency-Key make one hold', async () => {
    const clinic = await schedulingClinic(core)
    const headers = { 'x-forwarded-for': newAddress(), 'idempotency-key': randomUUID() }
    const answers = await Promise.all(Array.from({ length: 5 }, () => hold(holdBody(clinic), headers)))
    assert.deepEqual(
      answers.map(({ status }) => status),
      Array(5).fill(201),
    )
    assert.equal(new Set(answers.map(({ body }) => body.data.id)).size, 1)
  })

  test('visitors of two networks with the same key never get each other’s hold', async () => {
    const clinic = await schedulingClinic(core)
    const headers = { 'idempotency-key': 'same-key' }
    await created(hold(holdBody(clinic), headers))
    assert.deepEqual(codeOf(await hold(holdBody(clinic), headers)), [409, 'slot_taken'])
  })

  test('a booking that is sent again with its Idempotency-Key is the same booking, with one mail', async () => {
    const clinic = await schedulingClinic(core)
    await core.publishNotice(clinic)
    const headers = { 'x-forwarded-for': newAddress(), 'idempotency-key': randomUUID() }
    const { id: hold_id } = await created(hold(holdBody(clinic)))
    const email = `${randomUUID()}@mail.example`
    const book = () =>
      core.post('/v1/public/bookings', { body: { hold_id, booker: { name: 'Maria', email } }, headers })
    const [first, again] = [await book(), await book()]
    assert.deepEqual([first.status, again.status], [201, 201])
    assert.deepEqual(again.body, first.body)
    const mails = await core.database.query('select 1 from mail_outbox where to_address = $1', [email])
    assert.equal(mails.length, 1)
  })
})
