import { Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { MyAppointment } from '@tendon/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Loaded } from '#ui/feedback/loading.tsx'
import { Instant } from '#ui/format/time.tsx'
import { Page } from '#ui/frame/page.tsx'
import { PrintButton } from '#ui/frame/print-button.tsx'
import { IconCalendar, IconCalendarPlus } from '#ui/icons/index.ts'
import { useClinic } from '#ui/session/clinic.tsx'
import { MyBookings } from '../../parts/visits/my-bookings.tsx'
import { MyCalendarLink } from '../../parts/visits/my-calendar-link.tsx'
import { useMyVisits, type Visits } from '../../parts/visits/my-visits.ts'
import { ReviewButton } from '../../parts/visits/review-visit.tsx'
import { UpcomingVisit } from '../../parts/visits/upcoming-visit.tsx'

const FEW_PAST = 5

/** The person's visits at this clinic: future ones with their actions, then past ones. */
export function VisitsPage() {
  const t = useTranslations('portal.visits')
  const visits = useMyVisits()
  const isEmpty = visits.data && Object.values(visits.data).every((list: MyAppointment[]) => list.length === 0)
  return (
    <Page
      title={t('title')}
      actions={
        !isEmpty && (
          <>
            <NewVisit />
            <PrintButton />
          </>
        )
      }
    >
      <MyBookings />
      <Loaded query={visits}>
        {(data) =>
          isEmpty ? (
            <EmptyState icon={IconCalendar} title={t('none')} text={t('noneText')} action={<NewVisit />} />
          ) : (
            <Lists visits={data} />
          )
        }
      </Loaded>
    </Page>
  )
}

function NewVisit() {
  const t = useTranslations('portal.visits')
  const { slug } = useClinic()
  return (
    <Button
      size="md"
      leftSection={<IconCalendarPlus size={20} />}
      renderRoot={(props) => <Link {...props} to="/$clinic/visits/new" params={{ clinic: slug }} />}
    >
      {t('new')}
    </Button>
  )
}

function Lists({ visits: { upcoming, waiting, past } }: { visits: Visits }) {
  const t = useTranslations('portal.visits')
  const [all, setAll] = useState(false)
  return (
    <Stack gap="xl">
      <Stack component="section" gap="sm">
        <Title order={2}>{t('upcoming')}</Title>
        {upcoming.length === 0 && <Text>{t('noneUpcoming')}</Text>}
        {upcoming.map((visit) => (
          <UpcomingVisit key={visit.id} visit={visit} />
        ))}
        <MyCalendarLink />
      </Stack>
      {waiting.length > 0 && (
        <Stack component="section" gap="sm">
          <Title order={2}>{t('waiting')}</Title>
          <Text>{t('waitingText')}</Text>
          {waiting.map((visit) => (
            <Paper key={visit.id} withBorder p="md">
              {visit.service.name}
            </Paper>
          ))}
        </Stack>
      )}
      {past.length > 0 && (
        <Stack component="section" gap="sm">
          <Title order={2}>{t('past')}</Title>
          {(all ? past : past.slice(0, FEW_PAST)).map((visit) => (
            <PastVisit key={visit.id} visit={visit} />
          ))}
          {!all && past.length > FEW_PAST && (
            <Button variant="default" size="md" w="fit-content" onClick={() => setAll(true)}>
              {t('more')}
            </Button>
          )}
        </Stack>
      )}
    </Stack>
  )
}

function PastVisit({ visit }: { visit: MyAppointment }) {
  const t = useTranslations('portal')
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" align="flex-start" gap="xs">
        <div>
          <Text fw={650}>{visit.service.name}</Text>
          {visit.starts_at !== null && (
            <Text c="dimmed">
              <Instant value={visit.starts_at} />
            </Text>
          )}
          {visit.specialist && <Text c="dimmed">{t('book.with', { name: visit.specialist.name })}</Text>}
        </div>
        <Badge color="gray">{t(`booking.status.${visit.status}`)}</Badge>
      </Group>
      {visit.status === 'completed' && <ReviewButton visit={visit} />}
    </Paper>
  )
}
