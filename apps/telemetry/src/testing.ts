import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { readConfig } from '@tendon/config'
import type { MediaEvent, MediaEventType } from '@tendon/contracts'
import { Database } from '@tendon/db'
import { createFsStore, type ObjectStore } from '@tendon/object-store'
import { decodeBatches, encodeBatch, type PoseBatch, startMeasurement, VALUES_PER_FRAME } from '@tendon/pose'
import { createMetrics } from '@tendon/process'
import { mintRunToken, parseRunTokenKeys } from '@tendon/run-token'
import { createTestDatabase, portOf, TEST_ROLE_SECRET, type TestDatabase } from '@tendon/testing'
import { pino } from 'pino'
import { poseWork } from './finalise/pose-work.ts'
import { checkBody } from './inflate/batch-body.ts'
import { createMemoryDisk, type MemoryDisk } from './log/memory-files.testing.ts'
import { buildTelemetry, type TelemetryOptions } from './telemetry.ts'

export const RUN_TOKEN_KEYS = `test:${randomBytes(32).toString('base64')}`

/** A clinic with a patient and runs of that patient. */
export interface TestClinic {
  organizationId: string
  profileId: string
  newRun(items?: object[], quota?: RunQuota): Promise<TestRun>
}

interface RunQuota {
  pose_per_second: number | null
  media_per_second: number | null
}

const NO_QUOTA: RunQuota = { pose_per_second: null, media_per_second: null }

export interface TestRun {
  id: string
  organizationId: string
  token: string
}

export async function tokenOf(runId: string, organizationId: string, pose = true, now = new Date()): Promise<string> {
  const run = { runId, organizationId, patientId: randomUUID(), pose }
  return (await mintRunToken(parseRunTokenKeys(RUN_TOKEN_KEYS), run, now)).token
}

export async function createTestClinic(database: TestDatabase, now = () => new Date()): Promise<TestClinic> {
  const insert = async (text: string, values: unknown[]) => {
    const [row] = await database.query<{ id: string }>(`insert into ${text} returning id`, values)
    return row?.id ?? ''
  }
  const organizationId = await insert(`organizations (name, slug) values ('Clinic', $1)`, [`clinic-${randomUUID()}`])
  const profileId = await insert('patient_profiles (organization_id) values ($1)', [organizationId])
  await insert(
    `patients (organization_id, patient_profile_id, first_name, last_name) values ($1, $2, 'Maria', 'Pop')`,
    [organizationId, profileId],
  )
  return {
    organizationId,
    profileId,
    async newRun(items = [{ media_id: 'squat', exercise_id: null, pose_config: null }], quota = NO_QUOTA) {
      const id = randomUUID()
      await database.query(
        `insert into run_manifests (run_id, organization_id, patient_profile_id, items, pose_per_second, media_per_second)
         values ($1, $2, $3, $4, $5, $6)`,
        [id, organizationId, profileId, JSON.stringify(items), quota.pose_per_second, quota.media_per_second],
      )
      return { id, organizationId, token: await tokenOf(id, organizationId, true, now()) }
    },
  }
}

/** A batch whose frames can be identified: `mark` is the first number of each. */
export function batchOf(mark: number, frames = 3, start = 0): PoseBatch {
  const landmarks = new Float32Array(frames * VALUES_PER_FRAME).fill(0.5)
  for (let frame = 0; frame < frames; frame += 1) landmarks[frame * VALUES_PER_FRAME] = mark
  return { fpsHint: 30, timestamps: Uint32Array.from({ length: frames }, (_, at) => start + at * 33), landmarks }
}

export const gzipOf = (mark: number, frames = 3, start = 0): Buffer =>
  gzipSync(encodeBatch(batchOf(mark, frames, start)))

/** The marks in a replay, in order. */
export const marksIn = (zipped: Buffer): number[] =>
  [...decodeBatches(gunzipSync(zipped))].map(({ landmarks }) => landmarks[0] ?? Number.NaN)

export const SESSION = '019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17'

export const mediaEvent = (
  event: MediaEventType,
  seconds = 0,
  data: Record<string, unknown> = {},
  media_id = 'squat',
): MediaEvent => ({
  event,
  session_id: SESSION,
  media_id,
  media_type: 'video',
  timestamp: new Date(Date.UTC(2026, 10, 15, 9) + seconds * 1000).toISOString(),
  data,
})

export interface Answer {
  status: number
  headers: IncomingMessage['headers']
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any
}

