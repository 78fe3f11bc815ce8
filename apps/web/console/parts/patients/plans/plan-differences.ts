import type { PlanDraft } from './plan-draft.ts'

type Words = (key: 'title' | 'description' | 'startsOn' | 'endsOn') => string

const doseOf = ({ name, sets, reps, hold_seconds }: PlanDraft['sessions'][number]['exercises'][number]) =>
  `${name} ${sets}×${reps || `${hold_seconds} s`}`

/** The differences between two drafts of one plan, as text. */
export function differencesOf(mine: PlanDraft, theirs: PlanDraft, t: Words) {
  const rows = [
    { label: t('title'), mine: mine.title, theirs: theirs.title },
    { label: t('description'), mine: mine.description, theirs: theirs.description },
    { label: t('startsOn'), mine: mine.starts_on, theirs: theirs.starts_on },
    { label: t('endsOn'), mine: mine.ends_on, theirs: theirs.ends_on },
    ...Array.from({ length: Math.max(mine.sessions.length, theirs.sessions.length) }, (_, place) => {
      const [own, other] = [mine.sessions[place], theirs.sessions[place]]
      return {
        label: own?.title ?? other?.title ?? '',
        mine: own?.exercises.map(doseOf).join(', ') ?? '',
        theirs: other?.exercises.map(doseOf).join(', ') ?? '',
      }
    }),
  ]
  return rows.filter((row) => row.mine !== row.theirs)
}
