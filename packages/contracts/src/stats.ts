import { type Static, Type } from 'typebox'
import { PAIN_ACTIONS, PAIN_BANDS } from './session-runs.ts'
import { Id, Nullable } from './shapes.ts'

export const MAX_STATS_DAYS = 366
/** Without `from`: as many days up to `to`, by default today. */
export const STATS_DAYS_DEFAULT = 30

const Day = Type.String({
  format: 'date',
  pattern: '^(19|20)',
  'x-reason': 'must be a date (YYYY-MM-DD)',
  examples: ['2026-11-16'],
})
const Count = Type.Integer({ examples: [12] })
const Mean = Nullable(Type.Number({ examples: [3.2] }))
const Rate = Nullable(Type.Number({ description: '0 to 1; null if the total is 0.', examples: [0.84] }))

export const StatsQuery = Type.Object({
  program_id: Type.Optional(Type.String({ ...Id, description: 'Only plans created from this program.' })),
  from: Type.Optional(
    Type.String({
      ...Day,
      description: `In the clinic’s time zone; default: ${STATS_DAYS_DEFAULT} days up to \`to\`.`,
    }),
  ),
  to: Type.Optional(
    Type.String({ ...Day, description: `Inclusive; default: today. At most ${MAX_STATS_DAYS} days after \`from\`.` }),
  ),
})
export type StatsQuery = Static<typeof StatsQuery>

export const StatsPeriod = Type.Object({
  from: Day,
  to: Day,
  time_zone: Type.String({ examples: ['Europe/Bucharest'] }),
})
export type StatsPeriod = Static<typeof StatsPeriod>

const Spread = Type.Object({ median: Mean, p95: Mean })
export const exerciseOutcomes = { completed: Count, skipped: Count, abandoned: Count, completion_rate: Rate }
export const namedExercise = { exercise_id: Id, exercise_name: Type.String({ examples: ['Squat'] }) }

export const StatsOverview = Type.Object({
  period: StatsPeriod,
  patients: Count,
  runs: Type.Object({
    total: Count,
    in_progress: Count,
    ended_naturally: Count,
    ended_explicit: Count,
    ended_auto: Count,
    median_duration_seconds: Mean,
  }),
  exercises: Type.Object({ assigned: Count, ...exerciseOutcomes }),
  feedback: Type.Object({ count: Count, mean_perceived_exertion: Mean, mean_pain: Mean }),
  pain_reports: Count,
  media: Type.Object({ runs: Count, incomplete: Count, startup_ms: Spread, rebuffer_pct: Spread }),
  days: Type.Array(Type.Object({ day: Day, runs: Count, patients: Count })),
})
export type StatsOverview = Static<typeof StatsOverview>

export const StatsExercises = Type.Object({
  period: StatsPeriod,
  exercises: Type.Array(
    Type.Object({
      ...namedExercise,
      patients: Count,
      assigned: Count,
      ...exerciseOutcomes,
      pauses_for_pain: Count,
      pain_reports: Count,
      max_severity: Nullable(Count),
      measured: Count,
      median_repetitions: Mean,
      median_repetitions_to_target: Mean,
      median_range_degrees: Mean,
    }),
  ),
})
export type StatsExercises = Static<typeof StatsExercises>

const counts = <const Names extends readonly string[]>(names: Names) =>
  Type.Object(Object.fromEntries(names.map((name) => [name, Count])) as Record<Names[number], typeof Count>)

export const StatsPainSummary = Type.Object({
  period: StatsPeriod,
  reports: Count,
  patients: Count,
  mean_severity: Mean,
  max_severity: Nullable(Count),
  bands: counts(PAIN_BANDS),
  actions: counts(PAIN_ACTIONS),
  exercises: Type.Array(
    Type.Object({ ...namedExercise, reports: Count, patients: Count, mean_severity: Mean, max_severity: Count }),
  ),
  days: Type.Array(Type.Object({ day: Day, reports: Count, max_severity: Count })),
})
export type StatsPainSummary = Static<typeof StatsPainSummary>
