import type { Reason } from '@tendon/sdk'
import type { DraftExercise, PlanDraft } from './plan-draft.ts'

// What is wrong with a draft, named as the API names it: `sessions.0.exercises.2.sets`. Controls have the same names.

/** The bounds of the API; a test compares them with its contract. */
export const DOSE_BOUNDS = {
  sets: { min: 1, max: 50, required: true },
  reps: { min: 1, max: 500, required: false },
  hold_seconds: { min: 1, max: 3_600, required: false },
  rest_seconds: { min: 0, max: 3_600, required: true },
} as const
export type DoseName = keyof typeof DOSE_BOUNDS
const DOSE_NAMES = ['sets', 'reps', 'hold_seconds', 'rest_seconds'] as const satisfies readonly DoseName[]

export type Problems = Record<string, Reason>

/** Empty fields are marked when somebody saves, wrong values at once. */
const isOfSaving = ({ code }: Reason) => code === 'required'
export const problemsWhileTyping = (problems: Problems): Problems =>
  Object.fromEntries(Object.entries(problems).filter(([, reason]) => !isOfSaving(reason)))

export function problemOfNumber(name: DoseName, typed: string): Reason | undefined {
  const { min, max, required } = DOSE_BOUNDS[name]
  const text = typed.trim()
  if (text === '') return required ? { code: 'required' } : undefined
  if (!/^[-+]?\d+$/.test(text)) return { code: 'whole_number' }
  if (Number(text) < min) return { code: 'minimum', params: { min } }
  return Number(text) > max ? { code: 'maximum', params: { max } } : undefined
}

export const isDoseValid = (exercise: DraftExercise): boolean =>
  DOSE_NAMES.every((name) => problemOfNumber(name, exercise[name]) === undefined)

interface Rules {
  needsReason: (exerciseId: string) => boolean
  /** The patient has the plan, or gets it now: every session needs an exercise. */
  isGiven: boolean
}

export function problemsOf(draft: PlanDraft, { needsReason, isGiven }: Rules): Problems {
  const problems: Problems = {}
  const demand = (path: string, text: string) => {
    if (text.trim() === '') problems[path] = { code: 'required' }
  }
  demand('title', draft.title)
  if (draft.starts_on && draft.ends_on && draft.ends_on < draft.starts_on) problems.ends_on = { code: 'wrong_order' }
  if (isGiven && draft.sessions.length === 0) problems.sessions = { code: 'required' }
  for (const [index, { title, exercises }] of draft.sessions.entries()) {
    const at = `sessions.${index}`
    demand(`${at}.title`, title)
    if (isGiven && exercises.length === 0) problems[`${at}.exercises`] = { code: 'required' }
    for (const [place, exercise] of exercises.entries()) {
      for (const name of DOSE_NAMES) {
        const reason = problemOfNumber(name, exercise[name])
        if (reason) problems[`${at}.exercises.${place}.${name}`] = reason
      }
      if (needsReason(exercise.exercise_id))
        demand(`${at}.exercises.${place}.override_reason`, exercise.override_reason)
    }
  }
  return problems
}

interface Field {
  /** The same wherever the session or exercise is moved to. */
  id: string
  value: unknown
}

const PLAN_FIELDS = ['title', 'description', 'starts_on', 'ends_on'] as const
const EXERCISE_FIELDS = [...DOSE_NAMES, 'exercise_id', 'side', 'notes', 'override_reason'] as const

/** Every field of the draft that the page shows, by its path. */
function fieldsOf(draft: PlanDraft): Map<string, Field> {
  const fields = new Map<string, Field>(PLAN_FIELDS.map((name) => [name, { id: name, value: draft[name] }]))
  fields.set('sessions', { id: 'sessions', value: draft.sessions.length })
  for (const [index, { key, title, notes, exercises }] of draft.sessions.entries()) {
    for (const [name, value] of Object.entries({ title, notes, exercises: exercises.length }))
      fields.set(`sessions.${index}.${name}`, { id: `${key}.${name}`, value })
    for (const [place, exercise] of exercises.entries())
      for (const name of EXERCISE_FIELDS)
        fields.set(`sessions.${index}.exercises.${place}.${name}`, {
          id: `${exercise.key}.${name}`,
          value: exercise[name],
        })
  }
  return fields
}

interface Located {
  /** Path in the draft of now → path in the draft that was sent. */
  shown: Map<string, string>
  /** Paths that no field of the page has. */
  elsewhere: string[]
}

/** Where refused fields are now. Those that were changed or removed since are left out. */
export function locate(paths: readonly string[], sent: PlanDraft, draft: PlanDraft): Located {
  const before = fieldsOf(sent)
  const now = new Map([...fieldsOf(draft)].map(([path, { id, value }]) => [id, { path, value }]))
  const located: Located = { shown: new Map(), elsewhere: [] }
  for (const path of paths) {
    const field = before.get(path)
    if (!field) located.elsewhere.push(path)
    const current = field && now.get(field.id)
    if (current && current.value === field.value) located.shown.set(current.path, path)
  }
  return located
}
