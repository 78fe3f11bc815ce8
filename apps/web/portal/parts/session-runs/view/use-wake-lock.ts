import { useEffect } from 'react'

/** Keeps the screen on during the session, because nobody touches it. The browser releases it when the tab is hidden. */
export function useWakeLock(on: boolean): void {
  useEffect(() => {
    if (!on || !('wakeLock' in navigator)) return undefined
    let lock: Promise<WakeLockSentinel | undefined> = Promise.resolve(undefined)
    const request = () => {
      if (document.visibilityState === 'visible') lock = navigator.wakeLock.request('screen').catch(() => undefined)
    }
    request()
    document.addEventListener('visibilitychange', request)
    return () => {
      document.removeEventListener('visibilitychange', request)
      void lock.then((held) => held?.release())
    }
  }, [on])
}
