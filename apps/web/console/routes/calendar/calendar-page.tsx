import { ActionIcon, Alert, Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useList, useRead } from '../../../ui/api/hooks.ts'
import { useChangeSearch, useListSearch } from '../../../ui/data-list/list-search.ts'
import { Loaded } from '../../../ui/feedback/loading.tsx'
import { Problem } from '../../../ui/feedback/problem.tsx'
import { addDays, dayIn, mondayOf, startOfDay } from '../../../ui/format/dates.ts'
import { Page } from '../../../ui/frame/page.tsx'
import { PrintButton } from '../../../ui/frame/print-button.tsx'
import { IconChevronLeft, IconChevronRight } from '../../../ui/icons/index.ts'
import { useKeys } from '../../../ui/keyboard/use-keys.ts'
import { useClinic } from '../../../ui/session/clinic.tsx'
import { useMay } from '../../../ui/session/me.ts'
import classes from './calendar.module.css'
import { CalendarDays } from './calendar-days.tsx'

const MAX_VISITS = 100
const MOST_SLOTS = 500
const SHOWN = 'pending,confirmed,checked_in,completed,no_show'
const ISO_DAY = /^\d{4}-\d{2}-\d{2}$/

/** The visits of a day or a week, in the clinic's time zone. */
export function CalendarPage() {
  const t = useTranslations('console.calendar')
  const tVisits = useTranslations('console.record.appointments')
  const { time_zone } = useClinic()
  const may = useMay()
  const change = useChangeSearch()
  const [today] = useState(() => dayIn(time_zone, new Date()))
  const {
    day: asked = '',
    span = 'week',
    specialist = '',
    free = '',
  } = useListSearch('day', 'span', 'specialist', 'free')
  const day = ISO_DAY.test(asked) ? asked : today
  const length = span === 'day' ? 1 : 7
  const first = span === 'day' ? day : mondayOf(day)
  const days = Array.from({ length }, (_, index) => addDays(first, index))
  const specialists = useList('GET /v1/specialists/picker', { query: { limit: 100 } })
  const visits = useList('GET /v1/appointments', {
    query: {
      starts_at_after: startOfDay(time_zone, first),
      starts_at_before: startOfDay(time_zone, addDays(first, length)),
      status: SHOWN,
      ...(specialist === '' ? {} : { specialist_id: specialist }),
      sort: 'starts_at',
      include: 'patient,specialist,service',
      limit: MAX_VISITS,
    },
  })
  const services = useList(
    'GET /v1/services',
    { query: { status: 'active', limit: 100 } },
    { enabled: may('services.view_org') && may('calendars.view_org') },
  )
  const service = services.data?.items.find(({ id }) => id === free)
  const [now] = useState(() => new Date().toISOString())
  const start = startOfDay(time_zone, first)
  const end = startOfDay(time_zone, addDays(first, length))
  const slots = useRead(
    'GET /v1/availability',
    {
      query: {
        service_id: free,
        ...(specialist === '' ? {} : { specialist_id: specialist }),
        from: start > now ? start : now,
        to: end,
        timezone: time_zone,
        limit: MOST_SLOTS,
      },
    },
    { enabled: service !== undefined && end > now },
  )
  const go = (to: string) => change({ day: to === today ? undefined : to })
  useKeys({
    t: () => go(today),
    ArrowLeft: () => go(addDays(day, -length)),
    ArrowRight: () => go(addDays(day, length)),
  })
  const byDay = <Item extends { starts_at: string | null }>(items: readonly Item[]) =>
    Map.groupBy(items, ({ starts_at }) => dayIn(time_zone, new Date(starts_at ?? 0)))
  return (
    <Page title={t('title')} actions={<PrintButton />}>
      <Group justify="space-between" className={`${classes.toolbar} no-print`}>
        <Group gap="xs">
          <ActionIcon variant="default" aria-label={t('earlier')} onClick={() => go(addDays(day, -length))}>
            <IconChevronLeft />
          </ActionIcon>
          <Button variant="default" onClick={() => go(today)}>
            {t('today')}
          </Button>
          <ActionIcon variant="default" aria-label={t('later')} onClick={() => go(addDays(day, length))}>
            <IconChevronRight />
          </ActionIcon>
          <TextInput
            type="date"
            aria-label={tVisits('day')}
            value={day}
            onChange={(event) => event.currentTarget.value && go(event.currentTarget.value)}
          />
        </Group>
        <Group gap="xs">
          <NativeSelect
            aria-label={tVisits('specialist')}
            value={specialist}
            data={[
              { value: '', label: t('everybody') },
              ...(specialists.data?.items ?? []).map(({ id, name }) => ({ value: id, label: name })),
            ]}
            onChange={(event) => change({ specialist: event.currentTarget.value || undefined })}
          />
          {(services.data?.items.length ?? 0) > 0 && (
            <NativeSelect
              aria-label={t('free')}
              value={service?.id ?? ''}
              data={[
                { value: '', label: t('freeOff') },
                ...(services.data?.items ?? []).map(({ id, name }) => ({
                  value: id,
                  label: t('freeFor', { service: name }),
                })),
              ]}
              onChange={(event) => change({ free: event.currentTarget.value || undefined })}
            />
          )}
          <NativeSelect
            aria-label={t('span')}
            value={span}
            data={[
              { value: 'week', label: t('week') },
              { value: 'day', label: t('day') },
            ]}
            onChange={(event) => change({ span: event.currentTarget.value === 'day' ? 'day' : undefined })}
          />
        </Group>
      </Group>
      <Text c="dimmed">{tVisits('zone', { zone: time_zone })}</Text>
      <Loaded query={visits}>
        {({ items, total }) => (
          <Stack>
            {total > items.length && <Alert color="orange">{t('tooMany', { shown: items.length, total })}</Alert>}
            <Problem error={slots.error} onRetry={() => void slots.refetch()} />
            <CalendarDays
              days={days}
              today={today}
              visits={byDay(items)}
              free={service && slots.data && { service, slots: byDay(slots.data.data) }}
            />
          </Stack>
        )}
      </Loaded>
    </Page>
  )
}
