import { Button, Group, Stack, Text } from '@mantine/core'
import type { Calendar } from '@tendon/sdk'
import { type FormEvent, useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useRefresh, useWrite } from '#ui/api/hooks.ts'
import { Conflict } from '#ui/feedback/conflict.tsx'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Problem } from '#ui/feedback/problem.tsx'
import { staleOf } from '#ui/feedback/stale.ts'
import { toast } from '#ui/feedback/toasts.tsx'
import { useUnsavedGuard } from '#ui/feedback/use-unsaved-guard.ts'
import { isSame } from '#ui/field-form/answer-rules.ts'
import { focusFirstProblem } from '#ui/field-form/field-problems.ts'
import { SubmitButtons } from '#ui/field-form/submit-buttons.tsx'
import { IconPlus } from '#ui/icons/index.ts'
import classes from './hours.module.css'
import { HoursRow } from './hours-row.tsx'
import { hoursOfDay } from './hours-text.ts'
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
  const [stored, setStored] = useState<Hours>(calendar?.weekly_hours ?? USUAL)
  const [hours, setHours] = useState(stored)
  const [version, setVersion] = useState(calendar?.version ?? 1)
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
  const { error } = write
  const mayClose = useUnsavedGuard(!isSame(hours, stored) && !write.isPending)
  const stale = staleOf(error)
  const theirs = stale && ((stale.current.weekly_hours ?? []) as Hours)
  useEffect(() => {
    if (error) focusFirstProblem(Object.keys(error.fields))
  }, [error])
  const save = (of: number) =>
    calendar
      ? change.mutate({ params: { id: calendar.id }, body: { weekly_hours: hours, version: of } })
      : create.mutate({ body: { specialist_id: specialistId, name: t('week'), weekly_hours: hours } })
  const send = (event: FormEvent) => {
    event.preventDefault()
    save(version)
  }
  const edit = (edited: Hours) => {
    setHours(edited)
    if (error) write.reset()
  }
  const showTheirs = () => {
    if (stale && theirs) {
      setStored(theirs)
      setHours(theirs)
      setVersion(stale.version)
    }
    write.reset()
    void readAgain(REFRESH)
  }
  return (
    <Dialog open side title={`${t('title')}: ${name}`} onClose={() => void mayClose().then((may) => may && onClose())}>
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
                      edit([
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
                  <HoursRow
                    key={place}
                    name={`weekly_hours.${place}`}
                    dayName={dayName}
                    hours={hours[place] ?? { start: '', end: '' }}
                    problems={error?.fields ?? {}}
                    onChange={(part) => edit(hours.map((one, other) => (other === place ? { ...one, ...part } : one)))}
                    onRemove={() => edit(hours.filter((_, other) => other !== place))}
                  />
                ))}
              </Stack>
            )
          })}
          <Problem error={stale || Object.keys(error?.fields ?? {}).length > 0 ? null : error} />
          <SubmitButtons write={write} onCancel={onClose} />
        </Stack>
      </form>
      <Conflict
        stale={stale}
        differences={weekdays.flatMap((label, index) => {
          const [their, mine] = [theirs ?? [], hours].map((of) => hoursOfDay(of, index + 1) || t('closed'))
          return their === undefined || mine === undefined || their === mine ? [] : [{ label, theirs: their, mine }]
        })}
        onTheirs={showTheirs}
        onMine={() => stale && save(stale.version)}
        onClose={() => write.reset()}
      />
    </Dialog>
  )
}
