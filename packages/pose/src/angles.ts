// Joint angles. The angle is taken in space, unsigned: turning the patient, mirroring the image, moving nearer or further
// does not change it. In the plane of the image a patient who stands obliquely would show too small an angle, quietly and
// every time; in space the uncertain depth shows itself as noise, which is measured and lowers the confidence. A client
// whose depth is zero throughout gets angles in the plane. The three coordinates must have one unit: metres, or
// image coordinates of which x and z are multiplied by width ÷ height.
//
// The directions of the two arms are smoothed rather than the angle: the angle of noisy arms is too small near a straight
// limb, also on average.
import { KEPT_VALUES } from './frames.ts'
import type { Side } from './landmarks.ts'
import { at, RADIAN_DEGREES } from './numbers.ts'
import { smooth } from './smoothing.ts'
import { noiseOf, pick, surprises, withoutWild } from './wild-frames.ts'

/** What the camera saw of one side: frames in which all three points were visible enough. */
export interface Sight {
  seconds: number[]
  /** The same, counting only the time of this exercise. */
  own_seconds: number[]
  /** Six for each frame: the directions of the two arms, of length one radian in degrees. */
  directions: number[]
  /** All frames, also those without sight. */
  frames: number
  /** Sum over all frames of the visibility of the least visible point, zero where it is below the minimum. */
  visibility: number
}

export interface Curve {
  seconds: Float64Array
  own_seconds: Float64Array
  /** Smoothed. */
  degrees: Float64Array
  /** As seen, without wild frames. */
  raw: Float64Array
  /** Standard deviation of the noise, in degrees: as seen and after smoothing. */
  raw_noise: number
  noise: number
  /** Share of frames that fit no movement and were left out. */
  wild: number
}

export const emptySight = (): Sight => ({ seconds: [], own_seconds: [], directions: [], frames: 0, visibility: 0 })

/** `values`: x, y, z and visibility of three points on either side. */
export function see(sight: Sight, seconds: number, own: number, values: Float32Array, side: Side, min: number): void {
  const first = side === 'left' ? 0 : KEPT_VALUES / 2
  const value = (place: number) => values[first + place] ?? 0
  const visibility = Math.min(value(3), value(7), value(11), 1)
  sight.frames += 1
  if (visibility < min) return
  sight.visibility += visibility
  sight.seconds.push(seconds)
  sight.own_seconds.push(own)
  for (const arm of [0, 8]) {
    const [x, y, z] = [value(arm) - value(4), value(arm + 1) - value(5), value(arm + 2) - value(6)]
    // Two points in one place have no direction: NaN, and the frame is left out as one that nothing confirms.
    const scale = RADIAN_DEGREES / Math.sqrt(x * x + y * y + z * z)
    sight.directions.push(x * scale, y * scale, z * scale)
  }
}

export function anglesOf(directions: Float64Array): Float64Array {
  const degrees = new Float64Array(directions.length / 6)
  for (let frame = 0; frame < degrees.length; frame += 1) {
    const value = (place: number) => at(directions, frame * 6 + place)
    const [ux, uy, uz, vx, vy, vz] = [value(0), value(1), value(2), value(3), value(4), value(5)]
    const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx]
    degrees[frame] = Math.atan2(Math.sqrt(x * x + y * y + z * z), ux * vx + uy * vy + uz * vz) * RADIAN_DEGREES
  }
  return degrees
}

export function curveOf(sight: Sight): Curve {
  const [times, directions] = [Float64Array.from(sight.seconds), Float64Array.from(sight.directions)]
  const { kept, wild } = withoutWild(times, directions, 6)
  const [seconds, seen] = [pick(times, kept, 1), pick(directions, kept, 6)]
  const raw = anglesOf(seen)
  const smoothed = smooth(seconds, seen, 6)
  // The fewer frames, the less is known of their noise.
  const raw_noise = noiseOf(surprises(seconds, raw, 1).off) * (1 + 3 / Math.sqrt(Math.max(1, kept.length)))
  return {
    seconds,
    own_seconds: pick(Float64Array.from(sight.own_seconds), kept, 1),
    degrees: anglesOf(smoothed.values),
    raw,
    raw_noise,
    noise: raw_noise * smoothed.gain,
    wild,
  }
}
