import { Text } from '@mantine/core'
import type { Calendar } from '@tendon/sdk'
import { useTranslations } from 'use-intl'
import classes from './hours.module.css'
import { hoursOfDay } from './hours-text.ts'
import { useWeekdays } from './use-weekdays.ts'

/** The hours of a week, a line for each day. */
export function WeekHours({ hours }: { hours: Calendar['weekly_hours'] }) {
  const t = useTranslations('console.settings.hours')
  const weekdays = useWeekdays()
  return (
    <dl className={classes.week}>
      {weekdays.map((name, index) => {
        const text = hoursOfDay(hours, index + 1)
        return (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {text === '' ? (
                <Text component="span" c="dimmed">
                  {t('closed')}
                </Text>
              ) : (
                text
              )}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}
