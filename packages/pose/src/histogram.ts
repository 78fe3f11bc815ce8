// Quantiles of a growing set of numbers in constant memory. Values outside of the bins fall into the first or last bin.

export interface Histogram {
  add(value: number): void
  /** The value below which `share` of the numbers are; NaN when there are none. */
  quantile(share: number): number
  count(): number
}

export function createHistogram(min: number, max: number, bins: number): Histogram {
  const counts = new Uint32Array(bins)
  const width = (max - min) / bins
  let total = 0
  return {
    add(value) {
      if (Number.isNaN(value)) return
      const bin = Math.min(bins - 1, Math.max(0, Math.floor((value - min) / width)))
      counts[bin] = (counts[bin] ?? 0) + 1
      total += 1
    },
    quantile(share) {
      if (total === 0) return Number.NaN
      let left = share * total
      for (let bin = 0; bin < bins; bin += 1) {
        const here = counts[bin] ?? 0
        if (here > 0 && left <= here) return min + (bin + left / here) * width
        left -= here
      }
      return max
    },
    count: () => total,
  }
}
