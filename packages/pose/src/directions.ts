// A joint angle is that between the directions of two limbs. Directions are kept, six numbers for a frame, rather than angles:
// the angle of noisy directions is too small near a straight limb, also on average, so directions are smoothed and averaged.
import { RADIAN_DEGREES } from './numbers.ts'

export const WIDTH = 6

/** The unsigned angle between the two directions at `place`: turning, mirroring or scaling the body does not change it. */
export function angleAt(directions: ArrayLike<number>, place: number): number {
  const [ux, uy, uz] = [directions[place] ?? 0, directions[place + 1] ?? 0, directions[place + 2] ?? 0]
  const [vx, vy, vz] = [directions[place + 3] ?? 0, directions[place + 4] ?? 0, directions[place + 5] ?? 0]
  const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx]
  return Math.atan2(Math.sqrt(x * x + y * y + z * z), ux * vx + uy * vy + uz * vz) * RADIAN_DEGREES
}

/** The weighted sum of the directions from frame `low` to `high`. */
export function weighted(
  directions: ArrayLike<number>,
  low: number,
  high: number,
  weight: (frame: number) => number,
): Float64Array {
  const sums = new Float64Array(WIDTH)
  for (let frame = low; frame < high; frame += 1) {
    const share = weight(frame)
    for (let value = 0; value < WIDTH; value += 1)
      sums[value] = (sums[value] ?? 0) + share * (directions[frame * WIDTH + value] ?? 0)
  }
  return sums
}
