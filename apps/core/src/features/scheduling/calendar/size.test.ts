import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Database } from '@tendon/db'
import { type RoundTrips, startRoundTrips } from '@tendon/testing'
import { sharedCore, type TestCore } from '../../../testing/core.ts'
import { nextMonday, type SchedulingClinic, schedulingClinic } from '../clinic.testing.ts'
import { type Asked, calendarOf, calendarPath } from './calendar.testing.ts'

const DAY_MS = 86_400_000
const MAX_ANSWER_BYTES = 60 * 1024
/** Generous: a test machine may be busy. */
const MAX_ANSWER_MS = 5_000
/** In series, with the look-up of the caller: the same for one visit and for a thousand. */
const ROUND_TRIPS = 4

const SPECIALISTS = `
  with made as (
    insert into specialists (organization_id, name, slug, scheduling_timezone)
    select $1, 'Dr. ' || n, 's-' || n, 'Europe/Bucharest' from generate_series(1, $2) n returning id, organization_id)
  insert into calendars (organization_id, specialist_id, name, weekly_hours)
  select organization_id, id, 'Week', (select jsonb_agg(jsonb_build_object('weekday', d, 'start', h, 'end', e))
    from generate_series(1, 5) d, (values ('09:00', '13:00'), ('14:00', '18:00')) w (h, e)) from made`

/** Ids of one millisecond, the same in each run: those of rows from many months make the answer about 10 KB longer. */
const idFrom = (text: string) => `overlay(md5($1::text || ${text})::uuid::text placing '019b0000-0000-7' from 1)::uuid`

/** As many patients as visits. */
const PATIENTS = `
  with profiles as (
    insert into patient_profiles (organization_id) select $1 from generate_series(1, $2) returning id, organization_id)
  insert into patients (id, organization_id, patient_profile_id, first_name, last_name, phone)
  select ${idFrom(`'patient ' || n`)}, organization_id, p.id, f[1 + n * 7 % cardinality(f)], l[1 + n * 11 % cardinality(l)],
    '+40 7' || (10000000 + abs(hashtext(n::text)) % 90000000)
  from (select *, row_number() over () as n from profiles) p, (values (
    '{Ana,Ion,Maria,Elena,Andrei,Mihai,Ioana,Cristina,George,Vasile,Alexandru,Gabriela,Florin,Daniela,Adrian,Simona,Radu}'::text[],
    '{Popescu,Ionescu,Popa,Dumitru,Stan,Stoica,Gheorghe,Matei,Ciobanu,Rusu,Munteanu,Marin,Dobre,Constantin,Barbu,Nistor,
      Florea,Moldovan,Toma,Tudor,Enache,Voicu,Mocanu,Cojocaru,Diaconu,Preda,Ungureanu,Dragomir,Oprea,Anghel,Avram}'::text[])) x (f, l)`

/** Each specialist works on three days a week, has at most nine visits a day, and half of them begin in the afternoon. */
const VISITS = `
  insert into appointments (id, organization_id, service_id, specialist_id, patient_id, patient_profile_id, starts_at, ends_at,
    time_zone, mode, status, source, notes)
  select ${idFrom(`'visit ' || p.n`)}, $1, $2, s.id, p.id, p.patient_profile_id, t.starts_at, t.starts_at + interval '50 minutes', 'Europe/Bucharest',
    case when p.n % 8 = 0 then 'video' else 'in_person' end,
    (array['confirmed', 'confirmed', 'pending', 'completed', 'checked_in', 'cancelled', 'no_show'])[1 + n % 7], 'staff',
    case when n % 9 = 0 then 'Knee' end
  from (select id, row_number() over (order by id) - 1 as place, count(*) over () as many from specialists
    where organization_id = $1 and name like 'Dr.%') s
  join (select id, patient_profile_id, row_number() over (order by id) - 1 as n from patients where organization_id = $1) p
    on p.n % s.many = s.place,
  lateral (select p.n / s.many as turn) u,
  lateral (select $3::timestamptz + (turn % 3 + s.place % 3) * interval '1 day'
    + (turn / 3 + s.place % 2 * 4) * interval '1 hour' as starts_at) t
  where p.n < $4`

