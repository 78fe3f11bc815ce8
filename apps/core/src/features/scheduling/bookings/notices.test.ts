import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { jobTools } from '../../connections/job.testing.ts'
import { created, holdBody, nextMonday } from '../clinic.testing.ts'
import { startReminders } from '../reminders/reminders.testing.ts'
import { bookingJobs } from './jobs.ts'
import { listNotices } from './notices.testing.ts'

type Core = Awaited<ReturnType<typeof startReminders>>
type Facts = Awaited<ReturnType<Core['clinicWithPatient']>>

interface SentMail extends Record<string, unknown> {
  template: string
  status: string
  starts_at: string
  moved_from: string | null
  is_changed: boolean | null
  sequence: number
}

/** A visit through the hands of staff: each step answers the id that the visit has now. */
interface Hands {
  id: string
  book: (hour?: number, values?: object) => Promise<void>
  move: (hour: number, values?: object) => Promise<void>
  set: (status: string, more?: object) => Promise<void>
  tell: () => Promise<void>
}

describe('mails about what staff changed', () => {
  let core: Core
  before(async () => {
    core = await startReminders()
  })
  after(() => core.close())

  const at = (hour: number) => nextMonday(hour).toISOString()
  const mailsTo = (address: string) =>
    core.database.query<SentMail>(
      `select template, data ->> 'status' as status, data ->> 'starts_at' as starts_at,
         data -> 'moved_from' ->> 'starts_at' as moved_from, (data ->> 'is_changed')::boolean as is_changed,
         (data ->> 'sequence')::integer as sequence
       from mail_outbox where to_address = $1 order by id`,
      [address],
    )
  const summary = (mails: readonly SentMail[]) =>
    mails.map(({ status, starts_at, moved_from, is_changed }) =>
      [
        is_changed ? 'changed' : moved_from ? 'moved' : status,
        ...(moved_from ? [new Date(moved_from).getUTCHours()] : []),
        new Date(starts_at).getUTCHours(),
      ].join(' '),
    )

  function handsOf({ clinic, record }: Facts): Hands {
    const hands: Hands = {
      id: '',
      async book(hour = 9, values = {}) {
        hands.id = (await core.book(clinic, { patient_id: record.id, starts_at: at(hour), ...values })).id
      },
      async move(hour, values = {}) {
        const body = { starts_at: at(hour), ...values }
        const moved = await core.post(`/v1/appointments/${hands.id}/reschedule`, { as: clinic.admin, body })
        assert.equal(moved.status, 200, moved.text)
        hands.id = moved.body.data.id
      },
      async set(status, more) {
        const answer = await core.setStatus(clinic, hands.id, status, more)
        assert.equal(answer.status, 200, answer.text)
      },
      async tell() {
        await core.dispatch()
        await core.tell()
      },
    }
    return hands
  }

  test('only the net change is mailed, once or never', async () => {
    const facts = await core.clinicWithPatient()
    const phone = { mode: 'phone' }
    const sequences: [string, (visit: Hands) => Promise<unknown>, string[]][] = [
      ['booked', (v) => v.book(), ['confirmed 9']],
      ['booked to be confirmed', (v) => v.book(9, { status: 'pending' }), ['pending 9']],
      ['booked and cancelled', async (v) => [await v.book(), await v.set('cancelled')], []],
      ['booked and moved', async (v) => [await v.book(), await v.move(11)], ['confirmed 11']],
      [
        'booked, cancelled and undone',
        async (v) => [await v.book(), await v.set('cancelled'), await v.set('confirmed')],
        ['confirmed 9'],
      ],
      ['moved', async (v) => [await told(v), await v.move(11)], ['confirmed 9', 'moved 9 11']],
      ['moved twice', async (v) => [await told(v), await v.move(11), await v.move(12)], ['confirmed 9', 'moved 9 12']],
      ['moved and moved back', async (v) => [await told(v), await v.move(11), await v.move(9)], ['confirmed 9']],
      [
        'moved and cancelled',
        async (v) => [await told(v), await v.move(11), await v.set('cancelled')],
        ['confirmed 9', 'cancelled 9'],
      ],
      ['cancelled', async (v) => [await told(v), await v.set('cancelled')], ['confirmed 9', 'cancelled 9']],
      [
        'cancelled and undone',
        async (v) => [await told(v), await v.set('cancelled'), await v.set('confirmed')],
        ['confirmed 9'],
      ],
      [
        'cancelled, told, and undone',
        async (v) => [await told(v), await v.set('cancelled'), await v.tell(), await v.set('confirmed')],
        ['confirmed 9', 'cancelled 9', 'confirmed 9'],
      ],
      ['confirmed', async (v) => [await told(v, 'pending'), await v.set('confirmed')], ['pending 9', 'confirmed 9']],
      [
        'confirmed and undone',
        async (v) => [await told(v, 'pending'), await v.set('confirmed'), await v.set('pending')],
        ['pending 9'],
      ],
      [
        'arrived and undone',
        async (v) => [await told(v), await v.set('checked_in'), await v.set('confirmed')],
        ['confirmed 9'],
      ],
      ['another mode', async (v) => [await told(v), await v.move(9, phone)], ['confirmed 9', 'changed 9']],
      [
        'another mode and back',
        async (v) => [await told(v), await v.move(9, phone), await v.move(9, { mode: 'in_person' })],
        ['confirmed 9'],
      ],
      [
        'moved there, told, and moved on',
        async (v) => [await told(v), await v.move(11), await v.tell(), await v.move(12)],
        ['confirmed 9', 'moved 9 11', 'moved 11 12'],
      ],
      [
        'booked, arrived by mistake, told, and undone',
        async (v) => [await v.book(), await v.set('checked_in'), await v.tell(), await v.set('confirmed')],
        ['checked_in 9'],
      ],
      [
        'booked from the waiting list and undone',
        async (v) => [await fromWaitlist(v), await v.set('waitlist')],
        ['confirmed 9', 'cancelled 9'],
      ],
      [
        'booked from the waiting list, undone, told, and booked again',
        async (v) => [await fromWaitlist(v), await v.set('waitlist'), await v.tell(), await giveTime(v)],
        ['confirmed 9', 'cancelled 9', 'confirmed 9'],
      ],
      [
        'booked at the wanted time from the waiting list, undone, told, and booked again',
        async (v) => [
          await v.book(9, { status: 'waitlist' }),
          await v.set('confirmed'),
          await v.tell(),
          await v.set('waitlist'),
          await v.tell(),
          await v.set('confirmed'),
        ],
        ['confirmed 9', 'cancelled 9', 'confirmed 9'],
      ],
    ]
    const giveTime = (visit: Hands) =>
      visit.set('confirmed', { starts_at: at(9), specialist_id: facts.clinic.specialist.id })
    async function fromWaitlist(visit: Hands) {
      await visit.book(9, { status: 'waitlist', starts_at: undefined, specialist_id: undefined })
      await giveTime(visit)
      await visit.tell()
    }
    async function told(visit: Hands, status = 'confirmed') {
      await visit.book(9, { status })
      await visit.tell()
    }
    for (const [name, steps, expected] of sequences) {
      const person = await core.signIn()
      const record = await core.patient(facts.clinic, person)
      const visit = handsOf({ ...facts, person, record })
      await steps(visit)
      await core.dispatch()
      const known = summary(await mailsTo(person.email))
      assert.deepEqual(known, expected.slice(0, known.length), `${name}: nothing before the minute is over`)
      await visit.tell()
      await visit.tell()
      const mails = await mailsTo(person.email)
      assert.deepEqual(summary(mails), expected, name)
      const numbers = mails.map(({ sequence }) => sequence)
      assert.deepEqual(
        numbers,
        [...new Set(numbers)].sort((a, b) => a - b),
        `${name}: higher numbers each time`,
      )
      if ((await core.get(`/v1/appointments/${visit.id}`, { as: facts.clinic.admin })).body.data.status !== 'cancelled')
        await core.setStatus(facts.clinic, visit.id, 'cancelled')
      await visit.tell()
    }
    assert.deepEqual(await core.database.query('select 1 from appointment_notices'), [])
  })

  test('the mail waits for a minute after the last change, in one job for each visit', async () => {
    const facts = await core.clinicWithPatient()
    const visit = handsOf(facts)
    await visit.book()
    await visit.move(11)
    await visit.move(12)
    const jobs = (await listNotices(core.database, facts.clinic.id)).filter(
      ({ payload }) => payload.payload.appointment_id === visit.id,
    )
    assert.equal(jobs.length, 1)
    const waitMs = (jobs[0]?.run_at.getTime() ?? 0) - Date.now()
    assert.ok(waitMs > 0 && waitMs <= 60_000, `${waitMs}`)
  })

  test('when the visit starts within two hours, or was to start then, the mail is due at once', async () => {
    const facts = await core.clinicWithPatient()
    const visit = handsOf(facts)
    const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
    const isDue = async () => {
      const jobs = await listNotices(core.database, facts.clinic.id)
      const job = jobs.find(({ payload }) => payload.payload.appointment_id === visit.id)
      return job !== undefined && job.run_at.getTime() <= Date.now()
    }
    await visit.book(9, { starts_at: inHours(1.5) })
    assert.equal(await isDue(), true, 'booked')
    await visit.tell()
    await visit.move(9, { starts_at: inHours(48) })
    assert.equal(await isDue(), true, 'moved away')
    await visit.move(9, { starts_at: inHours(72) })
    assert.equal(await isDue(), true, 'moved again, while the patient still expects it today')
    await visit.tell()
    await visit.move(9, { starts_at: inHours(96) })
    assert.equal(await isDue(), false, 'far away')
    await visit.move(9, { starts_at: inHours(1.5) })
    assert.equal(await isDue(), true, 'moved to now')
    await visit.tell()
    assert.equal((await mailsTo(facts.person.email)).length, 3)
  })

  test('a job that runs again sends nothing, and one that fails before its end sends later', async () => {
    const facts = await core.clinicWithPatient()
    const visit = handsOf(facts)
    await visit.book()
    const job = bookingJobs.find(({ name }) => name === 'bookings.send_notice')
    const tools = jobTools(core.worker, facts.clinic.id)
    const killed: typeof tools = {
      ...tools,
      tenant: (work) =>
        tools.tenant(async (tx) => {
          await work(tx)
          throw new Error('killed before the commit')
        }),
    }
    await assert.rejects(async () => job?.run({ appointment_id: visit.id }, killed), /killed/)
    assert.deepEqual(await mailsTo(facts.person.email), [])
    await Promise.all([1, 2, 3].map(async () => job?.run({ appointment_id: visit.id }, tools)))
    await job?.run({ appointment_id: visit.id }, tools)
    assert.deepEqual(summary(await mailsTo(facts.person.email)), ['confirmed 9'])
  })

  test('a change that is rolled back leaves neither a job nor a mail', async () => {
    const facts = await core.clinicWithPatient()
    const visit = handsOf(facts)
    await visit.book()
    await visit.tell()
    await core.book(facts.clinic, { starts_at: at(11) })
    assert.equal((await core.move(facts.clinic, visit.id, nextMonday(11))).status, 409)
    const jobs = await listNotices(core.database, facts.clinic.id)
    assert.ok(jobs.every(({ payload }) => payload.payload.appointment_id !== visit.id))
  })

  test('what the patient does is mailed at once, and the news of staff before goes with it', async () => {
    const facts = await core.clinicWithPatient()
    const { clinic, person } = facts
    const as = { as: person, headers: { 'x-organization-id': clinic.id } }
    const visit = handsOf(facts)
    await visit.book()
    await visit.tell()
    await visit.move(11)
    const held = await created(core.post('/v1/public/holds', { body: holdBody(clinic, nextMonday(12)) }))
    const moved = await core.post(`/v1/me/appointments/${visit.id}/reschedule`, { ...as, body: { hold_id: held.id } })
    assert.equal(moved.status, 200, moved.text)
    await core.dispatch()
    assert.deepEqual(summary(await mailsTo(person.email)), ['confirmed 9', 'moved 11 12'])
    visit.id = moved.body.data.id
    await visit.move(13)
    assert.equal((await core.post(`/v1/me/appointments/${visit.id}/cancel`, { ...as, body: {} })).status, 200)
    await core.dispatch()
    await visit.tell()
    assert.deepEqual(summary(await mailsTo(person.email)), ['confirmed 9', 'moved 11 12', 'cancelled 13'])
  })

  test('what the patient books is mailed once, whatever staff do before the event is dispatched', async () => {
    const pending = await core.clinicWithPatient('en', { requires_confirmation: true })
    const confirmed = await core.clinicWithPatient()
    const sequences: [string, Facts, string[], string[]][] = [
      ['nothing', pending, [], ['pending 10']],
      ['confirmed', pending, ['confirmed'], ['pending 10', 'confirmed 10']],
      ['confirmed and undone', pending, ['confirmed', 'pending'], ['pending 10']],
      ['arrived', confirmed, ['checked_in'], ['confirmed 10']],
      ['arrived and undone', confirmed, ['checked_in', 'confirmed'], ['confirmed 10']],
      ['arrived, dispatched, and undone', confirmed, ['checked_in', 'dispatch', 'confirmed'], ['confirmed 10']],
      ['cancelled', confirmed, ['cancelled'], ['confirmed 10', 'cancelled 10']],
      ['cancelled and undone', confirmed, ['cancelled', 'confirmed'], ['confirmed 10']],
      ['cancelled, dispatched, and undone', confirmed, ['cancelled', 'dispatch', 'confirmed'], ['confirmed 10']],
    ]
    for (const [name, facts, steps, expected] of sequences) {
      const { clinic } = facts
      const person = await core.signIn()
      const record = await core.patient(clinic, person)
      await core.acceptAll(record)
      const visit = handsOf({ ...facts, person, record })
      const held = await created(core.post('/v1/public/holds', { body: holdBody(clinic) }))
      visit.id = (
        await created(
          core.post('/v1/me/appointments', {
            as: person,
            headers: { 'x-organization-id': clinic.id },
            body: { hold_id: held.id },
          }),
        )
      ).id
      for (const step of steps) await (step === 'dispatch' ? core.dispatch() : visit.set(step))
      await visit.tell()
      await visit.tell()
      const mails = await mailsTo(person.email)
      assert.deepEqual(summary(mails), expected, name)
      const numbers = mails.map(({ sequence }) => sequence)
      assert.deepEqual(
        numbers,
        [...new Set(numbers)].sort((a, b) => a - b),
        `${name}: higher numbers each time`,
      )
      const { status } = (await core.get(`/v1/appointments/${visit.id}`, { as: clinic.admin })).body.data
      if (status !== 'cancelled') await visit.set('cancelled')
      await visit.tell()
    }
    assert.deepEqual(await core.database.query('select 1 from appointment_notices'), [])
  })

  test('a patient who is deleted within the minute still learns that the visit is cancelled', async () => {
    for (const steps of ['cancel', 'delete']) {
      const facts = await core.clinicWithPatient()
      const { clinic, person, record } = facts
      const visit = handsOf(facts)
      await visit.book()
      await visit.tell()
      if (steps === 'cancel') await visit.set('cancelled')
      else assert.equal((await core.delete(`/v1/appointments/${visit.id}`, { as: clinic.admin })).status, 204)
      assert.equal((await core.delete(`/v1/patients/${record.id}`, { as: clinic.admin })).status, 204)
      await visit.tell()
      assert.deepEqual(summary(await mailsTo(person.email)), ['confirmed 9', 'cancelled 9'], steps)
    }
  })

  test('a new series is one mail with the times of that minute; cancelling it within the minute sends none', async () => {
    const facts = await core.clinicWithPatient()
    const { clinic, person, record } = facts
    const series = async (hour: number) => {
      const first = await core.book(clinic, {
        patient_id: record.id,
        starts_at: at(hour),
        repeat: { every_weeks: 1, count: 3 },
      })
      const list = await core.get(`/v1/appointments?series_id=${first.series_id}&sort=starts_at`, { as: clinic.admin })
      return list.body.data
    }
    const [one, two] = await series(9)
    await core.setStatus(clinic, two?.id ?? '', 'cancelled')
    assert.equal((await core.move(clinic, one?.id ?? '', nextMonday(12))).status, 200)
    await core.tell()
    const mails = await core.database.query<{ times: { starts_at: string }[] }>(
      `select data -> 'appointments' as times from mail_outbox where to_address = $1`,
      [person.email],
    )
    assert.equal(mails.length, 1)
    assert.deepEqual([mails[0]?.times.length, mails[0]?.times[0]?.starts_at], [2, at(12)])
    const [first] = await series(7)
    const path = `/v1/appointments/series/${first?.series_id}/cancel`
    assert.equal((await core.post(path, { as: clinic.admin, body: { from: at(7) } })).status, 200)
    await core.tell()
    assert.equal((await mailsTo(person.email)).length, 1)
  })

  test('who came without an appointment gets no mail', async () => {
    const facts = await core.clinicWithPatient()
    const visit = handsOf(facts)
    await visit.book(9, { starts_at: new Date(Date.now() + 300_000).toISOString(), status: 'checked_in' })
    await visit.tell()
    await visit.set('cancelled')
    await visit.tell()
    assert.deepEqual(await mailsTo(facts.person.email), [])
  })

  test('the mails say moved, changed and cancelled in the language of the patient', async () => {
    const facts = await core.clinicWithPatient('ro')
    const visit = handsOf(facts)
    await visit.book()
    await core.deliver()
    await visit.move(9, { mode: 'phone' })
    await core.deliver()
    await visit.move(12)
    await core.deliver()
    assert.deepEqual(
      core
        .mailsTo(facts.person.email)
        .map(({ subject }) => /este confirmată|a fost modificată|a fost mutată/.exec(subject ?? '')?.[0]),
      ['este confirmată', 'a fost modificată', 'a fost mutată'],
    )
  })

  test('the mail about a booking that returns to the waiting list says cancelled, and so does its calendar file', async () => {
    const facts = await core.clinicWithPatient()
    const visit = handsOf(facts)
    await visit.book(9, { status: 'waitlist', starts_at: undefined, specialist_id: undefined })
    await visit.set('confirmed', { starts_at: at(9), specialist_id: facts.clinic.specialist.id })
    await core.deliver()
    await visit.set('waitlist')
    await core.deliver()
    const mails = core.mailsTo(facts.person.email)
    assert.deepEqual(
      mails.map(({ subject }) => /is confirmed|is cancelled/.exec(subject ?? '')?.[0]),
      ['is confirmed', 'is cancelled'],
    )
    const files = mails.map(({ attachments }) => attachments.map(({ content }) => content.toString()).join())
    assert.match(files[0] ?? '', /METHOD:REQUEST/)
    assert.match(files[1] ?? '', /METHOD:CANCEL/)
  })

  test('what staff change of a booking without an account is mailed to its booker', async () => {
    const { clinic } = await core.clinicWithPatient('en', { requires_confirmation: true })
    const email = `${randomUUID()}@mail.example`
    const held = await created(core.post('/v1/public/holds', { body: holdBody(clinic) }))
    await created(core.post('/v1/public/bookings', { body: { hold_id: held.id, booker: { name: 'Maria', email } } }))
    const [{ id }] = (await core.get('/v1/appointments', { as: clinic.admin })).body.data
    await core.setStatus(clinic, id, 'confirmed')
    await core.dispatch()
    assert.deepEqual(summary(await mailsTo(email)), ['pending 10'])
    await core.tell()
    assert.deepEqual(summary(await mailsTo(email)), ['pending 10', 'confirmed 10'])
  })
})
