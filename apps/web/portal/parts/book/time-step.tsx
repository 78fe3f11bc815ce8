import { Button, Group, NativeSelect, Stack, Text, Title } from '@mantine/core'
import type { ApiError, NewPublicHold, PublicService } from '@tendon/sdk'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Skeletons } from '#ui/feedback/loading.tsx'
import { Problem } from '#ui/feedback/problem.tsx'
import { addDays, dayIn } from '#ui/format/dates.ts'
import { useNow } from '#ui/format/use-now.ts'
import { IconCalendar } from '#ui/icons/index.ts'
import { CallClinic } from '../../frame/call-clinic.tsx'
import classes from './book.module.css'
import { ANY, type MovedVisit, offeredChoices, useBookingSearch, useChoose } from './booking-search.ts'
import { type SlotChoice, slotChoices } from './slot-choices.ts'
import { Times } from './times.tsx'
import { useFreeTimes, WINDOW_DAYS } from './use-free-times.ts'

/** Number of days shown before "more days" is pressed: two or three rows on a phone. */
const FEW_DAYS = 8

interface TimeStepProps {
  organization: string
  service: PublicService
  moved: MovedVisit | undefined
  onPick: (choice: SlotChoice) => void
  /** The time that is being held. */
  pending: NewPublicHold | undefined
  /** Why the time could not be held. */
  error: ApiError | null
}

/** Specialist, mode and location; then the free days, and the free times of one day. */
export function TimeStep({ organization, service, moved, onPick, pending, error }: TimeStepProps) {
  const t = useTranslations('portal.book')
  const { from, day: wanted, ...search } = useBookingSearch()
  const choices = offeredChoices(service, search, moved)
  const today = dayIn(service.time_zone, new Date(useNow()))
  const first = from !== undefined && from > today ? from : today
  const free = useFreeTimes(organization, service, choices, {
    from: first,
    day: wanted,
    moves: moved?.calendar_uid,
  })
  const choose = useChoose()
  // Somebody else took the time, so the list is outdated.
  const refresh = useEffectEvent(free.refresh)
  useEffect(() => {
    if (error) refresh()
  }, [error])
  const isLast = addDays(first, WINDOW_DAYS) > addDays(today, service.max_days_ahead)
  const place =
    service.locations.length === 1 ? service.locations[0] : service.locations.find(({ id }) => id === choices.location)
  const gone = moved?.specialist && service.specialists.every(({ id }) => id !== moved.specialist?.id)
  const later = () => choose({ from: addDays(first, WINDOW_DAYS), day: undefined })

  return (
    <Stack gap="lg">
      {gone && <Text>{t('specialistGone', { name: moved.specialist?.name ?? '' })}</Text>}
      <Filters service={service} choices={choices} hasFixedMode={moved !== undefined} />
      <Problem error={error} />
      {free.days.error && !free.days.data ? (
        <Problem error={free.days.error} onRetry={free.refresh} />
      ) : !free.days.data || (free.free.length === 0 && free.days.isPlaceholderData) ? (
        <Skeletons rows={8} height={56} />
      ) : free.free.length === 0 ? (
        <EmptyState
          icon={IconCalendar}
          title={t('noTimes')}
          text={isLast ? t('noTimesAtAll') : t('noTimesText')}
          action={
            isLast ? (
              <>
                <CallClinic slug={organization} location={place} />
                {first > today && (
                  <Button onClick={() => choose({ from: undefined, day: undefined })}>{t('earlier')}</Button>
                )}
              </>
            ) : (
              <Button size="md" onClick={later}>
                {t('later')}
              </Button>
            )
          }
        />
      ) : (
        <>
          <Stack component="section" gap="sm">
            <Title order={2}>{t('chooseDay')}</Title>
            <Days key={first} days={free.free} day={free.day} onChoose={(day) => choose({ day }, { replace: true })}>
              {first > today && (
                <Button variant="default" size="md" onClick={() => choose({ from: undefined, day: undefined })}>
                  {t('earlier')}
                </Button>
              )}
              {!isLast && (
                <Button variant="default" size="md" onClick={later}>
                  {t('later')}
                </Button>
              )}
            </Days>
          </Stack>
          {free.error && <Problem error={free.error} onRetry={free.refresh} />}
          {free.day !== undefined && !free.error && (
            <Times
              day={free.day}
              zone={service.time_zone}
              choices={slotChoices(free.slots, service, { choices, isMove: moved !== undefined })}
              isLoading={free.isLoading}
              pending={pending}
              onPick={onPick}
            />
          )}
        </>
      )}
    </Stack>
  )
}

