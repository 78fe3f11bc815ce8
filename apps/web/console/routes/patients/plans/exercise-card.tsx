import { useSortable } from '@dnd-kit/sortable'
import { ActionIcon, Alert, Group, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core'
import type { SafetyFinding } from '@tendon/sdk'
import { useTranslations } from 'use-intl'
import { IconArrowDown, IconArrowUp, IconGripVertical, IconTrash } from '../../../../ui/icons/index.ts'
import classes from './plan.module.css'
import type { DraftExercise } from './plan-draft.ts'
import { SafetyFindings } from './safety-findings.tsx'

export interface ExerciseCardProps {
  exercise: DraftExercise
  findings: readonly SafetyFinding[]
  readOnly: boolean
  isFirst: boolean
  isLast: boolean
  /** Whether to mark a missing reason. */
  marked: boolean
  onChange: (change: Partial<DraftExercise>) => void
  onMove: (by: -1 | 1) => void
  onRemove: () => void
}

const SIDES = ['left', 'right', 'both'] as const

/** One exercise of a session: dose, order and findings of the safety check. */
export function ExerciseCard(props: ExerciseCardProps) {
  const { exercise, findings, readOnly, isFirst, isLast, marked, onChange, onMove, onRemove } = props
  const t = useTranslations('console.plans')
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id: exercise.key,
    disabled: readOnly,
  })
  const needsReason = findings.some(({ level }) => level === 'reason')
  const number = (name: 'sets' | 'reps' | 'hold_seconds' | 'rest_seconds', label: string) => (
    <TextInput
      label={label}
      inputMode="numeric"
      autoComplete="off"
      size="xs"
      value={exercise[name]}
      readOnly={readOnly}
      onChange={(event) => onChange({ [name]: event.currentTarget.value.replaceAll(/\D/g, '').slice(0, 4) })}
    />
  )
  return (
    <li
      ref={setNodeRef}
      className={`${classes.exercise} keep-together`}
      data-dragging={isDragging}
      data-level={findings[0]?.level}
      style={{
        transform: transform ? `translate3d(0, ${Math.round(transform.y)}px, 0)` : undefined,
        transition,
      }}
    >
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Group gap={4} wrap="nowrap" style={{ minWidth: 0 }}>
          {!readOnly && (
            <ActionIcon
              ref={setActivatorNodeRef}
              color="gray"
              className={`${classes.handle} no-print`}
              {...attributes}
              {...listeners}
              aria-label={t('exercise.drag', { name: exercise.name })}
            >
              <IconGripVertical size={18} />
            </ActionIcon>
          )}
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {exercise.name}
          </Text>
        </Group>
        {!readOnly && (
          <Group gap={2} wrap="nowrap" className="no-print">
            <ActionIcon
              aria-label={`${t('exercise.up')}: ${exercise.name}`}
              disabled={isFirst}
              onClick={() => onMove(-1)}
            >
              <IconArrowUp size={18} />
            </ActionIcon>
            <ActionIcon
              aria-label={`${t('exercise.down')}: ${exercise.name}`}
              disabled={isLast}
              onClick={() => onMove(1)}
            >
              <IconArrowDown size={18} />
            </ActionIcon>
            <ActionIcon aria-label={`${t('exercise.remove')}: ${exercise.name}`} onClick={onRemove}>
              <IconTrash size={18} />
            </ActionIcon>
          </Group>
        )}
      </Group>
      <div className={classes.dose}>
        {number('sets', t('exercise.sets'))}
        {number('reps', t('exercise.reps'))}
        {number('hold_seconds', t('exercise.hold'))}
        {number('rest_seconds', t('exercise.rest'))}
        <NativeSelect
          label={t('exercise.side')}
          size="xs"
          value={exercise.side}
          disabled={readOnly}
          data={[
            { value: '', label: t('exercise.sides.none') },
            ...SIDES.map((value) => ({ value, label: t(`exercise.sides.${value}`) })),
          ]}
          onChange={(event) => onChange({ side: event.currentTarget.value as DraftExercise['side'] })}
        />
        <TextInput
          label={t('exercise.notes')}
          size="xs"
          maxLength={2_000}
          className={classes.notes}
          value={exercise.notes}
          readOnly={readOnly}
          onChange={(event) => onChange({ notes: event.currentTarget.value })}
        />
      </div>
      {!exercise.available && (
        <Alert color="red" variant="outline">
          {t('exercise.unavailable')}
        </Alert>
      )}
      <Stack gap="xs">
        <SafetyFindings findings={findings} />
        {needsReason && (
          <Textarea
            label={t('safety.why')}
            description={t('safety.whyHelp')}
            required
            autosize
            minRows={2}
            maxLength={2_000}
            value={exercise.override_reason}
            readOnly={readOnly}
            error={marked && exercise.override_reason.trim() === '' ? t('needsReasons') : undefined}
            onChange={(event) => onChange({ override_reason: event.currentTarget.value })}
          />
        )}
      </Stack>
    </li>
  )
}
