import { setTimeout as sleep } from 'node:timers/promises'

export interface Loop {
  /** Resolves when the current round has ended. */
  stop(): Promise<void>
}

export interface LoopOptions {
  idleMs: number
  onError: (error: unknown) => void
}

const PAUSE_AFTER_ERROR_MS = 5_000

/** Runs `round` repeatedly: immediately while it returns that there is more to do, else after a pause. */
export function startLoop(round: () => Promise<{ more: boolean }>, { idleMs, onError }: LoopOptions): Loop {
  const stopping = new AbortController()
  const { signal } = stopping

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        const { more } = await round()
        if (!more) await pause(idleMs)
      } catch (error) {
        onError(error)
        await pause(Math.max(idleMs, PAUSE_AFTER_ERROR_MS))
      }
    }
  }

  const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => {})

  const ended = run()
  return {
    stop() {
      stopping.abort()
      return ended
    },
  }
}
