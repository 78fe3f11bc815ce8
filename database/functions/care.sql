-- The exercises of session runs, as they were prescribed when the run began.
-- Security definer (one person across clinics): exercises that were deleted, or removed from the plan, still belong to the run. Checks who may see the run.
-- "offset 0" finds each exercise by its id; without it, a kept plan may read all exercises of the clinic's sessions.
create or replace function session_run_exercises(p_run_ids uuid[]) returns table (
  session_run_id uuid, session_exercise_id uuid, "position" integer, exercise_id uuid, exercise_name text,
  sets integer, reps integer, hold_seconds integer, rest_seconds integer, side text, notes text
) language plpgsql stable security definer set search_path = public as $$
#variable_conflict use_column
begin
  return query select r.id, e.id, x.position::integer, e.exercise_id, translated_name(n.name, n.translations), x.sets, x.reps, x.hold_seconds, x.rest_seconds, x.side, x.notes
    from session_runs r
    cross join lateral rows from (jsonb_to_recordset(r.prescription)
      as (id uuid, sets integer, reps integer, hold_seconds integer, rest_seconds integer, side text, notes text))
      with ordinality x (id, sets, reps, hold_seconds, rest_seconds, side, notes, position)
    join lateral (
      select id, organization_id, exercise_id from session_exercises where id = x.id offset 0
    ) e on e.organization_id = r.organization_id
    join exercises n on n.id = e.exercise_id
    where r.id = any (p_run_ids)
      and ((r.organization_id = current_app_org_id() and current_app_has_permission('session_runs', 'view_org'))
        or r.patient_profile_id = any (current_app_profile_ids()))
    order by r.id, x.position;
end
$$;
alter function session_run_exercises(uuid[]) owner to tendon_definer;
grant execute on function session_run_exercises(uuid[]) to tendon_app;

-- The plan and session of session runs. Security definer (one person across clinics): a patient does not see drafts or archived plans, but sees their
-- own runs. Checks who may see the run.
-- "offset 0" finds the session by its id; without it, a kept plan may read all sessions of the clinic.
create or replace function session_run_plans(p_run_ids uuid[]) returns table (
  session_run_id uuid, treatment_plan_id uuid, treatment_plan_title text, program_id uuid, plan_session_id uuid,
  plan_session_title text, plan_session_notes text
) language plpgsql stable security definer set search_path = public as $$
#variable_conflict use_column
begin
  return query select r.id, p.id, p.title, p.program_id, s.id, s.title, s.notes
    from session_runs r
    join treatment_plans p on p.organization_id = r.organization_id and p.id = r.treatment_plan_id
    join lateral (
      select id, organization_id, title, notes from plan_sessions where id = r.plan_session_id offset 0
    ) s on s.organization_id = r.organization_id
    where r.id = any (p_run_ids)
      and ((r.organization_id = current_app_org_id() and current_app_has_permission('session_runs', 'view_org'))
        or r.patient_profile_id = any (current_app_profile_ids()));
end
$$;
alter function session_run_plans(uuid[]) owner to tendon_definer;
grant execute on function session_run_plans(uuid[]) to tendon_app;

-- When the newest run of a plan started. Security definer (expression in a list): everybody who may see the plan reads the same time, also those who
-- may not see its runs.
create or replace function plan_last_run_at(p_treatment_plan_id uuid) returns timestamptz
language plpgsql stable security definer set search_path = public as $$
begin
  -- "offset 0" makes the planner use the index on treatment_plan_id. For max() alone, a cached plan may read all runs of
  -- the clinic, newest first.
  return (select max(started_at) from (
      select started_at from session_runs
      where organization_id = current_app_org_id() and treatment_plan_id = p_treatment_plan_id
        and current_app_has_permission('treatment_plans', 'view_org') offset 0) r);
end
$$;
alter function plan_last_run_at(uuid) owner to tendon_definer;
grant execute on function plan_last_run_at(uuid) to tendon_app;

