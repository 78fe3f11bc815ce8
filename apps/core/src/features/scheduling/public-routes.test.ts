import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type Answer, sharedCore, type TestCore } from '../../testing/core.ts'
import { created, holdBody, nextMonday, type SchedulingClinic, schedulingClinic } from './clinic.testing.ts'

const codeOf = ({ status, body }: Answer) => [status, body?.error?.code]

/** What a response tells: status, headers and body, with what is different for every request left out. */
function toldBy({ status, headers, body }: Answer) {
  const named = [...headers].filter(([name]) => !['date', 'x-request-id', 'x-ratelimit-reset'].includes(name))
  const changing = [
    'reference',
    'manage_url',
    'calendar_uid',
    'starts_at',
    'ends_at',
    'cancel_until',
    'reschedule_until',
  ]
  const shape = JSON.stringify(body, (key, value: unknown) => (changing.includes(key) ? typeof value : value))
  return { status, headers: Object.fromEntries(named), shape }
}

describe('public booking routes', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
  })
  after(() => core.close())

  let addresses = 0
  /** A client address that no other request had. */
  const newClient = () => ({ 'x-forwarded-for': `198.18.${++addresses >> 8}.${addresses & 255}` })
  async function openClinic(service: object = {}) {
    const clinic = await schedulingClinic(core, service)
    await core.publishNotice(clinic)
    return clinic
  }
  const hold = (clinic: SchedulingClinic, hour = 10, headers = newClient()) =>
    created(core.post('/v1/public/holds', { headers, body: holdBody(clinic, nextMonday(hour)) }))
  const book = (hold_id: string, email: string, headers = newClient()) =>
    core.post('/v1/public/bookings', { headers, body: { hold_id, booker: { name: 'Maria', email } } })
  async function linkOf(email: string): Promise<string> {
    const [mail] = await core.database.query<{ url: string }>(
      `select data ->> 'url' as url from mail_outbox where to_address = $1 order by id limit 1`,
      [email],
    )
    return mail?.url.split('/').at(-1) ?? ''
  }

  test('no status, body or header differs between an address of a patient and any other', async () => {
    const clinic = await openClinic({ duration_minutes: 30, slot_interval_minutes: 30 })
    const patient = await core.signIn()
    await core.patient(clinic, patient)
    const deleted = await core.signIn()
    const record = await core.patient(clinic, deleted)
    await core.database.query('update patients set deleted_at = now() where id = $1', [record.id])
    const restricted = await core.signIn()
    const frozen = await core.patient(clinic, restricted)
    await core.database.query('update patients set restricted_at = now() where id = $1', [frozen.id])
    const full = `${randomUUID()}@mail.example`
    await core.database.query(
      `insert into mail_outbox (organization_id, to_address, template, kind, language, data)
       select $1, $2, 'booking_updated', 'care', 'en', '{}' from generate_series(1, 5)`,
      [clinic.id, full],
    )
    const emails = [
      `${randomUUID()}@mail.example`,
      patient.email,
      deleted.email,
      restricted.email,
      clinic.admin.email,
      full,
    ]
    const told = []
    for (const [index, email] of emails.entries()) {
      const at = new Date(nextMonday(8).getTime() + index * 1_800_000)
      const headers = newClient()
      const { id } = await created(core.post('/v1/public/holds', { headers, body: holdBody(clinic, at) }))
      const booked = toldBy(await book(id, email, headers))
      assert.equal(booked.status, 201)
      const again = toldBy(await book(id, email, headers))
      told.push({ booked, again })
    }
    for (const one of told) assert.deepEqual(one, told[0])
  })

  test('each address may ask 60 times a minute, over all public booking routes together (429)', async () => {
    const strict = await sharedCore({
      env: { TRUSTED_PROXIES: '127.0.0.1', RATE_LIMIT_PUBLIC_BOOKING_PER_MINUTE: '4' },
    })
    try {
      const headers = { 'x-forwarded-for': '203.0.113.9' }
      const asked = async (from = headers) => [
        await strict.get('/v1/public/services?organization=nowhere', { headers: from }),
        await strict.get(`/v1/public/bookings/${'x'.repeat(32)}`, { headers: from }),
        await strict.delete(`/v1/public/holds/${randomUUID()}`, { headers: from }),
        await book0(strict, from),
      ]
      const first = await asked()
      assert.ok(first.every(({ status }) => status !== 429))
      const second = await asked()
      assert.deepEqual(
        second.map(codeOf),
        second.map(() => [429, 'rate_limited']),
      )
      assert.ok(second.every(({ headers: told }) => Number(told.get('retry-after')) > 0))
      assert.ok((await asked({ 'x-forwarded-for': '203.0.113.10' })).every(({ status }) => status !== 429))
    } finally {
      await strict.close()
    }
  })
  const book0 = (on: TestCore, headers: Record<string, string>) =>
    on.post('/v1/public/bookings', {
      headers,
      body: { hold_id: randomUUID(), booker: { name: 'Maria', email: 'maria@mail.example' } },
    })

  test('the id of a hold is a capability: nobody learns it, and nothing works without it', async () => {
    const clinic = await openClinic()
    const other = await openClinic()
    const { id } = await hold(clinic)
    const guessed = randomUUID()
    assert.deepEqual(codeOf(await core.delete(`/v1/public/holds/${guessed}`)), [404, 'hold_not_found'])
    assert.deepEqual(codeOf(await core.get(`/v1/public/holds/${guessed}/stream`)), [404, 'hold_not_found'])
    assert.deepEqual(codeOf(await book(guessed, 'a@mail.example')), [404, 'hold_not_found'])
    const foreign = await core.post('/v1/appointments', { as: other.admin, body: { hold_id: id } })
    assert.deepEqual(codeOf(foreign), [404, 'hold_not_found'])
    const booked = await book(id, `${randomUUID()}@mail.example`)
    assert.equal(booked.status, 201)
    for (const path of ['/v1/appointments?include=patient,specialist,service,documents', '/v1/audit-logs'])
      assert.ok(!(await core.get(path, { as: clinic.admin })).text.includes(id), path)
    const events = await core.database.query(
      `select 1 from outbox_events where organization_id = $1 and position($2 in payload::text) > 0`,
      [clinic.id, id],
    )
    assert.deepEqual(events, [])
    assert.ok(!booked.text.includes(id))
  })

  test('a link manages its own booking alone, is stored as a hash, and takes no hold of another clinic or service', async () => {
    const [clinic, other] = [await openClinic(), await openClinic()]
    const email = `${randomUUID()}@mail.example`
    assert.equal((await book((await hold(clinic)).id, email)).status, 201)
    const token = await linkOf(email)
    assert.ok(token.length >= 32, token)
    const stored = await core.database.query(`select 1 from booking_links where position($1 in token_hash::text) > 0`, [
      token,
    ])
    assert.deepEqual(stored, [])
    const path = `/v1/public/bookings/${token}`
    const shown = await core.get(path)
    for (const secret of [email, 'Maria', clinic.admin.email]) assert.ok(!shown.text.includes(secret), secret)
    const move = (hold_id: string) => core.post(`${path}/reschedule`, { body: { hold_id } })
    assert.deepEqual(codeOf(await move((await hold(other)).id)), [404, 'hold_not_found'])
    const used = await hold(clinic, 12)
    await book(used.id, `${randomUUID()}@mail.example`)
    assert.deepEqual(codeOf(await move(used.id)), [409, 'hold_converted'])
    for (const wrong of [token.slice(1), `${token}x`, token.toUpperCase()])
      assert.deepEqual(codeOf(await core.get(`/v1/public/bookings/${wrong}`)), [404, 'booking_not_found'])
  })

  test('one recipient gets five mails a day from a clinic and twenty from all, in any spelling, also at once', async () => {
    const name = randomUUID()
    const mailsTo = async () =>
      core.database.query('select 1 from mail_outbox where lower(to_address) = $1', [`${name}@mail.example`])
    const [first, second] = [await openClinic(), await openClinic()]
    const held = await Promise.all([8, 9, 10, 11, 12, 13].map((hour) => hold(first, hour)))
    const answers = await Promise.all(
      held.map(({ id }, index) => book(id, `${index % 2 ? name.toUpperCase() : name}@mail.example`)),
    )
    assert.ok(answers.every(({ status }) => status === 201))
    assert.equal((await mailsTo()).length, 5)
    await book((await hold(second, 8)).id, `${name}@mail.example`)
    assert.equal((await mailsTo()).length, 6, 'another clinic is not affected')
    await core.database.query(
      `insert into mail_outbox (organization_id, to_address, template, kind, language, data)
       select $1, $2, 'booking_updated', 'care', 'en', '{}' from generate_series(1, 14)`,
      [(await openClinic()).id, `${name}@mail.example`],
    )
    assert.equal((await book((await hold(second, 9)).id, `${name}@mail.example`)).status, 201)
    assert.equal((await mailsTo()).length, 20)
  })

  test('a verification code has 128 random bits; guessing is limited and tells nothing', async () => {
    const clinic = await openClinic()
    const body = {
      service_id: clinic.service.id,
      specialist_id: clinic.specialist.id,
      starts_at: nextMonday().toISOString(),
    }
    const { id } = await created(core.post('/v1/appointments', { as: clinic.admin, body }))
    const letter = await created(core.post(`/v1/appointments/${id}/documents`, { as: clinic.admin, body: {} }))
    assert.match(letter.verification_code, /^[0-9a-f]{32}$/)
    const verify = (code: string) => core.get(`/v1/public/documents/verify/${code}`, { headers: newClient() })
    const valid = await verify(letter.verification_code)
    assert.deepEqual(Object.keys(valid.body.data).sort(), [
      'clinic',
      'issued_at',
      'issued_by',
      'kind',
      'pages',
      'sha256',
      'size',
      'valid',
    ])
    const guessed = await verify('0'.repeat(32))
    const { valid: isValid, ...rest } = guessed.body.data
    assert.deepEqual([isValid, Object.values(rest)], [false, Array(7).fill(null)])
    const strict = await sharedCore({ env: { RATE_LIMIT_PUBLIC_RESOLVE_PER_MINUTE: '2' } })
    try {
      const statuses = []
      for (let guess = 0; guess < 3; guess++)
        statuses.push((await strict.get(`/v1/public/documents/verify/${randomUUID()}`)).status)
      assert.deepEqual(statuses, [200, 200, 429])
    } finally {
      await strict.close()
    }
  })
})
