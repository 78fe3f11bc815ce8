-- A run keeps what was prescribed when it began: the plan may change while it is under way, and years later.

create function prescription_of(p_organization_id uuid, p_session_exercise_ids uuid[]) returns jsonb
language sql stable security definer set search_path = public as $$
  select jsonb_agg(jsonb_build_object('id', e.id, 'sets', e.sets, 'reps', e.reps, 'hold_seconds', e.hold_seconds,
    'rest_seconds', e.rest_seconds, 'side', e.side, 'notes', e.notes) order by x.position)
  from unnest(p_session_exercise_ids) with ordinality x (id, position)
  join session_exercises e on e.organization_id = p_organization_id and e.id = x.id
$$;
alter function prescription_of(uuid, uuid[]) owner to tendon_definer;
grant execute on function prescription_of(uuid, uuid[]) to tendon_owner;

alter table session_runs
  add column prescription jsonb,              -- of session_exercise_ids, in their order; set by session_runs_fit
  drop column created_by_principal_id;        -- the patient, whose name an erasure would have left there
-- Of runs before this one what is prescribed now is the best that is known.
alter table session_runs no force row level security;
update session_runs set prescription = prescription_of(organization_id, session_exercise_ids);
alter table session_runs force row level security;
alter table session_runs alter column prescription set not null;

create or replace function session_runs_fit() returns trigger language plpgsql security definer set search_path = public as $$
begin
  select treatment_plan_id, patient_profile_id into new.treatment_plan_id, new.patient_profile_id from plan_sessions
    where organization_id = new.organization_id and id = new.plan_session_id and treatment_plan_id is not null;
  perform 1 from patients
    where organization_id = new.organization_id and patient_profile_id = new.patient_profile_id and deleted_at is null for share;
  if not found then
    raise exception 'no such session' using errcode = 'foreign_key_violation', constraint = 'session_runs_session_fkey';
  end if;
  perform 1 from treatment_plans
    where organization_id = new.organization_id and id = new.treatment_plan_id and status = 'active' for share;
  if not found then
    raise exception 'the plan is not active' using errcode = 'check_violation', constraint = 'session_runs_plan_active_check';
  end if;
  select array_agg(e.id order by e.position) into new.session_exercise_ids
    from plan_sessions s
    join session_exercises e on e.organization_id = s.organization_id and e.plan_session_id = s.id and e.removed_at is null
    where s.organization_id = new.organization_id and s.id = new.plan_session_id and s.removed_at is null;
  if new.session_exercise_ids is null then
    raise exception 'no such session' using errcode = 'foreign_key_violation', constraint = 'session_runs_session_fkey';
  end if;
  new.prescription := prescription_of(new.organization_id, new.session_exercise_ids);
  return new;
end
$$;

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

-- As before, with what was prescribed then. An erased patient is no person any more: their profiles would be as many people.
drop materialized view exercise_outcomes;
create materialized view exercise_outcomes as
  select r.organization_id, r.id as run_id, e.id as session_exercise_id, e.exercise_id, p.program_id, r.started_at,
    r.patient_profile_id,
    case when a.erased_at is null and (f.human_id is not null or a.deleted_at is null) then coalesce(f.human_id, f.id) end
      as person_id,
    v.type as outcome, x.sets * x.reps as prescribed_repetitions, m.measured, m.repetitions, m.range_mean_degrees
  from session_runs r
  cross join lateral jsonb_to_recordset(r.prescription) as x (id uuid, sets integer, reps integer)
  join session_exercises e on e.organization_id = r.organization_id and e.id = x.id
  join treatment_plans p on p.organization_id = r.organization_id and p.id = r.treatment_plan_id
  join patients a on a.organization_id = r.organization_id and a.patient_profile_id = r.patient_profile_id
  join patient_profiles f on f.id = r.patient_profile_id
  left join session_run_events v on v.session_run_id = r.id and v.session_exercise_id = e.id
    and v.type in ('completed', 'skipped', 'abandoned')
  left join pose_session_metrics m on m.organization_id = r.organization_id and m.run_id = r.id and m.media_id = e.id::text
  where r.status <> 'in_progress'
  with no data;
create unique index exercise_outcomes_key on exercise_outcomes (run_id, session_exercise_id);
create index exercise_outcomes_started_idx on exercise_outcomes (organization_id, started_at);
create index exercise_outcomes_exercise_idx on exercise_outcomes (exercise_id);
alter materialized view exercise_outcomes owner to tendon_definer;
refresh materialized view exercise_outcomes;  -- as its new owner, past row-level security
revoke all on exercise_outcomes from tendon_platform;

-- What is told of many: in tens, and nothing of fewer than ten people. The difference between two readings then tells of one
-- person no more than that they filled a ten.
create function in_tens(p_count bigint, p_people bigint) returns bigint language sql immutable parallel safe as $$
  select case when p_people >= 10 then p_count - p_count % 10 end
$$;
grant execute on function in_tens(bigint, bigint) to tendon_definer;
drop function platform_exercise_counts();
create function platform_exercise_counts() returns table (
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

-- What an erased patient agreed to is kept without saying who they were.
create or replace function erase_patient_consents(p_request_id uuid) returns integer
language plpgsql security definer set search_path = public as $$
declare
  v_request privacy_requests;
  v_other uuid;
  v_human uuid;
  v_rows integer;
begin
  select * into strict v_request from erasure_under_way(p_request_id);
  perform pg_advisory_xact_lock(hashtextextended('consents ' || v_request.patient_profile_id, 0));
  select human_id into v_human from patient_profiles where id = v_request.patient_profile_id;
  select id into v_other from patient_profiles where human_id = v_human and id <> v_request.patient_profile_id
    order by created_at, id limit 1;
  if v_other is not null then
    perform pg_advisory_xact_lock(hashtextextended('consents ' || v_other, 0));
    update consents c set patient_profile_id = v_other
      where c.patient_profile_id = v_request.patient_profile_id and c.organization_id is null
        and (c.withdrawn_at is not null or not exists (select 1 from consents o where o.patient_profile_id = v_other
          and o.organization_id is null and o.purpose_code = c.purpose_code and o.withdrawn_at is null));
  end if;
  update consents set withdrawn_at = coalesce(withdrawn_at, now()), ended_as = coalesce(ended_as, 'erased'),
      granted_via_ip = null, withdrawal_reason = null, granted_by_principal_id = nullif(granted_by_principal_id, v_human),
      withdrawn_by_principal_id = nullif(withdrawn_by_principal_id, v_human)
    where patient_profile_id = v_request.patient_profile_id
      and (organization_id = v_request.organization_id or organization_id is null);
  get diagnostics v_rows = row_count;
  return v_rows;
end
$$;
