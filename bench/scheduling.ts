import { connect, type Socket } from 'node:net'
import { Database } from '@tendon/db'
import { createTestDatabase } from '@tendon/testing'
import { sql } from 'kysely'
import { findStaffFacts } from '../apps/core/src/features/scheduling/availability/queries.ts'
import { answerOf, questionOf } from '../apps/core/src/features/scheduling/availability/slots.ts'
import type { BenchOptions } from './bench.ts'
import { adminOf, newClinic, serverEnv } from './clinics.ts'
import { at, type LoadResult, load } from './load.ts'
import { Report } from './report.ts'
import { seedScheduling } from './scheduling-seed.ts'

const SPECIALISTS = 20
const DAYS = 31
const READS = 40
const WRITES = 320
const WRITERS = 8
const STREAMS = 2_000
const STREAMS_PER_HOLD = 3
const CONNECTIONS = 16
const PAIRS = 3

const msOf = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now()
  await work()
  return performance.now() - started
}
const median = (values: readonly number[]) => at(values, 0.5)

/** Availability, holds and bookings compared with bare reads and inserts; reads beside open streams. */
export async function benchScheduling({ startServer, issuer, dataDir, seconds }: BenchOptions): Promise<void> {
  const database = await createTestDatabase()
  const env = {
    ...serverEnv(database, issuer, dataDir),
    RATE_LIMIT_PUBLIC_BOOKING_PER_MINUTE: '10000000',
    MAX_HOLD_STREAMS_PER_ADDRESS: '100000',
  }
  const { port, cpuSeconds } = await startServer('core', '', env)
  const clinic = await newClinic(database, 'scheduling')
  const { token, principalId, subject } = await adminOf(clinic, { database, issuer, port })
  const from = new Date(Math.ceil(Date.now() / 86_400_000) * 86_400_000)
  const to = new Date(from.getTime() + DAYS * 86_400_000)
  await database.query(`update organizations set plan = 'dedicated' where id = $1`, [clinic])
  const { service, specialists, freeTime } = await seedScheduling(database, clinic, { SPECIALISTS, DAYS, from })
  // The yardstick reads claims directly, which needs grants that exist only in this database.
  await database.query('grant select on time_claims to tendon_app')
  await database.query('analyze')
  const db = new Database({ ...database.options, login: 'tendon_app', poolSize: 20 })
  const [caller] = await db.lookUp<{ permissions: string }>('select * from find_caller($1, $2, $3, $4)', [
    issuer.issuer,
    subject,
    null,
    clinic,
  ])
  const context = { principalId, organizationId: clinic, permissions: caller?.permissions ?? '' }

  const asked = { serviceId: service, specialistId: null, locationId: null, from, to }
  let slots = 0
  const availability = async () => {
    const facts = await db.tenant(context, (tx) => findStaffFacts(tx, asked))
    if (facts)
      slots = answerOf(questionOf(facts, asked, new Date(), true)).days.reduce((sum, { free }) => sum + free, 0)
  }
  const claims = () =>
    db.tenant(context, (tx) =>
      sql`select specialist_id, json_build_array(array_agg((date_part('epoch', starts_at) * 1000)::bigint),
            array_agg((date_part('epoch', ends_at) * 1000)::bigint)) as spans
          from time_claims where organization_id = current_app_org_id() and specialist_id = any (${specialists}::uuid[])
            and starts_at < ${to} and starts_at > ${from} group by specialist_id`.execute(tx),
    )
  const report = new Report()
  await Promise.all([availability(), claims()])
  const times: { availability: number; claims: number }[] = []
  for (let round = 0; round < READS; round += 1)
    times.push({ availability: await msOf(availability), claims: await msOf(claims) })
  report.text(`Availability of ${SPECIALISTS} specialists × ${DAYS} days: ${slots} free slots`)
  report.below('  ÷ the bare read of its claims', median(times.map((one) => one.availability / one.claims)), 3)
  const path = `/v1/availability?service_id=${service}&from=${from.toISOString()}&to=${to.toISOString()}`
  const request = () => `GET ${path} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${token}\r\n\r\n`
  await load({ port, connections: 1, seconds, request })
  const before = await cpuSeconds()
  const asRead = await load({ port, connections: 1, seconds, request })
  const cpuMs = ((await cpuSeconds()) - before) * 1000
  report.load('Availability over HTTP, one client (complex read)', asRead)
  report.below('  p95 in ms', asRead.p95, 30)
  report.text(`  processor time of the server for each: ${(cpuMs / asRead.latencies.length).toFixed(1)} ms`)

  async function post(url: string, body: object): Promise<{ id: string }> {
    const answer = await fetch(`http://127.0.0.1:${port}${url}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`POST ${url}: ${text}`)
    return JSON.parse(text).data
  }
  /** Milliseconds for each of `count` writes, by several writers at once. */
  async function writes(count: number, one: (index: number) => Promise<unknown>): Promise<number> {
    let next = 0
    const writer = async () => {
      while (next < count) await one(next++)
    }
    return (await msOf(() => Promise.all(Array.from({ length: WRITERS }, writer)))) / count
  }
  let used = 0
  const hold = async () => {
    const { specialistId, startsAt } = freeTime(used++)
    const body = {
      service_id: service,
      specialist_id: specialistId,
      mode: 'in_person',
      starts_at: startsAt,
      minutes: 60,
    }
    return (await post('/v1/holds', body)).id
  }
  const ratios = { hold: [] as number[], booking: [] as number[] }
  const held: string[] = []
  for (let round = 0; round < PAIRS; round += 1) {
    const insert = await writes(WRITES, (index) =>
      post('/v1/closures', { date: '2030-01-01', name: `Closed ${round} ${index}` }),
    )
    const fresh: string[] = []
    ratios.hold.push((await writes(WRITES, async () => fresh.push(await hold()))) / insert)
    ratios.booking.push((await writes(WRITES, (index) => post('/v1/appointments', { hold_id: fresh[index] }))) / insert)
  }
  report.below('Hold ÷ a plain tenant insert', median(ratios.hold), 3)
  report.below('Booking ÷ a plain tenant insert', median(ratios.booking), 4)

  for (let index = 0; index < STREAMS / STREAMS_PER_HOLD; index += 1) held.push(await hold())
  const read = () =>
    load({
      port,
      connections: CONNECTIONS,
      seconds,
      request: () =>
        `GET /v1/organizations/${clinic} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${token}\r\n\r\n`,
    })
  await read()
  const shares: number[] = []
  let beside: LoadResult | undefined
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const alone = await read()
    const streams = await Promise.all(
      Array.from({ length: STREAMS }, (_, index) => openStream(port, held[index % held.length] ?? '')),
    )
    beside = await read()
    for (const stream of streams) stream.destroy()
    shares.push(beside.perSecond / alone.perSecond)
  }
  if (beside) report.load(`Reads beside ${STREAMS} open streams`, beside)
  report.ratio('Reads beside the streams ÷ without them', median(shares), 0.8)
  report.print()
  await db.close()
  await database.drop()
}

/** Resolves when the first event has arrived. */
async function openStream(port: number, holdId: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  socket.write(`GET /v1/public/holds/${holdId}/stream HTTP/1.1\r\nhost: bench\r\n\r\n`)
  await new Promise<void>((resolve, reject) => {
    let text = ''
    socket.on('error', reject)
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
      if (text.includes('event: hold.active')) resolve()
      else if (text.startsWith('HTTP/1.1') && !text.startsWith('HTTP/1.1 200')) reject(new Error(text.slice(0, 300)))
    })
  })
  socket.removeAllListeners('data').resume()
  return socket
}
