import { type Static, Type } from 'typebox'
import { Nullable } from './shapes.ts'
import { exerciseOutcomes, namedExercise, StatsPeriod } from './stats.ts'

const Count = Type.Integer({ examples: [12] })

export const CohortAdherence = Type.Object({
  period: StatsPeriod,
  exercises: Type.Array(
    Type.Object({
      ...namedExercise,
      patients: Count,
      assigned: Count,
      ...exerciseOutcomes,
      measured: Count,
      repetition_adherence: Nullable(
        Type.Number({ description: 'Median of measured against prescribed repetitions, 0 to 1.', examples: [0.9] }),
      ),
      median_range_degrees: Nullable(Type.Number({ examples: [88.4] })),
    }),
  ),
})
export type CohortAdherence = Static<typeof CohortAdherence>

const InTens = Nullable(
  Type.Integer({ description: 'Rounded down to tens; null for fewer than 10 people.', examples: [4_200] }),
)

/**
 * The platform's own exercises over all clinics, every number rounded down to tens; those with fewer than 10 people are left
 * out. Erased patients are not among them.
 */
export const PlatformExerciseCounts = Type.Array(
  Type.Object({
    ...namedExercise,
    exercise_slug: Type.String({ examples: ['squat'] }),
    people: Count,
    assigned: Count,
    completed: InTens,
    skipped: InTens,
    abandoned: InTens,
    measured: InTens,
    repetitions: InTens,
  }),
)
export type PlatformExerciseCounts = Static<typeof PlatformExerciseCounts>
