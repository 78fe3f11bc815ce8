// Turning points. "Up" is the direction of effort: for a squat the angle is taken negative. A turning point counts when the
// angle moves at least `size` degrees on both sides of it.

export interface Turn {
  frame: number
  /** Signed degrees. */
  value: number
}

/** A stretch of time in which the joint was seen. Nothing is followed across a gap. */
export interface Segment {
  from: number
  /** The frame after its last. */
  to: number
  /** Turning points of any size, from its first frame to its last. */
  turns: Turn[]
}

/** Smaller movements are never repetitions. */
export const FINE_DEGREES = 4

/** Finds the turning points of values that come one by one. */
export interface Zigzag {
  push(turn: Turn): void
  /** Those so far, and the furthest point since: low and high in turns; none when nothing moves that far. */
  turns(): Turn[]
  copy(): Zigzag
}

export function createZigzag(size: number, state: ZigzagState = { found: [], shared: 0 }): Zigzag {
  let { low, high, rising } = state
  // A copy shares the points that were found before it and keeps its own after them.
  let { found } = state
  let isShared = state.shared > 0
  const keep = (turn: Turn) => {
    if (isShared) found = found.slice()
    isShared = false
    found.push(turn)
  }
  return {
    push(here) {
      if (rising !== true && (!low || here.value < low.value)) low = here
      if (rising !== false && (!high || here.value > high.value)) high = here
      if (rising !== true && low && here.value >= low.value + size) {
        keep(low)
        rising = true
        high = here
      } else if (rising !== false && high && here.value <= high.value - size) {
        keep(high)
        rising = false
        low = here
      }
    },
    turns() {
      const last = rising ? high : low
      return rising === undefined || !last ? [] : [...found, last]
    },
    copy: () => createZigzag(size, { low, high, rising, found, shared: 1 }),
  }
}

interface ZigzagState {
  low?: Turn | undefined
  high?: Turn | undefined
  rising?: boolean | undefined
  found: Turn[]
  shared: number
}

/** Those of the turning points that are at least `size` from the next. */
export function turnsOf(all: readonly Turn[], size: number): Turn[] {
  const zigzag = createZigzag(size)
  for (const turn of all) zigzag.push(turn)
  return zigzag.turns()
}
