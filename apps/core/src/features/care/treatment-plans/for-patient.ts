import type { Language } from '@tendon/access'
import type { TenantTx } from '@tendon/db'
import { findExerciseTexts } from './my-queries.ts'
import { translated } from './rules.ts'

/** Entries of sessions, each with how to do its exercise, in the language: what a patient gets to see. */
export async function withHowTo<Entry extends { id: string; exercise_id: string }>(
  tx: TenantTx,
  entries: readonly Entry[],
  language: Language,
) {
  const { exercises, instructions } = await findExerciseTexts(
    tx,
    entries.map(({ id }) => id),
  )
  return entries.map((entry) => {
    const texts = exercises.get(entry.id)
    if (!texts) throw new Error(`the exercise of ${entry.id} is missing`)
    const steps = instructions.get(entry.exercise_id) ?? []
    return {
      ...entry,
      ...translated(texts, language),
      instructions: steps.map((step) => translated(step, language)),
    }
  })
}
