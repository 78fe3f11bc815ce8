// The measurement while the patient moves, for the browser. The same rules over the same frames as at the end of a session:
// when both saw the same frames, the count is the same.
import { VALUES_PER_LANDMARK } from './codec.ts'
import type { PoseConfig } from './config.ts'
import { followExercise } from './exercise.ts'
import { KEPT_VALUES, picksOf, slotOf } from './frames.ts'
import { type ExerciseMetrics, metricsOf, type NotMeasured, notMeasured, reaches } from './metrics.ts'
import { movementsOf } from './sides.ts'

export interface LiveFrame {
  /** Milliseconds since the session started. Frames come in the order of time. */
  time_ms: number
  /** x, y, z (metres, world landmarks) and visibility of the 33 landmarks: 132 numbers. */
  landmarks: ArrayLike<number>
}

export interface LiveOptions {
  media_id?: string
  /** When the exercise began, in milliseconds since the session started. */
  from_ms?: number
}

export interface LiveState {
  repetitions: number
  repetitions_to_target: number
  /** Whether the count would be reported if the exercise ended now, and if not, why (see `ADVICE`). */
  measured: boolean
  reason: NotMeasured | null
  confidence: number
}

export interface LiveMeasurement {
  push(frame: LiveFrame): LiveState
  /** Time that is not part of the exercise, such as a rest between sets. A recording has no span for it. */
  leaveOut(milliseconds: number): void
  state(): LiveState
  /** `to_ms`: when the exercise ended; the time of the last frame when it is not given. */
  finish(to_ms?: number): ExerciseMetrics
}

const NOTHING: LiveState = {
  repetitions: 0,
  repetitions_to_target: 0,
  measured: false,
  reason: 'no_frames',
  confidence: 0,
}

export function startLive(config: PoseConfig, { media_id = '', from_ms = 0 }: LiveOptions = {}): LiveMeasurement {
  const exercise = followExercise(config)
  const picks = picksOf(config)
  let state = NOTHING
  let last_ms = Number.NEGATIVE_INFINITY
  let begins_ms = from_ms

  function read(): LiveState {
    const chosen = exercise.read((last_ms - begins_ms) / 1000)
    const movements = movementsOf(chosen)
    return {
      repetitions: movements.length,
      repetitions_to_target: movements.filter(({ peak_degrees }) => reaches(config, peak_degrees)).length,
      measured: chosen.reason === null,
      reason: chosen.reason,
      confidence: chosen.confidence,
    }
  }

  return {
    push({ time_ms, landmarks }) {
      const time = Math.round(time_ms)
      if (time < from_ms || slotOf(time) <= slotOf(last_ms)) return state
      const values = new Float32Array(KEPT_VALUES)
      for (let value = 0; value < KEPT_VALUES; value += 1)
        values[value] = landmarks[(picks[value >> 2] ?? 0) * VALUES_PER_LANDMARK + (value & 3)] ?? 0
      exercise.push(time / 1000, (time - begins_ms) / 1000, values)
      last_ms = time
      state = read()
      return state
    },
    leaveOut(milliseconds) {
      begins_ms += milliseconds
    },
    state: () => state,
    finish(to_ms = last_ms) {
      const metrics =
        exercise.frames() === 0
          ? notMeasured(media_id, 'no_frames')
          : metricsOf(media_id, config, exercise.read((to_ms - begins_ms) / 1000))
      const [one] = metrics.exercises
      if (!one) throw new Error('an exercise has one answer')
      return one
    },
  }
}
