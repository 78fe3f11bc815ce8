import { request } from 'node:http'
import { createTestDatabase, type TestDatabase } from '@tendon/testing'
import type { BenchOptions } from './bench.ts'
import { type Admin, adminOf, newClinic, serverEnv } from './clinics.ts'
import { at, type LoadResult, load, together } from './load.ts'
import { Report } from './report.ts'

const PAGES = 2
const PAGE_VISITS = 500
const ROUNDS = 12
const WEEKS = 8
const SLICES = 20

/** A week of 1,000 visits as it is, compressed, and unchanged; and small answers with and without Accept-Encoding. */
export async function benchAnswers({ startServer, issuer, dataDir, seconds }: BenchOptions): Promise<void> {
  const database = await createTestDatabase()
  const { port, cpuSeconds } = await startServer('core', '', serverEnv(database, issuer, dataDir))
  const clinic = await newClinic(database, 'answers')
  const admin = await adminOf(clinic, { database, issuer, port })
  await database.query(`update organizations set plan = 'dedicated' where id = $1`, [clinic])
  await seedWeek(database, clinic)
  await database.query('analyze')
  const report = new Report()

  async function week(headers: Record<string, string>, tags: readonly string[] = []): Promise<Read[]> {
    const pages: Read[] = []
    for (let page = 0; page < PAGES; page += 1) {
      const path = `/v1/appointments?limit=${PAGE_VISITS}&page=${page + 1}&sort=starts_at`
      const tag = tags[page]
      pages.push(await read(port, path, admin, tag === undefined ? headers : { ...headers, 'if-none-match': tag }))
    }
    return pages
  }
  const tags = (await week({})).map(({ tag }) => tag)
  const ways: Way[] = [
    { name: 'as it is', read: () => week({}) },
    { name: 'gzip', read: () => week({ 'accept-encoding': 'gzip' }) },
    { name: 'br', read: () => week({ 'accept-encoding': 'gzip, deflate, br' }) },
    { name: 'unchanged (304)', read: () => week({}, tags) },
  ].map((way) => ({ ...way, bytes: 0, cpuMs: [], times: [] }))
  // In turn, so that what else the machine does is part of each.
  for (let round = 0; round < ROUNDS; round += 1) for (const way of ways) await measure(way, cpuSeconds)
  report.text('A week of 1,000 visits: bytes, processor time of the server, response time (medians)')
  for (const { name, bytes, cpuMs, times } of ways) {
    const figures = [
      `${Math.round(bytes / 1000)} KB`,
      `${at(cpuMs, 0.5).toFixed(1)} ms`,
      `${at(times, 0.5).toFixed(1)} ms`,
    ]
    report.text(`  ${name.padEnd(54)} ${figures.map((one) => one.padStart(12)).join('')}`)
  }

  const small = (encoding: string) => () =>
    `GET /v1/organizations/${clinic} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${admin.token}\r\n${encoding}\r\n`
  const slices: { plain: LoadResult[]; accepting: LoadResult[] } = { plain: [], accepting: [] }
  const steadily = (encoding: string) =>
    load({ port, connections: 16, seconds: seconds / 4, rate: 100, request: small(encoding) })
  await steadily('')
  for (let slice = 0; slice < SLICES; slice += 1) {
    slices.plain.push(await steadily(''))
    slices.accepting.push(await steadily('accept-encoding: gzip, deflate, br\r\n'))
  }
  report.load('A small answer at 100 a second, nothing accepted', together(slices.plain))
  report.load('A small answer at 100 a second, br and gzip accepted', together(slices.accepting))
  report.print()
  await database.drop()
}

interface Way {
  name: string
  read: () => Promise<Read[]>
  bytes: number
  /** Of each week in a round. */
  cpuMs: number[]
  times: number[]
}

async function measure(way: Way, cpuSeconds: () => Promise<number>): Promise<void> {
  const before = await cpuSeconds()
  for (let count = 0; count < WEEKS; count += 1) {
    const started = performance.now()
    way.bytes = (await way.read()).reduce((sum, { bytes }) => sum + bytes, 0)
    way.times.push(performance.now() - started)
  }
  way.cpuMs.push((((await cpuSeconds()) - before) * 1000) / WEEKS)
}

interface Read {
  bytes: number
  tag: string
}

function read(port: number, path: string, { token }: Admin, more: Record<string, string>): Promise<Read> {
  const headers = { authorization: `Bearer ${token}`, ...more }
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', path, headers }, (answer) => {
      let bytes = 0
      answer.on('data', (chunk: Buffer) => (bytes += chunk.length))
      answer.on('end', () => {
        const { statusCode = 0, headers } = answer
        if (statusCode !== 200 && statusCode !== 304) reject(new Error(`${path} answered ${statusCode}`))
        else resolve({ bytes, tag: headers.etag ?? '' })
      })
    })
    sent.on('error', reject).end()
  })
}

/** Twenty specialists, fifty visits of each, of 400 patients. */
async function seedWeek(database: TestDatabase, clinic: string): Promise<void> {
  await database.query(
    `with service as (
       insert into services (organization_id, name, slug, duration_minutes, slot_interval_minutes, min_notice_minutes, max_days_ahead)
       values ($1, 'Kinetoterapie', 'kinetoterapie', 30, 30, 0, 700) returning id),
     specialist as (
       insert into specialists (organization_id, name, slug, scheduling_timezone)
       select $1, 'Specialist ' || n, 's-' || n, 'Europe/Bucharest' from generate_series(0, 19) n returning id),
     specialists as (select id, row_number() over (order by id) - 1 as n from specialist),
     profile as (insert into patient_profiles (organization_id) select $1 from generate_series(1, 400) returning id),
     profiles as (select id, row_number() over (order by id) - 1 as n from profile),
     patient as (
       insert into patients (organization_id, patient_profile_id, first_name, last_name, phone)
       select $1, id, (array['Ștefan', 'Ioana', 'Maria', 'Andrei', 'Elena', 'Mihai', 'Ana'])[1 + n % 7] || '-' || n,
         (array['Țurcanu', 'Popescu', 'Mărgineanu', 'Ionescu', 'Dobre'])[1 + n % 5], '+407' || lpad(n::text, 8, '0')
       from profiles returning id, patient_profile_id),
     patients as (select *, row_number() over (order by id) - 1 as n from patient)
     insert into appointments (organization_id, service_id, specialist_id, patient_id, patient_profile_id, starts_at, ends_at,
       time_zone, mode, status, source, price_cents, notes)
     select $1, service.id, s.id, p.id, p.patient_profile_id, t, t + interval '30 minutes', 'Europe/Bucharest', 'in_person',
       'confirmed', (array['staff', 'patient', 'public'])[1 + v % 3], 15000,
       case when v % 4 = 0 then 'A venit cu radiografia din ' || v % 28 || ' martie; revine peste două săptămâni.' end
     from service, generate_series(0, 999) v
       join specialists s on s.n = v % 20
       join patients p on p.n = (v * 7) % 400,
       lateral (select date_trunc('week', now()) + interval '14 days' + (v / 200) * interval '1 day' + interval '6 hours'
         + (v / 20 % 10) * interval '45 minutes' as t) at`,
    [clinic],
  )
}
