// A camera that films a movement (motion.ts) well or badly, and sends it as a client does. The same random numbers give the
// same film.
import { bender, OPPOSITES, put, standing } from './body.ts'
import { type PoseBatch, VALUES_PER_FRAME, VALUES_PER_LANDMARK } from './codec.ts'
import { angleOn, LANDMARKS, type LandmarkName } from './landmarks.ts'
import { degreesAt, type Performed, type TrueRepetition } from './motion.ts'
import { RADIAN_DEGREES } from './numbers.ts'

export interface Camera {
  frames_per_second: number
  /** By how much of the time between frames each comes too early or late; under 0.5 they keep their order. */
  jitter: number
  /**
   * How the model bends angles towards the middle: degrees that a straight joint (180) is seen too small, and that a bent one
   * (40) is seen too large. Of people on film: 5 to 30 for a standing knee, 10 to 40 for a full curl.
   */
  bias: { straight: number; bent: number }
  /** Depth is seen this many times as large: 0 is flat. `depth_drift`: by how much of itself it changes, in 9 s there and back. */
  depth_scale: number
  depth_drift: number
  /** How long noise lasts: models smooth over time, so their errors are those of the frame before. 0: each has its own. */
  noise_seconds: number
  /** Films only this part of the movement; its times begin with it. */
  window: { from_seconds: number; to_seconds: number } | null
  /** The film is cut: it goes on with a later part of the movement. */
  cuts: { at_seconds: number; skip_seconds: number }[]
  /** While it follows another person, who stands there. */
  others: { from_seconds: number; seconds: number }[]
  /** Standard deviation of each coordinate in body heights (0.006 is a centimetre); depth has `depth_noise` times it. */
  noise: number
  depth_noise: number
  /** Share of frames that are lost. */
  lost: number
  /** Share of single frames in which the moving point is detected elsewhere. */
  wild: number
  /** While it takes left for right. */
  swaps: { from_seconds: number; seconds: number }[]
  gaps: { from_seconds: number; seconds: number }[]
  /** The picture: as it is; mirrored after the body was found; mirrored before, which also swaps left and right. */
  mirrored: 'no' | 'after' | 'before'
  /** 0 is face to face. */
  turned_degrees: number
  visibility: number
  /** Points that the camera does not see: visibility 0.1. */
  hidden: LandmarkName[]
  /** When the exercise begins, since the session started. */
  starts_ms: number
}

export const STEADY_CAMERA: Camera = {
  frames_per_second: 30,
  jitter: 0,
  bias: { straight: 0, bent: 0 },
  depth_scale: 1,
  depth_drift: 0,
  noise_seconds: 0,
  window: null,
  cuts: [],
  others: [],
  noise: 0,
  depth_noise: 1,
  lost: 0,
  wild: 0,
  swaps: [],
  gaps: [],
  mirrored: 'no',
  turned_degrees: 0,
  visibility: 0.98,
  hidden: [],
  starts_ms: 0,
}

/** Batches of about a second, as a client sends them. */
export function* film(performed: Performed, camera: Camera, random: () => number): Generator<PoseBatch> {
  const { frames_per_second, jitter, starts_ms } = camera
  const picture = pictures(performed, camera, random)
  const last = Math.floor(filmedSeconds(performed, camera) * frames_per_second)
  let batch: { time: number; values: Float32Array }[] = []
  let sinceWild = WILD_FRAMES_APART
  for (let frame = 0; frame <= last; frame += 1) {
    const seconds = Math.max(0, (frame + jitter * (random() * 2 - 1)) / frames_per_second)
    sinceWild = random() < camera.wild && sinceWild >= WILD_FRAMES_APART ? 0 : sinceWild + 1
    const values = picture(seconds, sinceWild === 0)
    const lost = random() < camera.lost || isDuring(camera.gaps, seconds)
    if (!lost) batch.push({ time: Math.round(starts_ms + seconds * 1000), values })
    if (batch.length > 0 && (batch.length >= frames_per_second || frame === last)) {
      yield batchOf(batch, frames_per_second)
      batch = []
    }
  }
}

const skipped = ({ cuts }: Camera): number => cuts.reduce((sum, { skip_seconds }) => sum + skip_seconds, 0)

/** How long the film is. */
export function filmedSeconds({ seconds }: Performed, camera: Camera): number {
  const { from_seconds, to_seconds } = camera.window ?? { from_seconds: 0, to_seconds: seconds }
  return Math.min(to_seconds, seconds) - from_seconds - skipped(camera)
}

/** Which time of the movement the film shows. */
const performedSeconds = ({ window, cuts }: Camera, seconds: number): number =>
  cuts.reduce(
    (sum, { at_seconds, skip_seconds }) => sum + (seconds >= at_seconds ? skip_seconds : 0),
    seconds + (window?.from_seconds ?? 0),
  )

