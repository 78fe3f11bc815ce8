import { parentPort, workerData } from 'node:worker_threads'
import { checkBodies } from './batch-body.ts'
import { DONE, POSTED, PROBLEMS, type SharedRing, SLEEPING, SLOT_BYTES, SLOTS, TOLD } from './shared-ring.ts'

// The checking thread: inflates and checks bodies, as many at once as wait, and sleeps when there are none.

const AT_ONCE = 16

const { bodies, counters, lengths, results } = workerData as SharedRing

for (let done = 0; ; ) {
  let waiting = (Atomics.load(counters, POSTED) - done) | 0
  // Asked again after each sleep: a call to wake up may come late, for a body that is done already.
  while (waiting === 0) {
    Atomics.store(counters, SLEEPING, 1)
    // A body that came just before the flag was set wakes nobody, but `wait` looks once more.
    Atomics.wait(counters, POSTED, done)
    Atomics.store(counters, SLEEPING, 0)
    waiting = (Atomics.load(counters, POSTED) - done) | 0
  }
  const first = done
  const slots = Array.from({ length: Math.min(waiting, AT_ONCE) }, (_, index) => (first + index) & (SLOTS - 1))
  const checked = checkBodies(slots.map((slot) => new Uint8Array(bodies, slot * SLOT_BYTES, lengths[slot])))
  for (const [index, slot] of slots.entries()) {
    const result = checked[index] ?? 'malformed_batch'
    results[slot] = typeof result === 'number' ? result : PROBLEMS[result]
  }
  done = (done + slots.length) | 0
  Atomics.store(counters, DONE, done)
  if (Atomics.exchange(counters, TOLD, 1) === 0) parentPort?.postMessage(null, [])
}
