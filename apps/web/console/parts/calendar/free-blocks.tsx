import { UnstyledButton } from '@mantine/core'
import type { AvailableSlot, Service } from '@tendon/sdk'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { minutesIn } from '#ui/format/dates.ts'
import { useClinic } from '#ui/session/clinic.tsx'
import { useMay } from '#ui/session/me.ts'
import { BookSlot } from './book-slot.tsx'
import { firstOfEachTime } from './free-times.ts'
import classes from './time-grid.module.css'

interface FreeBlocksProps {
  slots: readonly AvailableSlot[]
  service: Service
  /** The first minute of the grid. */
  offset: number
}

/** The free times of a column, at their place in the grid. One click books a visit. */
export function FreeBlocks({ slots, service, offset }: FreeBlocksProps) {
  const t = useTranslations('console.calendar')
  const format = useFormatter()
  const { time_zone } = useClinic()
  const mayBook = useMay()('appointments.manage')
  const [chosen, setChosen] = useState<AvailableSlot>()
  const times = firstOfEachTime(slots).map((slot) => ({ slot, start: minutesIn(time_zone, new Date(slot.starts_at)) }))
  return (
    <>
      <div role="group" aria-label={t('free')} className="no-print">
        {times.map(({ slot, start }, place) => {
          const next = times[place + 1]?.start ?? Number.POSITIVE_INFINITY
          const time = format.dateTime(new Date(slot.starts_at), {
            hour: '2-digit',
            minute: '2-digit',
            hourCycle: 'h23',
            timeZone: time_zone,
          })
          const position = {
            '--start': start - offset,
            '--length': Math.min(service.duration_minutes, next - start),
          }
          return (
            <UnstyledButton
              key={slot.starts_at}
              className={classes.free}
              style={position}
              disabled={!mayBook}
              aria-label={t('bookAt', { time })}
              onClick={() => setChosen(slot)}
            >
              {time}
            </UnstyledButton>
          )
        })}
      </div>
      <BookSlot slot={chosen} service={service} onClose={() => setChosen(undefined)} />
    </>
  )
}
