import { useCallback, useEffect, useState } from 'react'

export type Place = 'asking' | 'here' | 'elsewhere'

interface Asked {
  place: Place
  /** Higher each time this tab starts to hold the name. */
  turn: number
}

/**
 * Only one tab of this browser holds the name. The others wait until it closes, or take it over. Without the Web Locks
 * API every tab holds it.
 */
export function useOnlyTab(name: string): Asked & { takeOver: () => void } {
  const isSupported = 'locks' in navigator
  const [asked, setAsked] = useState<Asked>({ place: isSupported ? 'asking' : 'here', turn: 0 })
  const [taking, setTaking] = useState(0)

  useEffect(() => {
    if (!isSupported) return undefined
    const closed = new AbortController()
    const { signal } = closed
    const released = new Promise<boolean>((resolve) => signal.addEventListener('abort', () => resolve(true)))
    const hold = () => {
      if (!signal.aborted) setAsked(({ turn }) => ({ place: 'here', turn: turn + 1 }))
      return released
    }
    const tellElsewhere = () => {
      if (!signal.aborted) setAsked(({ turn }) => ({ place: 'elsewhere', turn }))
    }
    const first = () =>
      taking > 0
        ? navigator.locks.request(name, { steal: true }, hold)
        : navigator.locks.request(name, { ifAvailable: true }, (lock) => (lock ? hold() : false))

    async function ask(): Promise<void> {
      // Another tab that takes the name over rejects the request that held it.
      let isDone = await first().catch(() => false)
      while (!isDone && !signal.aborted) {
        tellElsewhere()
        isDone = await navigator.locks.request(name, { signal }, hold).catch(() => false)
      }
    }
    void ask()
    return () => closed.abort()
  }, [isSupported, name, taking])

  return { ...asked, takeOver: useCallback(() => setTaking((count) => count + 1), []) }
}
