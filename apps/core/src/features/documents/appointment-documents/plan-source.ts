import type { TenantTx } from '@tendon/db'
import { loadPlan, withHowTo } from '../../care/treatment-plans/index.ts'
import { dayIn, WORDS } from '../pdf-templates/index.ts'
import { treatmentPlanIsDraft } from './errors.ts'
import { personValues } from './person.ts'
import type { Chosen, Source } from './source.ts'

/** A plan without findings of the safety check and without the clinic's reasons. */
export async function readPlanSource(tx: TenantTx, id: string, { language }: Chosen): Promise<Source> {
  const plan = await loadPlan(tx, id)
  if (plan.status === 'draft') throw treatmentPlanIsDraft()
  const words = WORDS[language]
  const person = await personValues(tx, plan.patient_profile_id, language)
  const howTo = await withHowTo(
    tx,
    plan.sessions.flatMap(({ exercises }) => exercises),
    language,
  )
  const named = new Map(howTo.map((exercise) => [exercise.id, exercise]))
  const sessions = plan.sessions.map(({ title, notes, exercises }) => ({
    title,
    notes,
    columns: [words.exercise, words.sets, words.repetitions, words.notes],
    rows: exercises.map(({ id: exerciseId, sets, reps, hold_seconds, side, notes: note }) => {
      const { name = '', instructions_summary = null } = named.get(exerciseId) ?? {}
      const amount = [
        reps === null ? '' : String(reps),
        hold_seconds === null ? '' : `${hold_seconds} ${words.seconds}`,
      ]
      const hints = [side === null ? '' : words.sides[side], note ?? '', instructions_summary ?? '']
      return [name, String(sets), amount.filter(Boolean).join(' × '), hints.filter(Boolean).join('. ')]
    }),
  }))
  const line = (name: string) => ({ name, caption: '', image: null })
  return {
    kind: 'treatment_plan',
    of: { treatment_plan_id: plan.id },
    patient_profile_id: plan.patient_profile_id,
    specialist_id: null,
    title: plan.title,
    facts: {
      values: {
        ...person,
        'plan.title': plan.title,
        'plan.description': plan.description ?? '',
        'plan.starts_on': plan.starts_on ? dayIn(language, plan.starts_on) : '',
        'plan.ends_on': plan.ends_on ? dayIn(language, plan.ends_on) : '',
      },
      answers: [],
      sessions,
      signatures: { signer: line(''), specialist: line(''), patient: line(person['patient.name']) },
      images: new Map(),
    },
    appendix: [],
  }
}
