import { Text } from '@mantine/core'
import { useTranslations } from 'use-intl'
import type { ReviewClock } from './clock.ts'
import type { Marker } from './markers.ts'
import classes from './review.module.css'
import { timeText, useMarkerText } from './use-marker-text.ts'

/** The events of the run as a list. Clicking an entry seeks to its time. */
export function EventList({ clock, markers }: { clock: ReviewClock; markers: readonly Marker[] }) {
  const t = useTranslations('console.review')
  const textOf = useMarkerText()
  if (markers.length === 0) return <Text c="dimmed">{t('nothing')}</Text>
  return (
    <ol className={classes.events}>
      {markers.map((marker) => (
        <li key={marker.key}>
          <button type="button" data-kind={marker.kind} onClick={() => clock.seek(marker.at_ms)}>
            <span className={classes.at}>{timeText(marker.at_ms)}</span>
            <span>{textOf(marker)}</span>
          </button>
        </li>
      ))}
    </ol>
  )
}
