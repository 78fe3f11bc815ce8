import { Paper, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import '@mantine/core/styles/SimpleGrid.layer.css'
import { useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { DateField } from '#ui/form/date-field.tsx'
import type { PlanDraft } from './plan-draft.ts'
import type { PlanProblems } from './use-plan-problems.ts'

interface PlanDetailsProps {
  draft: PlanDraft
  problems: PlanProblems
  readOnly: boolean
  /** Starts with the focus in the title. */
  isNew: boolean
  onChange: (change: Partial<PlanDraft>) => void
  /** Whether a date was typed in part: the browser then has no value for it. */
  onUnfinishedDate: (name: string, isUnfinished: boolean) => void
}

/** Title, days and the text for the patient. */
export function PlanDetails({ draft, problems, readOnly, isNew, onChange, onUnfinishedDate }: PlanDetailsProps) {
  const t = useTranslations('console.plans')
  const title = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isNew) title.current?.focus()
  }, [isNew])
  const text = (name: 'title' | 'starts_on' | 'ends_on' | 'description') => ({
    name,
    value: draft[name],
    readOnly,
    error: problems.at(name),
    onChange: (event: { currentTarget: { value: string } }) => onChange({ [name]: event.currentTarget.value }),
  })
  const date = (name: 'starts_on' | 'ends_on') => ({
    ...text(name),
    onBlur: () => onUnfinishedDate(name, !/^(\d{4}-\d\d-\d\d)?$/.test(draft[name])),
  })
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <TextInput
          {...text('title')}
          ref={title}
          label={t('title')}
          placeholder={t('titleHint')}
          required
          maxLength={200}
          autoComplete="off"
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <DateField {...date('starts_on')} label={t('startsOn')} />
          <DateField {...date('ends_on')} label={t('endsOn')} />
        </SimpleGrid>
        <Textarea
          {...text('description')}
          label={t('description')}
          description={t('descriptionHelp')}
          autosize
          minRows={2}
          maxLength={5_000}
        />
      </Stack>
    </Paper>
  )
}
