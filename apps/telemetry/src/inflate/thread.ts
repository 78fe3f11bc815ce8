import { parentPort, workerData } from 'node:worker_threads'
import { checkBody } from './batch-body.ts'
import { DONE, POSTED, PROBLEMS, type SharedRing, SLEEPING, SLOT_BYTES, SLOTS, TOLD } from './shared-ring.ts'

// The checking thread: inflates and checks bodies one after the other, and sleeps when there are none.

const { bodies, counters, lengths, results } = workerData as SharedRing

for (let done = 0; ; done = (done + 1) | 0) {
  if (Atomics.load(counters, POSTED) === done) {
    Atomics.store(counters, SLEEPING, 1)
    // A body that came just before the flag was set wakes nobody: look once more, `wait` does.
    Atomics.wait(counters, POSTED, done)
    Atomics.store(counters, SLEEPING, 0)
  }
  const slot = done & (SLOTS - 1)
  const result = checkBody(new Uint8Array(bodies, slot * SLOT_BYTES, lengths[slot]))
  results[slot] = typeof result === 'number' ? result : PROBLEMS[result]
  Atomics.store(counters, DONE, (done + 1) | 0)
  if (Atomics.exchange(counters, TOLD, 1) === 0) parentPort?.postMessage(null, [])
}
