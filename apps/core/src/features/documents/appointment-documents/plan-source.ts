import type { TenantTx } from '@tendon/db'
import { storedKey } from '@tendon/video-host'
import { loadPlan, withHowTo } from '../../care/treatment-plans/index.ts'
import { dayIn, type Picture, WORDS } from '../pdf-templates/index.ts'
import { doseOf, instructionsOf } from './dose-rules.ts'
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
    columns: { name: words.exercise, dose: words.dose, instructions: words.instructions },
    rows: exercises.map((exercise) => {
      const shown = named.get(exercise.id)
      return {
        name: shown?.name ?? '',
        dose: doseOf(exercise, words),
        instructions: instructionsOf(exercise.notes, shown?.instructions_summary ?? null, shown?.instructions ?? []),
        picture: pictureOf([
          ...(shown?.instructions ?? []).map(({ image_url }) => image_url),
          shown?.video_thumbnail_url,
        ]),
      }
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

/** The first that is in the object store, under a key that is never used again. */
function pictureOf(urls: readonly (string | null | undefined)[]): Picture | null {
  const key = urls.map((url) => storedKey(url ?? '')).find((one) => one !== undefined)
  return key === undefined ? null : { object_key: key, content_id: key, format: 'jpg' }
}
