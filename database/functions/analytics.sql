-- Concurrently, so that readers do not wait. Security definer (all organizations): only the owner may refresh the view, which reads every
-- organization.
create or replace function refresh_exercise_outcomes() returns void language plpgsql security definer set search_path = public as $$
begin
  refresh materialized view concurrently exercise_outcomes;
end
$$;
alter function refresh_exercise_outcomes() owner to tendon_definer;
grant execute on function refresh_exercise_outcomes() to tendon_worker;

-- Rows to count for statistics of the organization in context. Days are days of the clinic, both inclusive.
-- Security definer: stats.view_org gives numbers without access to the rows behind them.
create or replace function cohort_outcomes(p_program_id uuid, p_from date, p_to date) returns table (
  patient_profile_id uuid, exercise_id uuid, exercise_name text, outcome text, prescribed_repetitions integer,
  measured boolean, repetitions integer, range_mean_degrees double precision
) language sql stable security definer set search_path = public as $$
  select c.patient_profile_id, c.exercise_id, translated_name(n.name, n.translations), c.outcome, c.prescribed_repetitions, c.measured, c.repetitions,
    c.range_mean_degrees
  from organizations o
  join exercise_outcomes c on c.organization_id = o.id and is_in_date_range(c.started_at, o.time_zone, p_from, p_to)
  join exercises n on n.id = c.exercise_id
  where o.id = current_app_org_id() and current_app_has_permission('stats', 'view_org')
    and (p_program_id is null or c.program_id = p_program_id)
$$;
alter function cohort_outcomes(uuid, date, date) owner to tendon_definer;
grant execute on function cohort_outcomes(uuid, date, date) to tendon_app;

-- Security definer: see cohort_outcomes.
create or replace function stats_runs(p_program_id uuid, p_from date, p_to date) returns table (
  patient_profile_id uuid, day date, status text, duration_seconds double precision, perceived_exertion integer, pain integer,
  startup_ms integer, rebuffer_pct double precision, is_complete boolean
) language sql stable security definer set search_path = public as $$
  select r.patient_profile_id, (r.started_at at time zone o.time_zone)::date, r.status,
    extract(epoch from r.last_event_at - r.started_at)::double precision, f.perceived_exertion, f.pain,
    m.startup_ms, m.rebuffer_pct, m.is_complete
  from organizations o
  join session_runs r on r.organization_id = o.id and is_in_date_range(r.started_at, o.time_zone, p_from, p_to)
  join treatment_plans p on p.organization_id = o.id and p.id = r.treatment_plan_id
  left join session_feedback f on f.session_run_id = r.id
  left join media_session_metrics m on m.organization_id = o.id and m.run_id = r.id
  where o.id = current_app_org_id() and current_app_has_permission('stats', 'view_org')
    and (p_program_id is null or p.program_id = p_program_id)
$$;
alter function stats_runs(uuid, date, date) owner to tendon_definer;
grant execute on function stats_runs(uuid, date, date) to tendon_app;

-- Security definer: see cohort_outcomes.
create or replace function stats_exercises(p_program_id uuid, p_from date, p_to date) returns table (
  patient_profile_id uuid, exercise_id uuid, exercise_name text, outcome text, pauses integer, pain_reports integer,
  pain_max integer, measured boolean, repetitions integer, repetitions_to_target integer, range_mean_degrees double precision
) language sql stable security definer set search_path = public as $$
  with runs as materialized (
    select r.organization_id, r.id, r.patient_profile_id, r.session_exercise_ids
    from organizations o
    join session_runs r on r.organization_id = o.id and is_in_date_range(r.started_at, o.time_zone, p_from, p_to)
    join treatment_plans p on p.organization_id = o.id and p.id = r.treatment_plan_id
    where o.id = current_app_org_id() and current_app_has_permission('stats', 'view_org')
      and (p_program_id is null or p.program_id = p_program_id)),
  events as (
    select v.session_run_id, v.session_exercise_id, max(v.type) filter (where v.type <> 'paused_for_pain') as outcome,
      (count(*) filter (where v.type = 'paused_for_pain'))::integer as pauses
    from runs r join session_run_events v on v.session_run_id = r.id and v.type <> 'started' group by 1, 2),
  pain as (
    select a.session_run_id, a.session_exercise_id, count(*)::integer as reports, max(a.severity) as severest
    from runs r join pain_reports a on a.session_run_id = r.id group by 1, 2)
  select r.patient_profile_id, e.exercise_id, translated_name(n.name, n.translations), v.outcome, coalesce(v.pauses, 0), coalesce(a.reports, 0), a.severest,
    m.measured, m.repetitions, m.repetitions_to_target, m.range_mean_degrees
  from runs r
  cross join unnest(r.session_exercise_ids) x (id)
  join session_exercises e on e.organization_id = r.organization_id and e.id = x.id
  join exercises n on n.id = e.exercise_id
  left join events v on v.session_run_id = r.id and v.session_exercise_id = x.id
  left join pain a on a.session_run_id = r.id and a.session_exercise_id = x.id
  left join pose_session_metrics m on m.organization_id = r.organization_id and m.run_id = r.id and m.media_id = x.id::text
