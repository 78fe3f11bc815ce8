import { ActionIcon, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import type { Calendar } from '@tendon/sdk'
import { type FormEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useWrite } from '../../../../ui/api/hooks.ts'
import { Dialog } from '../../../../ui/feedback/dialog.tsx'
import { Problem } from '../../../../ui/feedback/problem.tsx'
import { toast } from '../../../../ui/feedback/toasts.tsx'
import { SubmitButtons } from '../../../../ui/field-form/submit-buttons.tsx'
import { orNull, useApiForm } from '../../../../ui/field-form/use-api-form.ts'
import { dayIn } from '../../../../ui/format/dates.ts'
import { useNow } from '../../../../ui/format/use-now.ts'
import { IconTrash } from '../../../../ui/icons/index.ts'
import { DateSpan } from './date-span.tsx'
import classes from './hours.module.css'

const REFRESH = ['/v1/calendars', '/v1/availability']

/** Days on which the usual hours do not apply, such as a holiday or an illness. */
export function DaysOff({ calendar, readOnly }: { calendar: Calendar; readOnly: boolean }) {
  const t = useTranslations('console.settings.hours')
  const [open, setOpen] = useState(false)
  const today = dayIn(calendar.time_zone, new Date(useNow()))
  const remove = useWrite('DELETE /v1/calendars/{id}/overrides/{overrideId}', { refresh: REFRESH })
  const coming = calendar.overrides
    .filter(({ date, date_to }) => (date_to ?? date) >= today)
    .toSorted((a, b) => (a.date < b.date ? -1 : 1))
  return (
    <>
      {coming.length > 0 && (
        <ul className={classes.daysOff}>
          {coming.map(({ id, date, date_to, windows, reason }) => (
            <li key={id}>
              <span>
                <DateSpan from={date} to={date_to} />:{' '}
                {windows.length === 0 ? t('closed') : windows.map(({ start, end }) => `${start}–${end}`).join(', ')}
                {reason !== null && (
                  <Text component="span" c="dimmed">
                    {' '}
                    · {reason}
                  </Text>
                )}
              </span>
              {!readOnly && (
                <ActionIcon
                  aria-label={`${t('removeDayOff')}: ${date}`}
                  loading={remove.isPending && remove.variables.params.overrideId === id}
                  onClick={() =>
                    remove.mutate({ params: { id: calendar.id, overrideId: id }, ifMatch: calendar.version })
                  }
                >
                  <IconTrash size={18} />
                </ActionIcon>
              )}
            </li>
          ))}
        </ul>
      )}
      {!readOnly && (
        <Group>
          <Button
            size="xs"
            variant="default"
            onClick={() => {
              remove.reset()
              setOpen(true)
            }}
          >
            {t('addDayOff')}
          </Button>
        </Group>
      )}
      <Problem error={remove.error} />
      <Dialog open={open} title={t('addDayOff')} onClose={() => setOpen(false)}>
        <DayOffForm calendar={calendar} today={today} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

function DayOffForm({ calendar, today, onClose }: { calendar: Calendar; today: string; onClose: () => void }) {
  const t = useTranslations('console.settings.hours')
  const write = useWrite('POST /v1/calendars/{id}/overrides', {
    refresh: REFRESH,
    onDone: () => {
      toast({ text: t('saved') })
      onClose()
    },
  })
  const form = useApiForm({ date: today, date_to: '', reason: '' }, write)
  const send = (event: FormEvent) =>
    form.onSubmit(({ date, date_to, reason }) =>
      write.mutate({
        params: { id: calendar.id },
        body: { date, date_to: orNull(date_to), windows: [], reason: orNull(reason) },
      }),
    )(event)
  return (
    <form onSubmit={send} noValidate>
      <Stack>
        <Text>{t('dayOffText')}</Text>
        <TextInput {...form.bind('date')} type="date" label={t('firstDay')} required />
        <TextInput {...form.bind('date_to')} type="date" label={t('lastDay')} description={t('lastDayHelp')} />
        <TextInput {...form.bind('reason')} label={t('reason')} autoComplete="off" />
        <Problem error={form.problem} />
        <SubmitButtons write={write} onCancel={onClose} />
      </Stack>
    </form>
  )
}
