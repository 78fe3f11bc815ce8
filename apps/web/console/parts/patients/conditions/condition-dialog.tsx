import { Button, Checkbox, Group, NativeSelect, Stack, Text, Textarea } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import type { AffectedPlan, PatientCondition, RecordedCondition } from '@tendon/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useWrite } from '#ui/api/hooks.ts'
import { ActionConflict } from '#ui/feedback/action-conflict.tsx'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Problem } from '#ui/feedback/problem.tsx'
import { staleOf } from '#ui/feedback/stale.ts'
import { toast } from '#ui/feedback/toasts.tsx'
import { SubmitButtons } from '#ui/field-form/submit-buttons.tsx'
import { DateField } from '#ui/form/date-field.tsx'
import { FormConflict, rowsOf } from '#ui/form/form-conflict.tsx'
import { useApiForm } from '#ui/form/use-api-form.ts'
import { ConditionSearch } from './condition-search.tsx'

const STATUSES = ['active', 'resolved', 'history'] as const
const STAGES = ['acute', 'subacute', 'strength', 'return_to_activity', 'maintenance'] as const
const CLEARANCES = ['movement', 'stretching', 'load', 'full_load'] as const

const valuesOf = ({ status, stage, since, note, cleared_for }: Partial<PatientCondition>) => ({
  status: status ?? 'active',
  stage: STAGES.find((one) => one === stage) ?? ('' as const),
  since: since ?? '',
  note: note ?? '',
  cleared_for: cleared_for ?? [],
})

interface ConditionDialogProps {
  of: PatientCondition | 'new' | undefined
  onClose: () => void
  /** Called with the active plans that the condition affects. */
  onSaved: (affected: AffectedPlan[]) => void
}

export function ConditionDialog({ of, onClose, onSaved }: ConditionDialogProps) {
  return of === undefined ? null : <OpenDialog of={of} onClose={onClose} onSaved={onSaved} />
}

function OpenDialog({ of, onClose, onSaved }: ConditionDialogProps & { of: PatientCondition | 'new' }) {
  const t = useTranslations('console.record.conditions')
  const { id } = useParams({ from: '/$clinic/patients/$id' })
  const given = of === 'new' ? undefined : of
  const [search, setSearch] = useState('')
  const [conditionId, setConditionId] = useState<string>()
  const options = {
    refresh: ['/v1/patients/{id}/conditions', '/v1/treatment-plans'],
    onDone: ({ affected_plans }: RecordedCondition) => {
      toast({ text: t('saved') })
      onSaved(affected_plans)
      onClose()
    },
  }
  const add = useWrite('POST /v1/patients/{id}/conditions', options)
  const change = useWrite('PATCH /v1/patients/{id}/conditions/{conditionId}', options)
  const remove = useWrite('DELETE /v1/patients/{id}/conditions/{conditionId}', {
    refresh: options.refresh,
    onDone: onClose,
  })
  const write = given ? change : add
  const isMoreChanged = search !== '' || conditionId !== undefined
  const form = useApiForm(write, valuesOf(given ?? {}), { version: given?.version, valuesOf, isMoreChanged })
  const send = form.onSubmit((body, version) => {
    if (given) change.mutate({ params: { id, conditionId: given.id }, body: { ...body, version } })
    else if (conditionId !== undefined) add.mutate({ params: { id }, body: { condition_id: conditionId, ...body } })
  })
  const labels = {
    status: t('status'),
    stage: t('stage'),
    cleared_for: t('cleared'),
    since: t('since'),
    note: t('note'),
  }
  const shown = (name: keyof typeof labels, value: unknown) => {
    const texts: Readonly<Record<string, string>> = {
      status: Object.fromEntries(STATUSES.map((one) => [one, t(`statuses.${one}`)])),
      stage: Object.fromEntries(STAGES.map((one) => [one, t(`stages.${one}`)])),
      cleared_for: Object.fromEntries(CLEARANCES.map((one) => [one, t(`clearances.${one}`)])),
      since: {},
      note: {},
    }[name]
    return [value]
      .flat()
      .map((one) => texts[String(one)] ?? String(one))
      .join(', ')
  }
  return (
    <Dialog
      open
      title={given?.condition.name ?? t('add')}
      onClose={() => void form.mayLeave().then((may) => may && onClose())}
    >
      <form onSubmit={send} noValidate>
        <Stack>
          {!given && <ConditionSearch text={search} onText={setSearch} value={conditionId} onChange={setConditionId} />}
          <NativeSelect
            {...form.select('status')}
            label={t('status')}
            data={STATUSES.map((value) => ({ value, label: t(`statuses.${value}`) }))}
          />
          <NativeSelect
            {...form.select('stage')}
            label={t('stage')}
            data={[
              { value: '', label: t('noStage') },
              ...STAGES.map((value) => ({ value, label: t(`stages.${value}`) })),
            ]}
          />
          <Checkbox.Group {...form.choices('cleared_for')} label={t('cleared')} description={t('clearedHelp')}>
            <Group mt="xs">
              {CLEARANCES.map((value) => (
                <Checkbox key={value} value={value} label={t(`clearances.${value}`)} />
              ))}
            </Group>
          </Checkbox.Group>
          <DateField {...form.date('since')} label={t('since')} />
          <Textarea {...form.text('note')} label={t('note')} autosize minRows={2} />
          <Problem error={form.problem ?? (staleOf(remove.error) ? null : remove.error)} />
          {given && (
            <Group>
              <Button
                variant="subtle"
                color="red.9"
                loading={remove.isPending}
                onClick={() => remove.mutate({ params: { id, conditionId: given.id }, ifMatch: form.version })}
              >
                {t('remove')}
              </Button>
              <Text size="sm" c="dimmed">
                {t('removeText')}
              </Text>
            </Group>
          )}
          <SubmitButtons write={write} onCancel={onClose} disabled={!given && conditionId === undefined} />
        </Stack>
        <FormConflict form={form} rows={rowsOf(labels, shown)} />
        <ActionConflict
          write={remove}
          refresh={options.refresh}
          onAnyway={(current) => given && remove.mutate({ params: { id, conditionId: given.id }, ifMatch: current })}
        />
      </form>
    </Dialog>
  )
}
