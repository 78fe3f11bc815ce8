// Holds: stretches of time within the target (between its two angles, or beyond the upper threshold when there is none).
// A hold goes on until the angle is `hysteresis_degrees` outside, so that a tremble at the edge does not cut it in pieces.

import type { PoseConfig } from './config.ts'
import type { Curve } from './curve.ts'
import { countUpTo } from './numbers.ts'

export type Stretch = [from_seconds: number, to_seconds: number]

/** A hold is not assumed to have gone on while nothing was seen. */
const UNSEEN_SECONDS_MAX = 0.5

export function holdsOf({ seconds, degrees }: Curve, { thresholds, target_range_degrees }: PoseConfig): Stretch[] {
  const { up_degrees, down_degrees, hysteresis_degrees } = thresholds
  const beyond = up_degrees > down_degrees ? { min: up_degrees, max: 180 } : { min: 0, max: up_degrees }
  const { min, max } = target_range_degrees ?? beyond
  const outside = (frame: number) => Math.max(min - (degrees[frame] ?? 0), (degrees[frame] ?? 0) - max)
  const holds: Stretch[] = []
  let open = false
  for (let frame = 1; frame < seconds.length; frame += 1) {
    const [before, now] = [seconds[frame - 1] ?? 0, seconds[frame] ?? 0]
    const [outBefore, out] = [outside(frame - 1), outside(frame)]
    const edge = before + ((now - before) * outBefore) / (outBefore - out)
    const last = holds.at(-1)
    if (now - before > UNSEEN_SECONDS_MAX) open = false
    else if (out <= 0) {
      if (open && last) last[1] = now
      else holds.push([outBefore <= 0 ? before : edge, now])
      open = true
    } else if (outBefore <= 0 && open && last) last[1] = edge
    if (out > hysteresis_degrees) open = false
  }
  return holds
}

/** Either side holding is holding. */
export function union(stretches: readonly Stretch[]): Stretch[] {
  const joined: Stretch[] = []
  for (const [from, to] of [...stretches].sort((a, b) => a[0] - b[0])) {
    const last = joined.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else joined.push([from, to])
  }
  return joined
}

/** How much of a time was held. `stretches` are sorted and do not overlap. */
export function heldBetween(stretches: readonly Stretch[]): (from: number, to: number) => number {
  const ends = stretches.map(([, to]) => to)
  return (from, to) => {
    let held = 0
    for (let index = countUpTo(ends, from); (stretches[index]?.[0] ?? to) < to; index += 1) {
      const [begins = from, stops = from] = stretches[index] ?? []
      held += Math.min(stops, to) - Math.max(begins, from)
    }
    return held
  }
}
