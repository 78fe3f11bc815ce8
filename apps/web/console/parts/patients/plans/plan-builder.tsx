import { Stack, Text } from '@mantine/core'
import type { TreatmentPlan } from '@tendon/sdk'
import { type ComponentType, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslations } from 'use-intl'
import { Conflict } from '#ui/feedback/conflict.tsx'
import { Problem, useCountdown } from '#ui/feedback/problem.tsx'
import { staleOf } from '#ui/feedback/stale.ts'
import { useUnsavedGuard } from '#ui/feedback/use-unsaved-guard.ts'
import { focusFirstProblem } from '#ui/field-form/field-problems.ts'
import { EndedMeanwhile } from './ended-meanwhile.tsx'
import { ExerciseLibrary } from './exercise-library.tsx'
import classes from './plan.module.css'
import { PlanDetails } from './plan-details.tsx'
import { differencesOf } from './plan-differences.ts'
import { draftOf, exerciseIdsOf, isOpen, isPlan, newExercise, type PlanDraft, rebased } from './plan-draft.ts'
import { PlanPaper } from './plan-paper.tsx'
import { problemsOf } from './plan-problems.ts'
import { SaveBar } from './save-bar.tsx'
import { SessionList } from './session-list.tsx'
import { useConditions } from './use-conditions.ts'
import { useDose } from './use-dose.ts'
import { usePlanProblems } from './use-plan-problems.ts'
import { type Outcome, usePlanSave } from './use-plan-save.ts'
import { useSafety } from './use-safety.ts'

/** The state of the editor, for what is done to the plan as a whole. */
export interface PlanEdits {
  /** As it was last saved or loaded here. */
  plan: TreatmentPlan
  isDirty: boolean
  isSaving: boolean
  /** Shows a stored plan in place of the edits. */
  show: (plan: TreatmentPlan) => void
  /** The stored plan; undefined when it was refused, which the page shows. */
  save: () => Promise<TreatmentPlan | undefined>
}

export interface PlanBuilderProps {
  patientId: string
  initial: PlanDraft
  /** The stored plan; omitted for a new plan. */
  plan?: TreatmentPlan
  programId?: string | undefined
  /** False: the plan is only read. A plan that has ended is read in any case. */
  mayChange?: boolean
  /** Above the editor of a stored plan. */
  header?: ComponentType<{ edits: PlanEdits }>
  onDone: (plan: TreatmentPlan, outcome: Outcome) => void
}

