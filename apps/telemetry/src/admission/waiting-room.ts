export interface Guest {
  /** Tries to go in. True: done with waiting, whatever came of it. */
  enter: () => boolean
  /** There was no room in time. */
  giveUp: () => void
}

/**
 * Where those wait, in the order in which they came, for whom there is no room just now. Each is let in when there is, and
 * sent away after a moment if there was none: a short rush is then served to the end, and whoever sends again at once,
 * although told not to, is not given all the time that is missing for the others.
 */
export class WaitingRoom {
  readonly #patienceMs: number
  readonly #max: number
  readonly #guests = new Map<Guest, NodeJS.Timeout>()

  constructor({ patienceMs, max }: { patienceMs: number; max: number }) {
    this.#patienceMs = patienceMs
    this.#max = max
  }

  get size(): number {
    return this.#guests.size
  }

  wait(guest: Guest): void {
    if (this.#guests.size >= this.#max) return guest.giveUp()
    const leave = () => {
      this.#guests.delete(guest)
      guest.giveUp()
    }
    this.#guests.set(guest, setTimeout(leave, this.#patienceMs))
  }

  /** There may be room: those at the front are asked, until one must wait on. */
  next(): void {
    for (const [guest, timer] of this.#guests) {
      if (!guest.enter()) return
      this.#guests.delete(guest)
      clearTimeout(timer)
    }
  }
}
