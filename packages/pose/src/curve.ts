// The angle of one joint over time, as frames come in. Each frame is compared with the cubic through its four neighbours: a
// movement agrees with it, noise does not. The median difference is the noise; a frame much further off is wild (a point
// jumped elsewhere for a moment) and left out. The frames that stay are smoothed over 150 ms before and after.
//
// What a frame becomes depends only on frames near it, so the curve grows: only its last frames change as more come in. A
// curve that is read after every frame and one that is read at the end are the same.
import { angleAt, WIDTH, weighted } from './directions.ts'
import { createHistogram, type Histogram } from './histogram.ts'
import { parabolaWeights } from './parabola.ts'
import { createScan, type Scan } from './scan.ts'

export interface Curve {
  /** Since the session started, and counting only the time of this exercise. */
  seconds: readonly number[]
  own_seconds: readonly number[]
  /** Smoothed. */
  degrees: readonly number[]
  /** As seen. */
  raw: readonly number[]
  /** Six for each frame, as seen. */
  directions: readonly number[]
  /** Standard deviation of the noise, in degrees: as seen and after smoothing. */
  raw_noise: number
  noise: number
  /** Share of frames that were left out. */
  wild: number
  /** How many frames will not change any more. */
  firm: number
  scan: Scan
}

interface GrowingCurve {
  push(seconds: number, own_seconds: number, directions: ArrayLike<number>): void
  read(): Curve
}

/** Neighbours further apart say nothing about the frame between them. */
const NEIGHBOURS_MAX_SECONDS = 1.5
const ALONE_SECONDS = 0.75
/** A frame is judged with the neighbours of its neighbours. */
const JUDGED_WITH_FRAMES = 4
const MEDIAN_TO_DEVIATION = 1.4826
const QUARTILE_TO_DEVIATION = 3.1383
const WILD_MIN_DEGREES = 8
/** Of a length in several dimensions, which is less often far from its median than a single number. */
const WILD_DEVIATIONS = 3
/** With few frames a second a fast movement is also off the cubic, by some of the way that the neighbours travel. */
const WILD_SHARE_OF_WAY = 0.2
/**
 * At few frames a second a fast movement looks like noise. So the noise is the least of three estimates: of all frames, of
 * the quarter that is least off, of the frames that hardly move.
 */
const STILL_DEGREES = 15
const STILL_FRAMES_MIN = 8
const SMOOTHED_HALF_SECONDS = 0.15
/** Three points lie on their parabola: only more are smoothed. */
const SMOOTHED_FRAMES_MIN = 4

