import { type Static, type TProperties, Type } from 'typebox'
import { EXERCISE_KINDS } from './exercises.ts'
import { Body, Enum, Id, Name, Nullable, Paragraphs, RowVersion, Timestamp } from './shapes.ts'

export const PROGRAM_STATUSES = ['active', 'archived'] as const
export type ProgramStatus = (typeof PROGRAM_STATUSES)[number]
export const SIDES = ['left', 'right', 'both'] as const
export const MAX_SESSIONS = 60
export const MAX_EXERCISES_PER_SESSION = 40
/** That many sessions and exercises as they were read, with room for notes: what was taken can be sent back. */
export const MAX_SESSIONS_BYTES = 2 * 1024 * 1024

// Sessions and their exercises: the same in a program and in a treatment plan.

const Position = Type.Integer({ minimum: 1, examples: [1] })
const Sets = Type.Integer({ minimum: 1, maximum: 50, examples: [3] })
const Reps = Type.Integer({ minimum: 1, maximum: 500, examples: [10] })
const HoldSeconds = Type.Integer({ minimum: 1, maximum: 3_600, examples: [20] })
const RestSeconds = Type.Integer({ minimum: 0, maximum: 3_600, examples: [60] })
const Side = Enum(SIDES)
const Notes = Paragraphs(2_000, 'Slowly, without pain.')
const SessionTitle = Name(200, 'Monday')
export const PlanVersion = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_647,
  description: 'Incremented with each change. A change must send the version that was read (optimistic locking).',
  examples: [1],
})

/** How much of it: what a session says about an exercise. */
const prescription = {
  sets: Sets,
  reps: Nullable(Reps),
  hold_seconds: Nullable(HoldSeconds),
  rest_seconds: RestSeconds,
  side: Nullable(Side),
  notes: Nullable(Notes),
}

export const PlannedExercise = Type.Object({
  id: Id,
  name: Type.String({ examples: ['Squat'] }),
  slug: Type.String({ examples: ['squat'] }),
  kind: Enum(EXERCISE_KINDS),
  available: Type.Boolean({
    description: 'false if the exercise was deleted or is no longer published.',
    examples: [true],
  }),
})
export type PlannedExercise = Static<typeof PlannedExercise>

/** A session as it is answered, its exercises with what `more` adds. */
export const PlanSession = <More extends TProperties>(more: More) =>
  Type.Object({
    id: Id,
    position: Position,
    title: SessionTitle,
    notes: Nullable(Notes),
    exercises: Type.Array(Type.Object({ id: Id, position: Position, exercise_id: Id, ...prescription, ...more })),
  })

/**
 * Sessions as they are sent: all of them, in order. What has an `id` stays and is changed, what has none is added, what is
 * left out is removed.
 */
export const NewPlanSessions = <More extends TProperties>(more: More) => {
  const id = Type.Optional(
    Type.String({
      ...Id,
      description: 'The id of an existing entry to keep. The exercise of an entry cannot be changed.',
    }),
  )
  const exercise = Body({
    id,
    exercise_id: Id,
    sets: Type.Optional(Sets),
    reps: Type.Optional(Nullable(Reps)),
    hold_seconds: Type.Optional(Nullable(HoldSeconds)),
    rest_seconds: Type.Optional(RestSeconds),
    side: Type.Optional(Nullable(Side)),
    notes: Type.Optional(Nullable(Notes)),
    ...more,
  })
  const session = Body({
    id,
    title: SessionTitle,
    notes: Type.Optional(Nullable(Notes)),
    exercises: Type.Array(exercise, { maxItems: MAX_EXERCISES_PER_SESSION }),
  })
  return Type.Array(session, { maxItems: MAX_SESSIONS })
}

const ProgramName = Name(200, 'Knee, first weeks')
const Description = Paragraphs(5_000, 'For the weeks after an operation on the knee.')

const common = {
  id: Id,
  name: ProgramName,
  description: Nullable(Description),
  status: Enum(PROGRAM_STATUSES),
  version: PlanVersion,
  created_by_principal_id: Nullable(Id),
  created_at: Timestamp,
  updated_at: Timestamp,
  deleted_at: Nullable(Timestamp),
}
const ProgramSession = PlanSession({ exercise: PlannedExercise })

export const ProgramSummary = Type.Object({
  ...common,
  sessions_count: Type.Integer({ examples: [3] }),
})
export type ProgramSummary = Static<typeof ProgramSummary>

export const ProgramDetails = Type.Object({ ...common, sessions: Type.Array(ProgramSession) })
export type ProgramDetails = Static<typeof ProgramDetails>

const ProgramSessions = NewPlanSessions({})

export const NewProgram = Body({
  name: ProgramName,
  description: Type.Optional(Nullable(Description)),
  sessions: Type.Optional(ProgramSessions),
})
export type NewProgram = Static<typeof NewProgram>

export const ProgramReplacement = Body({
  version: PlanVersion,
  name: ProgramName,
  description: Type.Optional(Nullable(Description)),
  sessions: ProgramSessions,
})
export type ProgramReplacement = Static<typeof ProgramReplacement>

export const ProgramStatusChange = Body({
  status: Enum(PROGRAM_STATUSES, 'archived'),
  version: Type.Optional(RowVersion),
})

export const ProgramChoice = Type.Object({ id: Id, name: ProgramName })

export const programList = {
  sort: ['name', 'status', 'created_at', 'updated_at'],
  ranges: ['created_at', 'updated_at'],
  filters: { status: PROGRAM_STATUSES, deleted: 'boolean' },
  q: true,
} as const
