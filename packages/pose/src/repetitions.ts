// Repetitions by hysteresis. Rest is two frames in a row beyond the lower threshold, the working end two beyond the upper;
// rest, working end, rest is a repetition, however the angle trembles between. "Upper" is in the direction of effort:
// for a squat the angle is taken negative. What is too short or too sudden for a body is a glitch: not counted, but
// remembered as doubt. A repetition is not followed across a gap.
import type { Curve } from './angles.ts'
import { at, mean } from './numbers.ts'
import { heightAt } from './smoothing.ts'

export interface Thresholds {
  up: number
  down: number
}

export interface Excursion {
  /** The last frame at rest before and the first at rest after. */
  from: number
  to: number
  peak: number
}

export interface Count {
  excursions: Excursion[]
  glitches: number
  /** Times that a gap came in the middle of a movement. */
  broken: number
  /** The first frames were at rest. */
  from_rest: boolean
  /** At the last frame a repetition was under way. */
  unfinished: boolean
}

const GAP_SECONDS = 1
const REPETITION_SECONDS_MIN = 0.4
const REPETITION_FRAMES_MIN = 3
/** Faster than any joint in an exercise. */
const DEGREES_PER_SECOND_MAX = 600
const JUMP_DEGREES_MIN = 15
const JUMP_DEVIATIONS = 6
const TURN_HALF_SECONDS = 0.25

export function count(curve: Curve, sign: number, { up, down }: Thresholds): Count {
  const { seconds, degrees } = curve
  const counted: Count = { excursions: [], glitches: 0, broken: 0, from_rest: false, unfinished: false }
  let rest: number | undefined
  let reached = false
  let resumed: number | undefined
  for (let frame = 1; frame < seconds.length; frame += 1) {
    if (at(seconds, frame) - at(seconds, frame - 1) > GAP_SECONDS) {
      if (rest !== frame - 1) counted.broken += 1
      rest = undefined
      reached = false
      resumed = frame
      continue
    }
    const nearer = Math.min(sign * at(degrees, frame), sign * at(degrees, frame - 1))
    const further = Math.max(sign * at(degrees, frame), sign * at(degrees, frame - 1))
    if (further <= down) {
      if (rest !== undefined && reached) {
        const excursion = { from: rest, to: frame - 1, peak: peakOf(curve, sign, rest, frame - 1) }
        if (isGlitch(curve, excursion)) counted.glitches += 1
        else counted.excursions.push(excursion)
      }
      rest = frame
      reached = false
    } else {
      if (nearer >= up && rest !== undefined) reached = true
      if (frame - 1 === resumed) counted.broken += 1
    }
    if (frame === 1) counted.from_rest = rest !== undefined
  }
  counted.unfinished = reached
  return counted
}

function peakOf({ degrees }: Curve, sign: number, from: number, to: number): number {
  let peak = from
  for (let frame = from; frame <= to; frame += 1) if (sign * at(degrees, frame) > sign * at(degrees, peak)) peak = frame
  return peak
}

function isGlitch(curve: Curve, { from, to }: Excursion): boolean {
  const { seconds } = curve
  if (to - from - 1 < REPETITION_FRAMES_MIN || at(seconds, to) - at(seconds, from) < REPETITION_SECONDS_MIN) return true
  for (let frame = from + 1; frame <= to; frame += 1) if (jumps(curve, frame)) return true
  return false
}

/** From the frame before to this one the angle changed faster than a body can. */
export function jumps({ seconds, raw, raw_noise }: Curve, frame: number): boolean {
  const possible = DEGREES_PER_SECOND_MAX * (at(seconds, frame) - at(seconds, frame - 1))
  return (
    Math.abs(at(raw, frame) - at(raw, frame - 1)) > Math.max(possible, JUMP_DEGREES_MIN, JUMP_DEVIATIONS * raw_noise)
  )
}

export interface Movement {
  start_seconds: number
  peak_seconds: number
  end_seconds: number
  peak_degrees: number
  range_degrees: number
  /** How long the angle stayed beyond the upper threshold, and before it beyond the lower one (since the last movement). */
  up_seconds: number
  rest_seconds: number | undefined
}

/**
 * Range is from the rest before and after to the peak. Start and end are where the movement leaves and reaches rest: a
 * movement speeds up and slows down like a cosine, so its foot is found from where it passes 10 % and 50 % of the range;
 * thresholds would say when it was noticed, not when it began.
 */
export function describe(
  curve: Curve,
  sign: number,
  { up, down }: Thresholds,
  excursions: readonly Excursion[],
): Movement[] {
  const { seconds } = curve
  return excursions.map(({ from, to, peak }, index) => {
    const half = (at(seconds, to) - at(seconds, from)) / 2
    const before = lowest(curve, sign, from, -1, at(seconds, from) - half, excursions[index - 1]?.peak ?? 0)
    const after = lowest(curve, sign, to, 1, at(seconds, to) + half, excursions[index + 1]?.peak ?? seconds.length - 1)
    const top = sign * heightAt(seconds, curve.degrees, peak, TURN_HALF_SECONDS)
    const foot = (rest: number, step: 1 | -1) => {
      const passes = (share: number) => crossing(curve, sign, peak, step, rest + share * (top - rest))
      return passes(0.1) + (passes(0.1) - passes(0.5)) * COSINE_FOOT
    }
    const previous = excursions[index - 1]
    const rested = previous && crossing(curve, sign, peak, -1, down) - crossing(curve, sign, previous.peak, 1, down)
    return {
      start_seconds: Math.max(foot(before.value, -1), at(seconds, before.frame)),
      peak_seconds: at(seconds, peak),
      end_seconds: Math.min(foot(after.value, 1), at(seconds, after.frame)),
      peak_degrees: sign * top,
      range_degrees: top - mean([before.value, after.value]),
      up_seconds: crossing(curve, sign, peak, 1, up) - crossing(curve, sign, peak, -1, up),
      rest_seconds: rested,
    }
  })
}

/** (1 − cos πt) ÷ 2 passes 10 % at t = 0.2048 and 50 % at 0.5: from there the foot lies this share further. */
const COSINE_FOOT = 0.2048 / (0.5 - 0.2048)

/** The point of deepest rest from `frame` on, not beyond `limit`. */
function lowest(curve: Curve, sign: number, frame: number, step: 1 | -1, limit: number, last: number) {
  let deepest = frame
  for (let other = frame; (last - other) * step >= 0; other += step) {
    if ((at(curve.seconds, other) - limit) * step > 0) break
    if (sign * at(curve.degrees, other) < sign * at(curve.degrees, deepest)) deepest = other
  }
  return { frame: deepest, value: sign * heightAt(curve.seconds, curve.degrees, deepest, TURN_HALF_SECONDS) }
}

/** When the angle, from a frame above `level` on, falls below it. */
function crossing({ seconds, degrees }: Curve, sign: number, frame: number, step: 1 | -1, level: number): number {
  let here = frame
  while (sign * at(degrees, here + step) >= level) here += step
  const next = here + step
  if (next < 0 || next >= seconds.length) return at(seconds, here)
  const [value, below] = [sign * at(degrees, here), sign * at(degrees, next)]
  return at(seconds, here) + ((at(seconds, next) - at(seconds, here)) * (value - level)) / (value - below)
}
