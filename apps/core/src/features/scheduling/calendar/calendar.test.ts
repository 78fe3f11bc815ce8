import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { sharedCore, type TestCore } from '../../../testing/core.ts'
import { addSpecialist, created, nextMonday, type SchedulingClinic, schedulingClinic } from '../clinic.testing.ts'
import { calendarOf } from './calendar.testing.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const hoursAfter = (time: Date, hours: number) => new Date(time.getTime() + hours * HOUR_MS)

describe('the calendar', () => {
  let core: TestCore
  let calendar: ReturnType<typeof calendarOf>
  before(async () => {
    core = await sharedCore()
    calendar = calendarOf(core)
  })
  after(() => core.close())

  /** The week from the Monday on which visits are booked. */
  const from = nextMonday(0)
  const week = { from, to: new Date(from.getTime() + 7 * DAY_MS) }

  const book = (clinic: SchedulingClinic, hour: number, values: object = {}) =>
    created(
      core.post('/v1/appointments', {
        as: clinic.admin,
        body: {
          service_id: clinic.service.id,
          specialist_id: clinic.specialist.id,
          starts_at: nextMonday(hour).toISOString(),
          ...values,
        },
      }),
    )
  const setStatus = async (clinic: SchedulingClinic, id: string, status: string) => {
    const { text, status: code } = await core.put(`/v1/appointments/${id}/status`, {
      as: clinic.admin,
      body: { status },
    })
    assert.equal(code, 200, text)
  }
  const addLocation = (clinic: SchedulingClinic) =>
    created(core.post(`/v1/organizations/${clinic.id}/locations`, { as: clinic.admin, body: { name: randomUUID() } }))
  const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)

  test('a visit is shown with its patient, phone, note, consents and marks', async () => {
    const clinic = await schedulingClinic(core)
    const patient = await core.patient(clinic, undefined, { first_name: 'Ana Maria', last_name: 'Pop' })
    await core.database.query(`update patients set phone = '+40 721 000 111' where id = $1`, [patient.id])
    const visit = await book(clinic, 8, { patient_id: patient.id, mode: 'video', notes: 'Knee' })
    const [shown, ...others] = await calendar.visits(clinic.admin, week)
    assert.deepEqual(others, [])
    assert.deepEqual(shown, {
      id: visit.id,
      version: visit.version,
      starts_at: visit.starts_at,
      ends_at: visit.ends_at,
      status: 'confirmed',
      mode: 'video',
      specialist_id: clinic.specialist.id,
      location_id: null,
      service_id: clinic.service.id,
      series_id: null,
      patient: { id: patient.id, name: 'Ana Maria Pop', last_name: 'Pop' },
      booker_name: null,
      phone: '+40 721 000 111',
      has_note: true,
      missing_consents: ['telemedicine'],
      is_first: true,
      forms_open: 0,
    })
  })

  test('visits of every status are shown by start, except those entered in error; the count is that of the database', async () => {
    const clinic = await schedulingClinic(core)
    const made = [await book(clinic, 12), await book(clinic, 7), await book(clinic, 9), await book(clinic, 10)]
    const [late, early, cancelled, wrong] = made
    await setStatus(clinic, cancelled.id, 'cancelled')
    await setStatus(clinic, early.id, 'checked_in')
    await core.delete(`/v1/appointments/${wrong.id}`, { as: clinic.admin })
    await core.database.query(
      `insert into appointments (organization_id, service_id, specialist_id, starts_at, ends_at, time_zone, mode, status, source)
       select $1, $2, $3, $4::timestamptz + n * interval '1 hour', $4::timestamptz + (n + 1) * interval '1 hour', 'Europe/Bucharest', 'in_person',
         s, 'staff' from unnest(array['pending', 'completed', 'no_show']) with ordinality as t (s, n)`,
      [clinic.id, clinic.service.id, clinic.specialist.id, nextMonday(12)],
    )
    const visits = await calendar.visits(clinic.admin, week)
    assert.deepEqual(
      visits.map(({ status }) => status),
      ['checked_in', 'cancelled', 'confirmed', 'pending', 'completed', 'no_show'],
    )
    assert.deepEqual(idsOf(visits.slice(0, 3)), [early.id, cancelled.id, late.id])
    const rows = await core.database.query<{ id: string }>(
      `select id from appointments where organization_id = $1 and status <> 'entered_in_error'
         and tstzrange(starts_at, ends_at) && tstzrange($2, $3) order by starts_at, id`,
      [clinic.id, week.from, week.to],
    )
    assert.deepEqual(idsOf(visits), idsOf(rows))
  })

  test('a visit that only overlaps the period is shown, one that ends where it begins is not', async () => {
    const clinic = await schedulingClinic(core)
    const visit = await book(clinic, 8)
    const ids = async (start: Date, end: Date) => idsOf(await calendar.visits(clinic.admin, { from: start, to: end }))
    const eight = nextMonday(8)
    assert.deepEqual(await ids(hoursAfter(eight, 0.5), hoursAfter(eight, 3)), [visit.id])
    assert.deepEqual(await ids(hoursAfter(eight, -3), hoursAfter(eight, 0.5)), [visit.id])
    assert.deepEqual(await ids(hoursAfter(eight, 1), hoursAfter(eight, 3)), [])
    assert.deepEqual(await ids(hoursAfter(eight, -3), eight), [])
  })

  test('a moved visit is shown at its new time only', async () => {
    const clinic = await schedulingClinic(core)
    const visit = await book(clinic, 8)
    const moved = await core.post(`/v1/appointments/${visit.id}/reschedule`, {
      as: clinic.admin,
      body: { starts_at: nextMonday(11).toISOString() },
    })
    assert.equal(moved.status, 200, moved.text)
    assert.deepEqual(idsOf(await calendar.visits(clinic.admin, week)), [moved.body.data.id])
  })

  test('visits are filtered by specialist and by location', async () => {
    const clinic = await schedulingClinic(core)
    const [other, place] = [await addSpecialist(core, clinic), await addLocation(clinic)]
    const plain = await book(clinic, 8)
    const there = await book(clinic, 9, { location_id: place.id })
    const others = await book(clinic, 10, { specialist_id: other.id })
    const view = await calendar.read(clinic.admin, { ...week, specialist_id: other.id })
    assert.deepEqual([idsOf(view.visits ?? []), idsOf(view.specialists)], [[others.id], [other.id]])
    assert.deepEqual(idsOf(await calendar.visits(clinic.admin, { ...week, location_id: place.id })), [there.id])
    assert.deepEqual(await calendar.visits(clinic.admin, { ...week, specialist_id: randomUUID() }), [])
    const both = await calendar.read(clinic.admin, { ...week, specialist_id: clinic.specialist.id })
    assert.deepEqual(idsOf(both.visits ?? []), [plain.id, there.id])
  })

  test('a deleted specialist or service is named only while the period has visits of theirs', async () => {
    const clinic = await schedulingClinic(core)
    await book(clinic, 8)
    for (const table of ['specialists', 'services'])
      await core.database.query(`update ${table} set deleted_at = now() where organization_id = $1`, [clinic.id])
    for (const detail of ['visits', 'taken'] as const) {
      const view = await calendar.read(clinic.admin, { ...week, detail })
      assert.deepEqual(view.specialists, [{ id: clinic.specialist.id, name: 'Ana', hours: [] }])
    }
    const shown = await calendar.read(clinic.admin, week)
    assert.deepEqual(shown.services, [
      { id: clinic.service.id, name: 'Session', translations: {}, color: null, duration_minutes: 60 },
    ])
    const next = { from: week.to, to: new Date(week.to.getTime() + DAY_MS) }
    const empty = await calendar.read(clinic.admin, next)
    assert.deepEqual([empty.specialists, empty.services], [[], []])
  })

  test('the first visit of a patient is marked across linked records; cancelled visits and unlinked bookings do not count', async () => {
    const clinic = await schedulingClinic(core)
    const [main, linked, other] = [await core.patient(clinic), await core.patient(clinic), await core.patient(clinic)]
    const sibling = await core.patient(clinic)
    await core.database.query('update patients set merged_into_id = $1 where id = any ($2)', [
      main.id,
      [linked.id, sibling.id],
    ])
    const cancelled = await book(clinic, 7, { patient_id: other.id })
    await setStatus(clinic, cancelled.id, 'cancelled')
    const visits = [
      await book(clinic, 8, { patient_id: linked.id }),
      await book(clinic, 9, { patient_id: main.id }),
      await book(clinic, 10, { patient_id: other.id }),
      await book(clinic, 11),
      await book(clinic, 12, { patient_id: sibling.id }),
    ]
    const shown = new Map((await calendar.visits(clinic.admin, week)).map((visit) => [visit.id, visit.is_first]))
    assert.deepEqual(
      visits.map(({ id }) => shown.get(id)),
      [true, false, true, null, false],
    )
  })

  test('open forms of the visit and of no visit are counted across linked records, for people who may see forms', async () => {
    const clinic = await schedulingClinic(core)
    const [patient, linked] = [await core.patient(clinic), await core.patient(clinic)]
    await core.database.query('update patients set merged_into_id = $1 where id = $2', [patient.id, linked.id])
    const visits = [
      await book(clinic, 8, { patient_id: patient.id }),
      await book(clinic, 9, { patient_id: patient.id }),
      await book(clinic, 10),
    ]
    const [template] = await core.database.query<{ id: string }>(
      `insert into form_templates (organization_id, title, type, fields) values ($1, 'Intake', 'survey', '[]') returning id`,
      [clinic.id],
    )
    await core.database.query(
      `insert into form_template_versions (organization_id, form_template_id, version, title, type, fields, translations, consent_purposes)
       values ($1, $2, 1, 'Intake', 'survey', '[]', '{}', '{}')`,
      [clinic.id, template?.id],
    )
    const addForm = (appointmentId: string | null, status: string, of = patient) =>
      core.database.query(
        `insert into forms (organization_id, form_template_id, template_version, patient_profile_id, appointment_id, title, type,
           status, fields, completed_at)
         values ($1, $2, 1, $3, $4, 'Intake', 'survey', $5, '[]', case when $5 = 'completed' then now() end)`,
        [clinic.id, template?.id, of.profile_id, appointmentId, status],
      )
    await addForm(null, 'pending')
    await addForm(visits[0].id, 'in_progress')
    await addForm(visits[0].id, 'completed')
    await addForm(null, 'pending', linked)
    const counts = async (as = clinic.admin) => (await calendar.visits(as, week)).map(({ forms_open }) => forms_open)
    assert.deepEqual(await counts(), [3, 2, 0])
    assert.deepEqual(await counts(await core.memberWith(clinic, ['appointments.view_org'])), [null, null, null])
  })

  test('without the permission to see patients a visit has no patient, as in the list of appointments', async () => {
    const clinic = await schedulingClinic(core)
    const [patient, restricted] = [await core.patient(clinic), await core.patient(clinic)]
    await core.database.query(`update patients set phone = '+40 721 000 111' where organization_id = $1`, [clinic.id])
    await book(clinic, 8, { patient_id: patient.id })
    await book(clinic, 9, { patient_id: restricted.id })
    await core.database.query('update patients set restricted_at = now() where id = $1', [restricted.id])
    const reader = await core.memberWith(clinic, ['appointments.view_org'])
    for (const as of [clinic.admin, reader]) {
      const list = await core.get('/v1/appointments?include=patient&sort=starts_at', { as })
      const listed = list.body.data.map((one: { patient: { id: string; name: string } | null }) => one.patient)
      const visits = await calendar.visits(as, week)
      assert.deepEqual(
        visits.map(({ patient: one }) => one && { id: one.id, name: one.name }),
        listed,
      )
      assert.deepEqual(
        visits.map(({ phone }) => phone),
        as === reader ? [null, null] : ['+40 721 000 111', '+40 721 000 111'],
      )
    }
    await core.database.query('update patients set deleted_at = now() where id = $1', [patient.id])
    const front = await core.memberWith(clinic, ['appointments.view_org', 'patients.view_org'])
    assert.deepEqual(
      (await calendar.visits(front, week)).map(({ patient: one }) => one?.id ?? null),
      [null, restricted.id],
    )
  })

  test('a booking without a patient shows the name and the phone of the booker', async () => {
    const clinic = await schedulingClinic(core)
    const visit = await book(clinic, 8)
    await core.database.query('update appointments set booker = $2 where id = $1', [
      visit.id,
      { name: 'Maria Pop', email: 'maria@mail.example', phone: '+40 722' },
    ])
    const [shown] = await calendar.visits(clinic.admin, week)
    assert.deepEqual([shown?.patient, shown?.booker_name, shown?.phone], [null, 'Maria Pop', '+40 722'])
  })

  test('detail=taken counts the visits that keep their time, by specialist and day', async () => {
    const clinic = await schedulingClinic(core)
    const other = await addSpecialist(core, clinic)
    await book(clinic, 8)
    await book(clinic, 9)
    await setStatus(clinic, (await book(clinic, 12)).id, 'cancelled')
    await book(clinic, 10, { specialist_id: other.id })
    const view = await calendar.read(clinic.admin, { ...week, detail: 'taken' })
    assert.equal(view.visits, undefined)
    const day = nextMonday(8).toISOString().slice(0, 10)
    const span = (first: number, last: number) => ({
      from: nextMonday(first).toISOString(),
      to: nextMonday(last).toISOString(),
    })
    assert.deepEqual(view.taken, [
      { specialist_id: clinic.specialist.id, day, visits: 2, spans: [span(8, 10)] },
      { specialist_id: other.id, day, visits: 1, spans: [span(10, 11)] },
    ])
    assert.equal(view.specialists.length, 2)
  })

  test('a caller without appointments.view_org is refused, and another clinic is invisible', async () => {
    const [clinic, foreign] = [await schedulingClinic(core), await schedulingClinic(core)]
    await book(foreign, 8)
    const { status, body } = await calendar.ask(await core.memberWith(clinic, ['calendars.view_org']), week)
    assert.deepEqual([status, body.error.required], [403, 'appointments.view_org'])
    for (const detail of ['visits', 'taken'] as const) {
      const { visits = [], taken = [], specialists, services } = await calendar.read(clinic.admin, { ...week, detail })
      assert.deepEqual([visits, taken], [[], []])
      assert.deepEqual([idsOf(specialists), idsOf(services)], [[clinic.specialist.id], [clinic.service.id]])
    }
    const theirs = await calendar.read(clinic.admin, { ...week, specialist_id: foreign.specialist.id })
    assert.deepEqual([theirs.visits, theirs.specialists], [[], []])
  })

  test('the permission to see appointments is enough for hours, closures, names and busy times', async () => {
    const clinic = await schedulingClinic(core)
    await created(
      core.post('/v1/closures', {
        as: clinic.admin,
        body: { date: week.to.toISOString().slice(0, 10), name: 'Easter' },
      }),
    )
    const longer = { from, to: hoursAfter(week.to, 24) }
    const reader = await core.memberWith(clinic, ['appointments.view_org'])
    assert.deepEqual(await calendar.read(reader, longer), await calendar.read(clinic.admin, longer))
  })

  test('a period that is empty, longer than 14 days or malformed is refused (422)', async () => {
    const clinic = await schedulingClinic(core)
    const code = async (to: Date) => {
      const { status, body } = await calendar.ask(clinic.admin, { from, to })
      return [status, status === 200 ? undefined : body.error.code]
    }
    const days = (count: number) => new Date(from.getTime() + count * DAY_MS)
    assert.deepEqual(await code(days(13)), [200, undefined])
    assert.deepEqual(await code(days(15)), [422, 'period_too_large'])
    assert.deepEqual(await code(days(400)), [422, 'period_too_large'])
    assert.deepEqual(await code(from), [422, 'validation_failed'])
    const { body } = await calendar.ask(clinic.admin, { from, to: days(15) })
    assert.match(body.error.message, /fewer days/)
    for (const query of ['', 'from=2026-03-02&to=2026-03-03', `from=${from.toISOString()}`, 'from=x&to=y'])
      assert.equal((await core.get(`/v1/calendar?${query}`, { as: clinic.admin })).status, 422, query)
  })

  test('fourteen days are allowed when clocks go back, although they are an hour longer', async () => {
    const clinic = await schedulingClinic(core)
    const october = { from: new Date('2027-10-24T21:00:00Z'), to: new Date('2027-11-07T22:00:00Z') }
    assert.equal((await calendar.ask(clinic.admin, october)).status, 200)
    const longer = { ...october, to: new Date(october.to.getTime() + 60_000) }
    assert.equal((await calendar.ask(clinic.admin, longer)).body.error.code, 'period_too_large')
    const summer = { from: new Date('2027-07-04T21:00:00Z'), to: new Date('2027-07-18T22:00:00Z') }
    assert.equal((await calendar.ask(clinic.admin, summer)).status, 422)
  })

  test('an unchanged calendar is answered with 304, a new visit changes its ETag, and polling writes no audit entry', async () => {
    const clinic = await schedulingClinic(core)
    await book(clinic, 8)
    const entries = async () =>
      (await core.database.query('select 1 from audit_log where organization_id = $1', [clinic.id])).length
    const before = await entries()
    for (const detail of ['visits', 'taken'] as const) {
      const tag = (await calendar.ask(clinic.admin, { ...week, detail })).headers.get('etag') ?? ''
      assert.match(tag, /^W\//)
      const again = await calendar.ask(clinic.admin, { ...week, detail }, { 'if-none-match': tag })
      assert.deepEqual([again.status, again.text], [304, ''])
    }
    assert.equal(await entries(), before)
    const tag = (await calendar.ask(clinic.admin, week)).headers.get('etag') ?? ''
    await book(clinic, 10)
    const changed = await calendar.ask(clinic.admin, week, { 'if-none-match': tag })
    assert.deepEqual([changed.status, changed.body.data.visits.length], [200, 2])
  })
})
