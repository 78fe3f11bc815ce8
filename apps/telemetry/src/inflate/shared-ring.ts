// The memory that the server and its checking thread share: a ring of slots, each for one body. The server fills them in
// order, the thread empties them in order; each side only ever moves its own counter.

export const SLOT_BYTES = 64 * 1024
/** A power of two, and more than are let in at once. Of each only what a body fills is ever touched. */
export const SLOTS = 1024

/** Places in the array of counters. */
export const POSTED = 0
export const DONE = 1
/** The thread sleeps, and must be woken. */
export const SLEEPING = 2
/** The server was told that there are results, and has not looked yet. */
export const TOLD = 3
const COUNTERS = 4

export interface SharedRing {
  bodies: SharedArrayBuffer
  counters: Int32Array<SharedArrayBuffer>
  lengths: Int32Array<SharedArrayBuffer>
  /** The number of frames, or one of `PROBLEMS`. */
  results: Int32Array<SharedArrayBuffer>
}

export const PROBLEMS = { malformed_batch: -1, unsupported_version: -2 } as const

export function createRing(): SharedRing {
  const integers = (count: number) => new Int32Array(new SharedArrayBuffer(count * 4))
  return {
    bodies: new SharedArrayBuffer(SLOTS * SLOT_BYTES),
    counters: integers(COUNTERS),
    lengths: integers(SLOTS),
    results: integers(SLOTS),
  }
}
