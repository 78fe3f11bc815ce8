import { Button, Group, Text } from '@mantine/core'
import { useTranslations } from 'use-intl'
import classes from './plan.module.css'
import type { PlanDraft } from './plan-draft.ts'
import { SafetySummary } from './safety-summary.tsx'
import type { Conditions } from './use-conditions.ts'
import type { PlanProblems } from './use-plan-problems.ts'
import type { Safety } from './use-safety.ts'

interface SaveBarProps {
  draft: PlanDraft
  safety: Safety
  conditions: Conditions
  problems: PlanProblems
  isDraft: boolean
  isTried: boolean
  isPending: boolean
  isDisabled: boolean
  onSave: (activate: boolean) => void
}

/** The result of the safety check and the buttons that save the plan. */
export function SaveBar(props: SaveBarProps) {
  const { draft, safety, conditions, problems, isDraft, isTried, isPending, isDisabled, onSave } = props
  const t = useTranslations('console.plans')
  const exerciseIds = draft.sessions.flatMap(({ exercises }) => exercises.map(({ exercise_id }) => exercise_id))
  const isEmpty = draft.sessions.length === 0 || draft.sessions.some(({ exercises }) => exercises.length === 0)
  const hint = () => {
    if (isTried && problems.count > 0) return t('marked', { count: problems.count })
    return draft.title.trim() === '' ? t('needsTitle') : isEmpty ? t('needsExercises') : ''
  }
  return (
    <div className={`${classes.bar} no-print`}>
      <Group justify="space-between">
        <SafetySummary safety={safety} conditions={conditions} exerciseIds={exerciseIds} />
        <Group gap="xs">
          <Text size="sm" c="dimmed" maw={320} role="status">
            {hint()}
          </Text>
          <Button
            variant={isDraft ? 'default' : 'filled'}
            loading={isPending}
            disabled={isDisabled}
            onClick={() => onSave(false)}
          >
            {isDraft ? t('save') : t('saveActive')}
          </Button>
          {isDraft && (
            <Button loading={isPending} disabled={isDisabled} onClick={() => onSave(true)}>
              {t('activate')}
            </Button>
          )}
        </Group>
      </Group>
    </div>
  )
}
