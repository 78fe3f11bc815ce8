import { Button, Checkbox, Group, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core'
import type { AffectedPlan, PatientCondition, PatientConditionChanges, RecordedCondition } from '@tendon/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useWrite } from '#ui/api/hooks.ts'
import { ActionConflict } from '#ui/feedback/action-conflict.tsx'
import { Conflict } from '#ui/feedback/conflict.tsx'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Problem } from '#ui/feedback/problem.tsx'
import { staleOf } from '#ui/feedback/stale.ts'
import { toast } from '#ui/feedback/toasts.tsx'
import { isSame } from '#ui/field-form/answer-rules.ts'
import { SubmitButtons } from '#ui/field-form/submit-buttons.tsx'
import { orNull, useApiForm } from '#ui/field-form/use-api-form.ts'
import { useParam } from '#ui/frame/use-param.ts'
import { ConditionSearch } from './condition-search.tsx'

const STATUSES = ['active', 'resolved', 'history'] as const
const STAGES = ['acute', 'subacute', 'strength', 'return_to_activity', 'maintenance'] as const
const CLEARANCES = ['movement', 'stretching', 'load', 'full_load'] as const

const NAMES = ['status', 'stage', 'since', 'note'] as const
type Values = Record<(typeof NAMES)[number], string>

const valuesOf = ({ status = 'active', stage, since, note }: Partial<PatientCondition>): Values => ({
  status,
  stage: stage ?? '',
  since: since ?? '',
  note: note ?? '',
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
  const id = useParam('id')
  const given = of === 'new' ? undefined : of
  const [search, setSearch] = useState('')
  const [conditionId, setConditionId] = useState<string>()
  const [version, setVersion] = useState(given?.version ?? 1)
  const [cleared, setCleared] = useState<readonly string[]>(given?.cleared_for ?? [])
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
  const isMoreChanged = search !== '' || conditionId !== undefined || !isSame(cleared, given?.cleared_for ?? [])
  const form = useApiForm(valuesOf(given ?? {}), write, { isMoreChanged })
  const stale = staleOf(change.error)
  const theirs = stale && valuesOf(stale.current)
  const save = (values: Values, current = version) => {
    const body = {
      status: values.status as PatientCondition['status'],
      stage: orNull(values.stage) as (typeof STAGES)[number] | null,
      since: orNull(values.since),
      note: orNull(values.note),
      cleared_for: cleared as NonNullable<PatientConditionChanges['cleared_for']>,
    }
    if (given) change.mutate({ params: { id, conditionId: given.id }, body: { ...body, version: current } })
    else if (conditionId !== undefined) add.mutate({ params: { id }, body: { condition_id: conditionId, ...body } })
  }
  const shown = (name: keyof Values, value: string) => {
    if (name === 'status') return t(`statuses.${value as 'active'}`)
    return name === 'stage' && value !== '' ? t(`stages.${value as 'acute'}`) : value
  }
  return (
    <Dialog
      open
      title={given?.condition.name ?? t('add')}
      onClose={() => void form.mayLeave().then((may) => may && onClose())}
    >
      <form onSubmit={form.onSubmit((values) => save(values))} noValidate>
        <Stack>
          {!given && <ConditionSearch text={search} onText={setSearch} value={conditionId} onChange={setConditionId} />}
          <NativeSelect
            {...form.bind('status')}
            label={t('status')}
            data={STATUSES.map((value) => ({ value, label: t(`statuses.${value}`) }))}
          />
          <NativeSelect
            {...form.bind('stage')}
            label={t('stage')}
            data={[
              { value: '', label: t('noStage') },
              ...STAGES.map((value) => ({ value, label: t(`stages.${value}`) })),
            ]}
          />
          <Checkbox.Group
            label={t('cleared')}
            description={t('clearedHelp')}
            value={[...cleared]}
            onChange={setCleared}
          >
            <Group mt="xs">
              {CLEARANCES.map((value) => (
                <Checkbox key={value} value={value} label={t(`clearances.${value}`)} />
              ))}
            </Group>
          </Checkbox.Group>
          <TextInput {...form.bind('since')} label={t('since')} type="date" />
          <Textarea {...form.bind('note')} label={t('note')} autosize minRows={2} />
          <Problem error={stale ? null : (form.problem ?? (staleOf(remove.error) ? null : remove.error))} />
          {given && (
            <Group>
              <Button
                variant="subtle"
                color="red.9"
                loading={remove.isPending}
                onClick={() => remove.mutate({ params: { id, conditionId: given.id }, ifMatch: version })}
              >
                {t('remove')}
              </Button>
              <Text size="sm" c="dimmed">
                {t('removeText')}
              </Text>
            </Group>
          )}
          <SubmitButtons write={write} onCancel={onClose} />
        </Stack>
        <Conflict
          stale={stale}
          differences={NAMES.filter((name) => theirs && theirs[name] !== form.values[name]).map((name) => ({
            label: t(name),
            theirs: shown(name, theirs?.[name] ?? ''),
            mine: shown(name, form.values[name]),
          }))}
          onTheirs={() => {
            if (stale && theirs) {
              form.setValues(theirs)
              setCleared((stale.current as Partial<PatientCondition>).cleared_for ?? [])
              setVersion(stale.version)
            }
            change.reset()
          }}
          onMine={() => stale && save(form.values, stale.version)}
          onClose={() => change.reset()}
        />
        <ActionConflict
          write={remove}
          refresh={options.refresh}
          onAnyway={(current) => given && remove.mutate({ params: { id, conditionId: given.id }, ifMatch: current })}
        />
      </form>
    </Dialog>
  )
}