/** Edits sessions, exercises and doses of one plan. Every change runs the safety check. */
export function PlanBuilder({
  patientId,
  initial,
  plan,
  programId,
  mayChange = true,
  header: Header,
  onDone,
}: PlanBuilderProps) {
  const t = useTranslations('console.plans')
  const [draft, setDraft] = useState(initial)
  // For what comes after the page was rendered: the usual dose of an exercise that was added.
  const latest = useRef(initial)
  useLayoutEffect(() => {
    latest.current = draft
  }, [draft])
  const doses = useRef<Promise<unknown>>(Promise.resolve())
  const [saved, setSaved] = useState({ plan, draft: initial })
  const [sent, setSent] = useState<PlanDraft>()
  const [adding, setAdding] = useState<string>()
  const [tried, setTried] = useState<Outcome>()
  const [unfinishedDates, setUnfinishedDates] = useState<readonly string[]>([])
  const safety = useSafety(patientId, exerciseIdsOf(draft))
  const conditions = useConditions(patientId)
  const doseOf = useDose()
  const show = (stored: TreatmentPlan) => {
    const next = draftOf(stored)
    setDraft(next)
    setSaved({ plan: stored, draft: next })
    setTried(undefined)
  }
  const store = usePlanSave({ patientId, plan: saved.plan, programId, safety, onStored: show, onDone })
  const isDirty = draft !== saved.draft && !store.isPending
  const readOnly = !mayChange || (saved.plan !== undefined && !isOpen(saved.plan))
  useUnsavedGuard(isDirty && !readOnly)
  // What somebody else saved is shown, unless there are edits: these end in a conflict that shows both.
  if (plan && saved.plan && plan.version > saved.plan.version && draft === saved.draft && !store.isPending) show(plan)

  const ended = plan && !readOnly && !isOpen(plan) ? plan : undefined
  const wait = useCountdown(store.error)
  const stale = staleOf(store.error)
  // The plan that somebody else saved since it was loaded.
  const theirs = stale && isPlan(stale.current) ? stale.current : undefined
  const isDraft = (saved.plan?.status ?? 'draft') === 'draft'
  const foundFor = (outcome: Outcome | undefined, of: PlanDraft) =>
    problemsOf(of, {
      needsReason: (id) => safety.levelOf(id) === 'reason',
      isGiven: !isDraft || outcome === 'activated',
    })
  const problems = usePlanProblems({
    draft,
    found: foundFor(tried, draft),
    isTried: tried !== undefined,
    unfinishedDates,
    error: store.error,
    sent,
  })
  const isBlocked = exerciseIdsOf(draft).some((id) => safety.levelOf(id) === 'block')

  const change = (more: Partial<PlanDraft>) => {
    setDraft((before) => ({ ...before, ...more }))
    setUnfinishedDates((before) => before.filter((name) => !(name in more)))
  }
  const save = async (activate: boolean): Promise<TreatmentPlan | undefined> => {
    const outcome = activate ? 'activated' : 'saved'
    setTried(outcome)
    await doses.current
    const wanted = latest.current
    const wrong = [...unfinishedDates, ...Object.keys(foundFor(outcome, wanted))]
    if (wrong.length > 0) {
      focusFirstProblem(wrong)
      return undefined
    }
    setSent(wanted)
    return theirs
      ? store.save(rebased(wanted, theirs), { activate, version: theirs.version })
      : store.save(wanted, { activate })
  }
  return (
    <Stack className={classes.builder}>
      <PlanPaper draft={draft} isSaved={saved.plan !== undefined && !isDirty} />
      {saved.plan && Header && (
        <Header
          edits={{
            plan: saved.plan,
            isDirty: draft !== saved.draft,
            isSaving: store.isPending,
            show,
            save: () => save(false),
          }}
        />
      )}
      {ended && <EndedMeanwhile onShow={() => show(ended)} />}
      {/* Nothing is typed into a draft that is being saved: the answer would replace it. */}
      <Stack inert={store.isPending}>
        <PlanDetails
          draft={draft}
          problems={problems}
          readOnly={readOnly}
          isNew={plan === undefined}
          onChange={change}
          onUnfinishedDate={(name, isUnfinished) =>
            setUnfinishedDates((before) => [...before.filter((one) => one !== name), ...(isUnfinished ? [name] : [])])
          }
        />
        <SessionList
          sessions={draft.sessions}
          safety={safety}
          readOnly={readOnly}
          problems={problems}
          onChange={(sessions) => change({ sessions })}
          onAdd={setAdding}
        />
      </Stack>
      <Problem error={problems.refusal} />
      {problems.elsewhere.map((text) => (
        <Text key={text}>{text}</Text>
      ))}
      {!readOnly && (
        <SaveBar
          draft={draft}
          safety={safety}
          conditions={conditions}
          problems={problems}
          isDraft={isDraft}
          isTried={tried !== undefined}
          isPending={store.isPending}
          isDisabled={isBlocked || wait > 0 || ended !== undefined}
          onSave={(activate) => void save(activate)}
        />
      )}
      <ExerciseLibrary
        patientId={patientId}
        open={adding !== undefined}
        onClose={() => setAdding(undefined)}
        onAdd={async (exercise, name) => {
          const dose = doseOf(exercise.id)
          doses.current = Promise.all([doses.current, dose])
          const added = newExercise(exercise, name, await dose)
          const withAdded = (before: PlanDraft) =>
            before.sessions.map((one) => (one.key === adding ? { ...one, exercises: [...one.exercises, added] } : one))
          flushSync(() => setDraft((before) => ({ ...before, sessions: withAdded(before) })))
        }}
      />
      <Conflict
        stale={stale}
        differences={theirs ? differencesOf(draft, draftOf(theirs), t) : []}
        onTheirs={() => {
          if (theirs) show(theirs)
          store.reset()
        }}
        onMine={() => void save(false)}
        onClose={store.reset}
      />
    </Stack>
  )
}
