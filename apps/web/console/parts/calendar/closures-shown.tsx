import { Alert } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { DateSpan } from '../settings/hours/date-span.tsx'
import { useClosures } from '../settings/hours/use-closures.ts'

/** Names the days among those shown on which the clinic is closed. */
export function ClosuresShown({ days }: { days: readonly string[] }) {
  const t = useTranslations('console.settings.hours')
  const [first = '', last = first] = [days[0], days.at(-1)]
  const closures = useClosures()
  const shown = (closures.data?.items ?? []).filter(({ date, date_to }) => date <= last && (date_to ?? date) >= first)
  return shown.map(({ id, date, date_to, name, location_id }) => (
    <Alert key={id} color="orange" py="xs">
      {t('closed')}: <DateSpan from={date} to={date_to} /> · {name}
      {location_id !== null && ` (${t('oneLocation')})`}
    </Alert>
  ))
}
