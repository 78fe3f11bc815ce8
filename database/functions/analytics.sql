-- The exercises of runs, for whoever sees the run: also those that were taken out of the plan or deleted since.
create or replace function session_run_exercises(p_run_ids uuid[]) returns table (
  session_run_id uuid, session_exercise_id uuid, "position" integer, exercise_id uuid, exercise_name text,
  sets integer, reps integer, hold_seconds integer, rest_seconds integer, side text, notes text
) language sql stable security definer set search_path = public as $$
  select r.id, e.id, x.position::integer, e.exercise_id, n.name, x.sets, x.reps, x.hold_seconds, x.rest_seconds, x.side, x.notes
  from session_runs r
  cross join lateral rows from (jsonb_to_recordset(r.prescription)
    as (id uuid, sets integer, reps integer, hold_seconds integer, rest_seconds integer, side text, notes text))
    with ordinality x (id, sets, reps, hold_seconds, rest_seconds, side, notes, position)
  join session_exercises e on e.organization_id = r.organization_id and e.id = x.id
  join exercises n on n.id = e.exercise_id
  where r.id = any (p_run_ids)
    and ((r.organization_id = current_app_org_id() and current_app_has_permission('session_runs', 'view_org'))
      or r.patient_profile_id = any (current_app_profile_ids()))
  order by r.id, x.position
$$;
alter function session_run_exercises(uuid[]) owner to tendon_definer;
grant execute on function session_run_exercises(uuid[]) to tendon_app;

create or replace function session_run_plans(p_run_ids uuid[]) returns table (
  session_run_id uuid, treatment_plan_id uuid, treatment_plan_title text, program_id uuid, plan_session_id uuid,
  plan_session_title text, plan_session_notes text
) language sql stable security definer set search_path = public as $$
  select r.id, p.id, p.title, p.program_id, s.id, s.title, s.notes
  from session_runs r
  join treatment_plans p on p.organization_id = r.organization_id and p.id = r.treatment_plan_id
  join plan_sessions s on s.organization_id = r.organization_id and s.id = r.plan_session_id
  where r.id = any (p_run_ids)
    and ((r.organization_id = current_app_org_id() and current_app_has_permission('session_runs', 'view_org'))
      or r.patient_profile_id = any (current_app_profile_ids()))
$$;
alter function session_run_plans(uuid[]) owner to tendon_definer;
grant execute on function session_run_plans(uuid[]) to tendon_app;

-- Nobody who reads waits for it.
create or replace function refresh_exercise_outcomes() returns void language plpgsql security definer set search_path = public as $$
begin
  refresh materialized view concurrently exercise_outcomes;
end
$$;
alter function refresh_exercise_outcomes() owner to tendon_definer;
grant execute on function refresh_exercise_outcomes() to tendon_worker;

-- Rows to count, of the organization in context, for whoever may see its numbers. Days are the clinic's own, both inclusive.
create or replace function cohort_outcomes(p_program_id uuid, p_from date, p_to date) returns table (
  patient_profile_id uuid, exercise_id uuid, exercise_name text, outcome text, prescribed_repetitions integer,
  measured boolean, repetitions integer, range_mean_degrees double precision
) language sql stable security definer set search_path = public as $$
  select c.patient_profile_id, c.exercise_id, n.name, c.outcome, c.prescribed_repetitions, c.measured, c.repetitions,
    c.range_mean_degrees
  from organizations o
  join exercise_outcomes c on c.organization_id = o.id and lies_in_days(c.started_at, o.time_zone, p_from, p_to)
  join exercises n on n.id = c.exercise_id
  where o.id = current_app_org_id() and current_app_has_permission('stats', 'view_org')
    and (p_program_id is null or c.program_id = p_program_id)
$$;
alter function cohort_outcomes(uuid, date, date) owner to tendon_definer;
grant execute on function cohort_outcomes(uuid, date, date) to tendon_app;

create or replace function stats_runs(p_program_id uuid, p_from date, p_to date) returns table (
  patient_profile_id uuid, day date, status text, duration_seconds double precision, perceived_exertion integer, pain integer,
  startup_ms integer, rebuffer_pct double precision, is_complete boolean
) language sql stable security definer set search_path = public as $$
  select r.patient_profile_id, (r.started_at at time zone o.time_zone)::date, r.status,
    extract(epoch from r.last_event_at - r.started_at)::double precision, f.perceived_exertion, f.pain,
    m.startup_ms, m.rebuffer_pct, m.is_complete
  from organizations o
  join session_runs r on r.organization_id = o.id and lies_in_days(r.started_at, o.time_zone, p_from, p_to)
  join treatment_plans p on p.organization_id = o.id and p.id = r.treatment_plan_id
  left join session_feedback f on f.session_run_id = r.id
  left join media_session_metrics m on m.organization_id = o.id and m.run_id = r.id
  where o.id = current_app_org_id() and current_app_has_permission('stats', 'view_org')
    and (p_program_id is null or p.program_id = p_program_id)
$$;
alter function stats_runs(uuid, date, date) owner to tendon_definer;
grant execute on function stats_runs(uuid, date, date) to tendon_app;

