interface Share {
  held: number
  waiting: Set<() => void>
}

/**
 * Who shares something scarce gets no more than `max` of it at once; what they want beyond that waits for their own,
 * first come, first served. One organization with slow queries then cannot take the connections of all.
 */
export class Shares {
  readonly #max: number
  readonly #waitMs: number
  readonly #shares = new Map<string, Share>()

  /** Who waits longer is refused with 503, like somebody who waits for a connection. */
  constructor(max: number, waitMs: number) {
    this.#max = max
    this.#waitMs = waitMs
  }

  async run<Result>(holder: string, work: () => Promise<Result>): Promise<Result> {
    const share = this.#shares.get(holder) ?? { held: 0, waiting: new Set() }
    this.#shares.set(holder, share)
    if (share.held < this.#max) share.held += 1
    else await turnOf(share, this.#waitMs)
    try {
      return await work()
    } finally {
      const [next] = share.waiting
      if (next) next()
      else {
        share.held -= 1
        if (share.held === 0) this.#shares.delete(holder)
      }
    }
  }
}

/** Resolves when somebody of the same holder has ended and gives their place on. */
function turnOf({ waiting }: Share, waitMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      waiting.delete(take)
      reject(tooBusy())
    }, waitMs)
    const take = () => {
      waiting.delete(take)
      clearTimeout(timer)
      resolve()
    }
    waiting.add(take)
  })
}

/** With PostgreSQL's own code for it, so that it is answered like any other lack of connections. */
const tooBusy = () => Object.assign(new Error('Too many transactions of one organization at once.'), { code: '53300' })
