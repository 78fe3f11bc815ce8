import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import type { AvailableSlot } from '@tendon/sdk'
import { useFormatter, useTranslations } from 'use-intl'
import { useWholeList } from '#ui/api/hooks.ts'
import { Loaded, Skeletons } from '#ui/feedback/loading.tsx'
import { addDays, dayIn, startOfDay } from '#ui/format/dates.ts'
import { useClinic } from '#ui/session/clinic.tsx'
import { useFreeTimes } from './use-free-times.ts'

/** First and last day. */
export interface DaySpan {
  from: string
  to: string
}

interface FreeTimesProps {
  serviceId: string
  /** Empty for any specialist. */
  specialistId: string
  /** The specialists who offer the service. */
  offering: readonly { id: string; name: string }[]
  mode: 'in_person' | 'video' | 'phone'
  /** A visit that is moved: every time names the specialist. */
  isMove?: boolean
  day: string
  /** Days on which no time is offered. */
  off?: DaySpan | undefined
  onDay: (day: string) => void
  chosen: AvailableSlot | undefined
  onChoose: (slot: AvailableSlot) => void
}

const LOOK_AHEAD_DAYS = 14

/** The free times of a day in the clinic's time zone; when there is none, the next day that has some. */
export function FreeTimes(props: FreeTimesProps) {
  const { serviceId, specialistId, offering, mode, isMove = false, day, off, onDay, chosen, onChoose } = props
  const t = useTranslations('console.record.appointments')
  const format = useFormatter()
  const { id: clinicId, time_zone } = useClinic()
  const places = useWholeList('GET /v1/organizations/{id}/locations', { params: { id: clinicId } })
  const free = useFreeTimes(
    {
      service_id: serviceId,
      ...(specialistId === '' ? {} : { specialist_id: specialistId }),
      mode,
      from: startOfDay(time_zone, day),
      to: startOfDay(time_zone, addDays(day, LOOK_AHEAD_DAYS)),
      timezone: time_zone,
    },
    { until: startOfDay(time_zone, addDays(day, 1)) },
  )
  const isOff = (date: string) => off !== undefined && date >= off.from && date <= off.to
  const labelOf = (slot: AvailableSlot) => {
    const time = format.dateTime(new Date(slot.starts_at), {
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
      timeZone: time_zone,
    })
    const hasChoice = isMove || (specialistId === '' && offering.length > 1)
    const name = hasChoice ? offering.find(({ id }) => id === slot.specialist_id)?.name : undefined
    const hasPlaces = mode === 'in_person' && (places.data?.items.length ?? 0) > 1
    const place = hasPlaces ? places.data?.items.find(({ id }) => id === slot.location_id)?.name : undefined
    return [time, name, place].filter(Boolean).join(', ')
  }
  return (
    <Stack gap="xs">
      <TextInput
        type="date"
        label={t('day')}
        description={t('zone', { zone: time_zone })}
        value={day}
        onChange={(event) => event.currentTarget.value && onDay(event.currentTarget.value)}
      />
      <Loaded query={free} skeleton={<Skeletons rows={2} />}>
        {({ data, days }) => {
          const times = data.filter(({ starts_at }) => dayIn(time_zone, new Date(starts_at)) === day && !isOff(day))
          const next = days.find(({ date, free: count }) => date > day && count > 0 && !isOff(date))
          if (times.length === 0)
            return (
              <Alert variant="outline" color="gray">
                <Text>{t('noFree')}</Text>
                {next && (
                  <Button variant="default" mt="xs" onClick={() => onDay(next.date)}>
                    {t('nextFree', {
                      day: format.dateTime(new Date(`${next.date}T00:00:00Z`), { dateStyle: 'full', timeZone: 'UTC' }),
                    })}
                  </Button>
                )}
              </Alert>
            )
          return (
            <Group gap="xs" role="group" aria-label={t('free')}>
              {times.map((slot) => (
                <Button
                  key={`${slot.starts_at} ${slot.specialist_id}`}
                  variant={isSame(slot, chosen) ? 'filled' : 'default'}
                  aria-pressed={isSame(slot, chosen)}
                  onClick={() => onChoose(slot)}
                >
                  {labelOf(slot)}
                </Button>
              ))}
            </Group>
          )
        }}
      </Loaded>
    </Stack>
  )
}

const isSame = (a: AvailableSlot, b: AvailableSlot | undefined) =>
  a.starts_at === b?.starts_at && a.specialist_id === b.specialist_id
