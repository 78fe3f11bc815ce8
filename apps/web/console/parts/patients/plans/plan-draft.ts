import type {
  Exercise,
  ExerciseSummary,
  NewTreatmentPlan,
  PlannedExercise,
  ProgramDetails,
  TreatmentPlan,
} from '@tendon/sdk'

// A plan while it is edited. Pure functions, so that every step can be tested without a page.

export interface DraftExercise {
  /** Identifies the item on this page; `id` is the stored id. */
  key: string
  id?: string | undefined
  exercise_id: string
  name: string
  kind: PlannedExercise['kind']
  available: boolean
  sets: string
  reps: string
  hold_seconds: string
  rest_seconds: string
  side: '' | 'left' | 'right' | 'both'
  notes: string
  override_reason: string
}

export interface DraftSession {
  key: string
  id?: string | undefined
  title: string
  notes: string
  exercises: DraftExercise[]
}

export interface PlanDraft {
  title: string
  description: string
  starts_on: string
  ends_on: string
  sessions: DraftSession[]
}

const newKey = () => `new-${crypto.randomUUID()}`
const textOf = (value: number | null) => (value === null ? '' : String(value))

/** This many empty sessions. */
export const emptyDraft = (sessions: number, titleOf: (number: number) => string): PlanDraft => ({
  title: '',
  description: '',
  starts_on: '',
  ends_on: '',
  sessions: Array.from({ length: sessions }, (_, index) => emptySession(titleOf(index + 1))),
})

export const emptySession = (title: string): DraftSession => ({ key: newKey(), title, notes: '', exercises: [] })

/** Whether a row that the API answers with is a plan. */
export const isPlan = (row: object): row is TreatmentPlan => 'sessions' in row && 'status' in row && 'version' in row

/** Whether a plan can still be edited. */
export const isOpen = ({ status }: Pick<TreatmentPlan, 'status'>) => status === 'draft' || status === 'active'

type Stored = Pick<TreatmentPlan | ProgramDetails, 'description'> & {
  sessions: (ProgramDetails | TreatmentPlan)['sessions']
  title?: string
  name?: string
  starts_on?: string | null
  ends_on?: string | null
}

/** A stored plan or program as a draft. `copy`: without its ids, so that saving creates a new plan. */
export function draftOf(stored: Stored, { copy = false } = {}): PlanDraft {
  return {
    title: stored.title ?? stored.name ?? '',
    description: stored.description ?? '',
    starts_on: copy ? '' : (stored.starts_on ?? ''),
    ends_on: copy ? '' : (stored.ends_on ?? ''),
    sessions: stored.sessions.map(({ id, title, notes, exercises }) => ({
      key: id,
      ...(copy ? {} : { id }),
      title,
      notes: notes ?? '',
      exercises: exercises.map((one) => ({
        key: one.id,
        ...(copy ? {} : { id: one.id }),
        exercise_id: one.exercise_id,
        name: one.exercise.name,
        kind: one.exercise.kind,
        available: one.exercise.available,
        sets: textOf(one.sets),
        reps: textOf(one.reps),
        hold_seconds: textOf(one.hold_seconds),
        rest_seconds: textOf(one.rest_seconds),
        side: one.side ?? '',
        notes: one.notes ?? '',
        // A copy gets no reasons: they apply only to the plan they were given for.
        override_reason: copy || !('override_reason' in one) ? '' : (one.override_reason ?? ''),
      })),
    })),
  }
}

/** Applies the draft to the stored plan: sessions and exercises that somebody else removed are added again. */
export function rebased(draft: PlanDraft, stored: Stored): PlanDraft {
  const known = new Set(stored.sessions.flatMap(({ id, exercises }) => [id, ...exercises.map((one) => one.id)]))
  const kept = (id: string | undefined) => (id !== undefined && known.has(id) ? { id } : {})
  return {
    ...draft,
    sessions: draft.sessions.map(({ id, exercises, ...session }) => ({
      ...kept(id),
      ...session,
      exercises: exercises.map(({ id: item, ...exercise }) => ({ ...kept(item), ...exercise })),
    })),
  }
}

const DOSES: Record<PlannedExercise['kind'], Pick<DraftExercise, 'sets' | 'reps' | 'hold_seconds' | 'rest_seconds'>> = {
  reps_based: { sets: '3', reps: '10', hold_seconds: '', rest_seconds: '30' },
  duration_based: { sets: '1', reps: '', hold_seconds: '60', rest_seconds: '30' },
  static: { sets: '3', reps: '', hold_seconds: '20', rest_seconds: '30' },
}

type Dose = Exercise['default_dose']

/** An exercise of the library with its usual dose, otherwise the default dose of its type. */
export const newExercise = (
  { id, kind }: Pick<ExerciseSummary, 'id' | 'kind'>,
  name: string,
  dose: Dose = null,
): DraftExercise => ({
  key: newKey(),
  exercise_id: id,
  name,
  kind,
  available: true,
  ...DOSES[kind],
  ...(dose && {
    sets: textOf(dose.sets ?? 1),
    reps: textOf(dose.reps ?? null),
    hold_seconds: textOf(dose.hold_seconds ?? null),
    rest_seconds: textOf(dose.rest_seconds ?? 0),
  }),
  side: '',
  notes: '',
  override_reason: '',
})

/** Moves one item of a list; an index out of range changes nothing. */
export function moved<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const item = items[from]
  if (item === undefined || to < 0 || to >= items.length) return [...items]
  return items.toSpliced(from, 1).toSpliced(to, 0, item)
}

export const exerciseIdsOf = ({ sessions }: PlanDraft): string[] => [
  ...new Set(sessions.flatMap(({ exercises }) => exercises.map(({ exercise_id }) => exercise_id))),
]

const numberOf = (typed: string): number | null => (typed.trim() === '' ? null : Number(typed))
const orNull = (text: string) => (text.trim() === '' ? null : text.trim())

/** Estimated seconds of a session whose doses are valid, with three seconds for a repetition. */
export function secondsOf({ exercises }: DraftSession): number {
  const REPETITION = 3
  return exercises.reduce((sum, { sets, reps, hold_seconds, rest_seconds, side }) => {
    const count = Number(sets)
    const hold = numberOf(hold_seconds) ?? 0
    const work = numberOf(reps) === null ? hold : (numberOf(reps) ?? 0) * (REPETITION + hold)
    return sum + count * (work * (side === 'both' ? 2 : 1) + Number(rest_seconds))
  }, 0)
}

/** The request body of a draft without problems. Contains a reason only where the safety check requires one. */
export function bodyOf(draft: PlanDraft, needsReason: (exerciseId: string) => boolean) {
  return {
    title: draft.title.trim(),
    description: orNull(draft.description),
    starts_on: orNull(draft.starts_on),
    ends_on: orNull(draft.ends_on),
    sessions: draft.sessions.map(({ id, title, notes, exercises }) => ({
      ...(id === undefined ? {} : { id }),
      title: title.trim(),
      notes: orNull(notes),
      exercises: exercises.map((one) => ({
        ...(one.id === undefined ? {} : { id: one.id }),
        exercise_id: one.exercise_id,
        sets: Number(one.sets),
        reps: numberOf(one.reps),
        hold_seconds: numberOf(one.hold_seconds),
        rest_seconds: Number(one.rest_seconds),
        side: one.side === '' ? null : one.side,
        notes: orNull(one.notes),
        override_reason: needsReason(one.exercise_id) ? orNull(one.override_reason) : null,
      })),
    })),
  } satisfies Omit<NewTreatmentPlan, 'patient_id'>
}
