import { Button, Group, Text } from '@mantine/core'
import type { AvailableSlot, Service } from '@tendon/sdk'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { useClinic } from '#ui/session/clinic.tsx'
import { useMay } from '#ui/session/me.ts'
import { BookSlot } from './book-slot.tsx'
import { firstOfEachTime } from './free-times.ts'

const MAX_SHOWN = 8

interface FreeSlotsProps {
  slots: readonly AvailableSlot[]
  service: Service
}

/** The free times of one day. One click books a visit. */
export function FreeSlots({ slots, service }: FreeSlotsProps) {
  const t = useTranslations('console.calendar')
  const format = useFormatter()
  const { time_zone } = useClinic()
  const mayBook = useMay()('appointments.manage')
  const [all, setAll] = useState(false)
  const [chosen, setChosen] = useState<AvailableSlot>()
  const times = firstOfEachTime(slots)
  if (times.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('noFree')}
      </Text>
    )
  const shown = all ? times : times.slice(0, MAX_SHOWN)
  return (
    <>
      <Group gap={4} role="group" aria-label={t('free')} className="no-print">
        {shown.map((slot) => {
          const time = format.dateTime(new Date(slot.starts_at), {
            hour: '2-digit',
            minute: '2-digit',
            hourCycle: 'h23',
            timeZone: time_zone,
          })
          return (
            <Button
              key={slot.starts_at}
              size="compact-sm"
              variant="light"
              disabled={!mayBook}
              aria-label={t('bookAt', { time })}
              onClick={() => setChosen(slot)}
            >
              {time}
            </Button>
          )
        })}
        {times.length > shown.length && (
          <Button size="compact-sm" variant="subtle" onClick={() => setAll(true)}>
            {t('moreFree', { count: times.length - shown.length })}
          </Button>
        )}
      </Group>
      <BookSlot slot={chosen} service={service} onClose={() => setChosen(undefined)} />
    </>
  )
}