-- Security definer: see can_use_taxonomy_tag.
create or replace function patient_conditions_check_condition() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if not can_use_taxonomy_tag(new.condition_id, 'condition', new.organization_id) then
    raise exception 'no such condition' using errcode = 'foreign_key_violation', constraint = 'patient_conditions_condition_fkey';
  end if;
  return new;
end
$$;
alter function patient_conditions_check_condition() owner to tendon_definer;

-- Allows published exercises of the platform or of the clinic. The lock waits for a transaction that deletes the exercise.
-- Security definer: planners may lack access to the exercise library.
create or replace function session_exercises_check_exercise() returns trigger language plpgsql security definer set search_path = public as $$
begin
  select patient_profile_id into new.patient_profile_id from plan_sessions
    where organization_id = new.organization_id and id = new.plan_session_id;
  perform 1 from exercises where id = new.exercise_id and deleted_at is null and status = 'published'
    and (organization_id is null or organization_id = new.organization_id) for key share;
  if not found then
    raise exception 'no such exercise' using errcode = 'foreign_key_violation', constraint = 'session_exercises_exercise_fkey';
  end if;
  return new;
end
$$;
alter function session_exercises_check_exercise() owner to tendon_definer;

-- Returns those of the exercises that may be added to a program or plan of the organization, and locks them with their
-- contraindications until the end of the transaction. Security definer (all organizations): locks exercises of the platform
-- too, which no clinic may update.
create or replace function lock_exercises(p_ids uuid[]) returns setof uuid language sql security definer set search_path = public as $$
  select id from exercises
  where id = any (p_ids) and deleted_at is null and status = 'published'
    and (organization_id is null or organization_id = current_app_org_id())
    and current_app_has_permission('treatment_plans', 'manage')
  order by id for share
$$;
alter function lock_exercises(uuid[]) owner to tendon_definer;
grant execute on function lock_exercises(uuid[]) to tendon_app;

-- The exercises of a plan for callers who may see the plan. Security definer (one person across clinics): staff also see archived and deleted
-- exercises in a plan, and the patient has no access to the library.
create or replace function list_plan_exercises(p_session_exercise_ids uuid[]) returns table (session_exercise_id uuid, exercise_id uuid)
language plpgsql stable security definer set search_path = public as $$
#variable_conflict use_column
begin
  return query select e.id, e.exercise_id from session_exercises e
    join plan_sessions s on s.organization_id = e.organization_id and s.id = e.plan_session_id
    left join treatment_plans p on p.organization_id = s.organization_id and p.id = s.treatment_plan_id
    where e.id = any (p_session_exercise_ids)
      and ((e.organization_id = current_app_org_id() and current_app_has_permission('treatment_plans', 'view_org'))
        or (e.patient_profile_id = any (current_app_profile_ids()) and p.status <> 'draft'));
end
$$;
alter function list_plan_exercises(uuid[]) owner to tendon_definer;

-- pose_config: the newest active version. Security definer (one person across clinics): see list_plan_exercises.
create or replace function planned_exercises(p_session_exercise_ids uuid[]) returns table (
  session_exercise_id uuid, id uuid, name text, slug text, kind text, difficulty text, available boolean, description text,
  instructions_summary text, translations jsonb, video_url text, video_provider text, video_thumbnail_url text,
  video_duration_seconds double precision, pose_config jsonb
) language plpgsql stable security definer set search_path = public as $$
#variable_conflict use_column
begin
  return query select p.session_exercise_id, e.id, e.name, e.slug, e.kind, e.difficulty, e.deleted_at is null and e.status = 'published',
      e.description, e.instructions_summary, e.translations, e.video_url, e.video_provider, e.video_thumbnail_url,
      e.video_duration_seconds, c.pose_config
    from list_plan_exercises(p_session_exercise_ids) p
    join exercises e on e.id = p.exercise_id
    left join lateral (
      select jsonb_build_object('id', v.id, 'version', v.version, 'tracking_enabled', v.tracking_enabled,
        'engine_code', v.engine_code, 'config', v.config) as pose_config
      from exercise_pose_configs v where v.exercise_id = e.id and v.status = 'active' order by v.version desc limit 1) c on true;
