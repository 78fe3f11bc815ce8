import { useTranslations } from 'use-intl'
import { holdOf, type RunExercise, repsOf, workSecondsOf } from '../run/player-state.ts'

/** "2 sets of 8 repetitions · hold 5 s · left side" */
export function usePrescription(): (exercise: RunExercise) => string {
  const t = useTranslations('portal.run')
  return (exercise) => {
    const reps = repsOf(exercise)
    const hold = holdOf(exercise)
    return [
      t('sets', { count: exercise.sets }),
      reps === null ? t('seconds', { count: workSecondsOf(exercise) }) : t('reps', { count: reps }),
      reps !== null && hold !== null ? t('holdFor', { count: hold }) : '',
      exercise.side ? t(`sides.${exercise.side}`) : '',
    ]
      .filter((part) => part !== '')
      .join(' · ')
  }
}
