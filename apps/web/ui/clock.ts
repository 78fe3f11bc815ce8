/** Time as a parameter, so that tests do not wait. */
export interface Clock {
  /** Returns how to cancel it. */
  after: (ms: number, run: () => void) => () => void
}

export const browserClock: Clock = {
  after: (ms, run) => {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}
