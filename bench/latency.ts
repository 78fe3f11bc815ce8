import { randomUUID } from 'node:crypto'
import { createClinic } from '@tendon/db/fixtures'
import { LATENCY_TARGETS, type LatencyClass } from '@tendon/http'
import { createTestDatabase, type TestDatabase } from '@tendon/testing'
import type { BenchOptions } from './bench.ts'
import { serverEnv } from './clinics.ts'
import { Report } from './report.ts'

const REQUESTS = 100
/** Segments of URLs that have another name than their table. */
const OTHER_TABLES: Readonly<Record<string, string>> = {
  integrations: 'organization_integrations',
  mails: 'mail_outbox',
}
const WARM_UP = 10

type Write = [method: string, path: string, body: object]

/**
 * Response times of one request after the other, p95 and p99 against the class that each route names: all reads of the API,
 * and the writes of connections. Only a report; other benches measure a busy server.
 */
export async function benchLatency({ startServer, issuer, dataDir }: BenchOptions): Promise<void> {
  const database = await createTestDatabase()
  const env = { ...serverEnv(database, issuer, dataDir), OUTBOUND_ALLOW_PRIVATE: 'true' }
  const { port } = await startServer('core', '', env)
  const clinic = await createClinic(database)
  // The fixture's audit key cannot be decrypted; the clinic gets a new one.
  await database.query('alter table audit_log disable trigger user')
  await database.query('delete from audit_log')
  await database.query('delete from audit_keys')
  await database.query('alter table audit_log enable trigger user')
  const token = await memberWithEverything(database, issuer, port, clinic.id)

  async function call(method: string, path: string, body?: object) {
    const start = performance.now()
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      redirect: 'manual',
      headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await answer.text()
    return { ok: answer.ok, ms: performance.now() - start, text }
  }

  const { paths } = JSON.parse((await call('GET', '/v1/openapi.json')).text) as OpenApi
  const report = new Report()
  const classOf = (method: string, path: string) => paths[path]?.[method.toLowerCase()]?.['x-latency-class'] ?? 'report'

  const skipped: string[] = []
  for (const [path, methods] of Object.entries(paths)) {
    if (!methods.get || path.endsWith('/stream') || path.startsWith('/docs')) continue
    const url = await urlOf(database, path, clinic.id)
    if (!(await call('GET', url)).ok) {
      skipped.push(path)
      continue
    }
    const times = []
    for (let sent = -WARM_UP; sent < REQUESTS; sent += 1) {
      const { ms } = await call('GET', url)
      if (sent >= 0) times.push(ms)
    }
    print(report, `GET ${path}`, classOf('GET', path), times)
  }

  const notify = { type: 'notify_members', params: { permission: 'webhooks.manage' } }
  const rule = { name: 'Bench', trigger: { event: 'pain.reported' }, actions: [notify] }
  const integrations = `/v1/organizations/{id}/integrations`
  const lives: [create: Write, key: string, then: Write[]][] = [
    [
      ['POST', '/v1/webhook-subscriptions', { url: 'http://127.0.0.1:9/', events: ['form.signed'] }],
      'uid',
      [
        ['PATCH', '/v1/webhook-subscriptions/{uid}', { description: 'Bench' }],
        ['POST', '/v1/webhook-subscriptions/{uid}/rotate-secret', {}],
        ['DELETE', '/v1/webhook-subscriptions/{uid}', {}],
      ],
    ],
    [
      ['POST', '/v1/automation-rules', rule],
      'id',
      [
        ['PATCH', '/v1/automation-rules/{id}', { name: 'Bench again' }],
        ['POST', '/v1/automation-rules/{id}/simulate', { since: new Date(Date.now() - 3_600_000).toISOString() }],
        ['DELETE', '/v1/automation-rules/{id}', {}],
      ],
    ],
    [
      ['POST', integrations, { service_slug: 'inbound_webhook', title: 'Bench', config: {} }],
      'id',
      [
        ['PUT', `${integrations}/{integrationId}/credentials`, {}],
        ['DELETE', `${integrations}/{integrationId}`, {}],
      ],
    ],
  ]
  for (const [create, key, then] of lives) {
    const times = new Map<string, number[]>()
    const timed = async ([method, path, body]: Write, id: string, isWarm: boolean) => {
      const url = path.replace('/organizations/{id}', `/organizations/${clinic.id}`).replace(/\{\w+\}/, id)
      const { ok, ms, text } = await call(method, url, method === 'DELETE' ? undefined : body)
      if (!ok) throw new Error(`${method} ${url}: ${text}`)
      const name = `${method} ${path}`
      if (isWarm) times.set(name, [...(times.get(name) ?? []), ms])
      return text
    }
    for (let sent = -WARM_UP; sent < REQUESTS; sent += 1) {
      const id = JSON.parse(await timed(create, '', sent >= 0)).data[key] as string
      for (const write of then) await timed(write, id, sent >= 0)
    }
    for (const [name, of] of times) {
      const [method = '', path = ''] = name.split(' ')
      print(report, name, classOf(method, path), of)
    }
  }
  report.text(`Not measured, because the fixture has no row for them: ${skipped.join(', ')}`)
  report.print()
  await database.drop()
}

