import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { renderMail } from '@tendon/mail'
import ICAL from 'ical.js'
import { type Answer, sharedCore, type TestCore } from '../../../testing/core.ts'
import { created, holdBody, nextMonday, type SchedulingClinic, schedulingClinic } from '../clinic.testing.ts'
import { calendarFile } from './calendar-file.ts'
import { bookingUpdated } from './mails.ts'

describe('bookings', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  const codeOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [
    status,
    body.error?.code,
  ]
  const hold = (clinic: SchedulingClinic, hour = 10) =>
    created(core.post('/v1/public/holds', { body: holdBody(clinic, nextMonday(hour)) }))
  const book = (hold_id: string, email = `${randomUUID()}@mail.example`, values: object = {}) =>
    core.post('/v1/public/bookings', { body: { hold_id, booker: { name: 'Maria', email }, ...values } })
  async function openClinic(service: object = {}) {
    const clinic = await schedulingClinic(core, service)
    await core.publishNotice(clinic)
    return clinic
  }
  async function mailsTo(email: string) {
    return core.database.query<{ data: { url: string; status: string; sequence: number; uid: string } }>(
      `select data from mail_outbox where to_address = '${email}' order by id`,
    )
  }
  const tokenIn = (url: string) => url.split('/').at(-1) ?? ''

  test('a visitor books a held time and manages it with the link in the mail', async () => {
    const clinic = await openClinic()
    const email = `${randomUUID()}@mail.example`
    const { manage_url, ...booked } = await created(
      book((await hold(clinic)).id, email, { patient_note: 'Stairs', language: 'ro' }),
    )
    assert.deepEqual([booked.status, booked.service.name, booked.reference.length], ['confirmed', 'Session', 8])
    const [mail] = await mailsTo(email)
    assert.equal(mail?.data.url, manage_url)
    const path = `/v1/public/bookings/${tokenIn(manage_url)}`
    const seen = await core.get(path)
    assert.deepEqual(seen.body.data, booked)
    assert.ok(!seen.text.includes(email) && !seen.text.includes('Maria') && !seen.text.includes('Stairs'))
    const moved = await core.post(`${path}/reschedule`, { body: { hold_id: (await hold(clinic, 12)).id } })
    assert.equal(moved.status, 200, moved.text)
    assert.deepEqual(
      [moved.body.data.reference, moved.body.data.starts_at],
      [booked.reference, nextMonday(12).toISOString()],
    )
    assert.equal((await core.delete(path)).status, 204)
    const again = await core.delete(path)
    assert.deepEqual([...codeOf(again), again.body.error.status], [409, 'invalid_transition', 'cancelled'])
    const { id: hold_id } = await hold(clinic, 13)
    const late = await core.post(`${path}/reschedule`, { body: { hold_id } })
    assert.deepEqual([...codeOf(late), late.body.error.status], [409, 'invalid_transition', 'cancelled'])
    const mails = await mailsTo(email)
    assert.deepEqual(
      mails.map(({ data }) => [data.status, data.sequence]),
      [
        ['confirmed', 0],
        ['confirmed', 1],
        ['cancelled', 2],
      ],
    )
    assert.equal(new Set(mails.map(({ data }) => data.uid)).size, 1)
  })

  test('a booking shows the address and telephone number of its place', async () => {
    const clinic = await openClinic()
    const address = { line1: 'Strada Lipscani 12', city: 'București', country: 'RO' }
    const location = await created(
      core.post(`/v1/organizations/${clinic.id}/locations`, {
        as: clinic.admin,
        body: { name: 'Centre', address, phone: '+40 21 555 0100' },
      }),
    )
    await core.database.query('update calendars set location_id = $1 where organization_id = $2', [
      location.id,
      clinic.id,
    ])
    const place = { id: location.id, name: 'Centre', address, phone: '+40 21 555 0100' }
    const booked = await created(book((await hold(clinic)).id))
    assert.deepEqual(booked.location, place)
    const [service] = (await core.get(`/v1/public/services?organization=${clinic.slug}`)).body.data
    assert.deepEqual(service.locations, [{ ...place, city: 'București' }])
    assert.equal(service.reschedule_notice_minutes, 1440)
    const person = await core.signIn()
    const record = await core.patient(clinic, person)
    await core.acceptAll(record)
    const as = { as: person, headers: { 'x-organization-id': clinic.id } }
    const mine = await created(
      core.post('/v1/me/appointments', { ...as, body: { hold_id: (await hold(clinic, 12)).id } }),
    )
    assert.deepEqual(mine.location, place)
  })

  test('staff see the booker, and link the booking to a patient', async () => {
    const clinic = await openClinic()
    await created(book((await hold(clinic)).id, 'maria@mail.example'))
    const { body } = await core.get('/v1/appointments', { as: clinic.admin })
    assert.deepEqual(
      [body.data[0].source, body.data[0].booker.email, body.data[0].patient_id],
      ['public', 'maria@mail.example', null],
    )
    const record = await core.patient(clinic, await core.signIn())
    const linked = await core.post(`/v1/appointments/${body.data[0].id}/link-patient`, {
      as: clinic.admin,
      body: { patient_id: record.id },
    })
    assert.equal(linked.body.data.patient_id, record.id)
  })

  test('the response is the same for the e-mail address of a patient and for any other', async () => {
    const clinic = await openClinic()
    const person = await core.signIn({ email: 'known@mail.example' })
    await core.patient(clinic, person)
    const shape = async (email: string, hour: number) => {
      const answer = await book((await hold(clinic, hour)).id, email)
      return [answer.status, Object.keys(answer.body.data), answer.body.data.status]
    }
    assert.deepEqual(await shape('known@mail.example', 8), await shape('unknown@mail.example', 9))
  })

  test('booking a service that requires confirmation creates a pending booking', async () => {
    const clinic = await openClinic({ requires_confirmation: true })
    assert.equal((await created(book((await hold(clinic)).id))).status, 'pending')
  })

  test('refusals: unknown and used holds, unpublished notice, unknown links, too late', async () => {
    assert.deepEqual(codeOf(await book(randomUUID())), [404, 'hold_not_found'])
    const silent = await schedulingClinic(core)
    assert.deepEqual(codeOf(await book((await hold(silent)).id)), [409, 'privacy_notice_unpublished'])
    const clinic = await openClinic({ cancel_notice_minutes: 43_200 })
    const held = await hold(clinic)
    const email = `${randomUUID()}@mail.example`
    await created(book(held.id, email))
    assert.deepEqual(codeOf(await book(held.id)), [409, 'hold_converted'])
    assert.deepEqual(codeOf(await core.get(`/v1/public/bookings/${'x'.repeat(32)}`)), [404, 'booking_not_found'])
    const [mail] = await mailsTo(email)
    assert.deepEqual(codeOf(await core.delete(`/v1/public/bookings/${tokenIn(mail?.data.url ?? '')}`)), [
      403,
      'too_late',
    ])
  })

  test('one e-mail address, in any spelling, gets at most five mails a day; every response contains the link', async () => {
    const clinic = await openClinic()
    const email = `${randomUUID()}@mail.example`
    for (const hour of [8, 9, 10, 11, 12, 13]) {
      const held = await created(
        core.post('/v1/holds', {
          as: clinic.admin,
          body: { service_id: clinic.service.id, mode: 'in_person', starts_at: nextMonday(hour).toISOString() },
        }),
      )
      const { manage_url } = await created(book(held.id, hour % 2 ? email.toUpperCase() : email))
      assert.equal((await core.get(`/v1/public/bookings/${tokenIn(manage_url)}`)).status, 200)
    }
    assert.equal((await mailsTo(email)).length + (await mailsTo(email.toUpperCase())).length, 5)
  })

  test('one IP address can book at most ten times a day (429), with any e-mail addresses', async () => {
    const clinic = await openClinic({ duration_minutes: 30, slot_interval_minutes: 30 })
    const times = Array.from({ length: 11 }, (_, index) => new Date(nextMonday(8).getTime() + index * 1_800_000))
    const answers: Answer[] = []
    for (const at of times)
      answers.push(await book((await created(core.post('/v1/public/holds', { body: holdBody(clinic, at) }))).id))
    assert.deepEqual(answers.map(codeOf), [
      ...Array.from({ length: 10 }, () => [201, undefined]),
      [429, 'too_many_bookings'],
    ])
    const other = await openClinic()
    await created(book((await hold(other)).id))
  })

  test('a mail contains the time with the time zone of the appointment; its calendar file has no link', async () => {
    const clinic = await openClinic()
    await core.database.query(`update specialists set scheduling_timezone = 'Asia/Tokyo' where id = $1`, [
      clinic.specialist.id,
    ])
    const email = `${randomUUID()}@mail.example`
    const { manage_url } = await created(book((await hold(clinic, 3)).id, email))
    const [mail] = await mailsTo(email)
    const rendered = renderMail(bookingUpdated, mail?.data ?? {}, {
      language: 'en',
      timeZone: 'Europe/Bucharest',
      context: {
        organizationName: 'Clinic',
        toAddress: 'maria@mail.example',
        fromAddress: 'clinic@mail.example',
        sentAt: new Date(),
        consoleUrl: '',
        portalUrl: '',
        publicUrl: '',
      },
    })
    assert.match(rendered.text, /at 12:00 \(Asia\/Tokyo\)/)
    assert.ok(rendered.text.includes(manage_url))
    assert.ok(!rendered.attachments.some(({ content }) => String(content).includes('portal/bookings')))
  })

  test('calendar files are read back by another library, and text cannot add a property', () => {
    const entry = {
      uid: randomUUID(),
      sequence: 2,
      startsAt: '2026-12-01T08:00:00.000Z',
      endsAt: '2026-12-01T09:00:00.000Z',
      summary: 'Ședință\nATTENDEE:mailto:evil@mail.example',
      location: 'Centru; etaj 2, București',
      status: 'cancelled' as const,
    }
    const invitation = {
      method: 'CANCEL' as const,
      clinic: { name: 'Clinica "Ș"\r\nX-EVIL:1;x=y', address: 'clinic@mail.example' },
      attendee: 'ana@mail.example',
      sentAt: new Date('2026-11-01T08:00:00Z'),
    }
    const parsed = new ICAL.Component(ICAL.parse(calendarFile([entry], invitation)))
    const event = parsed.getFirstSubcomponent('vevent')
    assert.equal(parsed.getFirstPropertyValue('method'), 'CANCEL')
    assert.equal(event?.getFirstPropertyValue('summary'), entry.summary)
    assert.equal(event?.getFirstPropertyValue('location'), entry.location)
    assert.deepEqual(
      event?.getAllProperties('attendee').map((one) => String(one.getFirstValue()).toLowerCase()),
      ['mailto:ana@mail.example'],
    )
    assert.equal(event?.getFirstProperty('organizer')?.getParameter('cn'), 'Clinica Ș X-EVIL:1;x=y')
    assert.equal(event?.getFirstProperty('x-evil'), null)
    assert.equal(String(event?.getFirstPropertyValue('dtstamp')), '2026-11-01T08:00:00Z')
    assert.equal(String(event?.getFirstPropertyValue('dtstart')), '2026-12-01T08:00:00Z')
    assert.equal(event?.getFirstPropertyValue('sequence'), 2)
  })
})