/** The repetitions that the film shows whole. */
export function filmedRepetitions(performed: Performed, camera: Camera): TrueRepetition[] {
  const from = camera.window?.from_seconds ?? 0
  const to = Math.min(camera.window?.to_seconds ?? performed.seconds, performed.seconds)
  const shown = camera.cuts.map(({ at_seconds }) => performedSeconds({ ...camera, cuts: [] }, at_seconds))
  return performed.repetitions.filter(
    ({ start_seconds, end_seconds }) =>
      start_seconds >= from &&
      end_seconds <= to &&
      !shown.some((at, index) => at < end_seconds && at + (camera.cuts[index]?.skip_seconds ?? 0) > start_seconds),
  )
}

const WILD_FRAMES_APART = 5

const isDuring = (stretches: Camera['gaps'], now: number): boolean =>
  stretches.some(({ from_seconds, seconds }) => now >= from_seconds && now < from_seconds + seconds)

function batchOf(frames: { time: number; values: Float32Array }[], per: number): PoseBatch {
  const landmarks = new Float32Array(frames.length * VALUES_PER_FRAME)
  frames.forEach(({ values }, index) => landmarks.set(values, index * VALUES_PER_FRAME))
  return { fpsHint: Math.round(per), landmarks, timestamps: Uint32Array.from(frames, ({ time }) => time) }
}

type Picture = (seconds: number, wild: boolean) => Float32Array

function pictures(performed: Performed, camera: Camera, random: () => number): Picture {
  const { angle, plane } = performed.exercise
  const limbs = (['left', 'right'] as const).map((side) => {
    const arms = angleOn(side, angle)
    return { side, moving: arms[2], bend: bender(arms, plane, side) }
  })
  const [sin, cos] = [
    Math.sin(camera.turned_degrees / RADIAN_DEGREES),
    Math.cos(camera.turned_degrees / RADIAN_DEGREES),
  ]
  const direction = camera.mirrored === 'no' ? 1 : -1
  const visibility = LANDMARKS.map((name) => (camera.hidden.includes(name) ? 0.1 : camera.visibility))
  const noise = createNoise(camera, random)

  return (seconds, wild) => {
    const body = standing()
    const isOther = isDuring(camera.others, seconds)
    noise.next(seconds)
    for (const { side, moving, bend } of limbs) {
      const degrees = degreesAt(performed, side, performedSeconds(camera, seconds))
      bend(body, seenAs(camera, isOther ? performed.exercise.rest_degrees : degrees))
      if (wild) put(body, moving, [random() - 0.5, random(), 0])
    }
    const swapped = (camera.mirrored === 'before') !== isDuring(camera.swaps, seconds)
    const deep = camera.depth_scale * (1 + camera.depth_drift * Math.sin((2 * Math.PI * seconds) / DRIFT_SECONDS))
    const size = isOther ? 0.7 : 0.8
    const values = new Float32Array(VALUES_PER_FRAME)
    for (let landmark = 0; landmark < LANDMARKS.length; landmark += 1) {
      const [x, y, z] = [body[landmark * 3] ?? 0, body[landmark * 3 + 1] ?? 0, body[landmark * 3 + 2] ?? 0]
      const place = (swapped ? (OPPOSITES[landmark] ?? 0) : landmark) * VALUES_PER_LANDMARK
      values[place] = 0.5 + size * (direction * (x * cos - z * sin) + noise.at(landmark * 3))
      values[place + 1] = 0.1 + size * (y + noise.at(landmark * 3 + 1))
      values[place + 2] = size * (deep * (x * sin + z * cos) + camera.depth_noise * noise.at(landmark * 3 + 2))
      values[place + 3] = visibility[landmark] ?? 0
    }
    return values
  }
}

const DRIFT_SECONDS = 9
/** Angles between which the bias grows, in degrees. */
const [BENT, STRAIGHT] = [40, 180]

function seenAs({ bias }: Camera, degrees: number): number {
  const share = (degrees - BENT) / (STRAIGHT - BENT)
  return degrees - bias.straight * Math.max(0, share) + bias.bent * Math.max(0, 1 - share)
}

/** One number for each coordinate, which lasts for `noise_seconds`. */
function createNoise({ noise, noise_seconds }: Camera, random: () => number) {
  const values = new Float64Array(LANDMARKS.length * 3)
  let before: number | undefined
  return {
    next(seconds: number): void {
      if (noise === 0) return
      const kept = before === undefined || noise_seconds === 0 ? 0 : Math.exp(-(seconds - before) / noise_seconds)
      const fresh = noise * Math.sqrt(Math.max(0, 1 - kept * kept))
      for (let place = 0; place < values.length; place += 1)
        values[place] = kept * (values[place] ?? 0) + fresh * gaussian(random)
      before = seconds
    },
    at: (place: number): number => values[place] ?? 0,
  }
}

/** Box and Muller's. */
const gaussian = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
