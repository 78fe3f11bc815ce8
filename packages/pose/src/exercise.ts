// One exercise as its frames come in: both sides are followed, and at any time the measurement so far can be read. Reading
// after every frame and reading once at the end give the same answer.
import { confidenceIn, unseenSeconds } from './confidence.ts'
import type { PoseConfig } from './config.ts'
import { holdsOf } from './holds.ts'
import type { Side } from './landmarks.ts'
import { createDescriber, type Describer, type Movement } from './levels.ts'
import { count } from './repetitions.ts'
import { type Chosen, choose, type SideMeasurement } from './sides.ts'
import { createSight, type GrowingSight } from './sight.ts'
import { watchSwaps } from './swaps.ts'

interface GrowingExercise {
  /** `values`: x, y, z and visibility of the angle's points on the left, then on the right. In the order of time. */
  push(seconds: number, own_seconds: number, values: Float32Array): void
  frames(): number
  /** `total_seconds`: the time of the exercise. */
  read(total_seconds: number): Chosen
}

const REPETITION_SECONDS_MIN = 0.4
const REPETITION_FRAMES_MIN = 3

export function followExercise(config: PoseConfig): GrowingExercise {
  const sign = config.thresholds.up_degrees > config.thresholds.down_degrees ? 1 : -1
  const follow = (side: Side): Followed => ({
    side,
    sight: createSight(side, sign, config.min_visibility),
    inSpace: createDescriber(sign),
    inPicture: createDescriber(sign),
  })
  const [left, right] = [follow('left'), follow('right')]
  const swaps = watchSwaps(config.min_visibility)
  let frames = 0
  return {
    push(seconds, own_seconds, values) {
      frames += 1
      left.sight.push(seconds, own_seconds, values)
      right.sight.push(seconds, own_seconds, values)
      swaps.see(seconds, values)
    },
    frames: () => frames,
    read(total_seconds) {
      const watched = { config, sign, total_seconds, swaps: swaps.count() }
      return choose(config.side, measureSide(left, watched), measureSide(right, watched))
    },
  }
}

interface Followed {
  side: Side
  sight: GrowingSight
  inSpace: Describer
  inPicture: Describer
}

interface Watched {
  config: PoseConfig
  sign: number
  total_seconds: number
  swaps: number
}

function measureSide({ side, sight: growing, inSpace, inPicture }: Followed, watched: Watched): SideMeasurement {
  const { config, sign, total_seconds, swaps } = watched
  const { up_degrees, down_degrees } = config.thresholds
  const sight = growing.read()
  const thresholds = { up: sign * up_degrees, down: sign * down_degrees }
  const counted = count(sight.curve, thresholds)
  const describe = sight.in_picture ? inPicture : inSpace
  const all = describe(sight.curve, counted.excursions)
  const movements = all.filter(isPossible)
  const confidence = confidenceIn({
    sight,
    thresholds,
    sign,
    total_seconds,
    swaps,
    counted,
    movements,
    glitches: all.length - movements.length,
  })
  return {
    side,
    ...confidence,
    seen: sight.good * sight.visibility,
    noise: sight.curve.noise,
    unseen_seconds: unseenSeconds(sight.curve, total_seconds),
    movements,
    holds: () => holdsOf(sight.curve, config),
  }
}

/** What is too short for a body is a glitch: not counted, but a reason to doubt. */
const isPossible = ({ start_seconds, end_seconds, frames }: Movement): boolean =>
  frames >= REPETITION_FRAMES_MIN && end_seconds - start_seconds >= REPETITION_SECONDS_MIN
