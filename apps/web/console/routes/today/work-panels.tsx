import { Badge } from '@mantine/core'
import { useState } from 'react'
import { useFormatter, useTimeZone, useTranslations } from 'use-intl'
import { useList } from '../../../ui/api/hooks.ts'
import { dayIn } from '../../../ui/format/dates.ts'
import { Ago, Instant } from '../../../ui/format/time.tsx'
import { useNow } from '../../../ui/format/use-now.ts'
import { useClinic } from '../../../ui/session/clinic.tsx'
import { statusColor } from '../appointments/visit-status.ts'
import { daysAgo, thisMoment } from './days.ts'
import { PANEL_ROWS, Panel } from './panel.tsx'

const QUIET_DAYS = 3

/** Patients with an active plan who do not exercise. */
export function MissedPanel() {
  const t = useTranslations('console.today')
  const format = useFormatter()
  const { slug } = useClinic()
  const [before] = useState(() => daysAgo(QUIET_DAYS))
  const plans = useList('GET /v1/treatment-plans', {
    query: { status: 'active', last_active_at_before: before, sort: 'last_active_at', limit: PANEL_ROWS },
  })
  return (
    <Panel
      title={t('missed')}
      help={t('missedHelp')}
      empty={t('missedEmpty')}
      list={plans}
      row={({ id, patient, title, last_active_at }) => ({
        key: id,
        to: `/${slug}/patients/${patient.id}/plans/${id}`,
        title: patient.name,
        text: (
          <>
            {title}
            {last_active_at !== null &&
              ` · ${t('missedSince', { when: format.relativeTime(new Date(last_active_at), new Date()) })}`}
          </>
        ),
      })}
    />
  )
}

/** Completed forms that staff must sign; those that the patient signs wait in the portal. */
export function SignPanel() {
  const t = useTranslations('console.today')
  const { slug } = useClinic()
  const forms = useList('GET /v1/forms', {
    query: { status: 'completed', signed_by: 'staff', sort: 'completed_at', limit: PANEL_ROWS },
  })
  return (
    <Panel
      title={t('toSign')}
      help={t('toSignHelp')}
      empty={t('toSignEmpty')}
      list={forms}
      row={({ id, patient, title, completed_at }) => ({
        key: id,
        to: `/${slug}/patients/${patient.id}/forms/${id}`,
        title,
        text: (
          <>
            {patient.name}
            {completed_at !== null && (
              <>
                {' · '}
                <Ago value={completed_at} />
              </>
            )}
          </>
        ),
      })}
    />
  )
}

/** The next visits, in the clinic's time zone. */
export function VisitsPanel() {
  const t = useTranslations('console.today')
  const { slug } = useClinic()
  const tVisits = useTranslations('console.record.appointments')
  const zone = useTimeZone() ?? 'UTC'
  const [now] = useState(thisMoment)
  const visits = useList('GET /v1/appointments', {
    query: {
      starts_at_after: now,
      status: 'pending,confirmed,checked_in',
      sort: 'starts_at',
      include: 'patient,service',
      limit: PANEL_ROWS,
    },
  })
  return (
    <Panel
      title={t('visits')}
      help={t('visitsHelp', { zone })}
      empty={t('visitsEmpty')}
      list={visits}
      all={{ to: `/${slug}/calendar` }}
      row={({ id, patient, patient_id, booker, starts_at, service, status }) => ({
        key: id,
        to: patient_id === null ? `/${slug}/calendar` : `/${slug}/patients/${patient_id}/appointments`,
        search: { visit: id },
        mark:
          status === 'confirmed' ? null : (
            <Badge variant="dot" color={statusColor(status)}>
              {tVisits(`statuses.${status}`)}
            </Badge>
          ),
        title: patient?.name ?? booker?.name ?? t('noName'),
        text: (
          <>
            {starts_at !== null && <VisitStart value={starts_at} />}
            {service && ` · ${service.name}`}
          </>
        ),
      })}
    />
  )
}

/** "Today, 09:00", or the day and the time. */
function VisitStart({ value }: { value: string }) {
  const now = useNow()
  const t = useTranslations('console.today')
  const zone = useTimeZone() ?? 'UTC'
  const isToday = dayIn(zone, new Date(value)) === dayIn(zone, new Date(now))
  return isToday ? (
    <>
      {t('title')}, <Instant value={value} date={false} />
    </>
  ) : (
    <Instant value={value} weekday />
  )
}
