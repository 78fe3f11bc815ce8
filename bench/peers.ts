import { readConfig } from '@tendon/config'
import { createTestDatabase, processesWith, TEST_ROLE_SECRET } from '@tendon/testing'
import { subjectOf } from '../apps/identity/src/accounts.ts'
import { type Seeded, seed } from '../scripts/seed/seed.ts'
import type { BenchOptions, BenchServer } from './bench.ts'
import { serverEnv } from './clinics.ts'
import { type LoadResult, load, together } from './load.ts'
import { AUDIT_TABLE } from './peers-plain.ts'
import { Report } from './report.ts'

const OTHER_CLINICS = 20
const CONNECTIONS = 8
const SMALL = 1_000
const LARGE = Number(process.env.BENCH_PATIENTS ?? 100_000)
const ROUNDS = 2
const KINDS = ['core', 'plain'] as const
const MAX_GROWTH = 1.3
const DAY_MS = 86_400_000
const MIB = 1024 ** 2

interface Work {
  name: string
  /** Seconds of processor time for 1,000 requests, of server and database, at most. */
  aim?: number
  /** At most this many times what the plain program takes. */
  ratio: number
  bytes: (number: number) => string
}

interface Cost {
  secondsPerThousand: number
  result: LoadResult
}

type Costs = Map<string, Cost>

/**
 * Six requests as processor time of server and database, beside a program of Fastify, pg and plain SQL that answers the same
 * from the same tables (bench/peers-plain.ts), and at two sizes of the clinic.
 */
export async function benchPeers(options: BenchOptions): Promise<void> {
  const report = new Report()
  const small = await measureClinic(SMALL, options, report)
  const large = await measureClinic(LARGE, options, report)
  for (const { name, ratio, aim } of worksOf()) {
    const [core, plain, before] = [large.core.get(name), large.plain.get(name), small.core.get(name)]
    if (!core || !plain || !before) continue
    if (aim !== undefined) report.below(`${name}: s of processor time for 1,000`, core.secondsPerThousand, aim)
    report.below(`${name} ÷ the plain program`, core.secondsPerThousand / plain.secondsPerThousand, ratio)
    report.below(
      `${name} at ${LARGE} patients ÷ at ${SMALL}`,
      core.secondsPerThousand / before.secondsPerThousand,
      MAX_GROWTH,
    )
  }
  report.print()
}

async function measureClinic(
  patients: number,
  { startServer, issuer, dataDir, seconds }: BenchOptions,
  report: Report,
): Promise<{ core: Costs; plain: Costs }> {
  const database = await createTestDatabase()
  await database.query(AUDIT_TABLE)
  const seeded = await seed({
    databaseUrl: database.url,
    config: readConfig({ NODE_ENV: 'test', DATABASE_ROLE_SECRET: TEST_ROLE_SECRET }),
    size: { clinics: OTHER_CLINICS + 1, patients },
    issuer: issuer.issuer,
  })
  const [service] = await database.query<{ id: string }>(
    'select id from services where organization_id = $1 order by slug limit 1',
    [seeded.clinics[0]?.id],
  )
  const email = `admin@${seeded.clinics[0]?.domain}`
  const subject = subjectOf(email)
  const token = await issuer.sign({ sub: subject, email, email_verified: true })
  const name = new URL(database.url).pathname.slice(1)
  const env = serverEnv(database, issuer, dataDir)
  const programs = {
    core: { server: await startServer('core', '', env), authorization: `Bearer ${token}` },
    plain: { server: await startServer('plain', database.url, env), authorization: subject },
  }
  const found = { core: new Map<string, Cost>(), plain: new Map<string, Cost>() }
  for (const place of worksOf().keys()) {
    const slices = { core: new Slices(), plain: new Slices() }
    for (let round = 0; round <= ROUNDS; round += 1)
      for (const kind of KINDS) {
        const { server, authorization } = programs[kind]
        const work = worksOf(seeded, service?.id, authorization, `${kind}-${round}`)[place]
        if (!work) continue
        const slice = await measure(server, name, work, seconds)
        if (round > 0) slices[kind].add(slice) // the first one warms up
      }
    for (const kind of KINDS) {
      const cost = slices[kind].cost()
      const { name: title } = worksOf()[place] ?? { name: '' }
      found[kind].set(title, cost)
      report.load(`${kind}, ${patients} patients: ${title}`, cost.result)
      report.text(`${''.padEnd(56)}  ${cost.secondsPerThousand.toFixed(2)} s of processor time for 1,000`)
    }
  }
  for (const kind of KINDS)
    report.text(
      `${kind}, ${patients} patients: ${Math.round((await programs[kind].server.bytes()) / MIB)} MiB of memory`,
    )
  return found
}

