import { Text } from '@mantine/core'
import type { Calendar } from '@tendon/sdk'
import { useTranslations } from 'use-intl'
import classes from './hours.module.css'
import { useWeekdays } from './use-weekdays.ts'

/** The hours of a week, a line for each day. */
export function WeekHours({ hours }: { hours: Calendar['weekly_hours'] }) {
  const t = useTranslations('console.settings.hours')
  const weekdays = useWeekdays()
  return (
    <dl className={classes.week}>
      {weekdays.map((name, index) => {
        const windows = hours
          .filter(({ weekday }) => weekday === index + 1)
          .toSorted((a, b) => (a.start < b.start ? -1 : 1))
        return (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {windows.length === 0 ? (
                <Text component="span" c="dimmed">
                  {t('closed')}
                </Text>
              ) : (
                windows.map(({ start, end }) => `${start}–${end}`).join(', ')
              )}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}