end
$$;
alter function planned_exercises(uuid[]) owner to tendon_definer;
grant execute on function planned_exercises(uuid[]) to tendon_app;

-- Security definer (one person across clinics): see list_plan_exercises.
create or replace function planned_instructions(p_session_exercise_ids uuid[]) returns table (
  exercise_id uuid, id integer, sort_order integer, title text, content text, image_url text, instruction_type text,
  translations jsonb
) language plpgsql stable security definer set search_path = public as $$
#variable_conflict use_column
begin
  return query select i.exercise_id, i.id, i.sort_order, i.title, i.content, i.image_url, i.instruction_type, i.translations
    from exercise_instructions i
    where i.exercise_id in (select p.exercise_id from list_plan_exercises(p_session_exercise_ids) p)
    order by i.exercise_id, i.sort_order, i.id;
end
$$;
alter function planned_instructions(uuid[]) owner to tendon_definer;
grant execute on function planned_instructions(uuid[]) to tendon_app;

-- Requires an existing patient and an active plan; sets the exercises that the session has now. The locks are taken in the
-- usual order, patient before plan, and make changes of either wait for the run.
-- Security definer: a patient may not lock these rows.
create or replace function session_runs_check_plan() returns trigger language plpgsql security definer set search_path = public as $$
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
  new.prescription := build_prescription(new.organization_id, new.session_exercise_ids);
  return new;
end
$$;
alter function session_runs_check_plan() owner to tendon_definer;

-- Ends a run in progress, once. Unless it ended naturally, unfinished exercises are marked as abandoned first.
create or replace function end_session_run(p_run_id uuid, p_status text) returns boolean language plpgsql set search_path = public as $$
begin
  perform 1 from session_runs
    where organization_id = current_app_org_id() and id = p_run_id and status = 'in_progress' for no key update;
  if not found then
    return false;
  end if;
  if p_status <> 'ended_naturally' then
    insert into session_run_events (organization_id, session_run_id, patient_profile_id, session_exercise_id, type)
    select r.organization_id, r.id, r.patient_profile_id, e, 'abandoned'
    from session_runs r cross join unnest(r.session_exercise_ids) e
    where r.organization_id = current_app_org_id() and r.id = p_run_id
    on conflict (session_run_id, session_exercise_id) where type in ('completed', 'skipped', 'abandoned') do nothing;
  end if;
  update session_runs set status = p_status, ended_at = now(),
    last_event_at = case p_status when 'ended_auto' then last_event_at else now() end
    where organization_id = current_app_org_id() and id = p_run_id;
  return true;
end
$$;
grant execute on function end_session_run(uuid, text) to tendon_app, tendon_definer;

-- For the worker. Security definer (all organizations): over all organizations.
create or replace function stale_session_runs(p_before timestamptz, p_limit integer) returns table (organization_id uuid, session_run_id uuid)
language sql stable security definer set search_path = public as $$
  select r.organization_id, r.id from session_runs r
  where r.status = 'in_progress' and r.last_event_at < p_before order by r.last_event_at limit p_limit
$$;
alter function stale_session_runs(timestamptz, integer) owner to tendon_definer;
grant execute on function stale_session_runs(timestamptz, integer) to tendon_worker;

-- Records who changed the clearances of a condition, and when.
create or replace function patient_conditions_set_clearance() returns trigger language plpgsql set search_path = public as $$
begin
  if tg_op = 'UPDATE' and new.cleared_for = old.cleared_for then
    return new;
  end if;
  new.cleared_at := case when cardinality(new.cleared_for) > 0 then now() end;
  new.cleared_by_principal_id := case when cardinality(new.cleared_for) > 0 then current_app_principal_id() end;
  return new;
