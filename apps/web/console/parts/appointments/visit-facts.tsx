import { Anchor, Text } from '@mantine/core'
import type { Appointment } from '@tendon/sdk'
import type { ReactNode } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { useWholeList } from '#ui/api/hooks.ts'
import { TelephoneLink } from '#ui/format/telephone-link.tsx'
import { TimeHere } from '#ui/format/time.tsx'
import { useServiceName } from '#ui/format/use-service-name.ts'
import { TextLink } from '#ui/frame/links.tsx'
import { useClinic } from '#ui/session/clinic.tsx'
import classes from './visit.module.css'

/** When, who, with whom and where. */
export function VisitFacts({ visit }: { visit: Appointment }) {
  const t = useTranslations('console.visits')
  const tVisits = useTranslations('console.record.appointments')
  const serviceName = useServiceName()
  const { id: clinicId, slug } = useClinic()
  const isInPerson = visit.mode === 'in_person' && visit.location_id !== null
  const places = useWholeList(
    'GET /v1/organizations/{id}/locations',
    { params: { id: clinicId } },
    { enabled: isInPerson },
  )
  const place = isInPerson ? places.data?.items.find(({ id }) => id === visit.location_id) : undefined
  const { booker, patient, patient_id, specialist, service, title } = visit
  const facts: [label: string, value: ReactNode][] = [
    [t('when'), <When key="when" visit={visit} />],
    [
      t('patient'),
      patient_id === null ? (
        <>
          {booker?.name ?? t('noRecord')}
          {booker && <Contact email={booker.email} phone={booker.phone ?? null} />}
        </>
      ) : (
        <TextLink key="patient" to="/$clinic/patients/$id" params={{ clinic: slug, id: patient_id }} fw={600}>
          {patient?.name}
        </TextLink>
      ),
    ],
    ...(title !== null && service ? [[tVisits('service'), serviceName(service)] as [string, ReactNode]] : []),
    [tVisits('with'), specialist?.name],
    [t('where'), place?.name],
    [t('source'), t(`sources.${visit.source}`)],
    [t('cancelReason'), visit.rescheduled_to_id === null ? visit.cancellation_reason : null],
  ]
  return (
    <dl className={classes.facts}>
      {facts
        .filter(([, value]) => value !== null && value !== undefined && value !== '')
        .map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}

function When({ visit: { starts_at, ends_at } }: { visit: Appointment }) {
  const t = useTranslations('console.record.appointments')
  const format = useFormatter()
  const { time_zone } = useClinic()
  if (starts_at === null || ends_at === null) return t('noTime')
  const time = (at: string) =>
    format.dateTime(new Date(at), { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: time_zone })
  const day = format.dateTime(new Date(starts_at), {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: time_zone,
  })
  return (
    <time dateTime={starts_at}>
      {day}, {time(starts_at)}–{time(ends_at)}
      <TimeHere value={starts_at} />
    </time>
  )
}

function Contact({ email, phone }: { email: string; phone: string | null }) {
  return (
    <Text component="span" display="block" size="sm" style={{ overflowWrap: 'anywhere' }}>
      {phone !== null && (
        <>
          <TelephoneLink phone={phone}>{phone}</TelephoneLink>
          {' · '}
        </>
      )}
      <Anchor href={`mailto:${email}`}>{email}</Anchor>
    </Text>
  )
}
