import { Badge, Button, Text } from '@mantine/core'
import { useLoaderDeps, useParams } from '@tanstack/react-router'
import type { Appointment } from '@tendon/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useList } from '#ui/api/hooks.ts'
import { type Column, DataList } from '#ui/data-list/data-list.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Instant } from '#ui/format/time.tsx'
import { useServiceName } from '#ui/format/use-service-name.ts'
import { TextLink } from '#ui/frame/links.tsx'
import { IconCalendarPlus } from '#ui/icons/index.ts'
import { useMay } from '#ui/session/me.ts'
import { VisitActions } from '../../../parts/appointments/visit-actions.tsx'
import { BookVisitDialog } from '../../../parts/appointments/visit-dialogs.tsx'
import { VisitPanel } from '../../../parts/appointments/visit-panel.tsx'
import { statusColor } from '../../../parts/appointments/visit-status.ts'

export function AppointmentsTab() {
  const t = useTranslations('console.record.appointments')
  const { id } = useParams({ from: '/$clinic/patients/$id' })
  const mayManage = useMay()('appointments.manage')
  const query = useLoaderDeps({ from: '/$clinic/patients/$id/appointments' })
  const [booking, setBooking] = useState(false)
  const serviceName = useServiceName()
  const list = useList('GET /v1/appointments', { query: { patient_id: id, ...query } })
  const columns: Column<Appointment>[] = [
    {
      key: 'starts_at',
      header: t('time'),
      sort: 'starts_at',
      cell: ({ id: visit, starts_at }) => (
        <TextLink to="." search={(before) => ({ ...before, visit })}>
          {starts_at === null ? t('noTime') : <Instant value={starts_at} weekday />}
        </TextLink>
      ),
    },
    { key: 'service', header: t('service'), wide: true, cell: ({ service, title }) => serviceName(service) ?? title },
    { key: 'specialist', header: t('with'), wide: true, cell: ({ specialist }) => specialist?.name },
    {
      key: 'status',
      header: t('status'),
      cell: ({ status, cancellation_reason, rescheduled_to_id }) => (
        <>
          <Badge variant="dot" color={statusColor(status)}>
            {rescheduled_to_id === null ? t(`statuses.${status}`) : t('movedAway')}
          </Badge>
          {cancellation_reason !== null && rescheduled_to_id === null && (
            <Text size="sm" c="dimmed">
              {cancellation_reason}
            </Text>
          )}
        </>
      ),
    },
    ...(mayManage
      ? [
          {
            key: 'actions',
            header: t('actionsOf'),
            hideHeader: true,
            align: 'end' as const,
            cell: (visit: Appointment) => <VisitActions visit={visit} short />,
          },
        ]
      : []),
  ]
  const action = mayManage && (
    <Button leftSection={<IconCalendarPlus size={18} />} onClick={() => setBooking(true)}>
      {t('book')}
    </Button>
  )
  return (
    <>
      <DataList
        label={t('time')}
        list={list}
        columns={columns}
        rowKey={(visit) => visit.id}
        empty={<EmptyState icon={IconCalendarPlus} title={t('empty')} text={t('emptyText')} action={action} />}
      />
      <BookVisitDialog patient={{ id }} open={booking} onClose={() => setBooking(false)} />
      <VisitPanel />
    </>
  )
}
