import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '@tendon/config'
import type { CompositionManifest } from '@tendon/contracts'
import type { ObjectStore } from '@tendon/object-store'
import {
  atEndOfProcess,
  createTestDatabase,
  portOf,
  startIssuer,
  TEST_ROLE_SECRET,
  type TestDatabase,
  until,
} from '@tendon/testing'
import { buildApp } from './app.ts'
import { createServices } from './create-services.ts'
import { MANIFEST, makeBundle } from './rendering/clips.testing.ts'
import type { Services } from './services.ts'
import { buildWorker, type WorkerOptions } from './worker/build-worker.ts'

export interface Person {
  id: string
  token: string
}

export interface Clinic {
  id: string
  admin: Person
}

// oxlint-disable-next-line typescript/no-explicit-any -- the body of an answer, read by tests
export type Json = any

export interface Answer {
  status: number
  headers: Headers
  body: Json
}

/** Gives the exercise the small bundle. */
export async function storeBundle(
  objects: ObjectStore,
  database: Pick<TestDatabase, 'query'>,
  { id, slug }: { id: string; slug: string },
  manifest: Partial<CompositionManifest> = {},
  without = /^$/,
): Promise<void> {
  const { folder, names } = bundle()
  await database.query('insert into exercise_bundles (exercise_id, manifest) values ($1, $2)', [
    id,
    JSON.stringify({ ...MANIFEST, exercise: slug, ...manifest }),
  ])
  const store = async (name: string) => {
    const bytes = readFileSync(join(folder, name))
    const key = `bundles/test/${slug}/${name}`
    await objects.put(key, bytes, { contentType: 'application/octet-stream', maxBytes: bytes.length })
    await database.query(
      `insert into exercise_bundle_files (exercise_id, name, object_key, sha256, bytes, seconds, width, height, added_version)
       values ($1, $2, $3, $4, $5, $6, $7, $8, 1)`,
      [id, name, key, hashOf(bytes), bytes.length, name.endsWith('.mp4') ? 1 : null, SIZE.width, SIZE.height],
    )
  }
  await Promise.all(names.filter((one) => !without.test(one)).map(store))
}

interface ComposerOptions {
  env?: Record<string, string>
  services?: Partial<Services>
}

let shared: string | undefined

/** A folder for all tests of a process. */
function sharedFolder(): string {
  if (shared !== undefined) return shared
  const folder = mkdtempSync(join(tmpdir(), 'tendon-test-composer-'))
  atEndOfProcess(async () => rmSync(folder, { recursive: true, force: true }))
  shared = folder
  return folder
}

/** The cache of converted clips of all tests of a process. */
export const cacheFolder = () => join(sharedFolder(), 'cache')

let made: { folder: string; names: string[] } | undefined

/** The same small bundle for all tests of a process. Needs ffmpeg. */
export function bundle() {
  if (made) return made
  const folder = join(sharedFolder(), 'bundle')
  made = { folder, names: makeBundle(folder) }
  return made
}

/** So that tests do not wait for a worker with nothing to do. */
const SHORT_PAUSES_MS = { rendering: 50, films: 100, backstop: 100, deletion: 100 }

const SIZE = { width: 64, height: 48 }

