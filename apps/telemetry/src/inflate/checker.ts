import { Worker } from 'node:worker_threads'
import type { Checked } from './batch-body.ts'
import { packBodies } from './packed-bodies.ts'

/** Bodies that are waiting or being checked. */
const MAX_BODIES = 1024
/** Larger groups are not cheaper and exceed the processor's cache. */
const GROUP_SIZE = 32
/** Groups sent to the thread ahead, so that it never waits for the next one. */
const GROUPS_AHEAD = 2

/** Inflates and checks pose bodies outside the thread that serves requests. */
export interface BodyChecker {
  /** Whether another body can be accepted. */
  hasRoom(): boolean
  check(body: Buffer, done: (result: Checked) => void): void
  close(): Promise<void>
}

interface Waiting {
  body: Buffer
  done: (result: Checked) => void
}

/** `onFailure` is called when the thread has died; pending checks never complete. */
export function startBodyChecker(onFailure: (error: Error) => void): BodyChecker {
  const waiting: Waiting[] = []
  const groups: Waiting[][] = []
  const thread = new Worker(new URL('thread.ts', import.meta.url), {
    // Its objects are short-lived: a larger young generation needs fewer collections.
    resourceLimits: { maxYoungGenerationSizeMb: 64 },
  })
  let held = 0
  let closed = false
  let posting = false

  /** Posts all bodies of one event loop turn together: waking a thread costs as much as checking a body. */
  function post(): void {
    posting = false
    while (waiting.length > 0 && groups.length < GROUPS_AHEAD) {
      const group = waiting.splice(0, GROUP_SIZE)
      groups.push(group)
      const packed = packBodies(group.map(({ body }) => body))
      thread.postMessage(packed, [packed.bytes.buffer])
    }
  }

  thread.on('message', (results: Checked[]) => {
    const group = groups.shift() ?? []
    held -= group.length
    post()
    for (const [at, { done }] of group.entries()) done(results[at] ?? 'malformed_batch')
  })
  thread.on('error', onFailure)
  thread.on('exit', () => {
    if (!closed) onFailure(new Error('The checking thread has ended.'))
  })
  thread.unref()

  return {
    hasRoom: () => held < MAX_BODIES,
    check(body, done) {
      held += 1
      waiting.push({ body, done })
      if (posting) return
      posting = true
      setImmediate(post)
    },
    async close() {
      closed = true
      await thread.terminate()
    },
  }
}
