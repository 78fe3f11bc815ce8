import { Stack, Text, Title } from '@mantine/core'
import type { NewPublicHold } from '@tendon/sdk'
import type { ReactNode } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { Skeletons } from '#ui/feedback/loading.tsx'
import { hourIn } from '#ui/format/dates.ts'
import { viewerZone } from '#ui/i18n/i18n.tsx'
import classes from './book.module.css'
import type { SlotChoice } from './slot-choices.ts'

const PARTS = ['morning', 'afternoon', 'evening'] as const
type Part = (typeof PARTS)[number]
const partOf = (hour: number): Part => (hour < 12 ? 'morning' : hour < 17 ? 'afternoon' : 'evening')

interface TimesProps {
  day: string
  zone: string
  choices: readonly SlotChoice[]
  isLoading: boolean
  pending: NewPublicHold | undefined
  onPick: (choice: SlotChoice) => void
}

/** The free times of one day, in the clinic's time zone. */
export function Times({ day, zone, choices, isLoading, pending, onPick }: TimesProps) {
  const t = useTranslations('portal.book')
  const format = useFormatter()
  const byPart = Map.groupBy(choices, ({ starts_at }) => partOf(hourIn(zone, new Date(starts_at))))
  const time = (startsAt: string) =>
    format.dateTime(new Date(startsAt), { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: zone })
  return (
    <Stack component="section" gap="sm">
      <Title order={2}>
        {format.dateTime(new Date(`${day}T00:00:00Z`), {
          weekday: 'long',
          day: 'numeric',
          month: 'long',
          timeZone: 'UTC',
        })}
      </Title>
      {zone !== viewerZone() && <Text c="dimmed">{t('zone', { zone: zone.replaceAll('_', ' ') })}</Text>}
      {isLoading ? (
        <Skeletons rows={6} height={48} />
      ) : choices.length === 0 ? (
        <Text>{t('dayTaken')}</Text>
      ) : (
        PARTS.filter((part) => byPart.has(part)).map((part) => (
          <Stack key={part} gap="xs">
            <Title order={3} size="h5">
              {t(part)}
            </Title>
            <div className={classes.times} data-named={choices.some(isNamed)}>
              {byPart.get(part)?.map((choice) => (
                <button
                  key={choice.key}
                  type="button"
                  className={classes.choice}
                  disabled={pending !== undefined}
                  aria-busy={isWanted(choice, pending)}
                  onClick={() => onPick(choice)}
                >
                  {isNamed(choice) ? <Named choice={choice}>{time(choice.starts_at)}</Named> : time(choice.starts_at)}
                </button>
              ))}
            </div>
          </Stack>
        ))
      )}
    </Stack>
  )
}

const isNamed = ({ specialist, location }: SlotChoice): boolean => specialist !== undefined || location !== undefined

const isWanted = ({ wanted }: SlotChoice, pending: NewPublicHold | undefined): boolean =>
  wanted.starts_at === pending?.starts_at &&
  wanted.specialist_id === pending.specialist_id &&
  wanted.location_id === pending.location_id

/** A time with its specialist and place, on lines of their own. */
function Named({ choice: { specialist, location }, children }: { choice: SlotChoice; children: ReactNode }) {
  const t = useTranslations('portal.book')
  return (
    <>
      <strong>{children}</strong> {specialist && <span>{specialist.name}</span>}{' '}
      {location !== undefined && <span>{location?.name ?? t('modes.in_person')}</span>}
    </>
  )
}
