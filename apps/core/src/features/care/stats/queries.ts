import {
  PAIN_ACTIONS,
  PAIN_BANDS,
  STATS_DAYS_DEFAULT,
  type StatsExercises,
  type StatsOverview,
  type StatsPainSummary,
  type StatsPeriod,
  type StatsQuery,
} from '@tendon/contracts'
import { type ServiceTx, type TenantTx, together } from '@tendon/db'
import { type RawBuilder, sql } from 'kysely'
import { type Counted, exerciseRows, painRows, runRows } from './row-queries.ts'
import { countsBy, rateOf } from './rules.ts'

/** The requested period, in days of the clinic; undefined without a clinic. */
export async function findPeriod(tx: TenantTx, { from, to }: StatsQuery, now: Date): Promise<StatsPeriod | undefined> {
  const { rows } = await sql<StatsPeriod>`
    select o.time_zone, d.day::text as to, coalesce(${from ?? null}::date, d.day - ${STATS_DAYS_DEFAULT - 1}::integer)::text as from
    from organizations o
    cross join lateral (select coalesce(${to ?? null}::date, (${now.toISOString()}::timestamptz at time zone o.time_zone)::date) as day) d
    where o.id = (select current_app_org_id())`.execute(tx)
  return rows[0]
}

export const rounded = (value: RawBuilder<unknown>, digits = 2): RawBuilder<number | null> =>
  sql`round((${value})::numeric, ${sql.lit(digits)})::double precision`
export const median = (column: string) => sql`percentile_cont(0.5) within group (order by ${sql.ref(column)})`
const p95 = (column: string) => sql`percentile_cont(0.95) within group (order by ${sql.ref(column)})`

/** The rows of a query as one value. */
const asList = (query: RawBuilder<unknown>) => sql`(select coalesce(jsonb_agg(q), '[]') from (${query}) q)`

export const OUTCOMES = sql`count(*) as assigned, count(distinct patient_profile_id) as patients,
  count(*) filter (where outcome = 'completed') as completed, count(*) filter (where outcome = 'skipped') as skipped,
  count(*) filter (where outcome = 'abandoned') as abandoned`

interface Outcomes {
  assigned: number
  completed: number
}
export const withRate = <Row extends Outcomes>(row: Row) => ({
  ...row,
  completion_rate: rateOf(row.completed, row.assigned),
})

type RunNumbers = Omit<StatsOverview['runs'], 'in_progress' | 'ended_naturally' | 'ended_explicit' | 'ended_auto'> &
  Record<'in_progress' | 'ended_naturally' | 'ended_explicit' | 'ended_auto', number> & {
    patients: number
    feedback: number
    mean_perceived_exertion: number | null
    mean_pain: number | null
    played: number
    incomplete: number
    startup_median: number | null
    startup_p95: number | null
    rebuffer_median: number | null
    rebuffer_p95: number | null
    days: StatsOverview['days']
  }

