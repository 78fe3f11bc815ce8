import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '@tendon/config'
import { type ApiError, refusalsOf } from '@tendon/http'
import {
  atEndOfProcess,
  createTestDatabase,
  portOf,
  startIssuer,
  TEST_ROLE_SECRET,
  type TestDatabase,
  type TestIssuer,
} from '@tendon/testing'
import type { FastifyRequest } from 'fastify'
import { buildApp } from '../app.ts'
import { createServices } from '../create-services.ts'
import type { Routes } from '../feature.ts'
import type { Services } from '../services.ts'
import type { Answer, CallOptions, Json } from './call.ts'
import { peopleOf } from './people.ts'
import { TENANT_TABLES, takeUnbound } from './service-statements.ts'

export type { Answer, CallOptions, Json } from './call.ts'
export type { Person } from './people.ts'

// A core API for tests: its own database, a real port, a real token issuer.

interface CoreOptions {
  env?: Record<string, string>
  services?: Partial<Services>
  routes?: readonly Routes[]
}

/** A test may compute for minutes on a busy machine: its next request must not meet a connection that closes. */
const IDLE_MS = 600_000

/** With a database and a token issuer of its own. */
export async function startCore(options: CoreOptions = {}) {
  const [database, issuer] = [await createTestDatabase(), await startIssuer()]
  return serve({ database, issuer }, options, async () => {
    await issuer.close()
    await database.drop()
  })
}

interface Surroundings {
  database: TestDatabase
  issuer: TestIssuer
}

async function serve({ database, issuer }: Surroundings, options: CoreOptions, release = async () => {}) {
  const { env = {}, services: replaced = {}, routes = [] } = options
  const dataDir = await mkdtemp(join(tmpdir(), 'tendon-test-'))
  const config = readConfig({
    NODE_ENV: 'test',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'trace',
    DATABASE_ROLE_SECRET: TEST_ROLE_SECRET,
    AUTH_ISSUER: issuer.issuer,
    RATE_LIMIT_ENTRY_PER_MINUTE: '1000000',
    RATE_LIMIT_ORGANIZATION_PER_MINUTE: '1000000',
    RATE_LIMIT_PUBLIC_RESOLVE_PER_MINUTE: '1000000',
    RATE_LIMIT_PUBLIC_BOOKING_PER_MINUTE: '1000000',
    // A busy machine is no reason for a refusal; tests of a timeout set it themselves.
    STATEMENT_TIMEOUT_MS: '60000',
    CONNECTION_WAIT_MS: '60000',
    REQUEST_TIMEOUT_MS: '120000',
    PDF_TIMEOUT_MS: '60000',
    RATE_LIMIT_CALENDAR_FEED_PER_MINUTE: '1000000',
    ...env,
  })
  const made = createServices(config, 'tendon_app', database.url)
  const services = { ...made, ...replaced }
  const log: string[] = []
  const undeclared: string[] = []
  const isDeclared = declarations()
  const databaseName = new URL(database.url).pathname.slice(1)
  const tenantTables = new Set((await database.query<{ name: string }>(TENANT_TABLES)).map(({ name }) => name))
  const app = buildApp(services, {
    routes,
    logStream: { write: (line) => void log.push(line) },
    onRefusal: (error, request) => {
      if (!isDeclared(error, request)) undeclared.push(`${request.method} ${request.routeOptions.url}: ${error.code}`)
    },
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  app.server.keepAliveTimeout = IDLE_MS
  const url = `http://127.0.0.1:${portOf(app.server)}`

  const agent = new Agent({ keepAlive: true })

  function call(method: string, path: string, { as, body, headers = {} }: CallOptions = {}): Promise<Answer> {
    const spelled = /[^!-~]/.test(path) ? new URL(url + path).href.slice(url.length) : path
    return rawCall(
      method,
      spelled,
      {
        ...(as ? { authorization: `Bearer ${as.token}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      typeof body === 'string' || body instanceof Uint8Array || body === undefined ? body : JSON.stringify(body),
    )
  }

  /** Like `call`, without added headers: headers may repeat or contain any bytes. */
  function rawCall(
    method: string,
    path: string,
    headers: Record<string, string | string[]>,
    body?: string | Uint8Array,
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const sent = request(url, { agent, method, path, headers }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8')
          const headers = new Headers()
          for (const [name, values] of Object.entries(response.headersDistinct))
            for (const value of values ?? []) headers.append(name, value)
          resolve({ status: response.statusCode ?? 0, headers, text, body: parse(text) })
        })
      })
      sent.on('error', reject).end(body)
    })
  }

  return {
    url,
    rawCall,
    app,
    config,
    services,
    database,
    issuer,
    log,
    call,
    get: (path: string, options?: CallOptions) => call('GET', path, options),
    post: (path: string, options?: CallOptions) => call('POST', path, options),
    put: (path: string, options?: CallOptions) => call('PUT', path, options),
    patch: (path: string, options?: CallOptions) => call('PATCH', path, options),
    delete: (path: string, options?: CallOptions) => call('DELETE', path, options),
    ...peopleOf({ database, issuer, call }),
    refuseForgotten,
    async close() {
      agent.destroy()
      await app.close()
      await made.close()
      await rm(dataDir, { recursive: true, force: true })
      await release()
      refuseForgotten()
    },
  }

  function refuseForgotten(): void {
    const found = new Set(undeclared.splice(0))
    assert.deepEqual([...found], [], 'refusals that their route does not declare')
    assert.deepEqual(
      takeUnbound(databaseName, tenantTables),
      [],
      'statements of the service that do not name the clinic',
    )
  }
}

export type TestCore = Awaited<ReturnType<typeof serve>>

let shared: Promise<TestCore> | undefined

/**
 * The core that test files of one process share, for files that check only what they created; one with settings
 * of its own gets a server of its own over the same database and its warm connections. A file that changes what belongs to
 * the platform, counts what all clinics have, or runs a worker starts its own.
 */
export async function sharedCore(options?: CoreOptions): Promise<TestCore> {
  shared ??= startCore().then((core) => {
    atEndOfProcess(() => core.close())
    return core
  })
  const core = await shared
  core.log.length = 0
  if (!options) return { ...core, close: async () => core.refuseForgotten() }
  const ofDatabase = Object.keys(options.env ?? {}).filter((name) =>
    /^DATABASE_|STATEMENT_TIMEOUT|CONNECTION_WAIT/.test(name),
  )
  assert.deepEqual(ofDatabase, [], 'the shared database keeps its own settings')
  const services = { db: core.services.db, ...options.services }
  return serve(core, { ...options, services })
}

function parse(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * The error table is written from what routes declare, so a refusal that is not declared is missing from it. Each route is
 * read once: some tests are refused a thousand times.
 */
function declarations() {
  const routes = new Map<string, Set<string>>()
  return (error: ApiError, request: FastifyRequest): boolean => {
    const { url, method, config, schema } = request.routeOptions
    if (url === undefined || config.access === undefined) return true
    const route = `${String(method)} ${url}`
    const declared =
      routes.get(route) ?? new Set(refusalsOf({ url, method, config, ...(schema ? { schema } : {}) }).map(nameOf))
    routes.set(route, declared)
    return declared.has(nameOf(error))
  }
}

const nameOf = ({ status, code }: { status: number; code: string }) => `${status} ${code}`