/** `sign`: 1 when the angle grows with effort, else -1. */
export function createCurve(sign: number): GrowingCurve {
  const seen = { seconds: [] as number[], own: [] as number[], directions: [] as number[], angles: [] as number[] }
  const [off, way, known]: [number[], number[], number[]] = [[], [], []]
  const kept = {
    seconds: [] as number[],
    own_seconds: [] as number[],
    degrees: [] as number[],
    raw: [] as number[],
    directions: [] as number[],
  }
  const [offSpread, angleSpread, stillSpread] = [offsets(), offsets(), offsets()]
  const gains = createHistogram(0, 1.5, 300)
  const scan = createScan(sign)
  /** Seen frames that are judged for good, how many of them were kept and wild, and how many kept ones are smoothed for good. */
  const firm = { seen: 0, kept: 0, wild: 0, smoothed: 0 }

  function compare(frame: number): void {
    const shares = neighbourShares(seen.seconds, frame)
    if (!shares) return
    const [a, b, c, d, spread] = shares
    const { directions, angles } = seen
    let [squares, farthest] = [0, 0]
    for (let value = frame * WIDTH; value < (frame + 1) * WIDTH; value += 1) {
      const [first, second] = [directions[value - 2 * WIDTH] ?? 0, directions[value - WIDTH] ?? 0]
      const [third, fourth] = [directions[value + WIDTH] ?? 0, directions[value + 2 * WIDTH] ?? 0]
      const difference = (directions[value] ?? 0) - (a * first + b * second + c * third + d * fourth)
      const across = Math.max(first, second, third, fourth) - Math.min(first, second, third, fourth)
      squares += difference * difference
      farthest += across * across
    }
    const expected =
      a * (angles[frame - 2] ?? 0) +
      b * (angles[frame - 1] ?? 0) +
      c * (angles[frame + 1] ?? 0) +
      d * (angles[frame + 2] ?? 0)
    const angleOff = Math.abs((angles[frame] ?? 0) - expected) / Math.sqrt(spread)
    off[frame] = Math.sqrt(squares / spread)
    way[frame] = Math.sqrt(farthest)
    offSpread.add(off[frame] ?? 0)
    angleSpread.add(angleOff)
    if ((way[frame] ?? 0) < STILL_DEGREES) stillSpread.add(angleOff)
  }

  const deviation = (of: Histogram): number => (of.count() === 0 ? 0 : of.quantile(0.5) * MEDIAN_TO_DEVIATION)

  function isWild(frame: number, noise: number): boolean {
    const size = off[frame] ?? Number.NaN
    if (Number.isNaN(size)) return isAlone(seen.seconds, frame)
    if (size <= Math.max(WILD_MIN_DEGREES, WILD_DEVIATIONS * noise, WILD_SHARE_OF_WAY * (way[frame] ?? 0))) return false
    // Its neighbours suffer from the wild one between them: only the furthest is wild.
    for (let other = frame - 2; other <= frame + 2; other += 1) if ((off[other] ?? 0) > size) return false
    return true
  }

  /** Returns how many of the frames were wild. */
  function judge(): number {
    for (const list of [kept.seconds, kept.own_seconds, kept.raw]) list.length = firm.kept
    kept.directions.length = firm.kept * WIDTH
    const last = seen.seconds.length - 1
    let wild = firm.wild
    for (let frame = firm.seen; frame <= last; frame += 1) {
      if (isWild(frame, known[Math.min(frame + JUDGED_WITH_FRAMES, last)] ?? 0)) wild += 1
      else {
        kept.seconds.push(seen.seconds[frame] ?? 0)
        kept.own_seconds.push(seen.own[frame] ?? 0)
        kept.raw.push(seen.angles[frame] ?? 0)
        for (let value = 0; value < WIDTH; value += 1) kept.directions.push(seen.directions[frame * WIDTH + value] ?? 0)
      }
      if (frame + JUDGED_WITH_FRAMES > last) continue
      firm.seen = frame + 1
      firm.kept = kept.seconds.length
      firm.wild = wild
    }
    return wild
  }

  function smooth(): void {
    kept.degrees.length = firm.smoothed
    const { seconds, directions } = kept
    const lastFirm = seconds[firm.kept - 1] ?? Number.NEGATIVE_INFINITY
    let [low, high] = [firm.smoothed, firm.smoothed]
    while (low > 0 && (seconds[low - 1] ?? 0) >= (seconds[firm.smoothed] ?? 0) - SMOOTHED_HALF_SECONDS) low -= 1
    for (let frame = firm.smoothed; frame < seconds.length; frame += 1) {
      const now = seconds[frame] ?? 0
      while ((seconds[low] ?? 0) < now - SMOOTHED_HALF_SECONDS) low += 1
      while (high < seconds.length && (seconds[high] ?? 0) <= now + SMOOTHED_HALF_SECONDS) high += 1
      const isFirm = now + SMOOTHED_HALF_SECONDS < lastFirm && firm.smoothed === frame
      if (high - low < SMOOTHED_FRAMES_MIN) {
        kept.degrees.push(kept.raw[frame] ?? 0)
        if (isFirm) gains.add(1)
      } else {
        const weight = parabolaWeights(seconds, low, high, now)
        let squares = 0
        const sums = weighted(directions, low, high, (other) => {
          const share = weight((seconds[other] ?? 0) - now)
          squares += share * share
          return share
        })
        kept.degrees.push(angleAt(sums, 0))
        if (isFirm) gains.add(Math.sqrt(squares))
      }
      if (isFirm) firm.smoothed = frame + 1
    }
  }

  return {
    push(seconds, own_seconds, directions) {
      seen.seconds.push(seconds)
      seen.own.push(own_seconds)
      for (let value = 0; value < WIDTH; value += 1) seen.directions.push(directions[value] ?? 0)
      seen.angles.push(angleAt(directions, 0))
      off.push(Number.NaN)
      way.push(0)
      if (seen.seconds.length > 4) compare(seen.seconds.length - 3)
      known.push(deviation(offSpread))
    },
    read() {
      const wild = judge()
      smooth()
      // The fewer frames, the less is known of their noise.
      const estimates = [deviation(angleSpread), (angleSpread.quantile(0.25) || 0) * QUARTILE_TO_DEVIATION]
      if (stillSpread.count() >= STILL_FRAMES_MIN) estimates.push(deviation(stillSpread))
      const raw_noise = Math.min(...estimates) * (1 + 3 / Math.sqrt(Math.max(1, kept.seconds.length)))
      const gain = gains.count() === 0 ? 1 : gains.quantile(0.5)
      return {
        ...kept,
        raw_noise,
        noise: raw_noise * gain,
        wild: wild / Math.max(1, seen.seconds.length),
        firm: firm.smoothed,
        scan: scan.read(kept, firm.smoothed),
      }
    },
  }
}

const offsets = () => createHistogram(0, 60, 600)

/** Of the four neighbours in the cubic's value at the frame; then one and the sum of their squares. */
function neighbourShares(
  seconds: readonly number[],
  frame: number,
): [number, number, number, number, number] | undefined {
  const now = seconds[frame] ?? 0
  const [p, q] = [(seconds[frame - 2] ?? 0) - now, (seconds[frame - 1] ?? 0) - now]
  const [r, s] = [(seconds[frame + 1] ?? 0) - now, (seconds[frame + 2] ?? 0) - now]
  if (s - p > NEIGHBOURS_MAX_SECONDS) return undefined
  const a = -(q * r * s) / ((p - q) * (p - r) * (p - s))
  const b = -(p * r * s) / ((q - p) * (q - r) * (q - s))
  const c = -(p * q * s) / ((r - p) * (r - q) * (r - s))
  const d = -(p * q * r) / ((s - p) * (s - q) * (s - r))
  return [a, b, c, d, 1 + a * a + b * b + c * c + d * d]
}

/** Nothing confirms a frame without others near it. */
function isAlone(seconds: readonly number[], frame: number): boolean {
  const now = seconds[frame] ?? 0
  const before = now - (seconds[frame - 1] ?? Number.NEGATIVE_INFINITY)
  const after = (seconds[frame + 1] ?? Number.POSITIVE_INFINITY) - now
  return Math.min(before, after) > ALONE_SECONDS
}
