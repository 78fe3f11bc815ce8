import { Alert } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { useList } from '../../../ui/api/hooks.ts'
import { useMay } from '../../../ui/session/me.ts'
import { DateSpan } from '../settings/hours/date-span.tsx'

/** Names the days among those shown on which the clinic is closed. */
export function ClosuresShown({ days }: { days: readonly string[] }) {
  const t = useTranslations('console.settings.hours')
  const may = useMay()
  const [first = '', last = first] = [days[0], days.at(-1)]
  const closures = useList(
    'GET /v1/closures',
    { query: { limit: 100, sort: '-date' } },
    { enabled: may('calendars.view_org') },
  )
  const shown = (closures.data?.items ?? []).filter(({ date, date_to }) => date <= last && (date_to ?? date) >= first)
  return shown.map(({ id, date, date_to, name, location_id }) => (
    <Alert key={id} color="orange" py="xs">
      {t('closed')}: <DateSpan from={date} to={date_to} /> · {name}
      {location_id !== null && ` (${t('oneLocation')})`}
    </Alert>
  ))
}
