import { film, filmedRepetitions, perform, STEADY_CAMERA, VALUES_PER_FRAME } from '@tendon/pose'
import { randomFrom } from '@tendon/testing'
import type { Page } from 'playwright-core'
import { configOf, type PlannedExercise, setOf } from '../../../scripts/simulate/movement.ts'

// Generated movements, sent to the player's worker instead of camera pictures. The page is the production build: the test
// replaces the browser's Worker before the page's scripts run.

declare global {
  interface Window {
    pose?: Worker
    /** When the set began, on the player's clock and on the page's. */
    began?: { at_ms: number; clock: number } | undefined
    zero?: number
  }
}

interface Frame {
  at_ms: number
  values: number[]
}

/** Prevents loading the model and exposes the worker to `playMovement`. Call it before the page is opened. */
export async function replaceModel(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const Real = globalThis.Worker
    const shared = window
    globalThis.Worker = class extends Real {
      readonly isPose: boolean
      constructor(url: string | URL, options?: WorkerOptions) {
        super(url, options)
        this.isPose = String(url).includes('pose.worker')
        if (this.isPose) shared.pose = this
      }
      override postMessage(
        message: { kind?: string; at_ms?: number; bitmap?: ImageBitmap },
        transfer?: Transferable[] | StructuredSerializeOptions,
      ): void {
        const answer = (data: unknown) => setTimeout(() => this.dispatchEvent(new MessageEvent('message', { data })), 0)
        if (this.isPose && message.kind === 'load') return void answer({ kind: 'ready', delegate: 'CPU', frame_ms: 0 })
        if (this.isPose && message.kind === 'picture') {
          message.bitmap?.close()
          const points = Float32Array.from({ length: 66 }, (_, place) => (place % 8) / 8)
          return void answer({ kind: 'free', frame_ms: 0, points })
        }
        if (message.kind === 'begin' || message.kind === 'resume') {
          shared.began = { at_ms: message.at_ms ?? 0, clock: performance.now() }
          shared.zero = shared.began.clock - shared.began.at_ms
        }
        super.postMessage(message, transfer as Transferable[])
      }
    }
  })
}

/** Frames of a patient who does this many repetitions, from rest to rest, and the number that a viewer would count. */
export function movementOf(exercise: PlannedExercise, repetitions: number, seed: number) {
  const random = randomFrom(seed)
  const performed = perform(
    {
      ...setOf({ ...exercise, hold_seconds: null }, configOf(exercise), 0.8, random),
      repetitions,
      rise_seconds: 0.8,
      hold_seconds: 0.1,
      fall_seconds: 0.8,
      pause_seconds: 0.4,
      lead_seconds: 2,
    },
    random,
  )
  const camera = { ...STEADY_CAMERA, frames_per_second: 15, jitter: 0.1, noise: 0.0005 }
  const frames: Frame[] = []
  for (const { landmarks, timestamps } of film(performed, camera, random))
    timestamps.forEach((at_ms, frame) => {
      const values = landmarks.subarray(frame * VALUES_PER_FRAME, (frame + 1) * VALUES_PER_FRAME)
      frames.push({ at_ms, values: Array.from(values, (value) => Math.round(value * 1e5) / 1e5) })
    })
  return { frames, truth: filmedRepetitions(performed, camera).length }
}

/**
 * Plays the frames at camera speed, starting with the next set or, in a running one, now. Resolves, when all were played, with
 * the time of the last one in milliseconds of the run.
 */
export async function playMovement(
  page: Page,
  frames: readonly Frame[],
  from: 'next set' | 'now' = 'next set',
): Promise<number> {
  return page.evaluate(
    async ([given, isNow]) => {
      const shared = window
      if (isNow) shared.began = { at_ms: Math.round(performance.now() - (shared.zero ?? 0)), clock: performance.now() }
      while (!shared.began) await new Promise((done) => setTimeout(done, 5))
      const { at_ms, clock } = shared.began
      shared.began = undefined
      let last_ms = at_ms
      for (const frame of given) {
        const wait = clock + frame.at_ms - performance.now()
        if (wait > 0) await new Promise((done) => setTimeout(done, wait))
        // The set has ended or is paused: the camera continues, but frames are ignored.
        if (shared.began) break
        last_ms = at_ms + frame.at_ms
        shared.pose?.postMessage({
          kind: 'landmarks',
          at_ms: last_ms,
          values: Float32Array.from(frame.values),
        })
      }
      return last_ms
    },
    [frames, from === 'now'] as const,
  )
}
