interface Waiter {
  /** Memory held while waiting. */
  bytes: number
  /** Tries to enter. Returns true when the wait is over, admitted or not. */
  enter: () => boolean
  /** Called when no slot became free in time. */
  onTimeout: () => void
}

interface Waiting {
  waiter: Waiter
  until: number
}

/**
 * A FIFO queue for requests without a slot. Each is admitted when a slot becomes free and refused after a short time
 * otherwise: short bursts are served completely, and clients that retry immediately do not use up the capacity. An
 * array and not a Map: the tables that a Map outgrows keep every former entry alive until a full collection, which
 * cost a third of the memory in an overload test.
 */
export class WaitQueue {
  readonly #timeoutMs: number
  readonly #max: number
  readonly #maxBytes: number
  readonly #waiting: Waiting[] = []
  #bytes = 0
  /** One timer for all: the wait is equally long for everybody, so the first to arrive is the first to time out. */
  #timer: NodeJS.Timeout | undefined

  constructor({ timeoutMs, max, maxBytes }: { timeoutMs: number; max: number; maxBytes: number }) {
    this.#timeoutMs = timeoutMs
    this.#max = max
    this.#maxBytes = maxBytes
  }

  get size(): number {
    return this.#waiting.length
  }

  wait(waiter: Waiter): void {
    if (this.size >= this.#max || this.#bytes + waiter.bytes > this.#maxBytes) return waiter.onTimeout()
    this.#bytes += waiter.bytes
    this.#waiting.push({ waiter, until: performance.now() + this.#timeoutMs })
    if (this.#timer === undefined) this.#timer = setTimeout(this.#expire, this.#timeoutMs)
  }

  readonly #expire = (): void => {
    const now = performance.now()
    let first = this.#waiting[0]
    for (; first && first.until <= now; first = this.#waiting[0]) {
      this.#shift(first)
      first.waiter.onTimeout()
    }
    this.#timer = first && setTimeout(this.#expire, first.until - now)
  }

  /** Called when a slot may be free: admits from the front until one must keep waiting. */
  next(): void {
    for (let first = this.#waiting[0]; first?.waiter.enter(); first = this.#waiting[0]) this.#shift(first)
  }

  #shift(first: Waiting): void {
    this.#waiting.shift()
    this.#bytes -= first.waiter.bytes
  }
}
