import { Button } from '@mantine/core'
import type { Address } from '@tendon/sdk'
import { useTranslations } from 'use-intl'
import { addressLine } from '#ui/format/address.ts'
import { calendarFile } from '#ui/format/calendar-file.ts'
import { saveFile } from '#ui/format/save-file.ts'
import { IconCalendarPlus } from '#ui/icons/index.ts'

export interface CalendarVisit {
  calendar_uid: string
  calendar_sequence: number
  starts_at: string | null
  ends_at: string | null
  service: { name: string }
  location: { name: string; address: Address | null } | null
}

/** Saves the visit as a calendar file. The browser creates the file, so it works without a connection. */
export function CalendarButton({ visit, clinic }: { visit: CalendarVisit; clinic: string }) {
  const t = useTranslations('portal.book')
  const { starts_at, ends_at } = visit
  if (starts_at === null || ends_at === null) return null
  const save = () => {
    const file = calendarFile(
      {
        uid: visit.calendar_uid,
        sequence: visit.calendar_sequence,
        startsAt: starts_at,
        endsAt: ends_at,
        summary: `${visit.service.name}, ${clinic}`,
        location:
          [visit.location?.name, addressLine(visit.location?.address ?? null)].filter(Boolean).join(', ') || null,
      },
      new Date(),
    )
    saveFile('appointment.ics', new Blob([file], { type: 'text/calendar;charset=utf-8' }))
  }
  return (
    <Button variant="light" size="md" leftSection={<IconCalendarPlus size={20} />} onClick={save}>
      {t('toCalendar')}
    </Button>
  )
}
