import { ActionIcon, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import type { Calendar } from '@tendon/sdk'
import { type FormEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useWrite } from '../../../../ui/api/hooks.ts'
import { ActionConflict } from '../../../../ui/feedback/action-conflict.tsx'
import { Dialog } from '../../../../ui/feedback/dialog.tsx'
import { Problem } from '../../../../ui/feedback/problem.tsx'
import { staleOf } from '../../../../ui/feedback/stale.ts'
import { toast } from '../../../../ui/feedback/toasts.tsx'
import { SubmitButtons } from '../../../../ui/field-form/submit-buttons.tsx'
import { IconPlus, IconTrash } from '../../../../ui/icons/index.ts'
import classes from './hours.module.css'
import { useWeekdays } from './use-weekdays.ts'

type Hours = Calendar['weekly_hours']
const WORKDAYS = [1, 2, 3, 4, 5]
const USUAL: Hours = WORKDAYS.map((weekday) => ({ weekday, start: '09:00', end: '17:00' }))
const REFRESH = ['/v1/calendars', '/v1/availability']

interface HoursDialogProps {
  specialistId: string
  name: string
  /** Omitted: the specialist has no hours yet. */
  calendar: Calendar | undefined
  onClose: () => void
}

/** The hours of a week, with any number of parts for each day. */
export function HoursDialog({ specialistId, name, calendar, onClose }: HoursDialogProps) {
  const t = useTranslations('console.settings.hours')
  const weekdays = useWeekdays()
  const [hours, setHours] = useState<Hours>(calendar?.weekly_hours ?? USUAL)
  const options = {
    refresh: REFRESH,
    onDone: () => {
      toast({ text: t('saved') })
      onClose()
    },
  }
  const create = useWrite('POST /v1/calendars', options)
  const change = useWrite('PUT /v1/calendars/{id}/weekly-hours', options)
  const write = calendar ? change : create
  const save = (version: number) =>
    calendar
      ? change.mutate({ params: { id: calendar.id }, body: { weekly_hours: hours, version } })
      : create.mutate({ body: { specialist_id: specialistId, name: t('week'), weekly_hours: hours } })
  const send = (event: FormEvent) => {
    event.preventDefault()
    save(calendar?.version ?? 1)
  }
  const edit = (place: number, part: Partial<Hours[number]>) =>
    setHours(hours.map((one, index) => (index === place ? { ...one, ...part } : one)))
  return (
    <Dialog open side title={`${t('title')}: ${name}`} onClose={onClose}>
      <form onSubmit={send} noValidate>
        <Stack>
          {weekdays.map((dayName, index) => {
            const weekday = index + 1
            const places = hours.flatMap((one, place) => (one.weekday === weekday ? [place] : []))
            return (
              <Stack key={dayName} gap={6} role="group" aria-label={dayName}>
                <Group justify="space-between">
                  <span className={classes.dayName}>{dayName}</span>
                  <Button
                    size="compact-sm"
                    variant="subtle"
                    leftSection={<IconPlus size={16} />}
                    aria-label={`${t('addPart')}: ${dayName}`}
                    onClick={() =>
                      setHours([
                        ...hours,
                        places.length === 0
                          ? { weekday, start: '09:00', end: '17:00' }
                          : { weekday, start: '18:00', end: '20:00' },
                      ])
                    }
                  >
                    {t('addPart')}
                  </Button>
                </Group>
                {places.length === 0 && (
                  <Text size="sm" c="dimmed">
                    {t('closed')}
                  </Text>
                )}
                {places.map((place) => (
                  <Group key={place} gap="xs" wrap="nowrap">
                    <TextInput
                      type="time"
                      aria-label={`${dayName}: ${t('from')}`}
                      value={hours[place]?.start ?? ''}
                      onChange={(event) => edit(place, { start: event.currentTarget.value })}
                    />
                    –
                    <TextInput
                      type="time"
                      aria-label={`${dayName}: ${t('to')}`}
                      value={hours[place]?.end ?? ''}
                      onChange={(event) => edit(place, { end: event.currentTarget.value })}
                    />
                    <ActionIcon
                      aria-label={`${t('removePart')}: ${dayName}`}
                      onClick={() => setHours(hours.filter((_, other) => other !== place))}
                    >
                      <IconTrash size={18} />
                    </ActionIcon>
                  </Group>
                ))}
              </Stack>
            )
          })}
          <Problem error={staleOf(write.error) ? null : write.error} />
          <SubmitButtons write={write} onCancel={onClose} />
        </Stack>
      </form>
      <ActionConflict write={write} refresh={REFRESH} onAnyway={save} />
    </Dialog>
  )
}
