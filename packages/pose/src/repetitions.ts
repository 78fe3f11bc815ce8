// Repetitions: rest, working end, rest. Three rules, none of which needs the angle to be right, only its movement:
//
// - size: both ways are at least as long as most of the distance between the thresholds, and as nearly half of what this
//   patient usually does;
// - place: the movement passes the middle between the thresholds;
// - completeness: where the film begins or ends, the way that was seen is most of the other way.
//
// Cameras are off by 10 to 25 degrees, so rest and working end need not lie beyond the thresholds. Whether the working end
// reached the prescribed range is another question (`reaches` in levels.ts).
import type { Curve } from './curve.ts'
import { quantile } from './numbers.ts'
import { type Segment, type Turn, turnsOf } from './turns.ts'

/** Signed: up is the direction of effort. */
export interface Thresholds {
  up: number
  down: number
}

export interface Excursion {
  /** Frames of the deepest rest before and after, and of the working end. */
  from: number
  peak: number
  to: number
  segment: Segment
}

export interface Count {
  excursions: Excursion[]
  /** The fewest and most repetitions that stricter and looser rules find. */
  fewest: number
  most: number
  /** Movements of the right size, wherever they lie. */
  elsewhere: number
  /** When there is no repetition: movements that are a little too small, wherever they lie. */
  smaller: number
  /** The size that a movement needs, in degrees. */
  size: number
}

const SIZE_MIN_DEGREES = 12
const SIZE_SHARE_OF_BAND = 0.6
const SIZE_SHARE_OF_OWN = 0.45
const SIZE_NOISE_DEVIATIONS = 5
/** Narrow thresholds are as uncertain as the angle: their middle is at least this wide. */
const PLACE_HALF_DEGREES = 15
const COMPLETE_SHARE = 0.65
const STRICTER = { size: 1.25, complete: 0.8 }
const LOOSER = { size: 0.8, complete: 0.5 }
const SMALLER = { size: 0.65, complete: 0.35 }
const PLACE_TOLERANCE_DEGREES = 3

interface Rules {
  size: number
  /** A rest is below, a working end is above. */
  rest: number
  work: number
  complete: number
}

export function count({ noise, scan: { segments } }: Curve, { up, down }: Thresholds): Count {
  const band = up - down
  const slack = Math.max(0, PLACE_HALF_DEGREES - band / 2)
  const [rest, work] = [(up + down) / 2 + slack, (up + down) / 2 - slack]
  const least = Math.max(SIZE_MIN_DEGREES, SIZE_SHARE_OF_BAND * band, SIZE_NOISE_DEVIATIONS * noise)
  const first = excursionsOf(segments, { size: least, rest, work, complete: COMPLETE_SHARE })
  const own = first.length === 0 ? 0 : quantile(first.map(sizeOf), 0.75)
  const size = Math.max(least, SIZE_SHARE_OF_OWN * own)
  const tolerance = Math.max(PLACE_TOLERANCE_DEGREES, 2 * noise)
  const counts = [
    { size: STRICTER.size * size, rest: rest - tolerance, work: work + tolerance, complete: STRICTER.complete },
    { size: LOOSER.size * size, rest: rest + tolerance, work: work - tolerance, complete: LOOSER.complete },
    { size: LOOSER.size * size, rest, work, complete: LOOSER.complete },
  ].map((rules) => excursionsOf(segments, rules).length)
  const excursions = excursionsOf(segments, { size, rest, work, complete: COMPLETE_SHARE })
  return {
    excursions: excursions.map(({ before, peak, after, segment }) => ({
      from: before.frame,
      peak: peak.frame,
      to: after.frame,
      segment,
    })),
    fewest: Math.min(excursions.length, ...counts),
    most: Math.max(excursions.length, ...counts),
    elsewhere: excursionsOf(segments, { size, ...ANYWHERE, complete: COMPLETE_SHARE }).length,
    smaller:
      excursions.length > 0 ? 0 : excursionsOf(segments, { ...ANYWHERE, ...SMALLER, size: SMALLER.size * size }).length,
    size,
  }
}

const ANYWHERE = { rest: Number.POSITIVE_INFINITY, work: Number.NEGATIVE_INFINITY }

interface Found {
  before: Turn
  peak: Turn
  after: Turn
  segment: Segment
}

const sizeOf = ({ before, peak, after }: Found): number => peak.value - Math.max(before.value, after.value)

function excursionsOf(segments: readonly Segment[], rules: Rules): Found[] {
  const found: Found[] = []
  for (const segment of segments) {
    const path = pathOf(turnsOf(segment.turns, rules.size), rules)
    for (let index = path[0]?.isPeak ? 2 : 1; index < path.length - 1; index += 2) {
      const [before, peak, after] = [path[index - 1]?.turn, path[index]?.turn, path[index + 1]?.turn]
      if (!before || !peak || !after) continue
      const [there, back] = [peak.value - before.value, peak.value - after.value]
      const isWhole =
        (index > 1 || there >= rules.complete * back) && (index < path.length - 2 || back >= rules.complete * there)
      if (isWhole) found.push({ before, peak, after, segment })
    }
  }
  return found
}

interface Step {
  turn: Turn
  isPeak: boolean
}

/** Rests and working ends in turns. A turn in the wrong place is no turn: the movement goes on. */
function pathOf(turns: readonly Turn[], { rest, work }: Rules): Step[] {
  const path: Step[] = []
  turns.forEach((turn, index) => {
    const isPeak = turn.value > (turns[index + 1] ?? turns[index - 1] ?? turn).value
    if (isPeak ? turn.value < work : turn.value > rest) return
    const last = path.at(-1)
    if (last?.isPeak !== isPeak) path.push({ turn, isPeak })
    else if (isPeak ? turn.value > last.turn.value : turn.value < last.turn.value) last.turn = turn
  })
  return path
}
