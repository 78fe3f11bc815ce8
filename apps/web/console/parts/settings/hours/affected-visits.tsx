import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import type { Appointment } from '@tendon/sdk'
import { useId } from 'react'
import { useTranslations } from 'use-intl'
import { useRead } from '#ui/api/hooks.ts'
import { Loaded, Skeletons } from '#ui/feedback/loading.tsx'
import { Instant } from '#ui/format/time.tsx'
import { useServiceName } from '#ui/format/use-service-name.ts'
import { useMay } from '#ui/session/me.ts'
import { VisitActions } from '../../appointments/visit-actions.tsx'
import classes from './hours.module.css'

/** Ids and versions of the visits that stay. */
export type KeptVisits = ReadonlyMap<string, number>

interface AffectedVisitsProps {
  /** The day off as the form has it. */
  date: string
  dateTo: string
  /** Omitted: the whole clinic. */
  calendarId?: string
  kept: KeptVisits
  onKept: (kept: KeptVisits) => void
}

/** The visits that a day off would affect, before it is saved: each is moved, cancelled or kept, now or later. */
export function AffectedVisits({ date, dateTo, calendarId, kept, onKept }: AffectedVisitsProps) {
  const t = useTranslations('console.settings.hours')
  const tToday = useTranslations('console.today')
  const serviceName = useServiceName()
  const may = useMay()
  const heading = useId()
  const isWhole = date !== '' && (dateTo === '' || dateTo >= date)
  const mayView = may('appointments.view_org')
  const query = {
    date,
    ...(dateTo === '' ? {} : { date_to: dateTo }),
    ...(calendarId === undefined ? {} : { calendar_id: calendarId }),
  }
  const visits = useRead('GET /v1/appointments/affected', { query }, { enabled: isWhole && mayView })
  if (!mayView) return <Alert color="orange">{t('affectedUnknown')}</Alert>
  if (!isWhole) return null
  const toggle = ({ id, version }: Appointment) => {
    const next = new Map(kept)
    if (!next.delete(id)) next.set(id, version)
    onKept(next)
  }
  const off = { from: date, to: dateTo === '' ? date : dateTo }
  return (
    <Loaded query={visits} skeleton={<Skeletons rows={2} />}>
      {({ data: items, total }) =>
        items.length === 0 ? (
          <Text c="dimmed">{t('affectedNone')}</Text>
        ) : (
          <Alert color="orange" role="status">
            <Stack gap="xs" role="group" aria-labelledby={heading}>
              <Text fw={600} id={heading}>
                {t('affected', { count: total })}
              </Text>
              <Text>{may('appointments.manage') ? t('affectedText') : t('affectedReadOnly')}</Text>
              <ul className={classes.affected}>
                {items.map((visit) => (
                  <li key={visit.id}>
                    <Text component="span" fw={600}>
                      {visit.patient?.name ?? visit.booker?.name ?? tToday('noName')}
                    </Text>
                    <Text component="span" size="sm">
                      {visit.starts_at !== null && <Instant value={visit.starts_at} weekday />}
                      {[serviceName(visit.service), visit.specialist?.name].map((name) => name && ` · ${name}`)}
                    </Text>
                    {may('appointments.manage') && (
                      <Group gap={6} role="group" aria-label={visit.patient?.name ?? visit.booker?.name}>
                        {!kept.has(visit.id) && <VisitActions visit={visit} off={off} />}
                        <Button
                          variant={kept.has(visit.id) ? 'filled' : 'default'}
                          aria-pressed={kept.has(visit.id)}
                          onClick={() => toggle(visit)}
                        >
                          {t('keepVisit')}
                        </Button>
                        {kept.has(visit.id) && <Text size="sm">{t('keptVisit')}</Text>}
                      </Group>
                    )}
                  </li>
                ))}
              </ul>
              {total > items.length && <Text>{t('affectedMore', { count: total - items.length })}</Text>}
            </Stack>
          </Alert>
        )
      }
    </Loaded>
  )
}
