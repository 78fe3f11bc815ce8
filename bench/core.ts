import { Database, urlFor } from '@tendon/db'
import { createTestDatabase, TEST_ROLE_SECRET } from '@tendon/testing'
import pg from 'pg'
import { findOrganization } from '../apps/core/src/features/tenancy/organizations/queries.ts'
import type { BenchOptions } from './bench.ts'
import { withBusy } from './busy.ts'
import { type Admin, adminOf, newClinic, serverEnv } from './clinics.ts'
import { benchConsentGate } from './consent-gate.ts'
import { type LoadResult, load, loop, together } from './load.ts'
import { Report } from './report.ts'

const CLINICS = 64
const CONNECTIONS = 32
const SLICES = 4

interface Clinic extends Admin {
  id: string
}

/** A simple read and a simple write of the core API, compared with the same work without HTTP and without tenancy. */
export async function benchCore({ startServer, issuer, dataDir, seconds }: BenchOptions): Promise<void> {
  const database = await createTestDatabase()
  const core = await startServer('core', '', serverEnv(database, issuer, dataDir))
  const { port } = core
  const clinics = await Promise.all(Array.from({ length: CLINICS }, (_, index) => createClinic(index)))
  await database.query('analyze') // as autovacuum would have done by then
  const clinicOf = (lane: number) => clinics[lane % CLINICS] as Clinic

  async function createClinic(index: number): Promise<Clinic> {
    const id = await newClinic(database, `bench-${index}`)
    return { id, ...(await adminOf(id, { database, issuer, port })) }
  }

  const get = (lane: number) => {
    const { id, token } = clinicOf(lane)
    return `GET /v1/organizations/${id} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${token}\r\n\r\n`
  }
  const patch = (lane: number, count: number) => {
    const { id, token } = clinicOf(lane)
    const body = JSON.stringify({ phone: `+40 ${count}` })
    return `PATCH /v1/organizations/${id} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  }

  const options = { ...database.options, login: 'tendon_app' as const, poolSize: 20 }
  const db = new Database(options)
  const owner = new pg.Pool({
    connectionString: urlFor('tendon_platform', database.url, TEST_ROLE_SECRET),
    max: 20,
    pipeline: true,
  })
  const UPDATE = { name: 'update', text: 'update organizations set phone = $2 where id = $1' }
  const FIND = { name: 'find', text: 'select * from organizations where id = $1' }

  const findCaller = async (lane: number): Promise<string> => {
    const { id, subject } = clinicOf(lane)
    const [caller] = await db.lookUp<{ permissions: string }>('select * from find_caller($1, $2, $3, $4)', [
      issuer.issuer,
      subject,
      null,
      id,
    ])
    return caller?.permissions ?? ''
  }
  const readAs = (lane: number, permissions: string) => {
    const { id, principalId } = clinicOf(lane)
    return db.tenant({ principalId, organizationId: id, permissions }, findOrganization)
  }
  const permissions = await findCaller(0)
  const tenantRead = async (lane: number) => readAs(lane, await findCaller(lane))
  const sample = await fetch(`http://127.0.0.1:${port}/v1/organizations/${clinicOf(0).id}`, {
    headers: { authorization: `Bearer ${clinicOf(0).token}` },
  })
  const bytes = Buffer.from(await sample.text())
  const { port: barePort } = await startServer('bare', bytes.toString('base64'), {})
  const bare = () => 'GET /bare HTTP/1.1\r\nhost: bench\r\n\r\n'

  const report = new Report()
  // Warm up everything once, so that no figure includes compilation.
  await loop(1, CONNECTIONS, tenantRead)
  await load({ port, connections: CONNECTIONS, seconds: 2, request: get })
  await load({ port: barePort, connections: CONNECTIONS, seconds: 1, request: bare })

  const statement = await loop(seconds, CONNECTIONS, (lane) => owner.query({ ...FIND, values: [clinicOf(lane).id] }))
  const tenant = await loop(seconds, CONNECTIONS, tenantRead)
  const unasked = await loop(seconds, CONNECTIONS, (lane) => readAs(lane, permissions))
  const bareRoute = await load({ port: barePort, connections: CONNECTIONS, seconds, request: bare })
  const [read, busy] = await withBusy(core, () => load({ port, connections: CONNECTIONS, seconds, request: get }))
  // Before the writes, whose follow-up work (checkpoint, vacuum) would be measured with the reads. Alternates with the
  // bare route, which shows delays of the machine.
  const steadily = (to: number, request: typeof get) =>
    load({ port: to, connections: 64, seconds: seconds / 2, rate: 1_000, request })
  const steadyBare: LoadResult[] = []
  const steadyRead: LoadResult[] = []
  for (let slice = 0; slice < SLICES; slice += 1) {
    steadyBare.push(await steadily(barePort, bare))
    steadyRead.push(await steadily(port, get))
  }
  const steady = together(steadyRead)
  const update = await loop(seconds, CONNECTIONS, (lane) =>
    owner.query({ ...UPDATE, values: [clinicOf(lane).id, `+40 ${performance.now()}`] }),
  )
  const write = await load({ port, connections: CONNECTIONS, seconds, request: patch })

  report.row('one statement, no row-level security, no HTTP', statement)
  report.row('one update, no row-level security, no HTTP', update)
  report.row('the tenant transaction, no authentication, no HTTP', unasked)
  report.row('the tenant transaction with authentication, no HTTP', tenant)
  report.row('a bare Fastify route with the same bytes', bareRoute.perSecond)
  report.load('GET /v1/organizations/{id}', read)
  report.load('PATCH /v1/organizations/{id} (with audit, outbox)', write)
  report.load('a bare Fastify route at 1,000 a second', together(steadyBare))
  report.load('GET at 1,000 a second', steady)
  report.ratio('GET ÷ tenant transaction with authentication, no HTTP', read.perSecond / tenant, 0.5)
  report.ratio('GET ÷ tenant transaction alone', read.perSecond / unasked)
  report.ratio('GET ÷ one statement without tenancy and HTTP', read.perSecond / statement)
  report.ratio('GET ÷ bare Fastify route', read.perSecond / bareRoute.perSecond)
  report.ratio('PATCH ÷ one update without tenancy, audit and HTTP', write.perSecond / update)
  await benchConsentGate({ port, database, issuer, clinic: clinicOf(0).id, seconds }, report)
  report.below('p99 of GET at 1,000 a second (ms)', steady.p99, 25)
  report.bound('GET', busy)
  report.print()

  await owner.end()
  await db.close()
}
