import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import ICAL from 'ical.js'
import { created, holdBody, nextMonday } from '../clinic.testing.ts'
import { startReminders } from '../reminders/reminders.testing.ts'

interface ReadMail {
  attachments: readonly { partId?: string; contentType: string; content: Buffer }[]
  raw: Buffer
}

describe('calendar files in mails (RFC 5546, 6047)', () => {
  let core: Awaited<ReturnType<typeof startReminders>>
  before(async () => {
    core = await startReminders()
  })
  after(() => core.close())

  /** Read by another library, from the part beside text and HTML; the attached file must be the same. */
  function eventOf(mail: ReadMail) {
    const [beside, attached, ...more] = mail.attachments.filter(({ contentType }) => contentType === 'text/calendar')
    assert.deepEqual([beside?.partId, attached?.partId, more.length], ['1.3', '2', 0])
    assert.deepEqual(beside?.content, attached?.content)
    const calendar = new ICAL.Component(ICAL.parse(beside?.content.toString('utf8') ?? ''))
    const method = String(calendar.getFirstPropertyValue('method'))
    const parts = mail.raw.toString().match(/Content-Type: text\/calendar; charset=utf-8; method=\w+/g)
    assert.deepEqual(parts, Array(2).fill(`Content-Type: text/calendar; charset=utf-8; method=${method}`))
    const event = calendar.getFirstSubcomponent('vevent')
    const value = (name: string) => String(event?.getFirstPropertyValue(name))
    return {
      state: [method, value('status'), value('sequence')].join(' '),
      uid: value('uid'),
      organizer: value('organizer').toLowerCase(),
      clinic: event?.getFirstProperty('organizer')?.getParameter('cn'),
      attendee: value('attendee').toLowerCase(),
      stamp: Date.parse(value('dtstamp')),
    }
  }

  test('a booking is tentative until it is confirmed, and every change has a higher number', async () => {
    const { clinic } = await core.clinicWithPatient('en', { requires_confirmation: true })
    const email = `${randomUUID()}@mail.example`
    const held = await created(core.post('/v1/public/holds', { body: holdBody(clinic) }))
    await created(core.post('/v1/public/bookings', { body: { hold_id: held.id, booker: { name: 'Maria', email } } }))
    await core.deliver()
    const { id } = (await core.get('/v1/appointments', { as: clinic.admin })).body.data[0]
    await core.setStatus(clinic, id, 'confirmed')
    await core.deliver()
    const moved = (await core.move(clinic, id, nextMonday(12))).body.data
    await core.deliver()
    await core.setStatus(clinic, moved.id, 'cancelled')
    await core.deliver()
    const events = core.mailsTo(email).map(eventOf)
    assert.deepEqual(
      events.map(({ state }) => state),
      ['REQUEST TENTATIVE 0', 'REQUEST CONFIRMED 1', 'REQUEST CONFIRMED 2', 'CANCEL CANCELLED 3'],
    )
    assert.equal(new Set(events.map(({ uid }) => uid)).size, 1)
    for (const { organizer, clinic: name, attendee } of events) {
      assert.deepEqual([organizer, name, attendee], ['mailto:mail@tendon.example', 'Clinica Test', `mailto:${email}`])
    }
  })

  test('its time stamp is the time of sending, not the time of the visit or of the booking', async () => {
    const { clinic, person, record } = await core.clinicWithPatient()
    const { id } = await core.book(clinic, { patient_id: record.id })
    await core.deliver()
    const [day] = await core.planned(id)
    await core.send(clinic, day?.id ?? '')
    await core.deliver()
    for (const mail of core.mailsTo(person.email)) {
      const { stamp } = eventOf(mail)
      assert.ok(Math.abs(stamp - core.clock.now.getTime()) < 60_000, new Date(stamp).toISOString())
    }
  })

  test('another location raises the number of the entry; a note does not', async () => {
    const { clinic, record } = await core.clinicWithPatient()
    const location = await created(
      core.post(`/v1/organizations/${clinic.id}/locations`, { as: clinic.admin, body: { name: 'Centru' } }),
    )
    const { id } = await core.book(clinic, { patient_id: record.id })
    const sequence = async (body: object) => {
      assert.equal((await core.patch(`/v1/appointments/${id}`, { as: clinic.admin, body })).status, 200)
      const rows = await core.database.query<{ n: number }>(
        'select calendar_sequence as n from appointments where id = $1',
        [id],
      )
      return rows[0]?.n
    }
    assert.deepEqual([await sequence({ notes: 'Knee' }), await sequence({ location_id: location.id })], [0, 1])
  })
})
