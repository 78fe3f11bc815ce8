import type { Today } from '@tendon/sdk'
import { useEffect, useState } from 'react'
import { useRead } from '../../ui/api/hooks.ts'
import { useMe } from '../../ui/session/me.ts'
import { type KeptToday, keepToday, keptToday } from './kept-today.ts'

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
  useEffect(() => {
    if (isOffline) void keptToday().then(setKept)
  }, [isOffline])
  const last = isOffline && kept?.me.principal_id === me.principal_id ? kept : undefined
  const data: Today | undefined = read ?? last?.today
  return { data, error: query.error, refetch: query.refetch, offlineSince: last?.at }
}
