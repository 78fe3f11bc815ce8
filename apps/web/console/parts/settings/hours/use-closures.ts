import { useWholeList } from '#ui/api/hooks.ts'
import { useMay } from '#ui/session/me.ts'

/** Days on which the whole clinic, or one location, is closed. */
export function useClosures() {
  const may = useMay()
  return useWholeList('GET /v1/closures', {}, { enabled: may('calendars.view_org') })
}
