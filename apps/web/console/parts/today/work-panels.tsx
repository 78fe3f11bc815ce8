import { Badge } from '@mantine/core'
import { linkOptions } from '@tanstack/react-router'
import type { Appointment } from '@tendon/sdk'
import { useState } from 'react'
import { useFormatter, useTimeZone, useTranslations } from 'use-intl'
import { useList } from '#ui/api/hooks.ts'
import { translatedTitle } from '#ui/field-form/translated.ts'
import { dayIn } from '#ui/format/dates.ts'
import { Ago, Instant } from '#ui/format/time.tsx'
import { useNow } from '#ui/format/use-now.ts'
import { useServiceName } from '#ui/format/use-service-name.ts'
import { useLanguage } from '#ui/i18n/i18n.tsx'
import { useClinic } from '#ui/session/clinic.tsx'
import { statusColor } from '../appointments/visit-status.ts'
import { daysAgo, thisMoment } from './days.ts'
import { PANEL_ROWS, Panel, type PanelRow } from './panel.tsx'

const QUIET_DAYS = 3
/** Each of them waits for a decision, so more are shown than in other panels. */
const MAX_UNSETTLED = 50

/** Patients with an active plan who do not exercise. */
export function MissedPanel() {
  const t = useTranslations('console.today')
  const format = useFormatter()
  const { slug, time_zone } = useClinic()
  const [before] = useState(() => daysAgo(time_zone, QUIET_DAYS))
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
        link: linkOptions({
          to: '/$clinic/patients/$id/plans/$planId',
          params: { clinic: slug, id: patient.id, planId: id },
        }),
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
  const { language } = useLanguage()
  const forms = useList('GET /v1/forms', {
    query: { status: 'completed', signed_by: 'staff', sort: 'completed_at', limit: PANEL_ROWS },
  })
  return (
    <Panel
      title={t('toSign')}
      help={t('toSignHelp')}
      empty={t('toSignEmpty')}
      list={forms}
      row={({ id, patient, completed_at, ...form }) => ({
        key: id,
        link: linkOptions({
          to: '/$clinic/patients/$id/forms/$formId',
          params: { clinic: slug, id: patient.id, formId: id },
        }),
        title: translatedTitle(form, language),
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

/** Visits on days off that were neither moved, cancelled nor kept; nothing when there are none. */
export function DaysOffPanel() {
  const t = useTranslations('console.today')
  const visits = useList('GET /v1/appointments', {
    query: { day_off: 'unsettled', sort: 'starts_at', include: 'patient,specialist', limit: MAX_UNSETTLED },
  })
  const row = useVisitRow()
  if (visits.data === undefined ? visits.error === null : visits.data.total === 0) return null
  return (
    <Panel
      title={t('daysOff')}
      help={t('daysOffHelp')}
      empty={t('daysOffEmpty')}
      list={visits}
      row={(visit) => row(visit, visit.specialist?.name)}
    />
  )
}

/** A visit as a row: it opens beside the patient's record, or beside the calendar when it belongs to no record. */
function useVisitRow(): (visit: Appointment, detail: string | undefined) => PanelRow {
  const t = useTranslations('console.today')
  const tVisits = useTranslations('console.record.appointments')
  const { slug } = useClinic()
  return ({ id, patient, patient_id, booker, starts_at, status }, detail) => ({
    key: id,
    link:
      patient_id === null
        ? linkOptions({ to: '/$clinic/calendar', params: { clinic: slug }, search: { visit: id } })
        : linkOptions({
            to: '/$clinic/patients/$id/appointments',
            params: { clinic: slug, id: patient_id },
            search: { visit: id },
          }),
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
        {detail !== undefined && ` · ${detail}`}
      </>
    ),
  })
}

/** The next visits, in the clinic's time zone. */
export function VisitsPanel() {
  const t = useTranslations('console.today')
  const { slug } = useClinic()
  const serviceName = useServiceName()
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
  const row = useVisitRow()
  return (
    <Panel
      title={t('visits')}
      help={t('visitsHelp', { zone })}
      empty={t('visitsEmpty')}
      list={visits}
      all={linkOptions({ to: '/$clinic/calendar', params: { clinic: slug } })}
      row={(visit) => row(visit, visit.service ? serviceName(visit.service) : undefined)}
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
