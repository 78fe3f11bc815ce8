import { Box, Button, Stack, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useSearch } from '@tanstack/react-router'
import type { Appointment, AvailableSlot } from '@tendon/sdk'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { useWholeList } from '#ui/api/hooks.ts'
import { Loaded, Skeletons } from '#ui/feedback/loading.tsx'
import { Problem } from '#ui/feedback/problem.tsx'
import { addDays, dayIn, mondayOf, startOfDay } from '#ui/format/dates.ts'
import { useNow } from '#ui/format/use-now.ts'
import { Page } from '#ui/frame/page.tsx'
import { PrintButton } from '#ui/frame/print-button.tsx'
import { useIsPrinting } from '#ui/frame/use-is-printing.ts'
import { IconCalendarPlus } from '#ui/icons/index.ts'
import { useKeys } from '#ui/keyboard/use-keys.ts'
import { useClinic } from '#ui/session/clinic.tsx'
import { useMay } from '#ui/session/me.ts'
import { useFreeTimes } from '../../parts/appointments/use-free-times.ts'
import { BookVisitDialog } from '../../parts/appointments/visit-dialogs.tsx'
import { VisitPanel } from '../../parts/appointments/visit-panel.tsx'
import { CalendarDays } from '../../parts/calendar/calendar-days.tsx'
import { CalendarToolbar } from '../../parts/calendar/calendar-toolbar.tsx'
import { ClosuresShown } from '../../parts/calendar/closures-shown.tsx'
import { SpecialistCalendarLink } from '../../parts/calendar/specialist-calendar-link.tsx'
import { TimeGrid } from '../../parts/calendar/time-grid.tsx'
import { useColumns } from '../../parts/calendar/use-columns.ts'
import { useDaysOff } from '../../parts/calendar/use-days-off.ts'

const SHOWN = 'pending,confirmed,checked_in,completed,no_show'
const ISO_DAY = /^\d{4}-\d{2}-\d{2}$/
/** A grid of seven days needs this width; one of a single day fits into less. */
const WIDE = { week: '(min-width: 75rem)', day: '(min-width: 48rem)' }

/** The visits of a day or a week, in the clinic's time zone. */
export function CalendarPage() {
  const t = useTranslations('console.calendar')
  const tVisits = useTranslations('console.record.appointments')
  const { time_zone } = useClinic()
  const may = useMay()
  const today = dayIn(time_zone, new Date(useNow()))
  const [booking, setBooking] = useState(false)
  const search = useSearch({ from: '/$clinic/calendar' })
  const { specialist = '', free = '' } = search
  const day = ISO_DAY.test(search.day ?? '') ? (search.day ?? '') : today
  const span = search.span === 'day' ? 'day' : 'week'
  const isWide = useMediaQuery(WIDE[span], undefined, { getInitialValueInEffect: false })
  const isPrinting = useIsPrinting()
  const length = span === 'day' ? 1 : 7
  const first = span === 'day' ? day : mondayOf(day)
  const days = Array.from({ length }, (_, index) => addDays(first, index))
  const start = startOfDay(time_zone, first)
  const end = startOfDay(time_zone, addDays(first, length))
  const specialists = useWholeList(
    'GET /v1/specialists',
    { query: { sort: 'name' } },
    { enabled: may('specialists.view_org') },
  )
  // Without visits of the previous days, and whole: a day that loads must not look free.
  const visits = useWholeList('GET /v1/appointments', {
    query: {
      starts_at_after: start,
      starts_at_before: end,
      status: SHOWN,
      ...(specialist === '' ? {} : { specialist_id: specialist }),
      sort: 'starts_at',
      include: 'patient,specialist,service',
    },
  })
  const services = useWholeList(
    'GET /v1/services',
    { query: { status: 'active' } },
    { enabled: may('services.view_org') && may('calendars.view_org') },
  )
  const service = services.data?.items.find(({ id }) => id === free)
  const slots = useFreeTimes(
    {
      service_id: free,
      ...(specialist === '' ? {} : { specialist_id: specialist }),
      from: first > today ? start : startOfDay(time_zone, today),
      to: end,
      timezone: time_zone,
    },
    { enabled: service !== undefined && addDays(first, length) > today },
  )
  const mayBook = may('appointments.manage')
  useKeys(mayBook ? { n: () => setBooking(true) } : {})
  const staff = specialists.data?.items ?? []
  const colorOf = (id: string | null) =>
    Math.max(
      0,
      staff.findIndex((one) => one.id === id),
    )
  const freeSlots = service && slots.data?.data
  const shownStaff = specialist === '' ? staff : staff.filter(({ id }) => id === specialist)
  const { daysOff, problem } = useDaysOff(days, shownStaff)
  const columns = useColumns({ days, visits: visits.data?.items ?? [], slots: freeSlots, specialists: staff, daysOff })
  const book = mayBook && (
    <Button leftSection={<IconCalendarPlus size={18} />} onClick={() => setBooking(true)}>
      {tVisits('book')}
    </Button>
  )
  return (
    <Page
      title={t('title')}
      actions={
        <>
          {book}
          <SpecialistCalendarLink specialists={staff} />
          <Box visibleFrom="sm">
            <PrintButton size="sm" />
          </Box>
        </>
      }
    >
      <CalendarToolbar
        {...{ day, today, span, specialist }}
        specialists={staff}
        services={services.data?.items ?? []}
        free={service?.id ?? ''}
      />
      <Text>
        <Text component="strong" fw={650}>
          <Range days={days} />
        </Text>{' '}
        <Text component="span" size="sm" c="dimmed">
          {tVisits('zone', { zone: time_zone })}
        </Text>
      </Text>
      <ClosuresShown days={days} />
      <Loaded query={visits} skeleton={<Skeletons rows={1} height={620} />}>
        {({ items }) => (
          <Stack>
            <Problem error={visits.error} onRetry={() => void visits.refetch()} />
            <Problem error={slots.error} onRetry={() => void slots.refetch()} />
            <Problem {...problem} />
            {isWide || isPrinting ? (
              <TimeGrid
                {...{ columns, today, service, colorOf }}
                staffCount={shownStaff.length}
                withSpecialist={span === 'week'}
              />
            ) : (
              <CalendarDays
                {...{ days, today, colorOf, daysOff }}
                visits={byDay(time_zone, items)}
                free={service && freeSlots && { service, slots: byDay(time_zone, freeSlots) }}
              />
            )}
          </Stack>
        )}
      </Loaded>
      <BookVisitDialog open={booking} onClose={() => setBooking(false)} />
      <VisitPanel />
    </Page>
  )
}

const byDay = <Item extends Appointment | AvailableSlot>(zone: string, items: readonly Item[]) =>
  Map.groupBy(items, ({ starts_at }) => dayIn(zone, new Date(starts_at ?? 0)))

/** The first and the last day that are shown. */
function Range({ days }: { days: readonly string[] }) {
  const format = useFormatter()
  const [first = '', last = first] = [days[0], days.at(-1)]
  const at = (day: string) => new Date(`${day}T00:00:00Z`)
  if (first === last) return format.dateTime(at(first), { dateStyle: 'full', timeZone: 'UTC' })
  return format.dateTimeRange(at(first), at(last), { dateStyle: 'long', timeZone: 'UTC' })
}