export async function findOverview(tx: ServiceTx, counted: Counted): Promise<Omit<StatsOverview, 'period'>> {
  const [numbers, exercises, pain] = await together([
    sql<RunNumbers>`
      with runs as (select * from ${runRows(counted)})
      select count(*) as total, count(distinct patient_profile_id) as patients,
        count(*) filter (where status = 'in_progress') as in_progress,
        count(*) filter (where status = 'ended_naturally') as ended_naturally,
        count(*) filter (where status = 'ended_explicit') as ended_explicit,
        count(*) filter (where status = 'ended_auto') as ended_auto,
        ${rounded(sql`${median('duration_seconds')} filter (where status <> 'in_progress')`)} as median_duration_seconds,
        count(perceived_exertion) as feedback, ${rounded(sql`avg(perceived_exertion)`)} as mean_perceived_exertion,
        ${rounded(sql`avg(pain)`)} as mean_pain, count(is_complete) as played,
        count(*) filter (where not is_complete) as incomplete,
        ${rounded(median('startup_ms'))} as startup_median, ${rounded(p95('startup_ms'))} as startup_p95,
        ${rounded(median('rebuffer_pct'))} as rebuffer_median, ${rounded(p95('rebuffer_pct'))} as rebuffer_p95,
        ${asList(sql`select day, count(*) as runs, count(distinct patient_profile_id) as patients from runs group by day
          order by day`)} as days
      from runs`.execute(tx),
    sql<StatsOverview['exercises']>`select ${OUTCOMES} from ${exerciseRows(counted)}`.execute(tx),
    sql<{ reports: number }>`select count(*) as reports from ${painRows(counted)}`.execute(tx),
  ])
  const [found] = numbers.rows
  const [done] = exercises.rows
  if (!found || !done) throw new Error('a count gives one row')
  const { total, in_progress, ended_naturally, ended_explicit, ended_auto, median_duration_seconds } = found
  return {
    patients: found.patients,
    runs: { total, in_progress, ended_naturally, ended_explicit, ended_auto, median_duration_seconds },
    exercises: withRate(done),
    feedback: {
      count: found.feedback,
      mean_perceived_exertion: found.mean_perceived_exertion,
      mean_pain: found.mean_pain,
    },
    pain_reports: pain.rows[0]?.reports ?? 0,
    media: {
      runs: found.played,
      incomplete: found.incomplete,
      startup_ms: { median: found.startup_median, p95: found.startup_p95 },
      rebuffer_pct: { median: found.rebuffer_median, p95: found.rebuffer_p95 },
    },
    days: found.days,
  }
}

export async function listExerciseStats(tx: ServiceTx, counted: Counted): Promise<StatsExercises['exercises']> {
  const { rows } = await sql<StatsExercises['exercises'][number]>`
    select exercise_id, exercise_name, ${OUTCOMES}, sum(pauses)::integer as pauses_for_pain,
      sum(pain_reports)::integer as pain_reports, max(pain_max) as max_severity, count(*) filter (where measured) as measured,
      ${rounded(median('repetitions'))} as median_repetitions,
      ${rounded(median('repetitions_to_target'))} as median_repetitions_to_target,
      ${rounded(median('range_mean_degrees'))} as median_range_degrees
    from ${exerciseRows(counted)} group by exercise_id, exercise_name
    order by assigned desc, exercise_name, exercise_id`.execute(tx)
  return rows.map(withRate)
}

const BAND = sql`case when severity = 0 then 'none' when severity <= 3 then 'mild' when severity <= 6 then 'moderate'
  else 'severe' end`

type PainParts = Pick<
  StatsPainSummary,
  'reports' | 'patients' | 'mean_severity' | 'max_severity' | 'exercises' | 'days'
> & {
  bands: { name: string; count: number }[]
  actions: { name: string; count: number }[]
}

export async function findPainSummary(tx: ServiceTx, counted: Counted): Promise<Omit<StatsPainSummary, 'period'>> {
  const mean = rounded(sql`avg(severity)`)
  const { rows } = await sql<PainParts>`
    with pain as (select * from ${painRows(counted)})
    select count(*) as reports, count(distinct patient_profile_id) as patients, ${mean} as mean_severity,
      max(severity) as max_severity,
      ${asList(sql`select ${BAND} as name, count(*) from pain group by 1`)} as bands,
      ${asList(sql`select action as name, count(*) from pain group by 1`)} as actions,
      ${asList(sql`select exercise_id, exercise_name, count(*) as reports, count(distinct patient_profile_id) as patients,
          ${mean} as mean_severity, max(severity) as max_severity
        from pain where exercise_id is not null group by exercise_id, exercise_name
        order by reports desc, exercise_name, exercise_id`)} as exercises,
      ${asList(sql`select day, count(*) as reports, max(severity) as max_severity from pain group by day order by day`)} as days
    from pain`.execute(tx)
  const [found] = rows
  if (!found) throw new Error('a count gives one row')
  return { ...found, bands: countsBy(PAIN_BANDS, found.bands), actions: countsBy(PAIN_ACTIONS, found.actions) }
}
