import type { TreatmentPlanStatus } from '@tendon/contracts'

// A plan is written as a draft and given to the patient by activating it. From then on the patient sees it, until it is
// archived. What is over is not opened again: a new plan is made.
const NEXT: Readonly<Record<TreatmentPlanStatus, readonly TreatmentPlanStatus[]>> = {
  draft: ['active'],
  active: ['completed', 'archived'],
  completed: ['archived'],
  archived: [],
}

export const canBecome = (from: TreatmentPlanStatus, to: TreatmentPlanStatus): boolean => NEXT[from].includes(to)

export const isOpen = (status: TreatmentPlanStatus): boolean => status === 'draft' || status === 'active'

/** Whether there is something to do in it, and in each session. */
export const isComplete = (sessions: readonly { exercises: readonly unknown[] }[]): boolean =>
  sessions.length > 0 && sessions.every(({ exercises }) => exercises.length > 0)

interface Days {
  starts_on?: string | null
  ends_on?: string | null
}

/** What is wrong with the days, by field. */
export const problemsOfDays = ({ starts_on, ends_on }: Days): Record<string, string> =>
  starts_on && ends_on && ends_on < starts_on ? { ends_on: 'must not be before starts_on' } : {}

type Translations = Readonly<Record<string, Readonly<Record<string, string | undefined>> | undefined>>

/** The row with its texts in the language, as far as they are translated. */
export function translated<Row extends object>(row: Row & { translations: Translations }, language: string) {
  const { translations, ...texts } = row
  return { ...texts, ...translations[language] } as Omit<Row, 'translations'>
}
