import { closestCenter, DndContext, KeyboardSensor, PointerSensor, useSensor, useSensors } from '@dnd-kit/core'
import { SortableContext, sortableKeyboardCoordinates, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { ActionIcon, Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core'
import { useId } from 'react'
import { useTranslations } from 'use-intl'
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '#ui/icons/index.ts'
import { ExerciseCard } from './exercise-card.tsx'
import classes from './plan.module.css'
import { type DraftSession, moved, secondsOf } from './plan-draft.ts'
import { isDoseValid } from './plan-problems.ts'
import { useDragWords } from './use-drag-words.ts'
import type { PlanProblems } from './use-plan-problems.ts'
import type { Safety } from './use-safety.ts'

export interface SessionCardProps {
  session: DraftSession
  /** As the API names it: `sessions.0`. */
  path: string
  number: number
  isFirst: boolean
  isLast: boolean
  safety: Safety
  readOnly: boolean
  problems: PlanProblems
  onChange: (session: DraftSession) => void
  onMove: (by: -1 | 1) => void
  onRemove: () => void
  onAdd: () => void
}

/** One session of the plan: its name and its exercises in order. */
export function SessionCard(props: SessionCardProps) {
  const { session, path, number, isFirst, isLast, safety, readOnly, problems, onChange, onMove, onRemove, onAdd } =
    props
  const t = useTranslations('console.plans')
  const { exercises } = session
  const minutes = exercises.every(isDoseValid) ? Math.round(secondsOf(session) / 60) : 0
  const missing = problems.at(`${path}.exercises`)
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 6 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const move = (from: number, to: number) => onChange({ ...session, exercises: moved(exercises, from, to) })
  const placeOf = (key: unknown) => exercises.findIndex((one) => one.key === key)
  return (
    <Paper withBorder p="md" component="section" aria-label={session.title || t('session', { number })}>
      <Stack gap="sm">
        <Group align="flex-end" wrap="nowrap" gap="xs">
          <TextInput
            name={`${path}.title`}
            error={problems.at(`${path}.title`)}
            label={t('sessionTitle')}
            required
            maxLength={200}
            autoComplete="off"
            style={{ flex: 1 }}
            value={session.title}
            readOnly={readOnly}
            onChange={(event) => onChange({ ...session, title: event.currentTarget.value })}
          />
          {!readOnly && (
            <Group gap={2} wrap="nowrap" className="no-print">
              <ActionIcon aria-label={t('sessionUp')} disabled={isFirst} onClick={() => onMove(-1)}>
                <IconArrowUp size={18} />
              </ActionIcon>
              <ActionIcon aria-label={t('sessionDown')} disabled={isLast} onClick={() => onMove(1)}>
                <IconArrowDown size={18} />
              </ActionIcon>
              <ActionIcon aria-label={t('removeSession')} onClick={onRemove}>
                <IconTrash size={18} />
              </ActionIcon>
            </Group>
          )}
        </Group>
        <TextInput
          name={`${path}.notes`}
          error={problems.at(`${path}.notes`)}
          label={t('sessionNotes')}
          maxLength={2_000}
          value={session.notes}
          readOnly={readOnly}
          onChange={(event) => onChange({ ...session, notes: event.currentTarget.value })}
        />
        {exercises.length === 0 && <Text c="dimmed">{t('emptySession')}</Text>}
        {missing !== undefined && <Text c="var(--mantine-color-error)">{missing}</Text>}
        <DndContext
          id={useId()}
          sensors={sensors}
          accessibility={useDragWords(exercises)}
          collisionDetection={closestCenter}
          onDragEnd={({ active, over }) => over && active.id !== over.id && move(placeOf(active.id), placeOf(over.id))}
        >
          <SortableContext items={exercises.map(({ key }) => key)} strategy={verticalListSortingStrategy}>
            <ol className={classes.exercises}>
              {exercises.map((exercise, place) => (
                <ExerciseCard
                  key={exercise.key}
                  exercise={exercise}
                  findings={safety.findingsOf(exercise.exercise_id)}
                  readOnly={readOnly}
                  path={`${path}.exercises.${place}`}
                  problems={problems}
                  isFirst={place === 0}
                  isLast={place === exercises.length - 1}
                  onChange={(change) =>
                    onChange({
                      ...session,
                      exercises: exercises.map((one) => (one.key === exercise.key ? { ...one, ...change } : one)),
                    })
                  }
                  onMove={(by) => move(place, place + by)}
                  onRemove={() =>
                    onChange({ ...session, exercises: exercises.filter(({ key }) => key !== exercise.key) })
                  }
                />
              ))}
            </ol>
          </SortableContext>
        </DndContext>
        <Group justify="space-between">
          {readOnly ? (
            <span />
          ) : (
            <Button
              name={`${path}.exercises`}
              variant="default"
              className="no-print"
              leftSection={<IconPlus size={18} />}
              onClick={onAdd}
            >
              {t('addExercise')}
            </Button>
          )}
          {minutes > 0 && <Text c="dimmed">{t('duration', { minutes })}</Text>}
        </Group>
      </Stack>
    </Paper>
  )
}
