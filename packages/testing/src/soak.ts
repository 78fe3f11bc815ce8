// The same tests run short in `npm test` and long in `npm run soak`, which sets these two variables.

/** Number of repetitions of a randomised test: multiplied in a soak, a quarter or `short` in `npm test`. */
export const soakRuns = (usual: number, short = Math.ceil(usual / 4)): number => {
  const factor = process.env.SOAK_FACTOR
  return factor === undefined ? short : usual * Number(factor)
}

/** The seed of this run: fixed in `npm test`, new in each soak, which prints it. */
export const soakSeed = (): number => Number(process.env.SOAK_SEED ?? 20_261_115)

/** A repeatable stream of numbers from 0 to 1 (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Picks one of a list that is not empty. */
export const pickFrom =
  (random: () => number) =>
  <Value>(values: readonly Value[]): Value => {
    for (const value of values.slice(Math.floor(random() * values.length))) return value
    throw new Error('There is nothing to pick from.')
  }
