import { Worker } from 'node:worker_threads'
import type { Checked } from './batch-body.ts'
import { packBodies } from './packed-bodies.ts'

/** Bodies that wait or are being checked. */
const ROOM = 1024
/** More at once would not be cheaper, and leave the processor's cache. */
const AT_ONCE = 32
/** The thread has the next group at hand when it is done with one. */
const GROUPS_AHEAD = 2

/** Inflates and checks pose bodies outside the thread that serves requests. */
export interface BodyChecker {
  /** Whether one more body can be taken. */
  hasRoom(): boolean
  check(body: Buffer, tell: (result: Checked) => void): void
  close(): Promise<void>
}

interface Waiting {
  body: Buffer
  tell: (result: Checked) => void
}

/** `onFailure`: the thread has died, and whoever waits for it waits in vain. */
export function startBodyChecker(onFailure: (error: Error) => void): BodyChecker {
  const waiting: Waiting[] = []
  const groups: Waiting[][] = []
  const thread = new Worker(new URL('thread.ts', import.meta.url), {
    // What it makes dies at once: the more room there is, the seldomer somebody must look.
    resourceLimits: { maxYoungGenerationSizeMb: 64 },
  })
  let held = 0
  let closed = false
  let posting = false

  /** Once for all bodies that came in one turn of the event loop: to wake a thread costs as much as to check a body. */
  function post(): void {
    posting = false
    while (waiting.length > 0 && groups.length < GROUPS_AHEAD) {
      const group = waiting.splice(0, AT_ONCE)
      groups.push(group)
      const packed = packBodies(group.map(({ body }) => body))
      thread.postMessage(packed, [packed.bytes.buffer])
    }
  }

  thread.on('message', (results: Checked[]) => {
    const group = groups.shift() ?? []
    held -= group.length
    post()
    for (const [at, { tell }] of group.entries()) tell(results[at] ?? 'malformed_batch')
  })
  thread.on('error', onFailure)
  thread.on('exit', () => {
    if (!closed) onFailure(new Error('The checking thread has ended.'))
  })
  thread.unref()

  return {
    hasRoom: () => held < ROOM,
    check(body, tell) {
      held += 1
      waiting.push({ body, tell })
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