interface FiltersProps {
  service: PublicService
  choices: ReturnType<typeof offeredChoices>
  hasFixedMode: boolean
}

/** Questions with only one possible answer are not shown. */
function Filters({ service, choices, hasFixedMode }: FiltersProps) {
  const t = useTranslations('portal.book')
  const { mode, specialist = ANY, location = ANY } = choices
  const choose = useChoose()
  const set = (name: 'specialist' | 'location' | 'mode') => (event: { currentTarget: { value: string } }) =>
    choose({ [name]: event.currentTarget.value, day: undefined }, { replace: true })
  const asksMode = service.modes.length > 1 && !hasFixedMode
  const asksPlace = service.locations.length > 1 && mode === 'in_person'
  if (!asksMode && !asksPlace && service.specialists.length < 2) return null
  return (
    <div className={classes.filters}>
      {asksMode && (
        <NativeSelect
          size="md"
          label={t('how')}
          value={mode}
          data={service.modes.map((value) => ({ value, label: t(`modes.${value}`) }))}
          onChange={set('mode')}
        />
      )}
      {service.specialists.length > 1 && (
        <NativeSelect
          size="md"
          label={t('withWhom')}
          value={specialist}
          data={[
            { value: ANY, label: t('anybody') },
            ...service.specialists.map(({ id, name, title }) => ({
              value: id,
              label: title ? `${name}, ${title}` : name,
            })),
          ]}
          onChange={set('specialist')}
        />
      )}
      {asksPlace && (
        <NativeSelect
          size="md"
          label={t('where')}
          value={location}
          data={[
            { value: ANY, label: t('anywhere') },
            ...service.locations.map(({ id, name, city }) => ({ value: id, label: city ? `${name}, ${city}` : name })),
          ]}
          onChange={set('location')}
        />
      )}
    </div>
  )
}

interface DaysProps {
  days: readonly string[]
  day: string | undefined
  onChoose: (day: string) => void
  /** Links to earlier and later days, when all days of this page are shown. */
  children: ReactNode
}

function Days({ days, day, onChoose, children }: DaysProps) {
  const t = useTranslations('portal.book')
  const format = useFormatter()
  const [all, setAll] = useState(false)
  const few = all || days.length <= FEW_DAYS + 1 ? days : days.slice(0, FEW_DAYS)
  const shown = day === undefined || few.includes(day) ? few : [...few, day]
  const part = (date: string, options: object) =>
    format.dateTime(new Date(`${date}T00:00:00Z`), { ...options, timeZone: 'UTC' })
  return (
    <>
      <div className={classes.days} role="group" aria-label={t('chooseDay')}>
        {shown.map((date) => (
          <button
            key={date}
            type="button"
            className={classes.choice}
            aria-pressed={date === day}
            onClick={() => onChoose(date)}
          >
            <strong>{part(date, { weekday: 'short' })}</strong>
            {part(date, { day: 'numeric', month: 'short' })}
          </button>
        ))}
      </div>
      <Group>
        {few.length < days.length ? (
          <Button variant="default" size="md" onClick={() => setAll(true)}>
            {t('moreDays', { count: days.length - few.length })}
          </Button>
        ) : (
          children
        )}
      </Group>
    </>
  )
}
