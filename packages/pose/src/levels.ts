// Repetitions described: when each began and ended, how far it went. An extreme of a noisy curve is too far out at both ends,
// so levels come from all frames of a rest or a working end: the mean direction of the limbs where they stay, else the
// vertex of a parabola through the turn.
//
// A movement speeds up and slows down like a cosine: it passes 25 % of its way a third of its time after it began, and 75 %
// after two thirds. So its beginning and end are found from where it passes both.
import type { Curve } from './curve.ts'
import { angleAt, weighted } from './directions.ts'
import { mean, median, within } from './numbers.ts'
import { parabolaWeights } from './parabola.ts'
import type { Excursion } from './repetitions.ts'

export interface Movement {
  start_seconds: number
  peak_seconds: number
  end_seconds: number
  /** Frames of it. */
  frames: number
  peak_degrees: number
  range_degrees: number
  /** How long the angle stayed above half of the way, and below it since the movement before. */
  up_seconds: number
  rest_seconds: number | undefined
}

/** Of a place where the limb stays only what is near its furthest point: people settle slowly. */
const NEAR_SHARE = 0.06
const NEAR_DEVIATIONS = 3
/** The median difference of two noisy numbers is 0.954 standard deviations of one. */
const STEP_TO_DEVIATION = 1.05
const STAY_SECONDS_MIN = 0.25
const STAY_FRAMES_MIN = 4
/** Of a rest only what is near the movement. */
const REST_SECONDS_MAX = 2
/** The middle part of a turn looks like a parabola. */
const TURN_SHARE = 0.6
/** Of a slow turn the middle only, but enough frames against noise. */
const TURN_HALF_SECONDS = 0.4
const TURN_HALF_FRAMES = 6
const TURN_FRAMES_MIN = 4
const VERTEX_SECONDS_MAX = 1

interface Way {
  begins: number
  passes: number
  ends: number
}

/** From rest to the working end or back, in the order of time. */
interface Ways {
  there: Way
  back: Way
}

export type Describer = (curve: Curve, excursions: readonly Excursion[]) => Movement[]

/** Movements that lie back are described once: nothing changes in them while the curve grows. */
export function createDescriber(sign: number): Describer {
  const known = new Map<number, { key: string; movement: Movement }>()
  return (curve, excursions) => {
    const ways = excursions.map((): Ways | undefined => undefined)
    const waysAt = (index: number): Ways | undefined => {
      const one = excursions[index]
      if (!one) return undefined
      const signed = (frame: number) => sign * (curve.degrees[frame] ?? 0)
      ways[index] ??= waysOf(curve, sign, one, [signed(one.from), signed(one.peak), signed(one.to)])
      return ways[index]
    }
    const movements = excursions.map((one, index): Movement => {
      const key = [-1, 0, 1].map((step) => keyOf(excursions[index + step])).join()
      const held = known.get(one.peak)
      if (held?.key === key) return { ...held.movement }
      const movement = describe(curve, sign, excursions, index, waysAt)
      const next = excursions[index + 1]
      const isFirm = next !== undefined && next.to < curve.firm
      if (isFirm && movement.end_seconds < (curve.seconds[curve.firm - 1] ?? 0))
        known.set(one.peak, { key, movement: { ...movement } })
      return movement
    })
    // Without a pause one ends where the next begins.
    for (const [index, movement] of movements.entries()) {
      const next = movements[index + 1]
      if (!next || next.start_seconds >= movement.end_seconds) continue
      movement.end_seconds = (next.start_seconds + movement.end_seconds) / 2
      next.start_seconds = movement.end_seconds
    }
    return movements
  }
}

const keyOf = (one: Excursion | undefined): string => (one ? `${one.from}-${one.peak}-${one.to}` : '')

function describe(
  curve: Curve,
  sign: number,
  excursions: readonly Excursion[],
  index: number,
  waysAt: (index: number) => Ways | undefined,
): Movement {
  const [one, here] = [excursions[index], waysAt(index)]
  if (!one || !here) throw new Error('there is no such excursion')
  const neighbour = (step: 1 | -1) =>
    excursions[index + step]?.segment.from === one.segment.from ? waysAt(index + step) : undefined
  const [before, after] = [neighbour(-1)?.back, neighbour(1)?.there]
  const [begin, end] = [curve.seconds[one.segment.from] ?? 0, curve.seconds[one.segment.to - 1] ?? 0]
  const at = (frame: number) => curve.degrees[frame] ?? 0
  const range = Math.abs(at(one.peak) - (at(one.from) + at(one.to)) / 2)
  const levels = [
    restLevel(curve, sign, one.from, range, [before ?? { begins: begin, ends: begin, passes: begin }, here.there], -1),
    sign * levelBetween(curve, sign, one.peak, range, [here.there, here.back]),
    restLevel(curve, sign, one.to, range, [here.back, after ?? { begins: end, ends: end, passes: end }], 1),
  ] as const
  const { there, back } = waysOf(curve, sign, one, levels)
  return {
    start_seconds: Math.max(there.begins, begin),
    peak_seconds: (there.passes + back.passes) / 2,
    end_seconds: Math.min(back.ends, end),
    frames: one.to - one.from - 1,
    peak_degrees: sign * levels[1],
    range_degrees: levels[1] - mean([levels[0], levels[2]]),
    up_seconds: back.passes - there.passes,
    rest_seconds: before ? there.passes - before.passes : undefined,
  }
}