/** A composer for tests: its own database, a real port, a real token issuer; the worker starts when asked for. */
export async function startComposer({ env = {}, services: replaced = {} }: ComposerOptions = {}) {
  const [database, issuer] = [await createTestDatabase(), await startIssuer()]
  const dataDir = mkdtempSync(join(tmpdir(), 'tendon-test-composer-'))
  const variables = {
    NODE_ENV: 'test',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'trace',
    DATABASE_URL: database.url,
    DATABASE_ROLE_SECRET: TEST_ROLE_SECRET,
    AUTH_ISSUER: issuer.issuer,
    RATE_LIMIT_ENTRY_PER_MINUTE: '1000000',
    COMPOSER_CACHE_DIR: cacheFolder(),
    PATH: process.env.PATH ?? '',
    ...env,
  }
  const config = readConfig(variables)
  const own = createServices(config, 'tendon_app', database.url)
  const log: string[] = []
  const logStream = { write: (line: string) => void log.push(line) }
  const app = buildApp({ ...own, ...replaced }, { logStream })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${portOf(app.server)}`
  const stops: (() => Promise<void>)[] = []

  async function call(
    method: string,
    path: string,
    { as, body, headers = {} }: { as?: Person; body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const raw = typeof body === 'string' || body instanceof Uint8Array
    const response = await fetch(path.startsWith('http') ? path : url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(as ? { authorization: `Bearer ${as.token}` } : {}),
        ...(body === undefined || raw ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: raw ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text.startsWith('{') ? JSON.parse(text) : text }
  }

  async function person(): Promise<Person> {
    const email = `${randomUUID()}@mail.example`
    const token = await issuer.sign({ sub: randomUUID(), email, email_verified: true, name: 'Ana' })
    await call('GET', '/v1/renders', { as: { id: '', token } })
    const [human] = await database.query<{ id: string }>('select id from humans where email = $1', [email])
    assert.ok(human)
    return { id: human.id, token }
  }

  async function member(organizationId: string, codes: readonly string[]): Promise<Person> {
    const who = await person()
    const [role] = await database.query<{ id: string }>(
      `insert into roles (organization_id, code, name) values ($1, $2, 'Custom') returning id`,
      [organizationId, `custom-${randomUUID().slice(0, 8)}`],
    )
    await database.query(
      'insert into role_permissions (role_id, organization_id, permission_code) select $1, $2, unnest($3::text[])',
      [role?.id, organizationId, codes],
    )
    await database.query(
      'insert into organization_memberships (organization_id, principal_id, role_id, joined_at) values ($1, $2, $3, now())',
      [organizationId, who.id, role?.id],
    )
    return who
  }

  async function clinic(): Promise<Clinic> {
    const slug = `clinic-${randomUUID().slice(0, 13)}`
    const [row] = await database.query<{ id: string }>(
      `insert into organizations (name, slug) values ('Clinica Test', $1) returning id`,
      [slug],
    )
    assert.ok(row)
    const admin = await member(row.id, ['exercises.compose', 'exercises.view_published', 'exercises.manage_org'])
    return { id: row.id, admin }
  }

  async function superadmin(): Promise<Person> {
    const who = await person()
    await database.query('insert into platform_memberships (principal_id) values ($1)', [who.id])
    return who
  }

  async function exercise(of: Clinic | null, slug = `exercise-${randomUUID().slice(0, 8)}`) {
    const [row] = await database.query<{ id: string }>(
      `insert into exercises (organization_id, name, slug, status) values ($1, $2, $2, 'published') returning id`,
      [of?.id ?? null, slug],
    )
    assert.ok(row)
    return { id: row.id, slug }
  }

  /** An exercise with a small bundle; `without` leaves files out. */
  async function bundled(
    of: Clinic | null,
    { manifest = {}, without = /^$/ }: { manifest?: Partial<CompositionManifest>; without?: RegExp } = {},
  ) {
    const { id, slug } = await exercise(of)
    await storeBundle(own.objects, database, { id, slug }, manifest, without)
    return { id, slug }
  }

  /** Starts a render worker in this process. */
  async function work(more: Partial<Services> = {}, pauseMs: WorkerOptions['pauseMs'] = {}) {
    const services = createServices(config, 'tendon_worker', database.url)
    const worker = await buildWorker(
      { ...services, ...replaced, ...more },
      {
        logStream,
        pauseMs: { ...SHORT_PAUSES_MS, ...pauseMs },
      },
    )
    let stopped: Promise<void> | undefined
    const stop = () => (stopped ??= worker.stop().then(() => services.close()))
    stops.push(stop)
    return { ...worker, stop }
  }

  const compose = (as: Person, slug: string, more: object = {}) =>
    call('POST', '/v1/exercises/compose', {
      as,
      body: { exercise: slug, language: 'en', sets: [{ side: 'left', reps: 5 }], seed: 1, ...more },
    })
  const render = async (as: Person, id: string) => (await call('GET', `/v1/renders/${id}`, { as })).body.data
  const ended = (as: Person, id: string): Promise<Json> =>
    until(async () => {
      const found = await render(as, id)
      return ['ready', 'failed', 'cancelled'].includes(found.status) ? found : undefined
    })
  /** A render that ended `ready`. */
  async function composed(as: Person, slug: string, more: object = {}): Promise<Json> {
    const answer = await compose(as, slug, more)
    assert.equal(answer.status, 202, JSON.stringify(answer.body))
    const found = await ended(as, answer.body.data.video_id)
    assert.equal(
      found.status,
      'ready',
      `${JSON.stringify(found)} ${log.filter((line) => line.includes('failed')).join('')}`,
    )
    return found
  }

  return {
    url,
    app,
    config,
    services: { ...own, ...replaced },
    database,
    log,
    dataDir,
    variables,
    call,
    person,
    member,
    clinic,
    superadmin,
    exercise,
    bundled,
    work,
    compose,
    render,
    ended,
    composed,
    async close() {
      for (const stop of stops) await stop()
      await app.close()
      await own.close()
      await issuer.close()
      await database.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

export type TestComposer = Awaited<ReturnType<typeof startComposer>>

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** Status and code of a refusal. */
export const refusedAs = ({ status, body }: Answer) => [status, body?.error?.code]
