export interface Guest {
  /** What it holds in memory while it waits. */
  bytes: number
  /** Tries to go in. True: done with waiting, whatever came of it. */
  enter: () => boolean
  /** There was no room in time. */
  giveUp: () => void
}

interface Waiting {
  guest: Guest
  until: number
}

/**
 * Where those wait, in the order in which they came, for whom there is no room just now. Each is let in when there is, and
 * sent away after a moment if there was none: a short rush is then served to the end, and whoever sends again at once,
 * although told not to, is not given all the time that is missing for the others.
 *
 * In an array, not a Map: the table that a Map has outgrown holds on to the next one and to all who ever stood in it, until
 * old memory is collected. Under a flood a third of what requests had made was kept for that.
 */
export class WaitingRoom {
  readonly #patienceMs: number
  readonly #max: number
  readonly #maxBytes: number
  readonly #waiting: Waiting[] = []
  #bytes = 0
  /** One for all: they are equally patient, so the first to come is the first to give up. */
  #timer: NodeJS.Timeout | undefined

  constructor({ patienceMs, max, maxBytes }: { patienceMs: number; max: number; maxBytes: number }) {
    this.#patienceMs = patienceMs
    this.#max = max
    this.#maxBytes = maxBytes
  }

  get size(): number {
    return this.#waiting.length
  }

  wait(guest: Guest): void {
    if (this.size >= this.#max || this.#bytes + guest.bytes > this.#maxBytes) return guest.giveUp()
    this.#bytes += guest.bytes
    this.#waiting.push({ guest, until: performance.now() + this.#patienceMs })
    if (this.#timer === undefined) this.#timer = setTimeout(this.#sendAway, this.#patienceMs)
  }

  readonly #sendAway = (): void => {
    const now = performance.now()
    let first = this.#waiting[0]
    for (; first && first.until <= now; first = this.#waiting[0]) {
      this.#shift(first)
      first.guest.giveUp()
    }
    this.#timer = first && setTimeout(this.#sendAway, first.until - now)
  }

  /** There may be room: those at the front are asked, until one must wait on. */
  next(): void {
    for (let first = this.#waiting[0]; first?.guest.enter(); first = this.#waiting[0]) this.#shift(first)
  }

  #shift(first: Waiting): void {
    this.#waiting.shift()
    this.#bytes -= first.guest.bytes
  }
}
