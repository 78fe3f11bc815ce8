import { Badge, VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Appointment } from '@tendon/sdk'
import { useFormatter, useTranslations } from 'use-intl'
import { useServiceName } from '#ui/format/use-service-name.ts'
import { IconPhone, IconVideo } from '#ui/icons/index.ts'
import { useClinic } from '#ui/session/clinic.tsx'
import classes from './visit-card.module.css'

const COLORS = 6

interface VisitCardProps {
  visit: Appointment
  color: number
  withSpecialist: boolean
  /** Fits into the height of the visit instead of showing everything. */
  inGrid?: boolean
}

/** A visit of the calendar. It opens beside the page. */
export function VisitCard({ visit, color, withSpecialist, inGrid = false }: VisitCardProps) {
  const t = useTranslations('console.calendar')
  const tVisits = useTranslations('console.record.appointments')
  const format = useFormatter()
  const { time_zone } = useClinic()
  const serviceName = useServiceName()
  const time = (at: string | null) =>
    at === null
      ? ''
      : format.dateTime(new Date(at), {
          hour: '2-digit',
          minute: '2-digit',
          hourCycle: 'h23',
          timeZone: time_zone,
        })
  const name = visit.patient?.name ?? visit.booker?.name ?? t('noRecord')
  const ModeIcon = { video: IconVideo, phone: IconPhone, in_person: undefined }[visit.mode]
  const times = `${time(visit.starts_at)}–${time(visit.ends_at)}`
  const facts = [serviceName(visit.service) ?? visit.title, withSpecialist ? visit.specialist?.name : undefined]
  const status = visit.status === 'confirmed' ? '' : tVisits(`statuses.${visit.status}`)
  return (
    <Link
      to="."
      search={(before) => ({ ...before, visit: visit.id })}
      className={classes.card}
      data-status={visit.status}
      data-color={color % COLORS}
      data-grid={inGrid}
      title={[times, name, ...facts, status].filter(Boolean).join(' · ')}
    >
      <span className={classes.time}>
        {inGrid ? [time(visit.starts_at), status].filter(Boolean).join(' · ') : times}
        {ModeIcon && (
          <>
            <ModeIcon size={14} className={classes.mode} />
            <VisuallyHidden>{tVisits(`modes.${visit.mode}`)}</VisuallyHidden>
          </>
        )}
      </span>
      <span className={classes.name}>{name}</span>
      {facts.filter(Boolean).map((fact) => (
        <span key={fact} className={classes.text}>
          {fact}
        </span>
      ))}
      {status !== '' && !inGrid && (
        <span className={classes.status}>
          <Badge variant="default" size="sm">
            {status}
          </Badge>
        </span>
      )}
    </Link>
  )
}
