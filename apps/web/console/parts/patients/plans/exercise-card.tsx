import { useSortable } from '@dnd-kit/sortable'
import { ActionIcon, Alert, Group, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core'
import type { SafetyFinding } from '@tendon/sdk'
import { useTranslations } from 'use-intl'
import { IconArrowDown, IconArrowUp, IconGripVertical, IconTrash } from '#ui/icons/index.ts'
import classes from './plan.module.css'
import type { DraftExercise } from './plan-draft.ts'
import { DOSE_BOUNDS, type DoseName } from './plan-problems.ts'
import { SafetyFindings } from './safety-findings.tsx'
import type { PlanProblems } from './use-plan-problems.ts'

export interface ExerciseCardProps {
  exercise: DraftExercise
  /** As the API names it: `sessions.0.exercises.2`. */
  path: string
  findings: readonly SafetyFinding[]
  readOnly: boolean
  isFirst: boolean
  isLast: boolean
  problems: PlanProblems
  onChange: (change: Partial<DraftExercise>) => void
  onMove: (by: -1 | 1) => void
  onRemove: () => void
}

const SIDES = ['left', 'right', 'both'] as const

/** One exercise of a session: dose, order and findings of the safety check. */
export function ExerciseCard(props: ExerciseCardProps) {
  const { exercise, path, findings, readOnly, isFirst, isLast, problems, onChange, onMove, onRemove } = props
  const t = useTranslations('console.plans')
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id: exercise.key,
    disabled: readOnly,
  })
  const needsReason = findings.some(({ level }) => level === 'reason')
  const field = (name: 'side' | 'notes' | 'override_reason' | DoseName) => ({
    name: `${path}.${name}`,
    value: exercise[name],
    error: problems.at(`${path}.${name}`),
    onChange: (event: { currentTarget: { value: string } }) => onChange({ [name]: event.currentTarget.value }),
  })
  const number = (name: DoseName, label: string) => (
    <TextInput
      {...field(name)}
      label={label}
      required={DOSE_BOUNDS[name].required}
      inputMode="numeric"
      autoComplete="off"
      size="xs"
      readOnly={readOnly}
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
            <ActionIcon
              name={`${path}.exercise_id`}
              aria-label={`${t('exercise.remove')}: ${exercise.name}`}
              onClick={onRemove}
            >
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
          {...field('side')}
          label={t('exercise.side')}
          size="xs"
          disabled={readOnly}
          data={[
            { value: '', label: t('exercise.sides.none') },
            ...SIDES.map((value) => ({ value, label: t(`exercise.sides.${value}`) })),
          ]}
        />
        <TextInput
          {...field('notes')}
          label={t('exercise.notes')}
          size="xs"
          maxLength={2_000}
          className={classes.notes}
          readOnly={readOnly}
        />
      </div>
      {(!exercise.available || problems.at(`${path}.exercise_id`) !== undefined) && (
        <Alert color="red" variant="outline">
          {t('exercise.unavailable')}
        </Alert>
      )}
      <Stack gap="xs">
        <SafetyFindings findings={findings} />
        {needsReason && (
          <Textarea
            {...field('override_reason')}
            label={t('safety.why')}
            description={t('safety.whyHelp')}
            required
            autosize
            minRows={2}
            maxLength={2_000}
            readOnly={readOnly}
          />
        )}
      </Stack>
    </li>
  )
}
