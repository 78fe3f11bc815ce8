import { Text, Title } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { Day } from '#ui/format/time.tsx'
import { useIsPrinting } from '#ui/frame/use-is-printing.ts'
import type { DraftExercise, DraftSession, PlanDraft } from './plan-draft.ts'
import classes from './plan-paper.module.css'

interface PlanPaperProps {
  draft: PlanDraft
  /** Whether the stored plan is the same. */
  isSaved: boolean
}

/** The plan as it is printed, for the patient: without fields, reasons and findings. */
export function PlanPaper({ draft: { title, description, starts_on, ends_on, sessions }, isSaved }: PlanPaperProps) {
  const t = useTranslations('console.plans')
  if (!useIsPrinting()) return null
  return (
    <article className={classes.paper} data-paper>
      <Title order={2}>{title}</Title>
      {!isSaved && <Text fw={600}>{t('paper.unsaved')}</Text>}
      {starts_on !== '' && (
        <Text>
          {t('startsOn')}: <Day value={starts_on} />
        </Text>
      )}
      {ends_on !== '' && (
        <Text>
          {t('endsOn')}: <Day value={ends_on} />
        </Text>
      )}
      {description.trim() !== '' && <Text className={classes.lines}>{description}</Text>}
      {sessions.map((session) => (
        <PaperSession key={session.key} session={session} />
      ))}
    </article>
  )
}

function PaperSession({ session: { title, notes, exercises } }: { session: DraftSession }) {
  return (
    <section>
      <Title order={3}>{title}</Title>
      {notes.trim() !== '' && <Text>{notes}</Text>}
      <ol className={classes.exercises}>
        {exercises.map((exercise) => (
          <PaperExercise key={exercise.key} exercise={exercise} />
        ))}
      </ol>
    </section>
  )
}

const WHOLE = /^\d+$/

function PaperExercise({ exercise }: { exercise: DraftExercise }) {
  const t = useTranslations('console.plans.paper')
  const dose = (['sets', 'reps', 'hold_seconds', 'rest_seconds'] as const)
    .filter((name) => WHOLE.test(exercise[name]) && Number(exercise[name]) > 0)
    .map((name) => t(name, { count: Number(exercise[name]) }))
  const words = [...dose, ...(exercise.side === '' ? [] : [t(`sides.${exercise.side}`)])]
  return (
    <li className="keep-together">
      <Text fw={600}>{exercise.name}</Text>
      {words.length > 0 && <Text>{words.join(', ')}</Text>}
      {exercise.notes.trim() !== '' && <Text fs="italic">{exercise.notes}</Text>}
    </li>
  )
}
