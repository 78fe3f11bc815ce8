import type { PlannedExercise, SafetyFinding, TreatmentPlanReplacement } from '@tendon/contracts'

// The sessions of a program or of a treatment plan, with their exercises, in order. They are sent whole: what has an id
// stays and is changed, what has none is added, what is left out is removed.

/** How much of an exercise. */
interface Prescription {
  exercise_id: string
  sets: number
  reps: number | null
  hold_seconds: number | null
  rest_seconds: number
  side: 'left' | 'right' | 'both' | null
  notes: string | null
  /** Only in a treatment plan: why it is given in spite of what the safety check found. */
  override_reason: string | null
  /** What it found when the plan was last saved. */
  safety: SafetyFinding[]
}

interface StoredExercise extends Prescription {
  id: string
  position: number
}

export interface StoredSession {
  id: string
  position: number
  title: string
  notes: string | null
  exercises: StoredExercise[]
}

interface WantedExercise extends Prescription {
  /** null: to be added. */
  id: string | null
}

export interface WantedSession {
  id: string | null
  title: string
  notes: string | null
  exercises: WantedExercise[]
}

export type SentSession = TreatmentPlanReplacement['sessions'][number]

const lower = (id: string | undefined): string | null => id?.toLowerCase() ?? null
export const pathOf = (session: number, exercise: number) => `sessions.${session}.exercises.${exercise}`

/** What is sent, in one spelling and with everything that it leaves out. */
export function wantedSessions(sent: readonly SentSession[]): WantedSession[] {
  return sent.map(({ id, title, notes, exercises }) => ({
    id: lower(id),
    title: title.normalize().trim(),
    notes: notes ?? null,
    exercises: exercises.map((one) => ({
      id: lower(one.id),
      exercise_id: one.exercise_id.toLowerCase(),
      sets: one.sets ?? 1,
      reps: one.reps ?? null,
      hold_seconds: one.hold_seconds ?? null,
      rest_seconds: one.rest_seconds ?? 0,
      side: one.side ?? null,
      notes: one.notes ?? null,
      override_reason: one.override_reason?.trim() ?? null,
      safety: [],
    })),
  }))
}

/** The same sessions once more, as new ones. */
export const copyOf = (sessions: readonly StoredSession[]): WantedSession[] =>
  sessions.map(({ title, notes, exercises }) => ({
    id: null,
    title,
    notes,
    exercises: exercises.map(({ position: _order, ...one }) => ({
      ...one,
      id: null,
      override_reason: null,
      safety: [],
    })),
  }))

/** The same sessions, as they are. */
export const asWanted = (sessions: readonly StoredSession[]): WantedSession[] =>
  sessions.map(({ position: _session, exercises, ...session }) => ({
    ...session,
    exercises: exercises.map(({ position: _exercise, ...one }) => one),
  }))

/** All exercises, in the order of execution, each with its path. */
export const inOrder = <One>(sessions: readonly { exercises: readonly One[] }[]): { path: string; exercise: One }[] =>
  sessions.flatMap(({ exercises }, session) =>
    exercises.map((exercise, index) => ({ path: pathOf(session, index), exercise })),
  )

export const exerciseIdsOf = (sessions: readonly { exercises: readonly { exercise_id: string }[] }[]): string[] => [
  ...new Set(inOrder(sessions).map(({ exercise }) => exercise.exercise_id)),
]

/** What is wrong with the ids that are sent, by field. */
export function problemsOfIds(before: readonly StoredSession[], wanted: readonly WantedSession[]) {
  const fields: Record<string, string> = {}
  const seen = new Set<string>()
  for (const [index, session] of wanted.entries()) {
    const stored = before.find(({ id }) => id === session.id)
    const problem = problemOfId(session.id, stored !== undefined, seen, 'an existing session')
    if (problem) fields[`sessions.${index}.id`] = problem
    for (const [place, exercise] of session.exercises.entries()) {
      const entry = stored?.exercises.find(({ id }) => id === exercise.id)
      const wrong = problemOfId(exercise.id, entry !== undefined, seen, 'an exercise of this session')
      if (wrong) fields[`${pathOf(index, place)}.id`] = wrong
      else if (entry && entry.exercise_id !== exercise.exercise_id)
        fields[`${pathOf(index, place)}.exercise_id`] = 'cannot be changed: omit the id to add another exercise'
    }
  }
  return fields
}

function problemOfId(id: string | null, known: boolean, seen: Set<string>, what: string): string | undefined {
  if (id === null) return undefined
  if (!known) return `must be the id of ${what}; omit it to add a new one`
  if (seen.has(id)) return 'must not occur twice'
  seen.add(id)
  return undefined
}

/** What is put in must be published; what is there already may have been archived since. */
export function problemsOfExercises(wanted: readonly WantedSession[], published: ReadonlySet<string>) {
  const fields: Record<string, string> = {}
  for (const { path, exercise } of inOrder(wanted)) {
    if (exercise.id === null && !published.has(exercise.exercise_id))
      fields[`${path}.exercise_id`] = 'must be the id of a published exercise of the platform or of the clinic'
  }
  return fields
}

/** The ids of what is there and not wanted any more. */
export function removedFrom(before: readonly StoredSession[], wanted: readonly WantedSession[]) {
  const kept = new Set(wanted.flatMap(({ id, exercises }) => [id, ...exercises.map((exercise) => exercise.id)]))
  return {
    sessions: before.map(({ id }) => id).filter((id) => !kept.has(id)),
    exercises: before.flatMap(({ exercises }) => exercises.map(({ id }) => id)).filter((id) => !kept.has(id)),
  }
}

/** With the exercise of each entry, which `exercises` has by the entry's id. */
export function named(sessions: readonly StoredSession[], exercises: ReadonlyMap<string, PlannedExercise>) {
  return sessions.map((session) => ({
    ...session,
    exercises: session.exercises.map(({ safety: _kept, ...entry }) => {
      const exercise = exercises.get(entry.id)
      if (!exercise) throw new Error(`the exercise of ${entry.id} is missing`)
      return { ...entry, exercise }
    }),
  }))
}