$$;
alter function stats_exercises(uuid, date, date) owner to tendon_definer;
grant execute on function stats_exercises(uuid, date, date) to tendon_app;

-- Security definer: see cohort_outcomes.
create or replace function stats_pain(p_program_id uuid, p_from date, p_to date) returns table (
  patient_profile_id uuid, day date, severity integer, action text, exercise_id uuid, exercise_name text
) language sql stable security definer set search_path = public as $$
  select a.patient_profile_id, (a.created_at at time zone o.time_zone)::date, a.severity, a.action, e.exercise_id,
    translated_name(n.name, n.translations)
  from organizations o
  join pain_reports a on a.organization_id = o.id and is_in_date_range(a.created_at, o.time_zone, p_from, p_to)
  join session_runs r on r.organization_id = o.id and r.id = a.session_run_id
  join treatment_plans p on p.organization_id = o.id and p.id = r.treatment_plan_id
  left join session_exercises e on e.organization_id = o.id and e.id = a.session_exercise_id
  left join exercises n on n.id = e.exercise_id
  where o.id = current_app_org_id() and current_app_has_permission('stats', 'view_org')
    and (p_program_id is null or p.program_id = p_program_id)
$$;
alter function stats_pain(uuid, date, date) owner to tendon_definer;
grant execute on function stats_pain(uuid, date, date) to tendon_app;

-- Whether a time is within days of a time zone, both inclusive. The first two conditions are for the indexes; only the third
-- is exact when clocks are set back at midnight, which then occurs twice.
create or replace function is_in_date_range(p_time timestamptz, p_zone text, p_from date, p_to date) returns boolean
language sql stable parallel safe as $$
  select p_time >= (p_from - 1)::timestamp at time zone p_zone and p_time < (p_to + 2)::timestamp at time zone p_zone
    and (p_time at time zone p_zone)::date between p_from and p_to
$$;
grant execute on function is_in_date_range(timestamptz, text, date, date) to tendon_definer;

-- Rounds counts down to tens and hides counts of fewer than ten people, so that the difference between two readings reveals
-- at most that one person completed a ten.
create or replace function round_down_to_tens(p_count bigint, p_people bigint) returns bigint language sql immutable parallel safe as $$
  select case when p_people >= 10 then p_count - p_count % 10 end
$$;
grant execute on function round_down_to_tens(bigint, bigint) to tendon_definer;

-- Counts over all clinics for the platform. Security definer (all organizations): only functions read exercise_outcomes, which identifies people.
create or replace function platform_exercise_counts() returns table (
  exercise_id uuid, exercise_name text, exercise_slug text, people bigint, assigned bigint, completed bigint, skipped bigint,
  abandoned bigint, measured bigint, repetitions bigint
) language sql stable security definer set search_path = public as $$
  select n.id, n.name, n.slug, round_down_to_tens(count(distinct c.person_id), count(distinct c.person_id)),
    round_down_to_tens(count(*), count(distinct c.person_id)),
    round_down_to_tens(count(*) filter (where c.outcome = 'completed'), count(distinct c.person_id) filter (where c.outcome = 'completed')),
    round_down_to_tens(count(*) filter (where c.outcome = 'skipped'), count(distinct c.person_id) filter (where c.outcome = 'skipped')),
    round_down_to_tens(count(*) filter (where c.outcome = 'abandoned'), count(distinct c.person_id) filter (where c.outcome = 'abandoned')),
    round_down_to_tens(count(*) filter (where c.measured), count(distinct c.person_id) filter (where c.measured)),
    round_down_to_tens(sum(c.repetitions), count(distinct c.person_id) filter (where c.repetitions is not null))
  from exercise_outcomes c join exercises n on n.id = c.exercise_id and n.organization_id is null
  where c.person_id is not null
  group by n.id having count(distinct c.person_id) >= 10
  order by n.name, n.id
$$;
alter function platform_exercise_counts() owner to tendon_definer;
grant execute on function platform_exercise_counts() to tendon_platform;
