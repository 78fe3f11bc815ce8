import { Button, Group, Paper, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core'
import '@mantine/core/styles/SimpleGrid.layer.css'
import { useBlocker } from '@tanstack/react-router'
import type { TreatmentPlan } from '@tendon/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Conflict } from '../../../../ui/feedback/conflict.tsx'
import { Problem, useCountdown } from '../../../../ui/feedback/problem.tsx'
import { staleOf } from '../../../../ui/feedback/stale.ts'
import { useFieldProblems } from '../../../../ui/field-form/field-problems.ts'
import { IconPlus } from '../../../../ui/icons/index.ts'
import { ExerciseLibrary } from './exercise-library.tsx'
import classes from './plan.module.css'
import { differencesOf } from './plan-differences.ts'
import { draftOf, emptySession, exerciseIdsOf, moved, newExercise, type PlanDraft, rebased } from './plan-draft.ts'
import { SafetySummary } from './safety-summary.tsx'
import { SessionCard } from './session-card.tsx'
import { useConditions } from './use-conditions.ts'
import { useDose } from './use-dose.ts'
import { type Outcome, usePlanSave } from './use-plan-save.ts'
import { useSafety } from './use-safety.ts'

export interface PlanBuilderProps {
  patientId: string
  initial: PlanDraft
  /** The stored plan; omitted for a new plan. */
  plan?: TreatmentPlan
  programId?: string | undefined
  readOnly?: boolean
  onDone: (plan: TreatmentPlan, outcome: Outcome) => void
}

/** The plan that somebody else saved since it was loaded. */
const theirs = ({ current }: { current: Record<string, unknown> }) => current as unknown as TreatmentPlan

/** Edits sessions, exercises and doses of one plan. Every change runs the safety check. */
export function PlanBuilder({ patientId, initial, plan, programId, readOnly = false, onDone }: PlanBuilderProps) {
  const t = useTranslations('console.plans')
  const tForm = useTranslations('ui.form')
  const [draft, setDraft] = useState(initial)
  const [saved, setSaved] = useState({ plan, draft: initial })
  const [adding, setAdding] = useState<string>()
  const [marked, setMarked] = useState(false)
  const safety = useSafety(patientId, exerciseIdsOf(draft))
  const problemsOf = useFieldProblems()
  const conditions = useConditions(patientId)
  const store = usePlanSave({
    patientId,
    plan: saved.plan,
    programId,
    safety,
    onStored: (stored) => {
      const next = draftOf(stored)
      setDraft(next)
      setSaved({ plan: stored, draft: next })
    },
    onDone,
  })
  const isDirty = draft !== saved.draft && !store.isPending
  useBlocker({
    // oxlint-disable-next-line no-alert -- the browser asks the same way when the tab is closed
    shouldBlockFn: () => isDirty && !readOnly && !confirm(tForm('leave')),
    enableBeforeUnload: () => isDirty && !readOnly,
  })
  const doseOf = useDose()
  const wait = useCountdown(store.error)
  const stale = staleOf(store.error)
  const problems = problemsOf(store.error)
  const all = draft.sessions.flatMap(({ exercises }) => exercises)
  const isBlocked = all.some(({ exercise_id }) => safety.levelOf(exercise_id) === 'block')
  const lacksReason = all.some(
    ({ exercise_id, override_reason }) => safety.levelOf(exercise_id) === 'reason' && override_reason.trim() === '',
  )
  const isEmpty = draft.sessions.length === 0 || draft.sessions.some(({ exercises }) => exercises.length === 0)
  const isDraft = (saved.plan?.status ?? 'draft') === 'draft'
  const hint =
    draft.title.trim() === '' ? t('needsTitle') : lacksReason ? t('needsReasons') : isEmpty ? t('needsExercises') : ''

  const change = (more: Partial<PlanDraft>) => setDraft((before) => ({ ...before, ...more }))
  const save = (activate: boolean) => {
    setMarked(true)
    if (draft.title.trim() === '' || lacksReason) return
    if (stale) void store.save(rebased(draft, theirs(stale)), { activate, version: stale.version })
    else void store.save(draft, { activate })
  }
  const text = (name: 'title' | 'starts_on' | 'ends_on' | 'description') => ({
    name,
    value: draft[name],
    readOnly,
    error: problems[name],
    onChange: (event: { currentTarget: { value: string } }) => change({ [name]: event.currentTarget.value }),
  })
  return (
    <Stack>
      <Paper withBorder p="md">
        <Stack gap="sm">
          <TextInput
            {...text('title')}
            label={t('title')}
            placeholder={t('titleHint')}
            required
            maxLength={200}
            autoComplete="off"
            error={marked && draft.title.trim() === '' ? t('needsTitle') : problems.title}
          />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput {...text('starts_on')} label={t('startsOn')} type="date" />
            <TextInput {...text('ends_on')} label={t('endsOn')} type="date" />
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
      {draft.sessions.map((session, place) => (
        <SessionCard
          key={session.key}
          session={session}
          number={place + 1}
          isFirst={place === 0}
          isLast={place === draft.sessions.length - 1}
          safety={safety}
          readOnly={readOnly}
          marked={marked}
          onChange={(next) => change({ sessions: draft.sessions.map((one) => (one.key === session.key ? next : one)) })}
          onMove={(by) => change({ sessions: moved(draft.sessions, place, place + by) })}
          onRemove={() => change({ sessions: draft.sessions.filter(({ key }) => key !== session.key) })}
          onAdd={() => setAdding(session.key)}
        />
      ))}
      {!readOnly && (
        <Group className="no-print">
          <Button
            variant="default"
            leftSection={<IconPlus size={18} />}
            onClick={() =>
              change({
                sessions: [...draft.sessions, emptySession(t('session', { number: draft.sessions.length + 1 }))],
              })
            }
          >
            {t('addSession')}
          </Button>
        </Group>
      )}
      <Problem error={stale || Object.keys(problems).length > 0 ? null : store.error} />
      {!readOnly && (
        <div className={`${classes.bar} no-print`}>
          <Group justify="space-between">
            <SafetySummary
              safety={safety}
              conditions={conditions}
              exerciseIds={all.map(({ exercise_id }) => exercise_id)}
            />
            <Group gap="xs">
              {hint !== '' && (
                <Text size="sm" c="dimmed" maw={320}>
                  {hint}
                </Text>
              )}
              <Button
                variant={isDraft ? 'default' : 'filled'}
                loading={store.isPending}
                disabled={isBlocked || wait > 0}
                onClick={() => save(false)}
              >
                {isDraft ? t('save') : t('saveActive')}
              </Button>
              {isDraft && (
                <Button
                  loading={store.isPending}
                  disabled={isBlocked || isEmpty || wait > 0}
                  onClick={() => save(true)}
                >
                  {t('activate')}
                </Button>
              )}
            </Group>
          </Group>
        </div>
      )}
      <ExerciseLibrary
        patientId={patientId}
        open={adding !== undefined}
        onClose={() => setAdding(undefined)}
        onAdd={(exercise, name) => {
          void doseOf(exercise.id).then((dose) =>
            setDraft((before) => ({
              ...before,
              sessions: before.sessions.map((one) =>
                one.key === adding ? { ...one, exercises: [...one.exercises, newExercise(exercise, name, dose)] } : one,
              ),
            })),
          )
        }}
      />
      <Conflict
        stale={stale}
        differences={stale ? differencesOf(draft, draftOf(theirs(stale)), t) : []}
        onTheirs={() => {
          if (stale) {
            const next = draftOf(theirs(stale))
            setDraft(next)
            setSaved({ plan: theirs(stale), draft: next })
          }
          store.reset()
        }}
        onMine={() => save(false)}
        onClose={store.reset}
      />
    </Stack>
  )
}
