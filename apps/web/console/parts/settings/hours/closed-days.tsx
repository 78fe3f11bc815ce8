import { ActionIcon, Button, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core'
import type { Closure } from '@tendon/sdk'
import { useId, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useWrite } from '#ui/api/hooks.ts'
import { Confirm } from '#ui/feedback/confirm.tsx'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Loaded } from '#ui/feedback/loading.tsx'
import { Problem } from '#ui/feedback/problem.tsx'
import { toast } from '#ui/feedback/toasts.tsx'
import { SubmitButtons } from '#ui/field-form/submit-buttons.tsx'
import { DateField } from '#ui/form/date-field.tsx'
import { useApiForm } from '#ui/form/use-api-form.ts'
import { dayIn } from '#ui/format/dates.ts'
import { useNow } from '#ui/format/use-now.ts'
import { IconTrash } from '#ui/icons/index.ts'
import { useClinic } from '#ui/session/clinic.tsx'
import { VISIT_READS } from '../../appointments/visit-reads.ts'
import { AffectedVisits, type KeptVisits } from './affected-visits.tsx'
import { DateSpan } from './date-span.tsx'
import classes from './hours.module.css'
import { useClosures } from './use-closures.ts'
import { useKeepVisits } from './use-keep-visits.ts'

const REFRESH = ['/v1/closures', ...VISIT_READS]

/** Days on which the whole clinic, or one location, is closed, such as public holidays. */
export function ClosedDays({ readOnly }: { readOnly: boolean }) {
  const t = useTranslations('console.settings.hours')
  const [open, setOpen] = useState(false)
  const [removing, setRemoving] = useState<Closure>()
  const today = dayIn(useClinic().time_zone, new Date(useNow()))
  const closures = useClosures()
  const remove = useWrite('DELETE /v1/closures/{id}', {
    refresh: REFRESH,
    onDone: () => {
      setRemoving(undefined)
      toast({ text: t('closedDaysRemoved') })
    },
  })
  const askToRemove = (closure: Closure | undefined) => {
    remove.reset()
    setRemoving(closure)
  }
  return (
    <Paper withBorder p="lg" component="section" aria-label={t('closedDays')}>
      <Group justify="space-between" mb="xs">
        <Title order={2}>{t('closedDays')}</Title>
        {!readOnly && (
          <Button variant="default" onClick={() => setOpen(true)}>
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
              {coming.map((closure) => (
                <li key={closure.id}>
                  <span>
                    <DateSpan from={closure.date} to={closure.date_to} />: {closure.name}
                    {closure.location_id !== null && (
                      <Text component="span" c="dimmed">
                        {' '}
                        · {t('oneLocation')}
                      </Text>
                    )}
                  </span>
                  {!readOnly && (
                    <ActionIcon
                      aria-label={`${t('removeClosedDays')}: ${closure.name}`}
                      onClick={() => askToRemove(closure)}
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
      <Confirm
        open={removing !== undefined}
        danger
        title={t('removeClosedDays')}
        text={
          removing && (
            <>
              <DateSpan from={removing.date} to={removing.date_to} />: {removing.name}. {t('removeClosedDaysText')}
            </>
          )
        }
        action={t('remove')}
        pending={remove.isPending}
        error={remove.error}
        onConfirm={() => removing && remove.mutate({ params: { id: removing.id }, ifMatch: removing.version })}
        onClose={() => askToRemove(undefined)}
      />
      <Dialog open={open} size="md" title={t('addClosedDays')} onClose={() => setOpen(false)}>
        <ClosedDaysForm today={today} onClose={() => setOpen(false)} />
      </Dialog>
    </Paper>
  )
}

function ClosedDaysForm({ today, onClose }: { today: string; onClose: () => void }) {
  const t = useTranslations('console.settings.hours')
  const [kept, setKept] = useState<KeptVisits>(new Map())
  const keepVisits = useKeepVisits()
  const formId = useId()
  const write = useWrite('POST /v1/closures', {
    refresh: REFRESH,
    onDone: () => void keepVisits(kept).then(onClose),
  })
  const form = useApiForm(write, { name: '', date: today, date_to: '' }, { isMoreChanged: kept.size > 0 })
  const send = form.onSubmit((body) => write.mutate({ body }))
  return (
    <Stack>
      <form id={formId} onSubmit={send} noValidate>
        <Stack>
          <Text>{t('closedDaysText')}</Text>
          <TextInput {...form.text('name')} label={t('occasion')} autoComplete="off" required data-autofocus />
          <DateField {...form.date('date')} label={t('firstDay')} required />
          <DateField {...form.date('date_to')} label={t('lastDay')} description={t('lastDayHelp')} />
        </Stack>
      </form>
      <AffectedVisits date={form.values.date} dateTo={form.values.date_to} kept={kept} onKept={setKept} />
      <Problem error={form.problem} />
      <SubmitButtons write={write} form={formId} disabled={write.isSuccess} onCancel={onClose} />
    </Stack>
  )
}
