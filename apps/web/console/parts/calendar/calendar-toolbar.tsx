import { ActionIcon, Button, Group, NativeSelect, TextInput } from '@mantine/core'
import type { Service } from '@tendon/sdk'
import { useTranslations } from 'use-intl'
import { useChangeSearch } from '#ui/data-list/list-search.ts'
import { addDays } from '#ui/format/dates.ts'
import { useServiceName } from '#ui/format/use-service-name.ts'
import { IconChevronLeft, IconChevronRight } from '#ui/icons/index.ts'
import { useKeys } from '#ui/keyboard/use-keys.ts'
import classes from './calendar.module.css'

interface CalendarToolbarProps {
  day: string
  today: string
  span: 'day' | 'week'
  specialist: string
  specialists: readonly { id: string; name: string }[]
  services: readonly Service[]
  /** The id of the service whose free times are shown; '' for none. */
  free: string
}

/** What the calendar shows. Everything is in the URL. */
export function CalendarToolbar(props: CalendarToolbarProps) {
  const { day, today, span, specialist, specialists, services, free } = props
  const t = useTranslations('console.calendar')
  const tVisits = useTranslations('console.record.appointments')
  const serviceName = useServiceName()
  const change = useChangeSearch()
  const length = span === 'day' ? 1 : 7
  const go = (to: string) => change({ day: to === today ? undefined : to })
  const setSpan = (next: string) => change({ span: next === 'day' ? 'day' : undefined })
  useKeys({
    t: () => go(today),
    d: () => setSpan('day'),
    w: () => setSpan('week'),
    ArrowLeft: () => go(addDays(day, -length)),
    ArrowRight: () => go(addDays(day, length)),
  })
  return (
    <Group justify="space-between" className={`${classes.toolbar} no-print`}>
      <Group gap="xs" className={classes.moves}>
        <ActionIcon
          variant="default"
          aria-label={t('earlier')}
          title={`${t('earlier')} (←)`}
          onClick={() => go(addDays(day, -length))}
        >
          <IconChevronLeft />
        </ActionIcon>
        <Button variant="default" title={`${t('today')} (T)`} onClick={() => go(today)}>
          {t('today')}
        </Button>
        <ActionIcon
          variant="default"
          aria-label={t('later')}
          title={`${t('later')} (→)`}
          onClick={() => go(addDays(day, length))}
        >
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
            ...specialists.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={(event) => change({ specialist: event.currentTarget.value || undefined })}
        />
        {services.length > 0 && (
          <NativeSelect
            aria-label={t('free')}
            value={free}
            data={[
              { value: '', label: t('freeOff') },
              ...services.map((one) => ({ value: one.id, label: t('freeFor', { service: serviceName(one) ?? '' }) })),
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
          onChange={(event) => setSpan(event.currentTarget.value)}
        />
      </Group>
    </Group>
  )
}
