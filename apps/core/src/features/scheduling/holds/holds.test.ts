import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { soakRuns } from '@tendon/testing'
import { sharedCore, type TestCore } from '../../../testing/core.ts'
import { addSpecialist, created, holdBody, nextMonday, schedulingClinic } from '../clinic.testing.ts'

const CLIENTS = Math.min(1000, soakRuns(60, 60))

describe('holds', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
  })
  after(() => core.close())

  let address = 0
  /** Each caller from an address of its own, unless given. */
  const hold = (body: object, from = `10.${(++address >> 16) & 255}.${(address >> 8) & 255}.${address & 255}`) =>
    core.post('/v1/public/holds', { body, headers: { 'x-forwarded-for': from } })
  const release = (id: string) => core.delete(`/v1/public/holds/${id}`)
  async function expire(id: string): Promise<void> {
    await core.database.query(`update holds set expires_at = now() - interval '1 second' where id = '${id}'`)
    await core.database.query(`update time_claims set expires_at = now() - interval '1 second' where hold_id = '${id}'`)
  }

  test('a free time is held for five minutes, and no longer offered', async () => {
    const clinic = await schedulingClinic(core)
    const held = await created(hold(holdBody(clinic)))
    assert.deepEqual([held.status, held.specialist_id], ['active', clinic.specialist.id])
    const minutes = (Date.parse(held.expires_at) - Date.parse(held.created_at)) / 60_000
    assert.ok(minutes > 4.9 && minutes < 5.1, String(minutes))
    const again = await hold(holdBody(clinic))
    assert.deepEqual([again.status, again.body.error.code], [409, 'slot_taken'])
  })

  test(`of ${CLIENTS} clients for one slot exactly one wins, and nobody gets an error of ours`, async () => {
    const clinic = await schedulingClinic(core)
    const answers = await Promise.all(Array.from({ length: CLIENTS }, () => hold(holdBody(clinic))))
    const by = Map.groupBy(answers, ({ status }) => status)
    assert.equal(by.get(201)?.length, 1)
    assert.equal(by.get(409)?.length, CLIENTS - 1)
  })

  test('overlapping grids claim the same time once', async () => {
    const clinic = await schedulingClinic(core, { slot_interval_minutes: 15 })
    const monday = nextMonday().getTime()
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => hold(holdBody(clinic, new Date(monday + (index % 4) * 900_000)))),
    )
    const held = answers.filter(({ status }) => status === 201)
    assert.equal(held.length, 1)
    assert.ok(answers.every(({ status }) => status < 500))
  })

  test('two specialists give one slot twice, the less booked one first', async () => {
    const clinic = await schedulingClinic(core)
    const second = await addSpecialist(core, clinic)
    const taken = await created(hold(holdBody(clinic, nextMonday(8), { specialist_id: clinic.specialist.id })))
    assert.equal(taken.specialist_id, clinic.specialist.id)
    assert.equal((await created(hold(holdBody(clinic)))).specialist_id, second.id)
    assert.equal((await created(hold(holdBody(clinic)))).specialist_id, clinic.specialist.id)
    assert.equal((await hold(holdBody(clinic))).body.error.code, 'slot_taken')
  })

  test('holds of one IPv6 network count together', async () => {
    const clinic = await schedulingClinic(core)
    const from = (host: number) => `2001:db8:1:2::${host}`
    for (const hour of [8, 9, 10]) await created(hold(holdBody(clinic, nextMonday(hour)), from(hour)))
    const fourth = await hold(holdBody(clinic, nextMonday(11)), from(11))
    assert.deepEqual([fourth.status, fourth.body.error.code], [429, 'too_many_holds'])
    await created(hold(holdBody(clinic, nextMonday(11)), '2001:db8:1:3::1'))
  })

  test('a released or expired hold gives its time back', async () => {
    const clinic = await schedulingClinic(core)
    const first = await created(hold(holdBody(clinic)))
    assert.equal((await release(first.id)).status, 204)
    assert.equal((await release(first.id)).status, 204)
    const second = await created(hold(holdBody(clinic)))
    await expire(second.id)
    await created(hold(holdBody(clinic)))
    assert.equal((await release(randomUUID())).body.error.code, 'hold_not_found')
  })

  test('buffers keep neighbouring times free', async () => {
    const clinic = await schedulingClinic(core, { buffer_after_minutes: 30, slot_interval_minutes: 60 })
    await created(hold(holdBody(clinic, nextMonday(10))))
    assert.equal((await hold(holdBody(clinic, nextMonday(11)))).body.error.code, 'slot_taken')
    await created(hold(holdBody(clinic, nextMonday(12))))
  })

  test('one address holds three times at most (429)', async () => {
    const clinic = await schedulingClinic(core)
    for (const hour of [8, 9, 10]) await created(hold(holdBody(clinic, nextMonday(hour)), '192.0.2.7'))
    const fourth = await hold(holdBody(clinic, nextMonday(11)), '192.0.2.7')
    assert.deepEqual([fourth.status, fourth.body.error.code], [429, 'too_many_holds'])
    await created(hold(holdBody(clinic, nextMonday(11)), '192.0.2.8'))
  })

  test('times off the grid, outside hours, in another mode or of a hidden service are not held', async () => {
    const clinic = await schedulingClinic(core)
    for (const [body, code] of [
      [holdBody(clinic, new Date(nextMonday().getTime() + 60_000)), 'slot_unavailable'],
      [holdBody(clinic, nextMonday(3)), 'slot_unavailable'],
      [holdBody(clinic, nextMonday(), { mode: 'video' }), 'slot_unavailable'],
      [holdBody(clinic, nextMonday(), { service_id: randomUUID() }), 'service_not_found'],
      [holdBody(clinic, nextMonday(), { organization: 'nowhere-at-all' }), 'service_not_found'],
    ] as const) {
      assert.equal((await hold(body)).body.error.code, code)
    }
  })

  test('staff hold a time longer, and inside the notice', async () => {
    const clinic = await schedulingClinic(core, { min_notice_minutes: 43_200 })
    const { organization: _slug, ...body } = holdBody(clinic)
    const held = await created(core.post('/v1/holds', { as: clinic.admin, body: { ...body, minutes: 60 } }))
    assert.ok(Date.parse(held.expires_at) - Date.now() > 50 * 60_000)
  })

  test('the stream says what happens to the hold, then ends', async () => {
    const clinic = await schedulingClinic(core)
    const held = await created(hold(holdBody(clinic)))
    const response = await fetch(`${core.url}/v1/public/holds/${held.id}/stream`)
    assert.equal(response.headers.get('content-type'), 'text/event-stream')
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (!text.includes('hold.active')) text += (await reader?.read())?.value ?? ''
    await release(held.id)
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) text += part.value
    assert.deepEqual(text.match(/^event: .*/gm), ['event: hold.active', 'event: hold.released'])
    assert.ok(!text.includes(held.id))
    const ended = await (await fetch(`${core.url}/v1/public/holds/${held.id}/stream`)).text()
    assert.match(ended, /event: hold.released/)
  })
})
