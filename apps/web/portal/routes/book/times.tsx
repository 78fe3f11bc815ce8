import { Stack, Text, Title } from '@mantine/core'
import type { AvailableSlot } from '@tendon/sdk'
import { useFormatter, useTranslations } from 'use-intl'
import { Skeletons } from '../../../ui/feedback/loading.tsx'
import { hourIn } from '../../../ui/format/dates.ts'
import { viewerZone } from '../../../ui/i18n/i18n.tsx'
import classes from './book.module.css'

const PARTS = ['morning', 'afternoon', 'evening'] as const
type Part = (typeof PARTS)[number]
const partOf = (hour: number): Part => (hour < 12 ? 'morning' : hour < 17 ? 'afternoon' : 'evening')

interface TimesProps {
  day: string
  zone: string
  slots: readonly AvailableSlot[]
  isLoading: boolean
  pending: string | undefined
  onPick: (startsAt: string) => void
}

/** The free times of one day, in the clinic's time zone. */
export function Times({ day, zone, slots, isLoading, pending, onPick }: TimesProps) {
  const t = useTranslations('portal.book')
  const format = useFormatter()
  const byPart = Map.groupBy(slots, ({ starts_at }) => partOf(hourIn(zone, new Date(starts_at))))
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
      ) : slots.length === 0 ? (
        <Text>{t('dayTaken')}</Text>
      ) : (
        PARTS.filter((part) => byPart.has(part)).map((part) => (
          <Stack key={part} gap="xs">
            <Title order={3} size="h5">
              {t(part)}
            </Title>
            <div className={classes.times}>
              {byPart.get(part)?.map(({ starts_at }) => (
                <button
                  key={starts_at}
                  type="button"
                  className={classes.choice}
                  disabled={pending !== undefined}
                  aria-busy={pending === starts_at}
                  onClick={() => onPick(starts_at)}
                >
                  {time(starts_at)}
                </button>
              ))}
            </div>
          </Stack>
        ))
      )}
    </Stack>
  )
}
