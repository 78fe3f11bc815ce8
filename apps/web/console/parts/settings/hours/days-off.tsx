import { ActionIcon, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import type { Calendar } from '@tendon/sdk'
import { useId, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useWrite } from '#ui/api/hooks.ts'
import { Confirm } from '#ui/feedback/confirm.tsx'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Problem } from '#ui/feedback/problem.tsx'
import { toast } from '#ui/feedback/toasts.tsx'
import { SubmitButtons } from '#ui/field-form/submit-buttons.tsx'
import { DateField } from '#ui/form/date-field.tsx'
import { useApiForm } from '#ui/form/use-api-form.ts'
import { dayIn } from '#ui/format/dates.ts'
import { useNow } from '#ui/format/use-now.ts'
import { IconTrash } from '#ui/icons/index.ts'
import { VISIT_READS } from '../../appointments/visit-reads.ts'
import { AffectedVisits, type KeptVisits } from './affected-visits.tsx'
import { DateSpan } from './date-span.tsx'
import classes from './hours.module.css'
import { useKeepVisits } from './use-keep-visits.ts'

const REFRESH = ['/v1/calendars', ...VISIT_READS]

/** Days on which the usual hours do not apply, such as a holiday or an illness. */
export function DaysOff({ calendar, readOnly }: { calendar: Calendar; readOnly: boolean }) {
  const t = useTranslations('console.settings.hours')
  const [open, setOpen] = useState(false)
  const [removing, setRemoving] = useState<Calendar['overrides'][number]>()
  const today = dayIn(calendar.time_zone, new Date(useNow()))
  const remove = useWrite('DELETE /v1/calendars/{id}/overrides/{overrideId}', {
    refresh: REFRESH,
    onDone: () => {
      setRemoving(undefined)
      toast({ text: t('daysOffRemoved') })
    },
  })
  const askToRemove = (override: typeof removing) => {
    remove.reset()
    setRemoving(override)
  }
  const coming = calendar.overrides
    .filter(({ date, date_to }) => (date_to ?? date) >= today)
    .toSorted((a, b) => (a.date < b.date ? -1 : 1))
  return (
    <>
      {coming.length > 0 && (
        <ul className={classes.daysOff}>
          {coming.map((override) => (
            <li key={override.id}>
              <span>
                <DateSpan from={override.date} to={override.date_to} />:{' '}
                {override.windows.length === 0
                  ? t('closed')
                  : override.windows.map(({ start, end }) => `${start}–${end}`).join(', ')}
                {override.reason !== null && (
                  <Text component="span" c="dimmed">
                    {' '}
                    · {override.reason}
                  </Text>
                )}
              </span>
              {!readOnly && (
                <ActionIcon aria-label={`${t('removeDayOff')}: ${override.date}`} onClick={() => askToRemove(override)}>
                  <IconTrash size={18} />
                </ActionIcon>
              )}
            </li>
          ))}
        </ul>
      )}
      {!readOnly && (
        <Group>
          <Button size="xs" variant="default" onClick={() => setOpen(true)}>
            {t('addDayOff')}
          </Button>
        </Group>
      )}
      <Confirm
        open={removing !== undefined}
        danger
        title={t('removeDayOff')}
        text={
          removing && (
            <>
              <DateSpan from={removing.date} to={removing.date_to} />. {t('removeDayOffText')}
            </>
          )
        }
        action={t('remove')}
        pending={remove.isPending}
        error={remove.error}
        onConfirm={() =>
          removing && remove.mutate({ params: { id: calendar.id, overrideId: removing.id }, ifMatch: calendar.version })
        }
        onClose={() => askToRemove(undefined)}
      />
      <Dialog open={open} size="md" title={t('addDayOff')} onClose={() => setOpen(false)}>
        <DayOffForm calendar={calendar} today={today} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

function DayOffForm({ calendar, today, onClose }: { calendar: Calendar; today: string; onClose: () => void }) {
  const t = useTranslations('console.settings.hours')
  const [kept, setKept] = useState<KeptVisits>(new Map())
  const keepVisits = useKeepVisits()
  const formId = useId()
  const write = useWrite('POST /v1/calendars/{id}/overrides', {
    refresh: REFRESH,
    onDone: () => void keepVisits(kept).then(onClose),
  })
  const form = useApiForm(write, { date: today, date_to: '', reason: '' }, { isMoreChanged: kept.size > 0 })
  const send = form.onSubmit((body) => write.mutate({ params: { id: calendar.id }, body: { ...body, windows: [] } }))
  return (
    <Stack>
      <form id={formId} onSubmit={send} noValidate>
        <Stack>
          <Text>{t('dayOffText')}</Text>
          <DateField {...form.date('date')} label={t('firstDay')} required />
          <DateField {...form.date('date_to')} label={t('lastDay')} description={t('lastDayHelp')} />
          <TextInput {...form.text('reason')} label={t('reason')} autoComplete="off" />
        </Stack>
      </form>
      <AffectedVisits
        calendarId={calendar.id}
        date={form.values.date}
        dateTo={form.values.date_to}
        kept={kept}
        onKept={setKept}
      />
      <Problem error={form.problem} />
      <SubmitButtons write={write} form={formId} disabled={write.isSuccess} onCancel={onClose} />
    </Stack>
  )
}