end
$$;
grant execute on function patient_conditions_set_clearance() to tendon_app, tendon_platform, tendon_definer;

-- Locks the patient for what a patient writes about a run: nothing is added after the record was deleted or erased.
-- Security definer: a patient may not lock their record.
create or replace function check_session_run_patient() returns trigger language plpgsql security definer set search_path = public as $$
begin
  perform 1 from patients
    where organization_id = new.organization_id and patient_profile_id = new.patient_profile_id and deleted_at is null for share;
  if not found then
    raise exception 'no such session run' using errcode = 'foreign_key_violation', constraint = tg_table_name || '_run_fkey';
  end if;
  return new;
end
$$;
alter function check_session_run_patient() owner to tendon_definer;

-- A run keeps what was prescribed when it began: the plan may change during the run and afterwards.
-- Security definer (called by triggers): called by a trigger, for everybody who starts a run.
create or replace function build_prescription(p_organization_id uuid, p_session_exercise_ids uuid[]) returns jsonb
language plpgsql stable security definer set search_path = public as $$
begin
  return (select jsonb_agg(jsonb_build_object('id', e.id, 'sets', e.sets, 'reps', e.reps, 'hold_seconds', e.hold_seconds,
      'rest_seconds', e.rest_seconds, 'side', e.side, 'notes', e.notes) order by x.position)
    from unnest(p_session_exercise_ids) with ordinality x (id, position)
    join session_exercises e on e.organization_id = p_organization_id and e.id = x.id);
end
$$;
alter function build_prescription(uuid, uuid[]) owner to tendon_definer;
grant execute on function build_prescription(uuid, uuid[]) to tendon_owner;

-- Forms that the calling patient has not completed, at each of their clinics, the oldest first. Security definer (one person across clinics): the policy
-- of forms shows those of the organization in context only.
create or replace function my_open_forms()
returns table (organization_id uuid, id uuid, title text, type text, status text, appointment_id uuid, created_at timestamptz)
language plpgsql stable security definer set search_path = public as $$
#variable_conflict use_column
begin
  return query select f.organization_id, f.id, translated_title(f.title, f.translations), f.type, f.status, f.appointment_id, f.created_at
    from forms f join patients p on p.organization_id = f.organization_id and p.patient_profile_id = f.patient_profile_id
    where f.patient_profile_id = any (current_app_profile_ids()) and f.status in ('pending', 'in_progress')
      and p.deleted_at is null
    order by f.created_at, f.id limit 100;
end
$$;
alter function my_open_forms() owner to tendon_definer;
grant execute on function my_open_forms() to tendon_app;

-- The next visit of the calling patient at any of their clinics, with names. Security definer (one person across clinics): patients cannot read a
-- clinic's services, specialists and locations.
create or replace function my_next_visit(p_now timestamptz)
returns table (organization_id uuid, id uuid, starts_at timestamptz, ends_at timestamptz, time_zone text, mode text,
  status text, service_name text, specialist_name text, location_name text, location_address jsonb, meeting_url text)
language plpgsql stable security definer set search_path = public as $$
#variable_conflict use_column
begin
  return query select a.organization_id, a.id, a.starts_at, a.ends_at, a.time_zone, a.mode, a.status, s.name, d.name, l.name, l.address,
      a.meeting_url
    from appointments a
    join patients p on p.organization_id = a.organization_id and p.patient_profile_id = a.patient_profile_id
    join services s on s.organization_id = a.organization_id and s.id = a.service_id
    left join specialists d on d.organization_id = a.organization_id and d.id = a.specialist_id
    left join locations l on l.organization_id = a.organization_id and l.id = a.location_id
    where a.patient_profile_id = any (current_app_profile_ids()) and p.deleted_at is null and a.ends_at > p_now
      and a.status in ('pending', 'confirmed', 'checked_in')
    order by a.starts_at, a.id limit 1;
end
$$;
alter function my_next_visit(timestamptz) owner to tendon_definer;
grant execute on function my_next_visit(timestamptz) to tendon_app;
