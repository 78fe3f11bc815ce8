import { createHash, randomUUID } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { Database } from '@tendon/db'
import { createFsStore } from '@tendon/object-store'
import { TEST_ROLE_SECRET, type TestDatabase } from '@tendon/testing'
import { finalise } from '../apps/telemetry/src/finalise/finalise.ts'
import { startPoseThread } from '../apps/telemetry/src/finalise/threaded-pose-work.ts'
import { openFolder } from '../apps/telemetry/src/log/files.ts'
import { RunLog } from '../apps/telemetry/src/log/run-log.ts'
import { Ingest } from '../apps/telemetry/src/runs/ingest.ts'
import { type Recording, runIdentity } from '../apps/telemetry/src/runs/recording.ts'
import { Runs } from '../apps/telemetry/src/runs/runs.ts'
import type { Report } from './report.ts'
import { poseBody } from './telemetry-clients.ts'

const MINUTES = 30
const FRAMES_PER_SECOND = 30
const GIGABYTE = 1e9
const RUN_BATCHES = 1_000
const LEG = ['hip', 'knee', 'ankle']
const SQUAT = {
  engine_code: 'blazepose-33',
  landmarks: [...LEG.map((name) => `left_${name}`), ...LEG.map((name) => `right_${name}`)],
  primary_angle: LEG.map((name) => `left_${name}`),
  side: 'both',
  thresholds: { up_degrees: 110, down_degrees: 160, hysteresis_degrees: 5 },
}

async function openLog(folder: string) {
  const sealed = Promise.withResolvers<Recording>()
  const log = new RunLog({
    files: await openFolder(folder),
    maxBytes: 1e12,
    now: Date.now,
    onFailure: (error) => sealed.reject(error),
  })
  const runs = new Runs()
  await log.recover(runs.restorer())
  const ingest = new Ingest({ log, runs, now: Date.now, onDiscard: () => {}, onSealed: sealed.resolve })
  return { log, ingest, sealed: sealed.promise }
}

const newClinic = async (database: TestDatabase) => {
  const insert = async (text: string, values: unknown[]) =>
    (await database.query<{ id: string }>(`insert into ${text} returning id`, values))[0]?.id ?? ''
  const organizationId = await insert(`organizations (name, slug) values ('Bench', $1)`, [`bench-${randomUUID()}`])
  const profileId = await insert('patient_profiles (organization_id) values ($1)', [organizationId])
  await insert(`patients (organization_id, patient_profile_id, first_name, last_name) values ($1, $2, 'A', 'B')`, [
    organizationId,
    profileId,
  ])
  return { organizationId, profileId }
}

/** A run of half an hour at 30 frames a second: from the end of its session to its rows and its replay. */
export async function benchFinalise(database: TestDatabase, folder: string, report: Report): Promise<void> {
  const { organizationId, profileId } = await newClinic(database)
  const run = runIdentity(randomUUID(), organizationId)
  const items = [{ media_id: 'squat', exercise_id: null, pose_config: SQUAT }]
  await database.query(
    'insert into run_manifests (run_id, organization_id, patient_profile_id, items) values ($1, $2, $3, $4)',
    [run.runId, organizationId, profileId, JSON.stringify(items)],
  )
  const { log, ingest, sealed } = await openLog(join(folder, 'finalise'))
  const event = (type: 'session_start' | 'session_end', at: Date) =>
    ingest.event(run, {
      event: type,
      session_id: run.runId,
      media_id: 'squat',
      media_type: 'video',
      timestamp: at.toISOString(),
    })
  const start = Date.now() - MINUTES * 60_000
  await event('session_start', new Date(start))
  for (let second = 0; second < MINUTES * 60; second += 1) {
    const gzip = poseBody(FRAMES_PER_SECOND, second * 1000)
    await ingest.pose(run, { frames: FRAMES_PER_SECOND, meta: Buffer.alloc(0), gzip })
  }
  await event('session_end', new Date())
  const recording = await sealed
  const objects = createFsStore({
    root: join(folder, 'objects'),
    publicBaseUrl: 'http://127.0.0.1',
    signingKey: createHash('sha256').update(TEST_ROLE_SECRET).digest('hex'),
  })
  const db = new Database({ ...database.options, login: 'tendon_telemetry', poolSize: 2 })
  const thread = startPoseThread(() => {})
  const before = process.memoryUsage().rss
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss)
  }, 10)
  const started = performance.now()
  const work = { log, db, objects, startPoseWork: thread.start, now: Date.now }
  await finalise({ ...work, onDiscard: () => {}, onUnreadable: () => {} }, recording)
  const seconds = (performance.now() - started) / 1000
  clearInterval(watch)
  report.below(`finalise of ${MINUTES} minutes at ${FRAMES_PER_SECOND} frames a second (s)`, seconds, 2)
  report.below('memory it took on top (MB)', (most - before) / 1e6, 250)
  await thread.close()
  await db.close()
  await log.close()
}

/** A gigabyte of log: from the start of the process until data is accepted. */
export async function benchRestart(
  start: (logDir: string) => Promise<{ recoveredMs: number; stop(): Promise<void> }>,
  folder: string,
  report: Report,
): Promise<void> {
  const logDir = await mkdtemp(join(folder, 'restart-'))
  const { log, ingest } = await openLog(logDir)
  const gzip = poseBody(9)
  for (let written = 0; written < GIGABYTE; ) {
    const run = runIdentity(randomUUID(), randomUUID())
    const batch = { frames: 9, meta: Buffer.alloc(0), gzip }
    await Promise.all(Array.from({ length: RUN_BATCHES }, () => ingest.pose(run, batch)))
    written += RUN_BATCHES * gzip.length
  }
  await log.close()
  const server = await start(logDir)
  report.below('restart with 1 GB of log: ready after (s)', server.recoveredMs / 1000, 5)
  await server.stop()
}
