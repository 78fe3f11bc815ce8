import { Badge, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Appointment, AvailableSlot, Service } from '@tendon/sdk'
import { useFormatter, useTranslations } from 'use-intl'
import { useClinic } from '../../../ui/session/clinic.tsx'
import classes from './calendar.module.css'
import { FreeSlots } from './free-slots.tsx'

interface CalendarDaysProps {
  days: readonly string[]
  today: string
  visits: ReadonlyMap<string, readonly Appointment[]>
  /** Free times of a service by day; omitted when they are not shown. */
  free?: { service: Service; slots: ReadonlyMap<string, readonly AvailableSlot[]> } | undefined
}

/** One column for each day; one below the other on a phone. */
export function CalendarDays({ days, today, visits, free }: CalendarDaysProps) {
  const t = useTranslations('console.calendar')
  const format = useFormatter()
  return (
    <div className={classes.days} data-days={days.length}>
      {days.map((day) => {
        const at = new Date(`${day}T00:00:00Z`)
        const name = format.dateTime(at, { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' })
        const ofDay = visits.get(day) ?? []
        return (
          <section key={day} className={classes.day} data-today={day === today} aria-label={name}>
            <Text component="h2" className={classes.heading}>
              {name}
              {day === today && <Badge ml={6}>{t('today')}</Badge>}
            </Text>
            {ofDay.length === 0 ? (
              <Text size="sm" c="dimmed">
                {t('noVisit')}
              </Text>
            ) : (
              <ol className={classes.visits}>
                {ofDay.map((visit) => (
                  <Visit key={visit.id} visit={visit} />
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

function Visit({ visit }: { visit: Appointment }) {
  const t = useTranslations('console.calendar')
  const tVisits = useTranslations('console.record.appointments')
  const format = useFormatter()
  const { slug, time_zone } = useClinic()
  const time = (at: string | null) =>
    at === null ? '' : format.dateTime(new Date(at), { hour: '2-digit', minute: '2-digit', timeZone: time_zone })
  const words = (
    <>
      <span className={classes.time}>
        {time(visit.starts_at)}–{time(visit.ends_at)}
      </span>
      <span className={classes.name}>{visit.patient?.name ?? visit.booker?.name ?? t('noRecord')}</span>
      <span className={classes.text}>{visit.service?.name ?? visit.title}</span>
      <span className={classes.text}>{visit.specialist?.name}</span>
      {visit.status !== 'confirmed' && <Badge variant="default">{tVisits(`statuses.${visit.status}`)}</Badge>}
    </>
  )
  return (
    <li className={classes.visit} data-status={visit.status}>
      {visit.patient_id === null ? (
        <div className={classes.card}>{words}</div>
      ) : (
        <Link className={classes.card} to={`/${slug}/patients/${visit.patient_id}/appointments`}>
          {words}
        </Link>
      )}
    </li>
  )
}
