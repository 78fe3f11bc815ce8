import { useFormatter, useTimeZone, useTranslations } from 'use-intl'
import { viewerZone } from '../i18n/i18n.tsx'

/** An instant in the clinic's time zone; where the viewer's clock differs, theirs stands beside it. */
export function Instant({ value, date = true }: { value: string; date?: boolean }) {
  const format = useFormatter()
  const t = useTranslations('ui.time')
  const zone = useTimeZone() ?? viewerZone()
  const at = new Date(value)
  const time = { hour: '2-digit', minute: '2-digit' } as const
  const shown = format.dateTime(at, { ...(date ? { dateStyle: 'medium', timeStyle: 'short' } : time), timeZone: zone })
  const here = format.dateTime(at, { ...time, timeZone: viewerZone() })
  const there = format.dateTime(at, { ...time, timeZone: zone })
  return (
    <time dateTime={value}>
      {shown}
      {here !== there && <span> ({t('yours', { time: here })})</span>}
    </time>
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
  return (
    <time dateTime={value} title={format.dateTime(at, { dateStyle: 'medium', timeStyle: 'short' })}>
      {format.relativeTime(at)}
    </time>
  )
}
