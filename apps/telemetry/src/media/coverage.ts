/** From one position to another, in seconds. */
export type Stretch = [from: number, to: number]

/** Adds a range to sorted, disjoint ranges. */
export function cover(stretches: Stretch[], from: number, to: number): void {
  if (to <= from) return
  let first = stretches.findIndex((stretch) => stretch[1] >= from)
  if (first < 0) first = stretches.length
  let after = first
  let [low, high] = [from, to]
  for (; after < stretches.length; after += 1) {
    const [start, end] = stretches[after] ?? [0, 0]
    if (start > high) break
    low = Math.min(low, start)
    high = Math.max(high, end)
  }
  stretches.splice(first, after - first, [low, high])
}

export const coveredSeconds = (stretches: readonly Stretch[]): number =>
  stretches.reduce((sum, [from, to]) => sum + (to - from), 0)
