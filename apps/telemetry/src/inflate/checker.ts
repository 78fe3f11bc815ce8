import { Worker } from 'node:worker_threads'
import type { BatchProblem } from '@tendon/pose'
import { createRing, DONE, POSTED, PROBLEMS, SLEEPING, SLOT_BYTES, SLOTS, TOLD } from './shared-ring.ts'

export type Checked = number | BatchProblem

/** Inflates and checks pose bodies outside the thread that serves requests. */
export interface BodyChecker {
  /** Whether one more body can be taken. */
  hasRoom(): boolean
  check(body: Buffer): Promise<Checked>
  close(): Promise<void>
}

/** `onFailure`: the thread has died, and whoever waits for it waits in vain. */
export function startBodyChecker(onFailure: (error: Error) => void): BodyChecker {
  const ring = createRing()
  const { counters, lengths, results } = ring
  const bodies = Buffer.from(ring.bodies)
  const waiting: ((result: Checked) => void)[] = Array.from({ length: SLOTS })
  const thread = new Worker(new URL('thread.ts', import.meta.url), {
    workerData: ring,
    // What it makes dies at once: the more room there is, the seldomer somebody must look.
    resourceLimits: { maxYoungGenerationSizeMb: 64 },
  })
  let posted = 0
  let finished = 0
  let closed = false
  let waking = false

  /** Once for all bodies that came in one turn of the event loop: to wake a thread costs as much as to check a body. */
  function wake(): void {
    waking = false
    if (Atomics.load(counters, SLEEPING) === 1) Atomics.notify(counters, POSTED)
  }

  thread.on('message', () => {
    Atomics.store(counters, TOLD, 0)
    for (const done = Atomics.load(counters, DONE); finished !== done; finished = (finished + 1) | 0) {
      const slot = finished & (SLOTS - 1)
      waiting[slot]?.(outcomeOf(results[slot] ?? 0))
    }
  })
  thread.on('error', onFailure)
  thread.on('exit', () => {
    if (!closed) onFailure(new Error('The checking thread has ended.'))
  })
  thread.unref()

  return {
    hasRoom: () => ((posted - finished) | 0) < SLOTS,
    check(body) {
      const slot = posted & (SLOTS - 1)
      bodies.set(body.subarray(0, SLOT_BYTES), slot * SLOT_BYTES)
      lengths[slot] = body.length
      posted = (posted + 1) | 0
      return new Promise((resolve) => {
        waiting[slot] = resolve
        Atomics.store(counters, POSTED, posted)
        if (waking) return
        waking = true
        setImmediate(wake)
      })
    },
    async close() {
      closed = true
      await thread.terminate()
    },
  }
}

function outcomeOf(result: number): Checked {
  if (result > 0) return result
  return result === PROBLEMS.unsupported_version ? 'unsupported_version' : 'malformed_batch'
}
