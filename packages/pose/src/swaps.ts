// Engines sometimes take left for right for a while, mostly when a patient stands sideways. From one frame to the next the
// points then lie where those of the other side were. How long it lasted, and which of the two is true, cannot be told.
import { KEPT_VALUES } from './frames.ts'

const UNSEEN_SECONDS_MAX = 0.5
/** How much nearer (squared) the other side's points must be. */
const NEARER = 0.5

interface SwapWatch {
  see(seconds: number, values: Float32Array): void
  count(): number
}

export function watchSwaps(minVisibility: number): SwapWatch {
  let before: { seconds: number; values: Float32Array } | undefined
  let swaps = 0
  return {
    see(seconds, values) {
      for (let place = 3; place < KEPT_VALUES; place += 4) if ((values[place] ?? 0) < minVisibility) return
      if (before && seconds - before.seconds <= UNSEEN_SECONDS_MAX) {
        const stayed = apart(values, before.values, 0)
        if (apart(values, before.values, KEPT_VALUES / 2) < NEARER * stayed) swaps += 1
      }
      before = { seconds, values }
    },
    count: () => swaps,
  }
}

/** Squared distance between points and those before, `shift` places on. */
function apart(now: Float32Array, before: Float32Array, shift: number): number {
  let squares = 0
  for (let place = 0; place < KEPT_VALUES; place += 1)
    if (place % 4 !== 3) squares += ((now[place] ?? 0) - (before[(place + shift) % KEPT_VALUES] ?? 0)) ** 2
  return squares
}
