// One pass over a curve as it grows: its segments with their turning points, the steps between frames, sudden changes.
import { createHistogram, type Histogram } from './histogram.ts'
import { createZigzag, FINE_DEGREES, type Segment, type Zigzag } from './turns.ts'

/** Where the joint was not seen for longer, a movement is not followed. */
export const GAP_SECONDS = 1
const WIDE_STEP_DEGREES = 15
/** Shorter steps between frames hide no turn. */
const LONG_STEP_SECONDS = 0.05

export interface Scan {
  segments: Segment[]
  /** Seconds between frames, without gaps; those that are not short also one by one. */
  steps: Histogram
  long_steps: readonly number[]
  /** Steps in which the angle changed by much. */
  wide_steps: readonly WideStep[]
}

interface WideStep {
  degrees: number
  seconds: number
}

export interface Scanned {
  seconds: readonly number[]
  degrees: readonly number[]
  raw: readonly number[]
}

interface GrowingScan {
  /** Reads the frames up to `firm` for good; those after it are read again the next time. */
  read(curve: Scanned, firm: number): Scan
}

interface State {
  /** Frames read. */
  frames: number
  /** Where the open segment begins. */
  from: number
  zigzag: Zigzag
}

export function createScan(sign: number): GrowingScan {
  const steps = createHistogram(0, GAP_SECONDS, 500)
  const [longSteps, wideSteps]: [number[], WideStep[]] = [[], []]
  const closed: Segment[] = []
  let state: State = { frames: 0, from: 0, zigzag: createZigzag(FINE_DEGREES) }

  function advance({ seconds, degrees, raw }: Scanned, from: State, to: number, isFirm: boolean): State {
    let { from: begins, zigzag } = from
    for (let frame = from.frames; frame < to; frame += 1) {
      const step = (seconds[frame] ?? 0) - (seconds[frame - 1] ?? Number.NaN)
      if (step > GAP_SECONDS) {
        closed.push({ from: begins, to: frame, turns: zigzag.turns() })
        begins = frame
        zigzag = createZigzag(FINE_DEGREES)
      } else if (frame > 0) {
        if (isFirm) steps.add(step)
        if (step > LONG_STEP_SECONDS) longSteps.push(step)
        const change = Math.abs((raw[frame] ?? 0) - (raw[frame - 1] ?? 0))
        if (change > WIDE_STEP_DEGREES) wideSteps.push({ degrees: change, seconds: step })
      }
      zigzag.push({ frame, value: sign * (degrees[frame] ?? 0) })
    }
    return { frames: to, from: begins, zigzag }
  }

  return {
    read(curve, firm) {
      if (firm > state.frames) state = advance(curve, state, firm, true)
      const [kept, long, wide] = [closed.length, longSteps.length, wideSteps.length]
      const all = curve.seconds.length
      const open = advance(curve, { ...state, zigzag: state.zigzag.copy() }, all, false)
      const segments = closed.slice()
      if (all > 0) segments.push({ from: open.from, to: all, turns: open.zigzag.turns() })
      const scan = { segments, steps, long_steps: longSteps.slice(), wide_steps: wideSteps.slice() }
      closed.length = kept
      longSteps.length = long
      wideSteps.length = wide
      return scan
    },
  }
}
