// A camera that films a movement (motion.ts) well or badly, and sends it as a client does. The same random numbers give the
// same film.
import { bender, OPPOSITES, put, standing } from './body.ts'
import { type PoseBatch, VALUES_PER_FRAME, VALUES_PER_LANDMARK } from './codec.ts'
import { angleOn, LANDMARKS, type LandmarkName } from './landmarks.ts'
import { degreesAt, type Performed } from './motion.ts'
import { RADIAN_DEGREES } from './numbers.ts'

export interface Camera {
  frames_per_second: number
  /** By how much of the time between frames each comes too early or late; under 0.5 they keep their order. */
  jitter: number
  /** Standard deviation of each coordinate in body heights (0.006 is a centimetre); depth has `depth_noise` times it. */
  noise: number
  depth_noise: number
  /** Share of frames that are lost. */
  lost: number
  /** Share of frames, each by itself, that see the moving point somewhere else. */
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
  const last = Math.floor(performed.seconds * frames_per_second)
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
  const noise = () => (camera.noise === 0 ? 0 : camera.noise * gaussian(random))
  const visibility = LANDMARKS.map((name) => (camera.hidden.includes(name) ? 0.1 : camera.visibility))

  return (seconds, wild) => {
    const body = standing()
    for (const { side, moving, bend } of limbs) {
      bend(body, degreesAt(performed, side, seconds))
      if (wild) put(body, moving, [random() - 0.5, random(), 0])
    }
    const swapped = (camera.mirrored === 'before') !== isDuring(camera.swaps, seconds)
    const values = new Float32Array(VALUES_PER_FRAME)
    for (let landmark = 0; landmark < LANDMARKS.length; landmark += 1) {
      const [x, y, z] = [body[landmark * 3] ?? 0, body[landmark * 3 + 1] ?? 0, body[landmark * 3 + 2] ?? 0]
      const place = (swapped ? (OPPOSITES[landmark] ?? 0) : landmark) * VALUES_PER_LANDMARK
      values[place] = 0.5 + 0.8 * (direction * (x * cos - z * sin) + noise())
      values[place + 1] = 0.1 + 0.8 * (y + noise())
      values[place + 2] = 0.8 * (x * sin + z * cos + camera.depth_noise * noise())
      values[place + 3] = visibility[landmark] ?? 0
    }
    return values
  }
}

/** Box and Muller's. */
const gaussian = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
