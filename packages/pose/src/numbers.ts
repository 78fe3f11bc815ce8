export const RADIAN_DEGREES = 180 / Math.PI

/** An element that is known to be there. */
export const at = (list: Float64Array, index: number): number => list[index] ?? Number.NaN

export const sum = (list: readonly number[]): number => list.reduce((total, one) => total + one, 0)

export const mean = (list: readonly number[]): number => sum(list) / list.length

/** NaN for none. */
export function median(list: Iterable<number>): number {
  const sorted = Float64Array.from(list).sort()
  const half = sorted.length >> 1
  return sorted.length % 2 === 1 ? at(sorted, half) : (at(sorted, half - 1) + at(sorted, half)) / 2
}

export const within = (low: number, value: number, high: number): number => Math.min(Math.max(value, low), high)

export const round = (value: number, digits: number): number => Number(value.toFixed(digits))

/** How many of a sorted list are at most `value`. */
export function countUpTo(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) <= value) low = middle + 1
    else high = middle
  }
  return low
}

/** Of at least one number; between two of them in proportion. */
export function quantile(list: Iterable<number>, share: number): number {
  const sorted = Float64Array.from(list).sort()
  const place = share * (sorted.length - 1)
  const low = Math.floor(place)
  return at(sorted, low) + (place - low) * (at(sorted, Math.min(low + 1, sorted.length - 1)) - at(sorted, low))
}