describe('the calendar of a large clinic', () => {
  let core: TestCore
  let trips: RoundTrips
  let db: Database
  before(async () => {
    const { database } = await sharedCore()
    trips = await startRoundTrips(database.url)
    // One connection for transactions: with two, the count would depend on which of them answers first.
    db = new Database({ ...database.options, login: 'tendon_app', url: trips.url, poolSize: 2 })
    core = await sharedCore({ services: { db }, env: { CALLER_CACHE_MS: '0' } })
  })
  after(async () => {
    await core.close()
    await db.close()
    await trips.close()
  })

  const from = nextMonday(0)
  const week = { from, to: new Date(from.getTime() + 7 * DAY_MS) }

  async function clinicWith(visits: number): Promise<SchedulingClinic> {
    const clinic = await schedulingClinic(core)
    await core.database.query(`update organizations set plan = 'dedicated' where id = $1`, [clinic.id])
    await core.database.query(SPECIALISTS, [clinic.id, 60])
    await core.database.query(PATIENTS, [clinic.id, visits])
    await core.database.query(VISITS, [clinic.id, clinic.service.id, nextMonday(6), visits])
    return clinic
  }

  async function bytes(clinic: SchedulingClinic, asked: Asked, coding: 'gzip' | 'br') {
    const { status, headers } = await calendarOf(core).ask(clinic.admin, asked, { 'accept-encoding': coding })
    assert.deepEqual([status, headers.get('content-encoding')], [200, coding])
    return Number(headers.get('content-length'))
  }

  test('a week of 1,000 visits and 60 specialists is whole, small and quick', async (t) => {
    const clinic = await clinicWith(1_000)
    const { read } = calendarOf(core)
    await read(clinic.admin, week)
    const started = performance.now()
    const { visits = [], specialists } = await read(clinic.admin, week)
    const took = performance.now() - started
    const [counted] = await core.database.query<{ count: number }>(
      'select count(*)::integer as count from appointments where organization_id = $1',
      [clinic.id],
    )
    assert.deepEqual([visits.length, counted?.count], [1_000, 1_000])
    assert.equal(new Set(visits.map(({ id }) => id)).size, 1_000)
    assert.equal(specialists.filter(({ hours }) => hours.length === 10).length, 60)
    assert.ok(visits.every(({ patient, phone }) => patient !== null && phone !== null))
    assert.ok(took < MAX_ANSWER_MS, `${took} ms`)
    const [gzip, br] = [await bytes(clinic, week, 'gzip'), await bytes(clinic, week, 'br')]
    t.diagnostic(`${Math.round(took)} ms, ${gzip} bytes with gzip, ${br} with Brotli`)
    assert.ok(gzip <= MAX_ANSWER_BYTES, `${gzip} bytes`)
  })

  test('the week of a team counts 1,000 visits like the database', async (t) => {
    const clinic = await clinicWith(1_000)
    const { read } = calendarOf(core)
    const asked = { ...week, detail: 'taken' } as const
    const { taken = [] } = await read(clinic.admin, asked)
    const rows = await core.database.query<{ specialist_id: string; day: string; count: number }>(
      `select specialist_id, to_char(starts_at at time zone 'Europe/Bucharest', 'YYYY-MM-DD') as day, count(*)::integer as count
       from appointments where organization_id = $1 and status in ('pending', 'confirmed', 'checked_in', 'completed')
       group by 1, 2`,
      [clinic.id],
    )
    const keyOf = (row: { specialist_id: string | null; day: string }) => `${row.specialist_id} ${row.day}`
    assert.deepEqual(
      Object.fromEntries(taken.map((row) => [keyOf(row), row.visits])),
      Object.fromEntries(rows.map((row) => [keyOf(row), row.count])),
    )
    const gzip = await bytes(clinic, asked, 'gzip')
    t.diagnostic(`${gzip} bytes with gzip`)
    assert.ok(gzip <= MAX_ANSWER_BYTES, `${gzip} bytes`)
  })

  test('1,500 visits are shown, and one more is refused with advice that works (422)', async () => {
    const clinic = await clinicWith(1_500)
    const { ask, visits } = calendarOf(core)
    assert.equal((await visits(clinic.admin, week)).length, 1_500)
    const [one] = await visits(clinic.admin, { from, to: new Date(from.getTime() + DAY_MS) })
    await core.database.query(
      `insert into appointments (organization_id, service_id, specialist_id, starts_at, ends_at, time_zone, mode, status, source)
       values ($1, $2, $3, $4, $5, 'Europe/Bucharest', 'in_person', 'confirmed', 'staff')`,
      [clinic.id, clinic.service.id, clinic.specialist.id, nextMonday(18), nextMonday(19)],
    )
    const { status, body } = await ask(clinic.admin, week)
    assert.deepEqual([status, body.error.code], [422, 'period_too_large'])
    assert.match(body.error.message, /one specialist/)
    const narrower = { ...week, specialist_id: one?.specialist_id ?? '' }
    assert.equal((await visits(clinic.admin, narrower)).length, 25)
  })

  test('the number of round trips does not depend on the number of visits', async () => {
    const counts: number[] = []
    for (const visits of [1, 300]) {
      const clinic = await clinicWith(visits)
      for (const detail of ['visits', 'taken'] as const) {
        const send = () => core.get(calendarPath({ ...week, detail }), { as: clinic.admin })
        for (let time = 0; time < 3; time += 1) await send() // every statement is prepared
        counts.push(await trips.count(send))
      }
    }
    assert.deepEqual(counts, [ROUND_TRIPS, ROUND_TRIPS, ROUND_TRIPS, ROUND_TRIPS])
  })
})
