import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import ICAL from 'ical.js'
import { type Person, sharedCore, type TestCore } from '../../../testing/core.ts'
import { created, nextMonday, type SchedulingClinic, schedulingClinic } from '../clinic.testing.ts'

describe('calendar feeds', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  async function clinicWithPatient() {
    const clinic = await schedulingClinic(core)
    await core.publishNotice(clinic)
    const person = await core.signIn()
    const record = await core.patient(clinic, person, { first_name: 'Ioana', last_name: 'Pop' })
    await core.acceptAll(record)
    return { clinic, person, record, headers: { 'x-organization-id': clinic.id } }
  }
  const book = (clinic: SchedulingClinic, values: object) =>
    created(
      core.post('/v1/appointments', {
        as: clinic.admin,
        body: {
          service_id: clinic.service.id,
          specialist_id: clinic.specialist.id,
          starts_at: nextMonday().toISOString(),
          ...values,
        },
      }),
    )
  const pathOf = (url: string) => new URL(url).pathname
  const specialistFeed = async (clinic: SchedulingClinic, as: Person = clinic.admin) =>
    pathOf((await created(core.post(`/v1/specialists/${clinic.specialist.id}/calendar-feed`, { as }))).url)
  const eventsOf = (text: string) =>
    new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent').map((event) => ({
      summary: event.getFirstPropertyValue('summary'),
      start: String(event.getFirstPropertyValue('dtstart')),
      names: event
        .getAllProperties()
        .map(({ name }) => name)
        .sort()
        .join(),
    }))
  const start = nextMonday().toISOString().replace('.000Z', 'Z')

  test('a specialist’s feed shows only that a time is booked, unless the clinic enabled details', async () => {
    const { clinic, record } = await clinicWithPatient()
    await book(clinic, { patient_id: record.id, title: 'Knee', notes: 'secret', patient_note: 'secret' })
    const feed = await specialistFeed(clinic)
    const first = await core.get(feed)
    assert.equal(first.headers.get('content-type'), 'text/calendar; charset=utf-8')
    assert.deepEqual(eventsOf(first.text), [
      { summary: 'Booked', start, names: 'dtend,dtstamp,dtstart,sequence,status,summary,uid' },
    ])
    for (const hidden of ['secret', 'Knee', 'Session', 'Ioana', 'Pop']) assert.ok(!first.text.includes(hidden), hidden)
    await core.patch(`/v1/organizations/${clinic.id}/settings`, {
      as: clinic.admin,
      body: { feed_shows_details: true },
    })
    assert.deepEqual(
      eventsOf((await core.get(feed)).text).map(({ summary }) => summary),
      ['Session, I. P.'],
    )
    await core.patch(`/v1/services/${clinic.service.id}`, {
      as: clinic.admin,
      body: { translations: { ro: { name: 'Ședință' } } },
    })
    const summaryIn = async (language: string) => {
      await core.database.query('update organizations set language_code = $1 where id = $2', [language, clinic.id])
      return eventsOf((await core.get(feed)).text)[0]?.summary
    }
    assert.deepEqual([await summaryIn('ro'), await summaryIn('en')], ['Ședință, I. P.', 'Session, I. P.'])
    await core.database.query('update patients set restricted_at = now() where id = $1', [record.id])
    assert.ok(!(await core.get(feed)).text.includes('I. P.'))
  })

  test('a patient’s feed contains only the name of the clinic and the times', async () => {
    const { clinic, person, record, headers } = await clinicWithPatient()
    await book(clinic, { patient_id: record.id })
    await book(clinic, { starts_at: nextMonday(13).toISOString() })
    const feed = pathOf((await created(core.post('/v1/me/calendar-feed', { as: person, headers }))).url)
    assert.deepEqual(
      eventsOf((await core.get(feed)).text).map(({ summary, start }) => [summary, start]),
      [['Appointment, Clinica Test', start]],
    )
    await core.patch(`/v1/organizations/${clinic.id}/settings`, {
      as: clinic.admin,
      body: { feed_shows_details: true },
    })
    assert.ok(!(await core.get(feed)).text.includes('Session'))
    assert.equal((await core.delete('/v1/me/calendar-feed', { as: person, headers })).status, 204)
    assert.equal((await core.get(feed)).status, 404)
    assert.equal((await core.delete('/v1/me/calendar-feed', { as: person, headers })).status, 404)
  })

  test('an unchanged feed answers 304; a move changes the entry and a cancellation removes it', async () => {
    const { clinic } = await clinicWithPatient()
    const { id } = await book(clinic, {})
    const feed = await specialistFeed(clinic)
    const first = await core.get(feed)
    const etag = first.headers.get('etag') ?? ''
    assert.match(first.headers.get('cache-control') ?? '', /^private, max-age=\d+$/)
    const same = await core.get(feed, { headers: { 'if-none-match': etag } })
    assert.deepEqual([same.status, same.text], [304, ''])
    const moved = await core.post(`/v1/appointments/${id}/reschedule`, {
      as: clinic.admin,
      body: { starts_at: nextMonday(14).toISOString() },
    })
    const second = await core.get(feed, { headers: { 'if-none-match': etag } })
    assert.equal(second.status, 200)
    const uidOf = (text: string) => /UID:(.*)/.exec(text)?.[1]
    assert.equal(uidOf(second.text), uidOf(first.text))
    assert.match(second.text, /SEQUENCE:1/)
    await core.put(`/v1/appointments/${moved.body.data.id}/status`, { as: clinic.admin, body: { status: 'cancelled' } })
    assert.deepEqual(eventsOf((await core.get(feed)).text), [])
  })

  test('a new URL replaces the old one, and the log never shows it', async () => {
    const { clinic } = await clinicWithPatient()
    const [old, fresh] = [await specialistFeed(clinic), await specialistFeed(clinic)]
    assert.equal((await core.get(old)).body.error.code, 'calendar_feed_not_found')
    assert.equal((await core.get(fresh)).status, 200)
    const token = fresh.split('/').at(-1)?.replace('.ics', '') ?? ''
    assert.ok(!core.log.some((line) => line.includes(token)))
    const path = `/v1/specialists/${clinic.specialist.id}/calendar-feed`
    assert.equal((await core.delete(path, { as: clinic.admin })).status, 204)
    assert.equal((await core.get(fresh)).status, 404)
  })

  test('only the specialist and members who manage specialists can create a feed, and no other clinic', async () => {
    const { clinic } = await clinicWithPatient()
    const path = `/v1/specialists/${clinic.specialist.id}/calendar-feed`
    const colleague = await core.memberWith(clinic, ['appointments.view_org'])
    assert.equal((await core.post(path, { as: colleague })).status, 404)
    await core.database.query('update specialists set human_id = $1 where id = $2', [
      colleague.id,
      clinic.specialist.id,
    ])
    const feed = await specialistFeed(clinic, colleague)
    const other = await schedulingClinic(core)
    assert.equal((await core.post(path, { as: other.admin })).status, 404)
    assert.equal((await core.delete(path, { as: other.admin })).status, 404)
    assert.equal((await core.get(feed)).status, 200)
    await core.database.query('delete from organization_memberships where principal_id = $1', [colleague.id])
    assert.equal((await core.get(feed)).status, 404)
  })

  test('a feed stops when its specialist or patient is deleted', async () => {
    const { clinic, person, record, headers } = await clinicWithPatient()
    const feed = await specialistFeed(clinic)
    const own = pathOf((await created(core.post('/v1/me/calendar-feed', { as: person, headers }))).url)
    await core.delete(`/v1/specialists/${clinic.specialist.id}`, { as: clinic.admin })
    assert.equal((await core.get(feed)).status, 404)
    assert.equal((await core.get(own)).status, 200)
    await core.database.query('update patients set deleted_at = now() where id = $1', [record.id])
    assert.equal((await core.get(own)).status, 404)
  })
})
