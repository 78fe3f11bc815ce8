import { useFormatter, useTimeZone, useTranslations } from 'use-intl'
import { viewerZone } from '../i18n/i18n.tsx'
import { useNow } from './use-now.ts'

const WITH_WEEKDAY = {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
} as const

/** An instant in the clinic's time zone, and in the viewer's if it differs. */
export function Instant({
  value,
  date = true,
  weekday = false,
}: {
  value: string
  date?: boolean
  /** With the day of the week, for what is to come. */
  weekday?: boolean
}) {
  const format = useFormatter()
  const zone = useTimeZone() ?? viewerZone()
  const shape = weekday
    ? WITH_WEEKDAY
    : date
      ? ({ dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' } as const)
      : ({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const)
  return (
    <time dateTime={value}>
      {format.dateTime(new Date(value), { ...shape, timeZone: zone })}
      <TimeHere value={value} />
    </time>
  )
}

/** An instant in the viewer's time zone, if it differs from the page's. */
export function TimeHere({ value }: { value: string }) {
  const format = useFormatter()
  const t = useTranslations('ui.time')
  const zone = useTimeZone() ?? viewerZone()
  const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  const here = format.dateTime(new Date(value), { ...time, timeZone: viewerZone() })
  return here === format.dateTime(new Date(value), { ...time, timeZone: zone }) ? null : (
    <span> ({t('yours', { time: here })})</span>
  )
}

/** A date without a time, such as a birthday: the same day everywhere. */
export function Day({ value }: { value: string }) {
  const format = useFormatter()
  return (
    <time dateTime={value}>
      {format.dateTime(new Date(`${value}T00:00:00Z`), { dateStyle: 'long', timeZone: 'UTC' })}
    </time>
  )
}

/** "3 days ago", with the instant on hover. */
export function Ago({ value }: { value: string }) {
  const format = useFormatter()
  const at = new Date(value)
  const now = useNow()
  return (
    <time dateTime={value} title={format.dateTime(at, { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' })}>
      {format.relativeTime(at, new Date(now))}
    </time>
  )
}
