import type { StatsPeriod } from '@tendon/contracts'
import { type RawBuilder, sql } from 'kysely'

// What statistics count, as sources of rows in brackets.

/** Which runs are counted. */
export interface Counted {
  program_id: string | null
  period: StatsPeriod
}

/** What a route declares that counts. */
export const COUNTING = {
  codes: ['session_runs.view_org', 'treatment_plans.view_org', 'exercises.manage_org', 'data.view_deleted'],
  why: 'Numbers need no permission for the rows behind them: those of runs and plans, also of deleted exercises.',
}

/** In days of the clinic, both inclusive. */
const isWithin = (column: string, { time_zone, from, to }: StatsPeriod) =>
  sql<boolean>`is_in_date_range(${sql.ref(column)}, ${time_zone}, ${from}::date, ${to}::date)`

const ofProgram = (id: string | null) => (id === null ? sql`true` : sql`p.program_id = ${id}`)

const IN_LIBRARY = sql`(n.organization_id is null or n.organization_id = (select current_app_org_id()))`

/** One row for each run. */
export const runRows = ({ program_id, period }: Counted): RawBuilder<unknown> => sql`(
  select r.patient_profile_id, (r.started_at at time zone ${period.time_zone})::date as day, r.status,
    extract(epoch from r.last_event_at - r.started_at)::double precision as duration_seconds, f.perceived_exertion, f.pain,
    m.startup_ms, m.rebuffer_pct, m.is_complete
  from session_runs r
  join treatment_plans p on p.organization_id = r.organization_id and p.id = r.treatment_plan_id
  left join session_feedback f on f.organization_id = r.organization_id and f.session_run_id = r.id
  left join media_session_metrics m on m.organization_id = r.organization_id and m.run_id = r.id
  where r.organization_id = (select current_app_org_id()) and ${isWithin('r.started_at', period)} and ${ofProgram(program_id)}) runs`

/**
 * One row for each exercise of a run. `is not distinct from` keeps the plan from reading the events of an exercise in all runs:
 * those of a run are few.
 */
export const exerciseRows = ({ program_id, period }: Counted): RawBuilder<unknown> => sql`(
  select r.patient_profile_id, e.exercise_id, translated_name(n.name, n.translations) as exercise_name, x.outcome, x.pauses,
    x.pain_reports, x.pain_max, m.measured, m.repetitions, m.repetitions_to_target, m.range_mean_degrees
  from session_runs r
  join treatment_plans p on p.organization_id = r.organization_id and p.id = r.treatment_plan_id
  cross join lateral (
    select x.id, max(v.type) filter (where v.type not in ('started', 'paused_for_pain')) as outcome,
      count(*) filter (where v.type = 'paused_for_pain') as pauses, count(v.severity) as pain_reports,
      max(v.severity) as pain_max
    from unnest(r.session_exercise_ids) x (id)
    left join (
      select session_exercise_id, type, null::integer as severity from session_run_events
      where organization_id = (select current_app_org_id()) and session_run_id = r.id
      union all
      select session_exercise_id, null, severity from pain_reports
      where organization_id = (select current_app_org_id()) and session_run_id = r.id) v
      on v.session_exercise_id is not distinct from x.id
    group by x.id) x
  join session_exercises e on e.organization_id = r.organization_id and e.id = x.id
  join exercises n on n.id = e.exercise_id and ${IN_LIBRARY}
  left join pose_session_metrics m on m.organization_id = r.organization_id and m.run_id = r.id and m.media_id = x.id::text
  where r.organization_id = (select current_app_org_id()) and ${isWithin('r.started_at', period)}
    and ${ofProgram(program_id)}) exercises`

/** One row for each report of pain. */
export const painRows = ({ program_id, period }: Counted): RawBuilder<unknown> => sql`(
  select a.patient_profile_id, (a.created_at at time zone ${period.time_zone})::date as day, a.severity, a.action,
    e.exercise_id, translated_name(n.name, n.translations) as exercise_name
  from pain_reports a
  join session_runs r on r.organization_id = a.organization_id and r.id = a.session_run_id
  join treatment_plans p on p.organization_id = r.organization_id and p.id = r.treatment_plan_id
  left join session_exercises e on e.organization_id = a.organization_id and e.id = a.session_exercise_id
  left join exercises n on n.id = e.exercise_id and ${IN_LIBRARY}
  where a.organization_id = (select current_app_org_id()) and ${isWithin('a.created_at', period)} and ${ofProgram(program_id)}) reports`
