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
-- Security definer (all organizations): exercise_outcomes is a materialized view over all clinics, and such a view has no
-- policies. stats.view_org gives numbers without access to the rows behind them.
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

-- Whether a time is within days of a time zone, both inclusive. The first two conditions are for the indexes; only the third
-- is exact when clocks are set back at midnight, which then occurs twice.
create or replace function is_in_date_range(p_time timestamptz, p_zone text, p_from date, p_to date) returns boolean
language sql stable parallel safe as $$
  select p_time >= (p_from - 1)::timestamp at time zone p_zone and p_time < (p_to + 2)::timestamp at time zone p_zone
    and (p_time at time zone p_zone)::date between p_from and p_to
$$;
grant execute on function is_in_date_range(timestamptz, text, date, date) to tendon_app, tendon_definer;

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
