import { Text, VisuallyHidden } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { IconCircleCheck, IconPlayerSkipForward, IconStretching } from '#ui/icons/index.ts'
import type { PlayerState, RunExercise } from '../run/player-state.ts'
import classes from './player.module.css'
import { usePrescription } from './use-prescription.ts'

interface ExerciseListProps {
  exercises: readonly RunExercise[]
  outcomes: PlayerState['outcomes']
}

/** The exercises of a session, and which of them are done or skipped. */
export function ExerciseList({ exercises, outcomes }: ExerciseListProps) {
  const t = useTranslations('portal.run')
  const prescription = usePrescription()
  return (
    <ol className={classes.list}>
      {exercises.map((exercise) => (
        <li key={exercise.id} data-done={outcomes[exercise.id] !== undefined}>
          {exercise.video_thumbnail_url ? (
            <img src={exercise.video_thumbnail_url} alt="" width={72} height={54} />
          ) : (
            <span className={classes.noPicture}>
              <IconStretching size={28} />
            </span>
          )}
          <span>
            <Text fw={650}>{exercise.name}</Text>
            <Text c="dimmed">{prescription(exercise)}</Text>
          </span>
          {outcomes[exercise.id] === 'completed' && (
            <span>
              <IconCircleCheck size={28} /> <VisuallyHidden>{t('isDone')}</VisuallyHidden>
            </span>
          )}
          {outcomes[exercise.id] === 'skipped' && (
            <span>
              <IconPlayerSkipForward size={28} /> <VisuallyHidden>{t('isSkipped')}</VisuallyHidden>
            </span>
          )}
        </li>
      ))}
    </ol>
  )
}
