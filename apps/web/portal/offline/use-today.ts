import type { Today } from '@tendon/sdk'
import { useEffect, useState } from 'react'
import { useRead } from '#ui/api/hooks.ts'
import { useMe } from '#ui/session/me.ts'
import { type KeptToday, keepToday, keptToday } from './kept-today.ts'

/** A server that comes back is not told by the browser, unlike a connection. */
const AGAIN_MS = 10_000

/** Today from the server; without a connection, the saved content and the time when it was saved. */
export function useToday() {
  const me = useMe()
  const query = useRead('GET /v1/me/today')
  const [kept, setKept] = useState<KeptToday>()
  const read = query.data?.data
  const isOffline = query.error?.status === 0
  useEffect(() => {
    if (read && !isOffline) void keepToday(me, read, new Date())
  }, [me, read, isOffline])
  const { refetch } = query
  useEffect(() => {
    if (!isOffline) return undefined
    void keptToday().then(setKept)
    const timer = setInterval(() => void refetch(), AGAIN_MS)
    return () => clearInterval(timer)
  }, [isOffline, refetch])
  const last = isOffline && kept?.me.principal_id === me.principal_id ? kept : undefined
  const data: Today | undefined = read ?? last?.today
  return { data, error: query.error, refetch, offlineSince: last?.at }
}
