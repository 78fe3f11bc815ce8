import { useList } from '../../../../ui/api/hooks.ts'
import { useMay } from '../../../../ui/session/me.ts'

/** Days on which the whole clinic, or one location, is closed. The latest first, so that those to come are among them. */
export function useClosures() {
  const may = useMay()
  return useList('GET /v1/closures', { query: { limit: 100, sort: '-date' } }, { enabled: may('calendars.view_org') })
}
