import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import ICAL from 'ical.js'
import { sendDueMails } from '../../connections/mails/loop.ts'
import { created, holdBody, nextMonday, schedulingClinic } from '../clinic.testing.ts'
import { startReminders } from './reminders.testing.ts'

const MINUTE_MS = 60_000

describe('reminders and mails of appointments', () => {
  let core: Awaited<ReturnType<typeof startReminders>>
  before(async () => {
    core = await startReminders()
  })
  after(() => core.close())

  /** METHOD, SEQUENCE, UID, SUMMARY and start of the calendar file of a mail, read by another library. */
  function eventOf(mail: { attachments: { content: Buffer }[] } | undefined) {
    const calendar = new ICAL.Component(ICAL.parse(mail?.attachments[0]?.content.toString('utf8') ?? ''))
    const event = calendar.getFirstSubcomponent('vevent')
    return {
      method: calendar.getFirstPropertyValue('method'),
      sequence: event?.getFirstPropertyValue('sequence'),
      uid: event?.getFirstPropertyValue('uid'),
      summary: event?.getFirstPropertyValue('summary'),
      start: String(event?.getFirstPropertyValue('dtstart')),
      count: calendar.getAllSubcomponents('vevent').length,
    }
  }
  const utc = (date: Date) => date.toISOString().replace('.000Z', 'Z')

  test('a patient gets a calendar file when an appointment is booked, moved and cancelled', async () => {
    const { clinic, person, record } = await core.clinicWithPatient()
    const { id } = await core.book(clinic, { patient_id: record.id })
    await core.deliver()
    const moved = (await core.move(clinic, id, nextMonday(12))).body.data
    await core.deliver()
    await core.setStatus(clinic, moved.id, 'cancelled')
    await core.deliver()
    const files = core.mailsTo(person.email).map(eventOf)
    assert.deepEqual(
      files.map(({ method, sequence, start }) => [method, sequence, start]),
      [
        ['REQUEST', 0, utc(nextMonday())],
        ['REQUEST', 1, utc(nextMonday(12))],
        ['CANCEL', 2, utc(nextMonday(12))],
      ],
    )
    assert.equal(new Set(files.map(({ uid }) => uid)).size, 1)
  })

  test('the mail about a moved visit says so, with the old time and the new one, day before month', async () => {
    for (const [language, subject, before, now] of [
      ['en', 'Your appointment at Clinica Test was moved', 'Old time', 'New time'],
      ['ro', 'Programarea dumneavoastră la Clinica Test a fost mutată', 'Ora veche', 'Ora nouă'],
    ] as const) {
      const { clinic, person, record } = await core.clinicWithPatient(language)
      const { id, time_zone } = await core.book(clinic, { patient_id: record.id })
      await core.deliver()
      await core.move(clinic, id, nextMonday(12))
      await core.deliver()
      const mails = core.mailsTo(person.email)
      assert.deepEqual([mails.length, mails[1]?.subject], [2, subject])
      const format = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : 'ro-RO', {
        dateStyle: 'full',
        timeStyle: 'short',
        timeZone: time_zone,
      })
      for (const [label, at] of [
        [before, nextMonday()],
        [now, nextMonday(12)],
      ] as const)
        assert.ok(mails[1]?.text?.includes(`${label}: ${format.format(at)}`), mails[1]?.text)
      assert.doesNotMatch(mails[1]?.text ?? '', /cancel|confirm|anulat/i)
    }
  })

  test('a booker who moves a booking reads the old time too', async () => {
    const { clinic } = await core.clinicWithPatient()
    const email = `${randomUUID()}@mail.example`
    const hold = async (hour?: number) =>
      (await created(core.post('/v1/public/holds', { body: holdBody(clinic, nextMonday(hour)) }))).id
    const body = { hold_id: await hold(), booker: { name: 'Maria', email }, language: 'en' }
    const { manage_url } = await created(core.post('/v1/public/bookings', { body }))
    const token = manage_url.split('/').at(-1)
    const moved = await core.post(`/v1/public/bookings/${token}/reschedule`, { body: { hold_id: await hold(12) } })
    assert.equal(moved.status, 200, moved.text)
    await core.deliver()
    const mail = core.mailsTo(email).find(({ subject }) => subject?.includes('was moved'))
    assert.match(mail?.text ?? '', /Old time: Monday.+\nNew time: Monday/)
    assert.equal(core.mailsTo(email).length, 2)
  })

  test('a cancellation carries the clinic’s reason to the patient, who reads it in the portal too', async () => {
    const { clinic, person, record } = await core.clinicWithPatient()
    const { id } = await core.book(clinic, { patient_id: record.id })
    await core.deliver()
    await core.setStatus(clinic, id, 'cancelled', { reason: 'Ana is ill.' })
    await core.deliver()
    assert.match(core.mailsTo(person.email).at(-1)?.text ?? '', /is cancelled[^]+Reason: Ana is ill\./)
  })

  test('mails are in the patient’s language and the clinic’s time zone', async () => {
    const { clinic, person, record } = await core.clinicWithPatient('ro')
    const { id, starts_at } = await core.book(clinic, { patient_id: record.id })
    // One after the other: mails that are due together are sent at once.
    await core.deliver()
    await core.send(clinic, (await core.planned(id))[0]?.id ?? '')
    await core.deliver()
    const mails = core.mailsTo(person.email)
    const clock = new Intl.DateTimeFormat('ro', { timeZone: 'Europe/Bucharest', hour: '2-digit', minute: '2-digit' })
    assert.deepEqual(
      mails.map(({ subject }) => subject),
      [
        'Programarea dumneavoastră la Clinica Test este confirmată',
        'Reamintire: programarea dumneavoastră la Clinica Test',
      ],
    )
    for (const { text } of mails) assert.ok(text?.includes(clock.format(new Date(starts_at))), text)
  })

  test('mails and their calendar files name the service in the language of the mail', async () => {
    const evaluation = { name: 'Evaluation', translations: { ro: { name: 'Evaluare' } } }
    for (const [language, name, other] of [
      ['ro', 'Evaluare', 'Evaluation'],
      ['en', 'Evaluation', 'Evaluare'],
    ] as const) {
      const { clinic, person, record } = await core.clinicWithPatient(language, evaluation)
      const { id } = await core.book(clinic, { patient_id: record.id })
      await core.book(clinic, {
        patient_id: record.id,
        starts_at: nextMonday(12).toISOString(),
        repeat: { every_weeks: 1, count: 2 },
      })
      await core.dispatch()
      await core.send(clinic, (await core.planned(id))[0]?.id ?? '')
      const email = `${randomUUID()}@mail.example`
      const held = await created(core.post('/v1/public/holds', { body: holdBody(clinic, nextMonday(13)) }))
      await created(
        core.post('/v1/public/bookings', { body: { hold_id: held.id, booker: { name: 'Maria', email }, language } }),
      )
      await core.deliver()
      const mails = [...core.mailsTo(person.email), ...core.mailsTo(email)]
      // Booked, series, reminder, and the booking without an account.
      assert.equal(mails.length, 4)
      for (const mail of mails) {
        assert.ok(mail.text?.includes(name) && !mail.text.includes(other), mail.text)
        assert.equal(eventOf(mail).summary, `${name}, Clinica Test`)
      }
    }
  })

  test('a series gets one mail with all its times', async () => {
    const { clinic, person, record } = await core.clinicWithPatient()
    await core.book(clinic, { patient_id: record.id, repeat: { every_weeks: 1, count: 4 } })
    await core.deliver()
    assert.deepEqual(
      core.mailsTo(person.email).map((mail) => eventOf(mail).count),
      [4],
    )
  })

  test('the mail of a series names the weeks that were skipped (en, ro)', async () => {
    for (const [language, words] of [
      ['en', 'Nothing is booked at these times of the series:'],
      ['ro', 'La următoarele ore din serie nu aveți programare:'],
    ] as const) {
      const { clinic, person, record } = await core.clinicWithPatient(language)
      const taken = new Date(nextMonday().getTime() + 7 * 86_400_000)
      const body = { date: taken.toISOString().slice(0, 10), name: 'Holiday' }
      await created(core.post('/v1/closures', { as: clinic.admin, body }))
      const repeat = { every_weeks: 1, count: 3, on_conflict: 'skip' }
      await core.book(clinic, { patient_id: record.id, repeat })
      await core.deliver()
      const [mail] = core.mailsTo(person.email)
      assert.equal(eventOf(mail).count, 2)
      const day = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : 'ro', {
        day: 'numeric',
        month: 'long',
        timeZone: 'Europe/Bucharest',
      })
      const text = mail?.text?.replaceAll(/\s+/g, ' ') ?? ''
      assert.ok(text.split(words)[1]?.includes(day.format(taken)), text)
    }
    const { clinic, person, record } = await core.clinicWithPatient()
    await core.book(clinic, { patient_id: record.id, repeat: { every_weeks: 1, count: 3, on_conflict: 'skip' } })
    await core.deliver()
    assert.doesNotMatch(core.mailsTo(person.email)[0]?.text ?? '', /Nothing is booked/)
  })

  test('a confirmed appointment gets the reminders of its clinic, or of its service', async () => {
    const { clinic, record } = await core.clinicWithPatient()
    const change = (body: object, as = clinic.admin) =>
      core.patch(`/v1/organizations/${clinic.id}/settings`, { as, body })
    const offsetsOf = async (values: object) => {
      const { id, starts_at } = await core.book(clinic, { patient_id: record.id, ...values })
      await core.dispatch()
      const rows = await core.planned(id)
      for (const { offset_minutes, send_at } of rows)
        assert.equal(new Date(send_at).getTime(), Date.parse(starts_at) - offset_minutes * MINUTE_MS)
      return rows.map(({ offset_minutes }) => offset_minutes)
    }
    assert.deepEqual(await offsetsOf({}), [1440, 120])
    const changed = await change({ reminder_offsets_minutes: [2880], version: 1 })
    assert.deepEqual([changed.body.data.reminder_offsets_minutes, changed.body.data.version], [[2880], 2])
    assert.deepEqual(await offsetsOf({ starts_at: nextMonday(12).toISOString() }), [2880])
    assert.equal((await change({ reminder_offsets_minutes: [5] })).status, 422)
    assert.equal((await change({ reminder_offsets_minutes: [60], version: 1 })).status, 409)
    assert.equal((await change({ feed_shows_details: true }, await core.memberWith(clinic, []))).status, 403)
    await core.patch(`/v1/services/${clinic.service.id}`, {
      as: clinic.admin,
      body: { reminder_offsets_minutes: [30, 4320] },
    })
    assert.deepEqual(await offsetsOf({ starts_at: nextMonday(13).toISOString() }), [4320, 30])
    assert.deepEqual(await offsetsOf({ starts_at: nextMonday(14).toISOString(), status: 'pending' }), [])
    const other = await schedulingClinic(core)
    const own = await core.get(`/v1/organizations/${other.id}/settings`, { as: other.admin })
    assert.deepEqual(own.body.data.reminder_offsets_minutes, [1440, 120])
  })

  test('a reminder is sent once, however often its job runs', async () => {
    const { clinic, person, record } = await core.clinicWithPatient()
    const { id } = await core.book(clinic, { patient_id: record.id })
    await core.deliver()
    const [first] = await core.planned(id)
    await Promise.all([core.send(clinic, first?.id ?? ''), core.send(clinic, first?.id ?? '')])
    await core.deliver()
    const [, reminder, ...more] = core.mailsTo(person.email)
    assert.equal(reminder?.subject, 'Reminder: your appointment at Clinica Test')
    assert.deepEqual([eventOf(reminder).method, more.length], ['REQUEST', 0])
  })

  test('no reminder of a moved or cancelled appointment is sent, whether it waits as job or as mail', async () => {
    const { clinic, person, record } = await core.clinicWithPatient()
    const remindersSent = () => core.mailsTo(person.email).filter(({ subject }) => subject?.startsWith('Reminder'))
    const { id } = await core.book(clinic, { patient_id: record.id })
    await core.deliver()
    const [day, hours] = await core.planned(id)
    // The mail is in the outbox.
    await core.send(clinic, day?.id ?? '')
    const moved = (await core.move(clinic, id, nextMonday(12))).body.data
    await core.deliver()
    // The job is due later.
    await core.send(clinic, hours?.id ?? '')
    await core.deliver()
    assert.equal(remindersSent().length, 0)
    assert.deepEqual(
      (await core.planned(id)).map(({ status, reason }) => [status, reason]),
      [
        ['skipped', 'visit_moved'],
        ['skipped', 'visit_moved'],
      ],
    )
    const [row] = await core.database.query<{ status: string; last_error: string }>(
      'select status, last_error from mail_outbox where appointment_reminder_id = $1',
      [day?.id],
    )
    assert.deepEqual(row, { status: 'suppressed', last_error: 'appointment_changed' })
    // The mail waits for its second attempt.
    const [again] = await core.planned(moved.id)
    await core.send(clinic, again?.id ?? '')
    core.smtp.onMail = () => {
      throw Object.assign(new Error('try later'), { responseCode: 451 })
    }
    await core.deliver()
    core.smtp.onMail = () => {}
    await core.setStatus(clinic, moved.id, 'cancelled')
    core.clock.now = new Date(Date.now() + 10 * MINUTE_MS)
    await sendDueMails(core.worker)
    const sent = await core.database.query(
      'select 1 from mail_outbox where appointment_reminder_id = $1 and status = $2',
      [again?.id, 'sent'],
    )
    assert.equal(sent.length, 0)
  })

  test('when cancelling races with the job, no reminder is sent after the cancellation', async () => {
    const { clinic, record } = await core.clinicWithPatient('en', { duration_minutes: 15, slot_interval_minutes: 15 })
    const rounds = Array.from({ length: 16 }, (_, index) => new Date(nextMonday(8).getTime() + index * 15 * MINUTE_MS))
    const booked = []
    for (const at of rounds)
      booked.push(await core.book(clinic, { patient_id: record.id, starts_at: at.toISOString() }))
    await core.dispatch()
    const ids = await Promise.all(booked.map(async ({ id }) => (await core.planned(id))[0]?.id ?? ''))
    const sending = ids.map((id) => core.send(clinic, id))
    const answers = await Promise.all(booked.map(({ id }) => core.setStatus(clinic, id, 'cancelled')))
    await Promise.all(sending)
    for (const { status, text } of answers) assert.equal(status, 200, text)
    await core.deliver()
    const late = await core.database.query(
      `select 1 from mail_outbox where appointment_reminder_id = any ($1) and status = 'sent'`,
      [ids],
    )
    assert.equal(late.length, 0)
  })

  test('a booker without an account gets reminders, and mails about changes by staff, without the link', async () => {
    const { clinic } = await core.clinicWithPatient('en', { requires_confirmation: true })
    const email = `${randomUUID()}@mail.example`
    const held = await created(
      core.post('/v1/public/holds', {
        body: {
          organization: clinic.slug,
          service_id: clinic.service.id,
          mode: 'in_person',
          starts_at: nextMonday().toISOString(),
        },
      }),
    )
    await created(core.post('/v1/public/bookings', { body: { hold_id: held.id, booker: { name: 'Maria', email } } }))
    const { body } = await core.get('/v1/appointments', { as: clinic.admin })
    await core.setStatus(clinic, body.data[0].id, 'confirmed')
    await core.deliver()
    const mails = core.mailsTo(email)
    assert.deepEqual(mails.map(({ subject }) => String(subject)).sort(), [
      'Your appointment at Clinica Test has been received and is awaiting confirmation',
      'Your appointment at Clinica Test is confirmed',
    ])
    assert.equal(mails.filter(({ text }) => text?.includes('/portal/bookings/')).length, 1)
    assert.equal((await core.planned(body.data[0].id)).length, 2)
  })
})
