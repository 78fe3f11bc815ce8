import type { ApiError } from '@tendon/sdk'

/**
 * A gate covers the page until the person has done something: signed in again, or agreed. Requests that meet a closed gate
 * wait for it together; true means: send the request again.
 */
export interface Gate<Reason> {
  /** False at once while nothing on the page can open the gate. */
  wait(reason: Reason): Promise<boolean>
  /** What closed the gate; undefined while it is open. */
  readonly reason: Reason | undefined
  open(passed: boolean): void
  /** Called by the component that shows the gate; returns how to leave. */
  mount(onChange: () => void): () => void
}

export function createGate<Reason>(): Gate<Reason> {
  let reason: Reason | undefined
  let waiting: ((passed: boolean) => void)[] = []
  const listeners = new Set<() => void>()
  const notify = () => listeners.forEach((listener) => listener())
  return {
    get reason() {
      return reason
    },
    wait(next) {
      if (listeners.size === 0) return Promise.resolve(false)
      if (waiting.length === 0) {
        reason = next
        queueMicrotask(notify)
      }
      return new Promise((resolve) => waiting.push(resolve))
    },
    open(passed) {
      const resolved = waiting
      waiting = []
      reason = undefined
      notify()
      for (const resolve of resolved) resolve(passed)
    },
    mount(onChange) {
      listeners.add(onChange)
      return () => listeners.delete(onChange)
    },
  }
}

export const signInGate = createGate<true>()
export const consentGate = createGate<ApiError>()
