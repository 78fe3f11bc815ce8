import type { Appointment } from '@tendon/sdk'
import { useFormatter, useTranslations } from 'use-intl'
import type { Toast } from '#ui/feedback/toasts.tsx'
import { useClinic } from '#ui/session/clinic.tsx'

/** How many visits of a series were booked, and the weeks that were skipped. The latter is read, so it stays. */
export function useSeriesText(): (first: Appointment, count: number) => Toast {
  const t = useTranslations('console')
  const format = useFormatter()
  const { time_zone } = useClinic()
  return ({ skipped_starts_at: skipped }, count) => {
    const booked = t('record.appointments.bookedSeries', { count: count - skipped.length })
    if (skipped.length === 0) return { text: booked }
    const days = skipped.map((at) =>
      format.dateTime(new Date(at), { day: 'numeric', month: 'long', timeZone: time_zone }),
    )
    return { text: `${booked} ${t('visits.repeat.skipped', { days: format.list(days) })}`, stays: true }
  }
}
