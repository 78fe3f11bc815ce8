import type { RunPayload } from '@tendon/sdk'
import { createOutbox, type Entry } from './outbox.ts'
import { createOutboxStore } from './outbox-store.ts'
import { createPlayer } from './player.ts'
import { BETWEEN, type Cue } from './player-deps.ts'
import type { Progress } from './progress.ts'
import { createProgressStore } from './progress-store.ts'
import { createReports } from './reports.ts'
import { createRunClock } from './run-clock.ts'
import { createSender } from './sender.ts'
import { createSessionCamera } from './session-camera.ts'
import { createRunAccess } from './telemetry.ts'
import { createVoice } from './voice.ts'

/** A page that is closed during a set loses at most this much time of exercise. */
const TICK_MS = 1_000

export interface LoadedRun {
  payload: RunPayload
  /** The `Date` header of the response, and the device's time when it arrived. */
  answered_at: string | null
  received: number
  /** The entries of the outbox. */
  stored: readonly Entry[]
  /** What an earlier page did of the exercise that had started. */
  progress: Progress | null
}

export interface SessionOptions extends LoadedRun {
  person: string
  organization: string
  language: () => string
  /** The text of a spoken cue; empty for none. */
  wordsOf: (cue: Cue) => string
}

/** Everything behind the player's page: clock, outbox, camera, voice and the player itself. */
export function openSession({
  payload,
  answered_at,
  received,
  stored,
  progress,
  person,
  organization,
  language,
  wordsOf,
}: SessionOptions) {
  const { run_id: run, started_at, exercises } = payload
  const clock = createRunClock({ started_at, answered_at, received })
  const access = createRunAccess()
  access.keep(payload)
  const sender = createSender(access)
  const outbox = createOutbox({
    person,
    store: createOutboxStore(),
    known: stored,
    async send(entry) {
      // The end of the session closes the recording, so the last frames must be sent before it.
      if (entry.kind === 'media' && entry.body.event === 'session_end') await camera.settle()
      return sender(entry)
    },
  })
  const voice = createVoice(language)
  const points = createPoints()
  const camera = createSessionCamera({
    run,
    organization,
    access,
    now: clock.now,
    onSeen: (seen) => player.see(seen),
    onPoints: points.show,
  })
  const reports = createReports({ run, organization, clock, outbox })
  // The zero of the run's clock: the same event in every tab and on every device.
  reports.media('session_start', BETWEEN, 0)
  const player = createPlayer({
    exercises,
    ended: payload,
    progress,
    keep: createProgressStore(run, person).keep,
    now: clock.now,
    reports,
    counter: camera.counter,
    say: (cue) => voice.say(wordsOf(cue)),
  })
  const ticking = setInterval(player.tick, TICK_MS)
  const flush = () => void outbox.flush()
  addEventListener('online', flush)
  return {
    payload,
    organization,
    clock,
    access,
    outbox,
    voice,
    camera,
    reports,
    player,
    points,
    /** An earlier page had started an exercise that is not ended. */
    isResumed: progress !== null,
    close() {
      removeEventListener('online', flush)
      clearInterval(ticking)
      camera.close()
      voice.stop()
      outbox.close()
    },
  }
}

/** The positions of the joints in the camera picture, for drawing. */
function createPoints() {
  const listeners = new Set<(points: Float32Array) => void>()
  return {
    show(points: Float32Array) {
      for (const listener of listeners) listener(points)
    },
    listen(listener: (points: Float32Array) => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

export type Session = ReturnType<typeof openSession>