/** A plain request, so that headers and bodies may be inconsistent. */
export function send(
  url: string,
  method: string,
  path: string,
  headers: Record<string, string | string[] | number>,
  body?: Buffer | string,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, path, headers }, (response) => readAnswer(response, resolve))
    sent.on('error', reject)
    sent.end(body)
  })
}

export function readAnswer(response: IncomingMessage, done: (answer: Answer) => void): void {
  const chunks: Buffer[] = []
  response.on('data', (chunk: Buffer) => chunks.push(chunk))
  response.on('end', () => {
    const text = Buffer.concat(chunks).toString()
    done({
      status: response.statusCode ?? 0,
      headers: response.headers,
      body: text ? JSON.parse(text) : undefined,
    })
  })
}

export const callsTo = (url: () => string, sendBy = send) => ({
  pose: (run: { token: string }, body: Buffer, headers: Record<string, string> = {}, query = '') =>
    sendBy(
      url(),
      'POST',
      `/v1/pose/frames${query}`,
      {
        authorization: `Bearer ${run.token}`,
        'content-type': 'application/octet-stream',
        'content-length': body.length,
        ...headers,
      },
      body,
    ),
  event: (run: { token: string }, event: object) => post(sendBy, url(), '/v1/media/events', run, event),
  view: (run: { token: string }, view: object) => post(sendBy, url(), '/v1/library/views', run, view),
})

const post = (sendBy: typeof send, url: string, path: string, { token }: { token: string }, body: object) =>
  sendBy(
    url,
    'POST',
    path,
    { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    JSON.stringify(body),
  )

interface TelemetryTestOptions {
  disk?: MemoryDisk
  env?: Record<string, string>
  replaced?: Partial<TelemetryOptions>
}

/** A database, an object store and a clock that outlive the telemetry services started with them. */
export async function createSurroundings() {
  const database = await createTestDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'tendon-telemetry-'))
  const objects = createFsStore({
    root: join(dataDir, 'objects'),
    publicBaseUrl: 'http://127.0.0.1',
    signingKey: 'a signing key for tests, long enough',
  })
  const clock = { now: Date.UTC(2026, 10, 15, 10) }
  const db = new Database({ ...database.options, login: 'tendon_telemetry', poolSize: 4 })
  /** The catalogue check runs once for all services on this database, before a test changes it. */
  const safe = await db.assertSafe()
  const checkedOnce: TelemetryOptions['db'] = {
    tenant: (...args) => db.tenant(...args),
    ping: () => db.ping(),
    assertSafe: async () => safe,
  }

  async function start({ disk = createMemoryDisk(), env = {}, replaced = {} }: TelemetryTestOptions = {}) {
    const fatal: Error[] = []
    const registry = createMetrics('telemetry')
    const logged: string[] = []
    const telemetry = buildTelemetry({
      config: readConfig({
        NODE_ENV: 'test',
        DATA_DIR: dataDir,
        RUN_TOKEN_KEYS,
        DATABASE_ROLE_SECRET: TEST_ROLE_SECRET,
        ...env,
      }),
      files: disk,
      db: checkedOnce,
      objects,
      registry,
      log: pino({ level: 'trace' }, { write: (line) => void logged.push(line) }),
      now: () => clock.now,
      onFatal: (error) => fatal.push(error),
      checker: {
        hasRoom: () => true,
        check: (body, done) => done(checkBody(body)),
        close: async () => {},
      },
      poseWork: { start: poseWork(startMeasurement, () => {}), close: async () => {} },
      ...replaced,
    })
    await new Promise<void>((resolve) => telemetry.server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${portOf(telemetry.server)}`
    await telemetry.start()
    return { ...telemetry, ...callsTo(() => url), url, disk, fatal, registry, logged }
  }

  return {
    database,
    db,
    dataDir,
    objects,
    clock,
    start,
    clinic: () => createTestClinic(database, () => new Date(clock.now)),
    async replayOf(runId: string): Promise<Buffer | undefined> {
      const [row] = await database.query<{ object_key: string }>(
        'select object_key from replay_blobs where run_id = $1 and superseded_at is null',
        [runId],
      )
      return row && readObject(objects, row.object_key)
    },
    async close() {
      await db.close()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export type Surroundings = Awaited<ReturnType<typeof createSurroundings>>

async function readObject(objects: ObjectStore, key: string): Promise<Buffer> {
  const stored = await objects.get(key)
  if (!stored) throw new Error(`no object ${key}`)
  return Buffer.concat(await stored.body.toArray())
}