interface Slice {
  processorSeconds: number
  requests: number
  result: LoadResult
}

/** What the program used in turns with the other: conditions on the machine change within seconds. */
class Slices {
  readonly #all: Slice[] = []

  add(slice: Slice): void {
    this.#all.push(slice)
  }

  cost(): Cost {
    const sum = (of: (slice: Slice) => number) => this.#all.reduce((total, slice) => total + of(slice), 0)
    return {
      secondsPerThousand: (1_000 * sum(({ processorSeconds }) => processorSeconds)) / sum(({ requests }) => requests),
      result: together(this.#all.map(({ result }) => result)),
    }
  }
}

async function measure(server: BenchServer, database: string, { bytes }: Work, seconds: number): Promise<Slice> {
  const [cpu, backends] = [await server.cpuSeconds(), backendsOf(database)]
  let requests = 0
  const result = await load({
    port: server.port,
    connections: CONNECTIONS,
    seconds,
    request: () => {
      requests += 1
      return bytes(requests)
    },
  })
  const spent = backendsOf(database)
    .entries()
    .map(([pid, seconds]) => seconds - (backends.get(pid) ?? 0))
  const processorSeconds = (await server.cpuSeconds()) - cpu + spent.reduce((sum, one) => sum + one, 0)
  return { processorSeconds, requests, result }
}

/** What the connections to the database have used; vacuum works for all of them. */
const backendsOf = (database: string) =>
  new Map(
    processesWith(database)
      .filter(({ command }) => !command.includes('autovacuum'))
      .map(({ pid, processorSeconds }) => [pid, processorSeconds]),
  )

/** Without arguments for their names and aims alone. */
function worksOf(seeded?: Seeded, service = '', authorization = '', kind = ''): Work[] {
  const patients = (seeded?.patients ?? []).filter(({ organizationId }) => organizationId === seeded?.clinics[0]?.id)
  const one = (number: number) => patients[(number * 7) % patients.length]
  const head = (line: string) => `${line} HTTP/1.1\r\nhost: bench\r\nauthorization: ${authorization}\r\n`
  const get = (path: string) => `${head(`GET ${path}`)}\r\n`
  const send = (line: string, values: object) => {
    const body = JSON.stringify(values)
    return `${head(line)}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  }
  const person = (number: number) => ({
    first_name: 'Ioana',
    last_name: `Nou ${number}`,
    email: `${kind}-${number}@bench.example`,
  })
  const from = Math.ceil(Date.now() / DAY_MS) * DAY_MS
  const week = `from=${new Date(from).toISOString()}&to=${new Date(from + 7 * DAY_MS).toISOString()}`
  return [
    { name: 'read', aim: 3.3, ratio: 2.5, bytes: (number) => get(`/v1/patients/${one(number)?.id}`) },
    { name: 'list of 50', aim: 8, ratio: 1.2, bytes: () => get('/v1/patients?limit=50') },
    {
      name: 'search',
      aim: 5,
      ratio: 3,
      bytes: (number) => get(`/v1/patients?limit=50&q=${encodeURIComponent(one(number)?.name ?? '')}`),
    },
    { name: 'create', aim: 10, ratio: 3, bytes: (number) => send('POST /v1/patients', person(number)) },
    { name: 'update', ratio: 3, bytes: (number) => send(`PUT /v1/patients/${one(number)?.id}`, person(number)) },
    {
      name: 'free times of a week',
      ratio: 0.5,
      bytes: () => get(`/v1/availability?service_id=${service}&${week}&limit=1000`),
    },
  ]
}
