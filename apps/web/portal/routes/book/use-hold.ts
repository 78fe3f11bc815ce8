import type { Hold, NewPublicHold } from '@tendon/sdk'
import { type RefObject, useCallback, useEffect, useState } from 'react'
import { api, tab } from '../../../ui/api/client.ts'
import { useWrite } from '../../../ui/api/hooks.ts'

export interface HeldTime {
  hold: Hold
  /** On this page's clock (performance.now): the device's own time may be wrong. */
  endsAtMs: number
}

/** Takes a time for a few minutes while the person types. It is released when they choose another one or leave the page. */
export function useHold(isBooked: RefObject<boolean>, onHeld: (hold: Hold) => void) {
  const [held, setHeld] = useState<HeldTime | null>(null)
  const take = useWrite('POST /v1/public/holds', {
    onDone: ({ data }) => {
      const lifeMs = Date.parse(data.expires_at) - Date.parse(data.created_at)
      setHeld({ hold: data, endsAtMs: performance.now() + lifeMs })
      onHeld(data)
    },
  })
  const forget = useCallback(() => setHeld(null), [])
  const id = held?.hold.id
  useEffect(() => {
    if (id === undefined) return undefined
    // Expired meanwhile: then there is nothing to release.
    const release = () => {
      if (!isBooked.current) api('DELETE /v1/public/holds/{id}', { params: { id } }).catch(() => undefined)
    }
    const leave = () => {
      if (!isBooked.current) releaseNow(id)
    }
    addEventListener('pagehide', leave)
    return () => {
      removeEventListener('pagehide', leave)
      release()
    }
  }, [id, isBooked])
  return {
    held,
    take: (body: NewPublicHold) => take.mutate({ body }),
    pending: take.isPending ? take.variables.body.starts_at : undefined,
    error: take.error,
    forget,
  }
}

/** A page that is being closed can still send this. */
function releaseNow(id: string): void {
  void fetch(`/v1/public/holds/${id}`, { method: 'DELETE', keepalive: true, headers: { 'x-tendon-web': tab.app } })
}

export type HoldState = 'active' | 'expiring' | 'ended'

/** The state of a hold as the server tells it, and the seconds that are left. */
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
