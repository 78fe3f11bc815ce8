// The frames of a session as a client sends them.
import { film, type PoseBatch, VALUES_PER_FRAME } from '@tendon/pose'
import { randomFrom } from '@tendon/testing'
import type { Act, Film, Session } from './session.ts'

/** Positions are rounded to this share of the image: finer ones are noise, which does not compress. */
const PLACES = 1_024
/** More frames may exceed 64 KB after gzip. */
const MAX_FRAMES = 400

export function* filmed({ performed, camera, seed }: Film): Generator<PoseBatch> {
  for (const batch of film(performed, camera, randomFrom(seed)))
    yield { ...batch, landmarks: batch.landmarks.map((value) => Math.round(value * PLACES) / PLACES) }
}

/** About one second each. */
export function* framesOf({ films }: Pick<Session, 'films'>): Generator<PoseBatch> {
  for (const one of films) yield* filmed(one)
}

export type Step = { at_ms: number } & ({ act: Act } | { batch: PoseBatch; media_id: string })

/** The batches in order. A client that is behind puts several seconds into one batch. */
export function* stepsOf({ acts, films }: Session, secondsPerBatch: number): Generator<Step> {
  let next = 0
  for (const one of films)
    for (const batch of gathered(filmed(one), secondsPerBatch * one.camera.frames_per_second)) {
      const at_ms = batch.timestamps.at(-1) ?? 0
      for (let act = acts[next]; act && act.at_ms < at_ms; act = acts[next]) {
        yield { at_ms: act.at_ms, act }
        next += 1
      }
      yield { at_ms, batch, media_id: one.media_id }
    }
  for (const act of acts.slice(next)) yield { at_ms: act.at_ms, act }
}

function* gathered(batches: Iterable<PoseBatch>, frames: number): Generator<PoseBatch> {
  let waiting: PoseBatch[] = []
  let count = 0
  for (const batch of batches) {
    const size = batch.timestamps.length
    if (waiting.length > 0 && count + size > Math.min(MAX_FRAMES, frames)) {
      yield joined(waiting)
      waiting = []
      count = 0
    }
    waiting.push(batch)
    count += size
  }
  if (waiting.length > 0) yield joined(waiting)
}

function joined(batches: readonly PoseBatch[]): PoseBatch {
  const timestamps = Uint32Array.from(batches.flatMap((batch) => [...batch.timestamps]))
  const landmarks = new Float32Array(timestamps.length * VALUES_PER_FRAME)
  let at = 0
  for (const batch of batches) {
    landmarks.set(batch.landmarks, at)
    at += batch.landmarks.length
  }
  return { fpsHint: batches[0]?.fpsHint ?? 0, landmarks, timestamps }
}
