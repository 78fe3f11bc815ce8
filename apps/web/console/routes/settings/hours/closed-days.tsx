import { ActionIcon, Button, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useWrite } from '../../../../ui/api/hooks.ts'
import { Dialog } from '../../../../ui/feedback/dialog.tsx'
import { Loaded } from '../../../../ui/feedback/loading.tsx'
import { Problem } from '../../../../ui/feedback/problem.tsx'
import { toast } from '../../../../ui/feedback/toasts.tsx'
import { SubmitButtons } from '../../../../ui/field-form/submit-buttons.tsx'
import { orNull, useApiForm } from '../../../../ui/field-form/use-api-form.ts'
import { dayIn } from '../../../../ui/format/dates.ts'
import { useNow } from '../../../../ui/format/use-now.ts'
import { IconTrash } from '../../../../ui/icons/index.ts'
import { useClinic } from '../../../../ui/session/clinic.tsx'
import { DateSpan } from './date-span.tsx'
import classes from './hours.module.css'
import { useClosures } from './use-closures.ts'

const REFRESH = ['/v1/closures', '/v1/availability']

/** Days on which the whole clinic, or one location, is closed, such as public holidays. */
export function ClosedDays({ readOnly }: { readOnly: boolean }) {
  const t = useTranslations('console.settings.hours')
  const [open, setOpen] = useState(false)
  const today = dayIn(useClinic().time_zone, new Date(useNow()))
  const closures = useClosures()
  const remove = useWrite('DELETE /v1/closures/{id}', { refresh: REFRESH })
  return (
    <Paper withBorder p="lg" component="section" aria-label={t('closedDays')}>
      <Group justify="space-between" mb="xs">
        <Title order={2}>{t('closedDays')}</Title>
        {!readOnly && (
          <Button
            variant="default"
            onClick={() => {
              remove.reset()
              setOpen(true)
            }}
          >
            {t('addClosedDays')}
          </Button>
        )}
      </Group>
      <Loaded query={closures}>
        {({ items }) => {
          const coming = items
            .filter(({ date, date_to }) => (date_to ?? date) >= today)
            .toSorted((a, b) => (a.date < b.date ? -1 : 1))
          return coming.length === 0 ? (
            <Text c="dimmed">{t('noClosedDays')}</Text>
          ) : (
            <ul className={classes.daysOff}>
              {coming.map(({ id, date, date_to, name, location_id, version }) => (
                <li key={id}>
                  <span>
                    <DateSpan from={date} to={date_to} />: {name}
                    {location_id !== null && (
                      <Text component="span" c="dimmed">
                        {' '}
                        · {t('oneLocation')}
                      </Text>
                    )}
                  </span>
                  {!readOnly && (
                    <ActionIcon
                      aria-label={`${t('removeClosedDays')}: ${name}`}
                      loading={remove.isPending && remove.variables.params.id === id}
                      onClick={() => remove.mutate({ params: { id }, ifMatch: version })}
                    >
                      <IconTrash size={18} />
                    </ActionIcon>
                  )}
                </li>
              ))}
            </ul>
          )
        }}
      </Loaded>
      <Problem error={remove.error} />
      <Dialog open={open} title={t('addClosedDays')} onClose={() => setOpen(false)}>
        <ClosedDaysForm today={today} onClose={() => setOpen(false)} />
      </Dialog>
    </Paper>
  )
}

function ClosedDaysForm({ today, onClose }: { today: string; onClose: () => void }) {
  const t = useTranslations('console.settings.hours')
  const write = useWrite('POST /v1/closures', {
    refresh: REFRESH,
    onDone: () => {
      toast({ text: t('saved') })
      onClose()
    },
  })
  const form = useApiForm({ name: '', date: today, date_to: '' }, write)
  const send = (event: FormEvent) =>
    form.onSubmit(({ name, date, date_to }) => write.mutate({ body: { name, date, date_to: orNull(date_to) } }))(event)
  return (
    <form onSubmit={send} noValidate>
      <Stack>
        <Text>{t('closedDaysText')}</Text>
        <TextInput {...form.bind('name')} label={t('occasion')} autoComplete="off" required data-autofocus />
        <TextInput {...form.bind('date')} type="date" label={t('firstDay')} required />
        <TextInput {...form.bind('date_to')} type="date" label={t('lastDay')} description={t('lastDayHelp')} />
        <Problem error={form.problem} />
        <SubmitButtons write={write} onCancel={onClose} />
      </Stack>
    </form>
  )
}
