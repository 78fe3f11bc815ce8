import type { DraftExercise, DraftSession, PlanDraft } from './plan-draft.ts'

type Field = 'rest' | 'side' | 'notes' | `sides.${'left' | 'right' | 'both'}`
type Word = 'title' | 'description' | 'startsOn' | 'endsOn' | 'sessionTitle' | 'sessionNotes' | 'safety.why'
type Words = (key: Word | `exercise.${Field}`) => string

const doseOf = ({ name, sets, reps, hold_seconds }: DraftExercise) =>
  `${name} ${sets}×${[reps, hold_seconds && `${hold_seconds} s`].filter(Boolean).join(', ')}`

/** The differences between two drafts of one plan, as text. */
export function differencesOf(mine: PlanDraft, theirs: PlanDraft, t: Words) {
  const rows = [
    { label: t('title'), mine: mine.title, theirs: theirs.title },
    { label: t('description'), mine: mine.description, theirs: theirs.description },
    { label: t('startsOn'), mine: mine.starts_on, theirs: theirs.starts_on },
    { label: t('endsOn'), mine: mine.ends_on, theirs: theirs.ends_on },
    ...Array.from({ length: Math.max(mine.sessions.length, theirs.sessions.length) }, (_, place) =>
      sessionRows(mine.sessions[place], theirs.sessions[place], t),
    ).flat(),
  ]
  return rows.filter((row) => row.mine !== row.theirs)
}

function sessionRows(mine: DraftSession | undefined, theirs: DraftSession | undefined, t: Words) {
  const name = mine?.title ?? theirs?.title ?? ''
  const row = (label: string, of: (session: DraftSession) => string) => ({
    label,
    mine: mine ? of(mine) : '',
    theirs: theirs ? of(theirs) : '',
  })
  return [
    row(`${name}: ${t('sessionTitle')}`, ({ title }) => title),
    row(`${name}: ${t('sessionNotes')}`, ({ notes }) => notes),
    row(name, ({ exercises }) => exercises.map(doseOf).join(', ')),
    ...(mine?.exercises ?? []).flatMap((own) => {
      const other = theirs?.exercises.find(({ id }) => id !== undefined && id === own.id)
      return other ? exerciseRows(own, other, t) : []
    }),
  ]
}

/** What the list of a session's exercises does not say. */
function exerciseRows(mine: DraftExercise, theirs: DraftExercise, t: Words) {
  const row = (label: string, of: (exercise: DraftExercise) => string) => ({
    label: `${mine.name}: ${label}`,
    mine: of(mine),
    theirs: of(theirs),
  })
  return [
    row(t('exercise.rest'), ({ rest_seconds }) => rest_seconds),
    row(t('exercise.side'), ({ side }) => (side === '' ? '' : t(`exercise.sides.${side}`))),
    row(t('exercise.notes'), ({ notes }) => notes),
    row(t('safety.why'), ({ override_reason }) => override_reason),
  ]
}
