import { Button, Group, Stack, Text } from '@mantine/core'
import type { Calendar } from '@tendon/sdk'
import { useTranslations } from 'use-intl'
import { useRefresh, useWrite } from '#ui/api/hooks.ts'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Problem } from '#ui/feedback/problem.tsx'
import { toast } from '#ui/feedback/toasts.tsx'
import { SubmitButtons } from '#ui/field-form/submit-buttons.tsx'
import { FormConflict } from '#ui/form/form-conflict.tsx'
import { useApiForm } from '#ui/form/use-api-form.ts'
import { IconPlus } from '#ui/icons/index.ts'
import classes from './hours.module.css'
import { HoursRow } from './hours-row.tsx'
import { hoursOfDay } from './hours-text.ts'
import { useWeekdays } from './use-weekdays.ts'

type Hours = Calendar['weekly_hours']
const WORKDAYS = [1, 2, 3, 4, 5]
const USUAL: Hours = WORKDAYS.map((weekday) => ({ weekday, start: '09:00', end: '17:00' }))
const REFRESH = ['/v1/calendars', '/v1/availability']

const valuesOf = ({ weekly_hours }: Partial<Calendar>) => ({ weekly_hours: weekly_hours ?? [] })

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
  const readAgain = useRefresh()
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
  const form = useApiForm(write, valuesOf(calendar ?? { weekly_hours: USUAL }), {
    version: calendar?.version,
    valuesOf,
  })
  const send = form.onSubmit((body, version) =>
    calendar
      ? change.mutate({ params: { id: calendar.id }, body: { ...body, version } })
      : create.mutate({ body: { ...body, specialist_id: specialistId, name: t('week') } }),
  )
  const { rows: hours, add, change: edit, remove, error } = form.rows('weekly_hours')
  /** What was refused for the whole week is old news once a row is changed. */
  const forget = () => {
    if (form.problem) write.reset()
  }
  return (
    <Dialog
      open
      side
      title={`${t('title')}: ${name}`}
      onClose={() => void form.mayLeave().then((may) => may && onClose())}
    >
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
                    onClick={() => {
                      forget()
                      add(
                        places.length === 0
                          ? { weekday, start: '09:00', end: '17:00' }
                          : { weekday, start: '18:00', end: '20:00' },
                      )
                    }}
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
                  <HoursRow
                    key={place}
                    name={`weekly_hours.${place}`}
                    dayName={dayName}
                    hours={hours[place] ?? { start: '', end: '' }}
                    isWrong={(part) => error(place, part) !== undefined}
                    onChange={(part) => {
                      forget()
                      edit(place, part)
                    }}
                    onRemove={() => {
                      forget()
                      remove(place)
                    }}
                  />
                ))}
              </Stack>
            )
          })}
          <Problem error={form.problem} />
          <SubmitButtons write={write} onCancel={onClose} />
        </Stack>
      </form>
      <FormConflict
        form={form}
        rows={weekdays.map((label, index) => ({
          label,
          shown: ({ weekly_hours = [] }: Partial<typeof form.values>) =>
            hoursOfDay(weekly_hours, index + 1) || t('closed'),
        }))}
        onTheirs={() => void readAgain(REFRESH)}
      />
    </Dialog>
  )
}
