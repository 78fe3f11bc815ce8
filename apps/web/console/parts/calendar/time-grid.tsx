import { Badge, Text } from '@mantine/core'
import type { Service } from '@tendon/sdk'
import type { CSSProperties } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { dayIn, minutesIn } from '#ui/format/dates.ts'
import { useNow } from '#ui/format/use-now.ts'
import { useClinic } from '#ui/session/clinic.tsx'
import type { GridColumn } from './columns.ts'
import { FreeBlocks } from './free-blocks.tsx'
import { placeBlocks } from './lanes.ts'
import { OffLine } from './off-line.tsx'
import classes from './time-grid.module.css'
import { VisitCard } from './visit-card.tsx'

const FIRST_HOUR = 8
const LAST_HOUR = 18
const HOUR = 60
const DAY_END = 24 * HOUR

interface TimeGridProps {
  columns: readonly GridColumn[]
  today: string
  /** The service whose free times are shown. */
  service: Service | undefined
  /** The place of a specialist in the clinic's list: the colour of the card. */
  colorOf: (specialistId: string | null) => number
  withSpecialist: boolean
  /** How many specialists the calendar shows: a column is off when all of them are. */
  staffCount: number
}

const isAllOff = (off: GridColumn['off'], staffCount: number) =>
  off.some(({ specialistId }) => specialistId === undefined) || (off.length > 0 && off.length >= staffCount)

const style = (values: Readonly<Record<`--${string}`, number>>): CSSProperties => values

/** Visits by the hour: one column for each day, or for each specialist of a day. */
export function TimeGrid({ columns, today, service, colorOf, withSpecialist, staffCount }: TimeGridProps) {
  const t = useTranslations('console.calendar')
  const { time_zone } = useClinic()
  const format = useFormatter()
  const now = new Date(useNow())
  const minutes = (at: string | null) => minutesIn(time_zone, new Date(at ?? 0))
  const blocks = columns.map(({ visits }) =>
    placeBlocks(
      visits.map((item) => {
        const start = minutes(item.starts_at)
        const end = minutes(item.ends_at)
        return { item, start, end: end > start ? end : DAY_END }
      }),
    ),
  )
  const freeStarts = columns.flatMap(({ free = [] }) => free.map(({ starts_at }) => minutes(starts_at)))
  const starts = [...blocks.flat().map(({ start }) => start), ...freeStarts]
  const ends = [
    ...blocks.flat().map(({ end }) => end),
    ...freeStarts.map((start) => start + (service?.duration_minutes ?? 0)),
  ]
  const first = Math.min(FIRST_HOUR, ...starts.map((start) => Math.floor(start / HOUR)))
  const last = Math.min(24, Math.max(LAST_HOUR, ...ends.map((end) => Math.ceil(end / HOUR))))
  const hours = Array.from({ length: last - first }, (_, index) => first + index)
  const offset = first * HOUR
  const nowMinutes = minutesIn(time_zone, now) - offset
  const isShown = nowMinutes >= 0 && nowMinutes <= (last - first) * HOUR
  return (
    <div className={classes.grid} style={style({ '--columns': columns.length, '--hours': hours.length })}>
      <div className={classes.corner} />
      {columns.map(({ key, day, title, off }) => (
        <Text key={key} component="h2" className={classes.heading} data-today={day === today}>
          {title}
          {day === today && withSpecialist && <Badge ml={6}>{t('today')}</Badge>}
          <OffLine off={off} withName={withSpecialist} />
        </Text>
      ))}
      <div className={classes.hours} aria-hidden="true">
        {hours.map((hour) => (
          <span key={hour} className={classes.hour}>
            {format.dateTime(new Date(Date.UTC(2000, 0, 1, hour)), {
              hour: '2-digit',
              minute: '2-digit',
              hourCycle: 'h23',
              timeZone: 'UTC',
            })}
          </span>
        ))}
      </div>
      {columns.map(({ key, day, title, free, off }, place) => (
        <section
          key={key}
          className={classes.column}
          aria-label={title}
          data-past={day < today}
          data-off={isAllOff(off, withSpecialist ? staffCount : 1)}
        >
          {free !== undefined && service && day >= today && (
            <FreeBlocks slots={free} service={service} offset={offset} />
          )}
          <ol className={classes.visits}>
            {blocks[place]?.map(({ item, start, end, lane, lanes }) => (
              <li
                key={item.id}
                className={classes.block}
                style={style({ '--start': start - offset, '--length': end - start, '--lane': lane, '--lanes': lanes })}
              >
                <VisitCard visit={item} color={colorOf(item.specialist_id)} withSpecialist={withSpecialist} inGrid />
              </li>
            ))}
          </ol>
          {day === today && dayIn(time_zone, now) === today && isShown && (
            <div className={classes.now} style={style({ '--start': nowMinutes })} aria-hidden="true" />
          )}
        </section>
      ))}
    </div>
  )
}
