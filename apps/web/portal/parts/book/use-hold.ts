import type { Hold, NewPublicHold } from '@tendon/sdk'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { api } from '#ui/api/client.ts'
import { useWrite } from '#ui/api/hooks.ts'
import { appName } from '#ui/app.ts'

export interface HeldTime {
  hold: Hold
  /** In milliseconds of performance.now, because the device's clock may be wrong. */
  endsAtMs: number
}

/** Where a tab keeps the id of its held time: on a slow line, a reload ends before its release has reached the server. */
const KEPT = 'hold'

const release = (id: string) => api('DELETE /v1/public/holds/{id}', { params: { id } }).catch(() => undefined)

/** Holds a time for a few minutes while the person types. Choosing another time or leaving the page releases it. */
export function useHold(isBooked: RefObject<boolean>, onHeld: (hold: Hold) => void) {
  const [held, setHeld] = useState<HeldTime | null>(null)
  const take = useWrite('POST /v1/public/holds', {
    onDone: ({ data }) => {
      const lifeMs = Date.parse(data.expires_at) - Date.parse(data.created_at)
      setHeld({ hold: data, endsAtMs: performance.now() + lifeMs })
      onHeld(data)
    },
  })
  const [isReleasing, setReleasing] = useState(() => sessionStorage.getItem(KEPT) !== null)
  const released = useRef<Promise<unknown>>(undefined)
  const forget = useCallback(() => {
    if (sessionStorage.getItem(KEPT) !== null) setReleasing(true)
    setHeld(null)
  }, [])
  const id = held?.hold.id
  useEffect(() => {
    if (id === undefined) return undefined
    sessionStorage.setItem(KEPT, id)
    const leave = () => {
      if (!isBooked.current) releaseNow(id)
    }
    const end = () => {
      sessionStorage.removeItem(KEPT)
      // An expired hold needs no release.
      if (!isBooked.current) released.current = release(id)
    }
    addEventListener('pagehide', leave)
    return () => {
      removeEventListener('pagehide', leave)
      end()
    }
  }, [id, isBooked])
  useEffect(() => {
    if (!isReleasing) return
    const left = sessionStorage.getItem(KEPT)
    sessionStorage.removeItem(KEPT)
    if (left !== null) released.current = release(left)
    void Promise.resolve(released.current).then(() => setReleasing(false))
  }, [isReleasing])
  return {
    held,
    /** The time that was held is being released: the free times do not have it yet. */
    isReleasing,
    take: (body: NewPublicHold) => take.mutate({ body }),
    pending: take.isPending ? take.variables.body : undefined,
    error: take.error,
    forget,
  }
}

/** Is sent even while the page is closing. */
function releaseNow(id: string): void {
  void fetch(`/v1/public/holds/${id}`, { method: 'DELETE', keepalive: true, headers: { 'x-tendon-web': appName() } })
}

export type HoldState = 'active' | 'expiring' | 'ended'

/** The state of a hold on the server, and the remaining seconds. */
export function useHoldState({ hold: { id }, endsAtMs }: HeldTime): { state: HoldState; seconds: number } {
  const [state, setState] = useState<HoldState>('active')
  const [seconds, setSeconds] = useState(() => secondsUntil(endsAtMs))
  useEffect(() => {
    const timer = setInterval(() => setSeconds(secondsUntil(endsAtMs)), 500)
    return () => clearInterval(timer)
  }, [endsAtMs])
  useEffect(() => {
    const stream = new EventSource(`/v1/public/holds/${id}/stream`)
    const end = () => {
      setState('ended')
      stream.close()
    }
    stream.addEventListener('hold.expiring', () => setState('expiring'))
    stream.addEventListener('hold.expired', end)
    stream.addEventListener('hold.released', end)
    stream.addEventListener('hold.converted', () => stream.close())
    return () => stream.close()
  }, [id])
  return { state: seconds === 0 ? 'ended' : state, seconds }
}

const secondsUntil = (endsAtMs: number): number => Math.max(0, Math.ceil((endsAtMs - performance.now()) / 1000))
