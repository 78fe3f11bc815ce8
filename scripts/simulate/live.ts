// One session of one patient against the running system: what a browser would send, and when.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { MediaEvent, RunPayload, StartedRun } from '@tendon/contracts'
import { encodeBatch, type PoseBatch } from '@tendon/pose'
import type { Api } from '../start/api.ts'
import { countedFetch } from './calls.ts'
import { stepsOf } from './frames.ts'
import { cameraAtHome, type Random, whole } from './movement.ts'
import type { SimulatedPatient } from './patients.ts'
import { type Act, rehearse, type Session } from './session.ts'
import type { Tally } from './tally.ts'

/** "Bursts of five": one is kept in reserve, as clocks and networks are not exact. */
const POSE_BURST = 4
const POSE_INTERVAL_MS = 1_000
const FRAMES_PER_SECOND = { min: 10, max: 15 }

export interface World {
  api: Api
  staff: string
  tally: Tally
  /** Speed factor, limited by the quota of pose batches. */
  speed: number
  /** Replaces the URL in the payload. */
  telemetryUrl?: string
}

/** What was acknowledged. */
export interface LivedRun {
  id: string
  patient: SimulatedPatient
  exercises: RunPayload['exercises']
  session: Session
  media: MediaEvent[]
  clientEventIds: string[]
  painReports: number
  frames: number
  /** Sent, but the connection broke before the response. */
  framesUnsure: number
  /** Exercises with a batch that was not accepted. */
  shed: Set<string>
}

export async function liveSession(
  world: World,
  patient: SimulatedPatient,
  planSessionId: string,
  random: Random,
): Promise<LivedRun> {
  const { api, tally } = world
  const started: StartedRun = await api.rawPost('/v1/session-runs', patient.email, { plan_session_id: planSessionId })
  const payload: RunPayload = await api.get(`/v1/session-runs/${started.run_id}/payload`, patient.email)
  const camera = patient.isFilmed
    ? cameraAtHome(random, whole(random, FRAMES_PER_SECOND.min, FRAMES_PER_SECOND.max))
    : null
  const session = rehearse(payload.exercises, { camera, progress: random() }, random)
  const run: LivedRun = {
    id: started.run_id,
    patient,
    exercises: payload.exercises,
    session,
    media: [],
    clientEventIds: [],
    painReports: 0,
    frames: 0,
    framesUnsure: 0,
    shed: new Set(),
  }
  await sendAll(world, run, started.telemetry_token, world.telemetryUrl ?? payload.telemetry_url)
  const at = `/v1/session-runs/${run.id}`
  if (session.ending !== 'pain') {
    const termination = session.ending === 'completed' ? 'ended_naturally' : 'ended_explicit'
    await api.post(`${at}/end`, patient.email, { termination })
  }
  if (session.feedback) await api.post(`${at}/feedback`, patient.email, session.feedback)
  tally.sessions += 1
  tally.endings[session.ending] += 1
  tally.seconds += session.end_ms / 1000
  return run
}

async function sendAll(world: World, run: LivedRun, token: string, telemetryUrl: string): Promise<void> {
  const { tally, speed } = world
  const { session } = run
  const startedAt = Date.now()
  // At a higher speed the session starts in the past, so that none of its times are in the future.
  const zero = startedAt - Math.round(session.end_ms * (1 - 1 / speed))
  const sessionId = randomUUID()
  const sendMedia = countedFetch(tally, 'media', { again: true })
  const sendPose = countedFetch(tally, 'pose', { again: false })
  const allowance = createAllowance()
  const headers = { authorization: `Bearer ${token}` }

  async function tell({ event, media_id, data, at_ms }: Extract<Act, { kind: 'media' }>): Promise<void> {
    const timestamp = new Date(zero + at_ms).toISOString()
    const sent: MediaEvent = { event, session_id: sessionId, media_id, media_type: 'video', timestamp, data }
    const response = await sendMedia(`${telemetryUrl}/v1/media/events`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(sent),
    })
    await response.arrayBuffer()
    if (!response.ok) return
    tally.mediaEvents += 1
    run.media.push(sent)
  }

  async function show(batch: PoseBatch, mediaId: string): Promise<void> {
    await allowance()
    const body = await compress(encodeBatch(batch))
    const frames = batch.timestamps.length
    const request = { method: 'POST', headers: { ...headers, 'content-type': 'application/octet-stream' }, body }
    const response = await sendPose(`${telemetryUrl}/v1/pose/frames`, request).catch(() => undefined)
    tally.batches += 1
    const answer = (await response?.json().catch(() => undefined)) as { frames_accepted?: number } | undefined
    const accepted = response?.ok ? (answer?.frames_accepted ?? 0) : 0
    run.frames += accepted
    tally.frames += accepted
    if (accepted < frames) run.shed.add(mediaId)
    if (!response) run.framesUnsure += frames
    else tally.framesShed += frames - accepted
  }

  for (const step of stepsOf(session, Math.max(1, speed))) {
    await until(startedAt + step.at_ms / speed)
    if ('batch' in step) await show(step.batch, step.media_id)
    else if (step.act.kind === 'media') await tell(step.act)
    else await record(world, run, step.act)
  }
}

/** The patient's reports, sent to the core API. */
async function record({ api }: World, run: LivedRun, act: Exclude<Act, { kind: 'media' }>): Promise<void> {
  const at = `/v1/session-runs/${run.id}`
  const { kind, at_ms: _, ...said } = act
  const client_event_id = randomUUID()
  const path = kind === 'pain' ? `${at}/pain` : `${at}/exercise-event`
  await api.post(path, run.patient.email, { ...said, client_event_id })
  if (kind === 'pain') run.painReports += 1
  else run.clientEventIds.push(client_event_id)
}

const compress = promisify<Uint8Array, Buffer>(gzip)

async function until(time: number): Promise<void> {
  const wait = time - Date.now()
  if (wait > 0) await sleep(wait)
}

/** Waits for its turn: a burst of batches, then one a second. */
function createAllowance(): () => Promise<void> {
  let free = Date.now() - POSE_BURST * POSE_INTERVAL_MS
  return async () => {
    free = Math.max(free, Date.now() - POSE_BURST * POSE_INTERVAL_MS) + POSE_INTERVAL_MS
    await until(free)
  }
}