create or replace function stats_exercises(p_program_id uuid, p_from date, p_to date) returns table (
  patient_profile_id uuid, exercise_id uuid, exercise_name text, outcome text, pauses integer, pain_reports integer,
  pain_max integer, measured boolean, repetitions integer, range_mean_degrees double precision
) language sql stable security definer set search_path = public as $$
  with runs as materialized (
    select r.organization_id, r.id, r.patient_profile_id, r.session_exercise_ids
    from organizations o
    join session_runs r on r.organization_id = o.id and lies_in_days(r.started_at, o.time_zone, p_from, p_to)
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
  select r.patient_profile_id, e.exercise_id, n.name, v.outcome, coalesce(v.pauses, 0), coalesce(a.reports, 0), a.severest,
    m.measured, m.repetitions, m.range_mean_degrees
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

create or replace function stats_pain(p_program_id uuid, p_from date, p_to date) returns table (
  patient_profile_id uuid, day date, severity integer, action text, exercise_id uuid, exercise_name text
) language sql stable security definer set search_path = public as $$
  select a.patient_profile_id, (a.created_at at time zone o.time_zone)::date, a.severity, a.action, e.exercise_id, n.name
  from organizations o
  join pain_reports a on a.organization_id = o.id and lies_in_days(a.created_at, o.time_zone, p_from, p_to)
  join session_runs r on r.organization_id = o.id and r.id = a.session_run_id
  join treatment_plans p on p.organization_id = o.id and p.id = r.treatment_plan_id
  left join session_exercises e on e.organization_id = o.id and e.id = a.session_exercise_id
  left join exercises n on n.id = e.exercise_id
  where o.id = current_app_org_id() and current_app_has_permission('stats', 'view_org')
    and (p_program_id is null or p.program_id = p_program_id)
$$;
alter function stats_pain(uuid, date, date) owner to tendon_definer;
grant execute on function stats_pain(uuid, date, date) to tendon_app;

-- "Media aggregates 2 years; pose aggregates 7 years; replay blobs 6 months." Gives the most rows that one table lost: as
-- many as asked for means that there may be more.
-- LATER 0037
-- As before; and the media events of runs that have ended go after a week.
create or replace function delete_expired_telemetry(p_now timestamptz, p_limit integer) returns integer
language plpgsql security definer set search_path = public as $$
declare
  v_part record;
  v_rows integer;
  v_most integer := 0;
begin
  for v_part in select * from (values
    ('media_session_metrics', interval '2 years'), ('media_item_metrics', interval '2 years'),
    ('media_buffering_events', interval '2 years'), ('library_views', interval '2 years'),
    ('pose_session_metrics', interval '7 years'), ('pose_repetitions', interval '7 years'),
    ('replay_blobs', interval '6 months')) as kept (name, time)
  loop
    execute format('delete from %I where id in (select id from %1$I where created_at < $1 limit $2 for update skip locked)', v_part.name)
      using p_now - v_part.time, p_limit;
    get diagnostics v_rows = row_count;
    v_most := greatest(v_most, v_rows);
  end loop;
  -- That a run was finalised is remembered.
  update run_finalisations set events = null
    where id in (select f.id from run_finalisations f
      where f.events is not null and f.claimed_at < p_now - interval '7 days'
        and (f.claimed_at < p_now - interval '2 years'
          or exists (select 1 from run_finalisations e where e.run_id = f.run_id and e.reason = 'ended'))
      limit p_limit for update skip locked);
  get diagnostics v_rows = row_count;
  return greatest(v_most, v_rows);
end
$$;
alter function delete_expired_telemetry(timestamptz, integer) owner to tendon_definer;
grant execute on function delete_expired_telemetry(timestamptz, integer) to tendon_worker;

-- Whether a time lies in days of a time zone, both inclusive. The first two conditions are for the indexes; where clocks
-- are put back at midnight, which comes twice, only the third is exact.
create or replace function lies_in_days(p_time timestamptz, p_zone text, p_from date, p_to date) returns boolean
language sql stable parallel safe as $$
  select p_time >= (p_from - 1)::timestamp at time zone p_zone and p_time < (p_to + 2)::timestamp at time zone p_zone
    and (p_time at time zone p_zone)::date between p_from and p_to
$$;
grant execute on function lies_in_days(timestamptz, text, date, date) to tendon_definer;

-- What is told of many: in tens, and nothing of fewer than ten people. The difference between two readings then tells of one
-- person no more than that they filled a ten.
create or replace function in_tens(p_count bigint, p_people bigint) returns bigint language sql immutable parallel safe as $$
  select case when p_people >= 10 then p_count - p_count % 10 end
$$;
grant execute on function in_tens(bigint, bigint) to tendon_definer;

create or replace function platform_exercise_counts() returns table (
  exercise_id uuid, exercise_name text, exercise_slug text, people bigint, assigned bigint, completed bigint, skipped bigint,
  abandoned bigint, measured bigint, repetitions bigint
) language sql stable security definer set search_path = public as $$
  select n.id, n.name, n.slug, in_tens(count(distinct c.person_id), count(distinct c.person_id)),
    in_tens(count(*), count(distinct c.person_id)),
    in_tens(count(*) filter (where c.outcome = 'completed'), count(distinct c.person_id) filter (where c.outcome = 'completed')),
    in_tens(count(*) filter (where c.outcome = 'skipped'), count(distinct c.person_id) filter (where c.outcome = 'skipped')),
    in_tens(count(*) filter (where c.outcome = 'abandoned'), count(distinct c.person_id) filter (where c.outcome = 'abandoned')),
    in_tens(count(*) filter (where c.measured), count(distinct c.person_id) filter (where c.measured)),
    in_tens(sum(c.repetitions), count(distinct c.person_id) filter (where c.repetitions is not null))
  from exercise_outcomes c join exercises n on n.id = c.exercise_id and n.organization_id is null
  where c.person_id is not null
  group by n.id having count(distinct c.person_id) >= 10
  order by n.name, n.id
$$;
alter function platform_exercise_counts() owner to tendon_definer;
grant execute on function platform_exercise_counts() to tendon_platform;
