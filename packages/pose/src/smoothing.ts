// Smoothing after the fact: each value becomes that of a parabola fitted to the frames up to 150 ms before and after. It does
// not lag, keeps the height of turning points (an average cuts them off), needs no even frame rate, reaches over no
// gap, and leaves 5 frames a second as they are, where each frame carries the movement.
import { at, median } from './numbers.ts'

const HALF_WINDOW_SECONDS = 0.15
/** Three points lie on their parabola: only more are smoothed. */
const SMOOTHED_FRAMES_MIN = 4

export interface Smoothed {
  values: Float64Array
  /** By how much the standard deviation of noise was lowered, at the middle frame: 1 is not at all. */
  gain: number
}

/** `values` has `width` numbers for each time. */
export function smooth(seconds: Float64Array, values: Float64Array, width: number): Smoothed {
  const smoothed = new Float64Array(values.length)
  const gains = new Float64Array(seconds.length)
  const sums = new Float64Array(width)
  let low = 0
  let high = 0
  for (let frame = 0; frame < seconds.length; frame += 1) {
    const now = at(seconds, frame)
    while (at(seconds, low) < now - HALF_WINDOW_SECONDS) low += 1
    while (high < seconds.length && at(seconds, high) <= now + HALF_WINDOW_SECONDS) high += 1
    const weight = high - low < SMOOTHED_FRAMES_MIN ? undefined : parabola(seconds, low, high, now)
    let squares = 0
    for (let other = low; other < high; other += 1) {
      const share = weight ? weight(at(seconds, other) - now) : Number(other === frame)
      squares += share * share
      for (let value = 0; value < width; value += 1)
        sums[value] = at(sums, value) + share * at(values, other * width + value)
    }
    smoothed.set(sums, frame * width)
    sums.fill(0)
    gains[frame] = Math.sqrt(squares)
  }
  return { values: smoothed, gain: median(gains) }
}

/** The height of a turning point: of the parabola through the frames up to `half` seconds from it. */
export function heightAt(seconds: Float64Array, values: Float64Array, frame: number, half: number): number {
  const now = at(seconds, frame)
  let [low, high] = [frame, frame + 1]
  while (low > 0 && at(seconds, low - 1) >= now - half) low -= 1
  while (high < seconds.length && at(seconds, high) <= now + half) high += 1
  if (high - low <= SMOOTHED_FRAMES_MIN) return vertex(seconds, values, frame)
  const weight = parabola(seconds, low, high, now)
  let height = 0
  for (let other = low; other < high; other += 1) height += weight(at(seconds, other) - now) * at(values, other)
  return height
}

/** With few frames it lies between them: three have their parabola. */
function vertex(seconds: Float64Array, values: Float64Array, frame: number): number {
  const value = at(values, frame)
  if (frame === 0 || frame === seconds.length - 1) return value
  const [before, after] = [at(seconds, frame - 1) - at(seconds, frame), at(seconds, frame + 1) - at(seconds, frame)]
  const [left, right] = [(at(values, frame - 1) - value) / before, (at(values, frame + 1) - value) / after]
  const curvature = (right - left) / (after - before)
  const slope = left - curvature * before
  const turns = left >= 0 !== right >= 0 && after - before <= VERTEX_SECONDS_MAX
  return turns && curvature !== 0 ? value - (slope * slope) / (4 * curvature) : value
}

const VERTEX_SECONDS_MAX = 1

/** The weight of a frame `u` seconds from now in the least-squares parabola's value at `now`. */
function parabola(seconds: Float64Array, low: number, high: number, now: number): (u: number) => number {
  let [s0, s1, s2, s3, s4] = [0, 0, 0, 0, 0]
  for (let frame = low; frame < high; frame += 1) {
    const u = at(seconds, frame) - now
    s0 += 1
    s1 += u
    s2 += u * u
    s3 += u * u * u
    s4 += u * u * u * u
  }
  const c0 = s2 * s4 - s3 * s3
  const c1 = s2 * s3 - s1 * s4
  const c2 = s1 * s3 - s2 * s2
  const determinant = s0 * c0 + s1 * c1 + s2 * c2
  return (u) => (c0 + c1 * u + c2 * u * u) / determinant
}
