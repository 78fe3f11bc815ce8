import { useWrite } from '#ui/api/hooks.ts'
import { CalendarLink } from '#ui/calendar-link/calendar-link.tsx'

/** Subscribes a calendar app to the person's visits at this clinic. */
export function MyCalendarLink() {
  const create = useWrite('POST /v1/me/calendar-feed')
  const remove = useWrite('DELETE /v1/me/calendar-feed')
  return <CalendarLink {...{ create, remove }} call={{}} size="md" />
}
