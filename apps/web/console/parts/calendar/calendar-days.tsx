import { Badge, Text } from '@mantine/core'
import type { Appointment, AvailableSlot, Service } from '@tendon/sdk'
import { useFormatter, useTranslations } from 'use-intl'
import classes from './calendar.module.css'
import type { DayOff } from './days-off.ts'
import { FreeSlots } from './free-slots.tsx'
import { OffLine } from './off-line.tsx'
import { VisitCard } from './visit-card.tsx'

interface CalendarDaysProps {
  days: readonly string[]
  today: string
  visits: ReadonlyMap<string, readonly Appointment[]>
  /** The place of a specialist in the clinic's list: the colour of the card. */
  colorOf: (specialistId: string | null) => number
  daysOff: ReadonlyMap<string, readonly DayOff[]>
  /** Free times of a service by day; omitted when they are not shown. */
  free?: { service: Service; slots: ReadonlyMap<string, readonly AvailableSlot[]> } | undefined
}

/** Visits day by day, one below the other: for phones. */
export function CalendarDays({ days, today, visits, colorOf, daysOff, free }: CalendarDaysProps) {
  const t = useTranslations('console.calendar')
  const format = useFormatter()
  return (
    <div className={classes.days}>
      {days.map((day) => {
        const at = new Date(`${day}T00:00:00Z`)
        const name = format.dateTime(at, { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' })
        const ofDay = visits.get(day) ?? []
        return (
          <section key={day} className={classes.day} data-today={day === today} aria-label={name}>
            <Text component="h2" className={classes.heading}>
              {name}
              {day === today && <Badge ml={6}>{t('today')}</Badge>}
              <OffLine off={daysOff.get(day) ?? []} />
            </Text>
            {ofDay.length === 0 ? (
              <Text size="sm" c="dimmed">
                {t('noVisit')}
              </Text>
            ) : (
              <ol className={classes.visits}>
                {ofDay.map((visit) => (
                  <li key={visit.id}>
                    <VisitCard visit={visit} color={colorOf(visit.specialist_id)} withSpecialist />
                  </li>
                ))}
              </ol>
            )}
            {free && day >= today && (
              <div className={classes.free}>
                <FreeSlots slots={free.slots.get(day) ?? []} service={free.service} />
              </div>
            )}
          </section>
        )
      })}
    </div>
  )
}
