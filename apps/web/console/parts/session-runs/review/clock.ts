/** The clock of a review, in milliseconds of the run. Video, skeleton, curve and list follow it. */
export interface ReviewClock {
  ms(): number
  playing(): boolean
  /** Negative when playing backwards. */
  rate(): number
  duration: number
  seek(ms: number): void
  play(rate?: number): void
  pause(): void
  subscribe(listener: () => void): () => void
  close(): void
}

export interface ClockOptions {
  now?: () => number
  /** Runs the callback before the next repaint; returns a function that cancels it. */
  nextFrame?: (run: () => void) => () => void
}

const browserFrame = (run: () => void): (() => void) => {
  const id = requestAnimationFrame(run)
  return () => cancelAnimationFrame(id)
}

export function createClock(
  duration: number,
  { now = () => performance.now(), nextFrame = browserFrame }: ClockOptions = {},
): ReviewClock {
  const listeners = new Set<() => void>()
  let ms = 0
  let rate = 1
  let before: number | undefined
  let cancel: (() => void) | undefined

  const notify = () => {
    for (const listener of listeners) listener()
  }
  const within = (value: number) => Math.min(duration, Math.max(0, value))

  function tick(): void {
    if (before === undefined) return
    const time = now()
    const next = ms + (time - before) * rate
    before = time
    ms = within(next)
    if (next === ms) cancel = nextFrame(tick)
    else before = undefined
    notify()
  }

  function pause(): void {
    cancel?.()
    before = undefined
    notify()
  }

  return {
    duration,
    ms: () => ms,
    playing: () => before !== undefined,
    rate: () => rate,
    seek(to) {
      ms = within(Math.round(to))
      notify()
    },
    play(wanted = 1) {
      rate = wanted
      if (rate > 0 && ms >= duration) ms = 0
      cancel?.()
      before = now()
      cancel = nextFrame(tick)
      notify()
    },
    pause,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close: pause,
  }
}
