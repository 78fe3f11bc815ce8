import { Checkbox, Group, NativeSelect, Stack } from '@mantine/core'
import type { Appointment, NewAppointment } from '@tendon/sdk'
import { useFormatter, useTranslations } from 'use-intl'
import type { Toast } from '#ui/feedback/toasts.tsx'
import { useClinic } from '#ui/session/clinic.tsx'

export type Repeat = NonNullable<NewAppointment['repeat']>

const WEEKS = [1, 2, 3, 4] as const
const COUNTS = [2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 26] as const
const START: Repeat = { every_weeks: 1, count: 6, on_conflict: 'skip' }

interface RepeatVisitProps {
  value: Repeat | undefined
  onChange: (repeat: Repeat | undefined) => void
}

/** The same time again in the following weeks. */
export function RepeatVisit({ value, onChange }: RepeatVisitProps) {
  const t = useTranslations('console.visits.repeat')
  return (
    <Stack gap="xs">
      <Group grow align="flex-end">
        <NativeSelect
          label={t('label')}
          value={value?.every_weeks ?? 0}
          data={[
            { value: '0', label: t('never') },
            ...WEEKS.map((weeks) => ({ value: String(weeks), label: t('every', { weeks }) })),
          ]}
          onChange={(event) => {
            const weeks = Number(event.currentTarget.value)
            onChange(weeks === 0 ? undefined : { ...START, ...value, every_weeks: weeks })
          }}
        />
        {value && (
          <NativeSelect
            label={t('count')}
            value={value.count}
            data={COUNTS.map((count) => ({ value: String(count), label: String(count) }))}
            onChange={(event) => onChange({ ...value, count: Number(event.currentTarget.value) })}
          />
        )}
      </Group>
      {value && (
        <Checkbox
          label={t('skip')}
          checked={value.on_conflict === 'skip'}
          onChange={(event) => onChange({ ...value, on_conflict: event.currentTarget.checked ? 'skip' : 'fail' })}
        />
      )}
    </Stack>
  )
}

/** How many visits of a series were booked, and the weeks that were skipped. The latter is read, so it stays. */
export function useSeriesText(): (first: Appointment, repeat: Repeat) => Toast {
  const t = useTranslations('console')
  const format = useFormatter()
  const { time_zone } = useClinic()
  return ({ skipped_starts_at: skipped }, { count }) => {
    const booked = t('record.appointments.bookedSeries', { count: count - skipped.length })
    if (skipped.length === 0) return { text: booked }
    const days = skipped.map((at) =>
      format.dateTime(new Date(at), { day: 'numeric', month: 'long', timeZone: time_zone }),
    )
    return { text: `${booked} ${t('visits.repeat.skipped', { days: format.list(days) })}`, stays: true }
  }
}