function waysOf(
  curve: Curve,
  sign: number,
  { from, peak, to }: Excursion,
  [before, top, after]: readonly [number, number, number],
): Ways {
  const way = (step: 1 | -1, rest: number): [number, number, number] => {
    const last = step === -1 ? from : to
    const passes = (share: number) => crossing(curve, sign, [peak, last], rest + share * (top - rest))
    return [passes(0.25), passes(0.5), passes(0.75)]
  }
  const [low, half, high] = way(-1, before)
  const [lowAfter, halfAfter, highAfter] = way(1, after)
  return {
    there: { begins: low - (high - low), passes: half, ends: high + (high - low) },
    back: { begins: highAfter - (lowAfter - highAfter), passes: halfAfter, ends: lowAfter + (lowAfter - highAfter) },
  }
}

/** When the angle, on its way from a peak to a rest, falls below `level`; the time of the rest if it never does. */
function crossing({ seconds, degrees }: Curve, sign: number, [peak, rest]: [number, number], level: number): number {
  const step = rest < peak ? -1 : 1
  let here = peak
  while (here !== rest && sign * (degrees[here + step] ?? 0) >= level) here += step
  const [now, next] = [seconds[here] ?? 0, seconds[here + step]]
  if (here === rest || next === undefined) return now
  const [value, below] = [sign * (degrees[here] ?? 0), sign * (degrees[here + step] ?? 0)]
  return value > below ? now + ((next - now) * Math.max(0, value - level)) / (value - below) : now
}

function restLevel(
  curve: Curve,
  sign: number,
  frame: number,
  range: number,
  [before, after]: [Way, Way],
  near: 1 | -1,
): number {
  const limited: [Way, Way] =
    near === -1
      ? [{ ...before, ends: Math.max(before.ends, after.begins - REST_SECONDS_MAX) }, after]
      : [before, { ...after, begins: Math.min(after.begins, before.ends + REST_SECONDS_MAX) }]
  return sign * levelBetween(curve, -sign, frame, range, limited)
}

/** The angle, in degrees, where the movement turns between two ways. */
function levelBetween(curve: Curve, sign: number, frame: number, range: number, [before, after]: [Way, Way]): number {
  const { seconds, degrees, directions } = curve
  const stay = framesBetween(seconds, frame, before.ends, after.begins)
  if (after.begins - before.ends >= STAY_SECONDS_MIN && stay.high - stay.low >= STAY_FRAMES_MIN) {
    let furthest = Number.NEGATIVE_INFINITY
    for (let other = stay.low; other < stay.high; other += 1)
      furthest = Math.max(furthest, sign * (degrees[other] ?? 0))
    const near = furthest - Math.max(NEAR_SHARE * range, NEAR_DEVIATIONS * noiseIn(curve, stay))
    const isNear = (other: number) => sign * (degrees[other] ?? 0) >= near
    return angleAt(
      weighted(directions, stay.low, stay.high, (other) => (isNear(other) ? 1 : 0)),
      0,
    )
  }
  const wide = ((after.passes - before.passes) * TURN_SHARE) / 2
  const step = ((seconds[frame + 1] ?? 0) - (seconds[frame - 1] ?? 0)) / 2
  const half = Math.min(wide, Math.max(TURN_HALF_SECONDS, TURN_HALF_FRAMES * step))
  const centre = (before.passes + after.passes) / 2
  // A slow way with a quick turn at its end: the turn is where the curve is furthest.
  const middle = within(centre - (wide - half), seconds[frame] ?? centre, centre + (wide - half))
  const turn = framesBetween(seconds, frame, middle - half, middle + half)
  if (turn.high - turn.low < TURN_FRAMES_MIN) return vertex(seconds, degrees, frame)
  const at = (now: number) => {
    const weight = parabolaWeights(seconds, turn.low, turn.high, now)
    return angleAt(
      weighted(directions, turn.low, turn.high, (other) => weight((seconds[other] ?? 0) - now)),
      0,
    )
  }
  const levels = [-0.25, 0, 0.25].map((share) => sign * at(middle + share * half))
  return sign * Math.max(...levels)
}

/** Standard deviation of the noise where the limb stays, from one frame to the next. */
function noiseIn({ raw }: Curve, { low, high }: { low: number; high: number }): number {
  const steps: number[] = []
  for (let frame = low + 1; frame < high; frame += 1) steps.push(Math.abs((raw[frame] ?? 0) - (raw[frame - 1] ?? 0)))
  return STEP_TO_DEVIATION * median(steps)
}

function framesBetween(seconds: readonly number[], frame: number, from: number, to: number) {
  let [low, high] = [frame, frame]
  while (low > 0 && (seconds[low - 1] ?? 0) >= from) low -= 1
  while (high < seconds.length && (seconds[high] ?? 0) <= to) high += 1
  while (low < high && (seconds[low] ?? 0) < from) low += 1
  while (high > low && (seconds[high - 1] ?? 0) > to) high -= 1
  return { low, high }
}

/** With few frames the turn lies between them: three have their parabola. */
function vertex(seconds: readonly number[], degrees: readonly number[], frame: number): number {
  const [value, left, right] = [degrees[frame] ?? 0, degrees[frame - 1], degrees[frame + 1]]
  if (left === undefined || right === undefined) return value
  const now = seconds[frame] ?? 0
  const [before, after] = [(seconds[frame - 1] ?? 0) - now, (seconds[frame + 1] ?? 0) - now]
  const [fall, rise] = [(left - value) / before, (right - value) / after]
  const curvature = (rise - fall) / (after - before)
  const slope = fall - curvature * before
  const turns = fall >= 0 !== rise >= 0 && after - before <= VERTEX_SECONDS_MAX
  return turns && curvature !== 0 ? value - (slope * slope) / (4 * curvature) : value
}
