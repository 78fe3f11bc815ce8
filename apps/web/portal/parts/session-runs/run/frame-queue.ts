export type Sent = 'done' | 'retry'

export interface FrameQueueOptions {
  /** `done` also for a batch that will never be accepted. */
  send: (batch: Uint8Array<ArrayBuffer>) => Promise<Sent>
  wait?: (milliseconds: number) => Promise<void>
}

/** Telemetry accepts later what was not sent in the last two minutes; a batch holds about a second. */
const MAX_BATCHES = 120
const RETRY_MS = 1_000
const STUCK_MS = 4_000

const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

/**
 * Sends batches of frames in their order, again when telemetry was busy or not reached: a batch that is missing makes the
 * final count wrong. Sending one twice has no effect, because frames are kept by their time.
 */
export function createFrameQueue({ send, wait = sleep }: FrameQueueOptions) {
  const batches: Uint8Array<ArrayBuffer>[] = []
  let sending: Promise<void> | undefined
  let done = 0
  let isClosed = false

  async function sendAll(): Promise<void> {
    for (let batch = batches[0]; batch; batch = batches[0]) {
      if ((await send(batch)) === 'retry' && !isClosed) await wait(RETRY_MS)
      else {
        done += 1
        if (batches[0] === batch) batches.shift()
      }
    }
    sending = undefined
  }

  return {
    add(batch: Uint8Array<ArrayBuffer>): void {
      batches.push(batch)
      if (batches.length > MAX_BATCHES) batches.shift()
      sending ??= sendAll()
    },
    clear(): void {
      batches.length = 0
    },
    /** From now on each batch is tried only once. */
    close(): void {
      isClosed = true
    },
    /** Resolves when all are sent, or when none could be sent for some seconds. */
    async settle(): Promise<void> {
      for (let before = -1; batches.length > 0 && done > before; ) {
        before = done
        await Promise.race([sending, wait(STUCK_MS)])
      }
    },
  }
}
