import type { TreatmentPlan } from '@tendon/contracts'

type Prescription = Pick<
  TreatmentPlan['sessions'][number]['exercises'][number],
  'sets' | 'reps' | 'hold_seconds' | 'rest_seconds' | 'side'
>

type Plurals = Readonly<Record<'one' | 'few' | 'other', string>>

/** `#` is the number. */
interface DoseWords {
  locale: string
  sets: Plurals
  repetitions: Plurals
  hold: string
  rest: string
  sides: Readonly<Record<NonNullable<Prescription['side']>, string>>
}

/** How much of an exercise, a line for each part: "3 sets × 12 repetitions", "hold 5 s", "left". */
export function doseOf({ sets, reps, hold_seconds, rest_seconds, side }: Prescription, words: DoseWords): string {
  const rules = new Intl.PluralRules(words.locale)
  const counted = (forms: Plurals, count: number) => {
    const form = rules.select(count)
    return numbered(forms[form === 'one' || form === 'few' ? form : 'other'], count)
  }
  const amount = [counted(words.sets, sets), reps === null ? '' : counted(words.repetitions, reps)]
  return [
    amount.filter(Boolean).join(' × '),
    hold_seconds === null ? '' : numbered(words.hold, hold_seconds),
    side === null ? '' : words.sides[side],
    rest_seconds > 0 && sets > 1 ? numbered(words.rest, rest_seconds) : '',
  ]
    .filter(Boolean)
    .join('\n')
}

const numbered = (text: string, count: number) => text.replace('#', String(count))

interface Step {
  title: string | null
  content: string
}

/** What the clinician wrote for this patient, then how the exercise is done. */
export const instructionsOf = (notes: string | null, summary: string | null, steps: readonly Step[]): string =>
  [notes ?? '', summary ?? '', ...steps.map(({ title, content }) => [title, content].filter(Boolean).join(': '))]
    .filter(Boolean)
    .join('\n')
