// Least-squares parabolas through a few frames: they do not lag, keep the height of turning points (an average cuts them off)
// and need no even frame rate.

/** The weight of a frame `u` seconds from `now` in the value at `now` of the parabola through the frames from `low` to `high`. */
export function parabolaWeights(seconds: readonly number[], low: number, high: number, now: number) {
  let [s0, s1, s2, s3, s4] = [0, 0, 0, 0, 0]
  for (let frame = low; frame < high; frame += 1) {
    const u = (seconds[frame] ?? 0) - now
    s0 += 1
    s1 += u
    s2 += u * u
    s3 += u * u * u
    s4 += u * u * u * u
  }
  const c0 = s2 * s4 - s3 * s3
  const c1 = s2 * s3 - s1 * s4
  const c2 = s1 * s3 - s2 * s2
  const determinant = s0 * c0 + s1 * c1 + s2 * c2
  return (u: number): number => (c0 + c1 * u + c2 * u * u) / determinant
}
