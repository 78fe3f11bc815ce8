import type { ApiError } from './api-error.ts'

/**
 * A gate covers the page until the person has done something: signed in again, or agreed. Requests that meet a closed gate
 * wait for it together; true means: send the request again.
 */
export interface Gate<Reason> {
  /** Waits at the gate. */
  wait(reason: Reason): Promise<boolean>
  /** What the page shows while the gate is closed. */
  subscribe(listener: () => void): () => void
  readonly reason: Reason | undefined
  open(passed: boolean): void
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
      if (waiting.length === 0) {
        reason = next
        queueMicrotask(notify)
      }
      return new Promise((resolve) => waiting.push(resolve))
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    open(passed) {
      const resolved = waiting
      waiting = []
      reason = undefined
      notify()
      for (const resolve of resolved) resolve(passed)
    },
  }
}

export const signInGate = createGate<true>()
export const consentGate = createGate<ApiError>()

/** Whether a gate is mounted: before the app is drawn nobody could open it. */
export const gates = {
  mounted: { signIn: false, consent: false },
  signIn: () => (gates.mounted.signIn ? signInGate.wait(true) : Promise.resolve(false)),
  consent: (error: ApiError) => (gates.mounted.consent ? consentGate.wait(error) : Promise.resolve(false)),
}