interface OpenApi {
  paths: Record<string, Record<string, { 'x-latency-class': LatencyClass }>>
}

function print(report: Report, name: string, latencyClass: LatencyClass, times: number[]): void {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? 0
  const target = LATENCY_TARGETS[latencyClass]
  const met = at(0.95) <= target.p95 && at(0.99) <= target.p99
  const figures = `p95 ${at(0.95).toFixed(1)} / ${target.p95} ms, p99 ${at(0.99).toFixed(1)} / ${target.p99} ms`
  report.text(`${name.padEnd(72)} ${latencyClass.padEnd(14)} ${figures}${met ? '' : '  MISSED'}`)
}

/** Each parameter becomes the id of a row in the table that the segment before it names. */
async function urlOf(database: TestDatabase, path: string, clinicId: string): Promise<string> {
  const parts = path.replace(/^(\/v1\/organizations\/)\{\w+\}/, `$1${clinicId}`).split('/')
  for (const [index, part] of parts.entries()) {
    if (!part.startsWith('{')) continue
    const segment = (parts[index - 1] ?? '').replaceAll('-', '_')
    const table = OTHER_TABLES[segment] ?? segment
    const known = await database.query(
      `select 1 from information_schema.columns where table_name = $1 and table_schema = 'public'
       and column_name in ('id', 'organization_id') having count(*) = 2`,
      [table],
    )
    const rows = known[0]
      ? await database.query<{ id: string }>(`select id from ${table} where organization_id = $1 limit 1`, [clinicId])
      : []
    parts[index] = rows[0]?.id ?? randomUUID()
  }
  return parts.join('/')
}

async function memberWithEverything(
  database: TestDatabase,
  issuer: BenchOptions['issuer'],
  port: number,
  clinicId: string,
): Promise<string> {
  const subject = randomUUID()
  const claims = { sub: subject, email: `${subject}@bench.example`, email_verified: true, name: 'Bench' }
  const token = await issuer.sign(claims)
  const me = await fetch(`http://127.0.0.1:${port}/v1/me`, { headers: { authorization: `Bearer ${token}` } })
  const { data } = (await me.json()) as { data: { principal_id: string } }
  await database.query(
    `with r as (insert into roles (organization_id, code, name) values ($1, 'bench', 'Bench') returning id),
       p as (insert into role_permissions (role_id, organization_id, permission_code) select r.id, $1, c.code from r, permissions c)
     insert into organization_memberships (organization_id, principal_id, role_id, joined_at) select $1, $2, r.id, now() from r`,
    [clinicId, data.principal_id],
  )
  return token
}
