-- A patient works through a session of their plan. What they do arrives as events, which are never changed.

create table session_runs (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  patient_profile_id uuid not null,                  -- these three are set by the trigger below
  treatment_plan_id uuid not null,
  session_exercise_ids uuid[] not null,              -- in order, as the session stood when the run began
  plan_session_id uuid not null,
  status text not null default 'in_progress' check (status in ('in_progress', 'ended_naturally', 'ended_explicit', 'ended_auto')),
  started_at timestamptz not null default now(),
  last_event_at timestamptz not null default now(),  -- two hours after it the run is stale
  ended_at timestamptz,
  created_by_principal_id uuid default current_app_principal_id(),
  constraint session_runs_patient_key unique (organization_id, id, patient_profile_id),
  constraint session_runs_patient_fkey foreign key (organization_id, patient_profile_id)
    references patients (organization_id, patient_profile_id),
  constraint session_runs_plan_fkey foreign key (organization_id, treatment_plan_id, patient_profile_id)
    references treatment_plans (organization_id, id, patient_profile_id),
  constraint session_runs_session_fkey foreign key (organization_id, plan_session_id) references plan_sessions (organization_id, id),
  constraint session_runs_ended_check check ((status = 'in_progress') = (ended_at is null)),
  constraint session_runs_exercises_check check (cardinality(session_exercise_ids) > 0)
);
-- A run in progress is resumed, never doubled.
create unique index session_runs_in_progress_key on session_runs (plan_session_id, patient_profile_id) where status = 'in_progress';
create index session_runs_started_idx on session_runs (organization_id, started_at desc, id desc);
create index session_runs_patient_idx on session_runs (organization_id, patient_profile_id, started_at desc);
create index session_runs_profile_id_idx on session_runs (patient_profile_id);
create index session_runs_plan_idx on session_runs (organization_id, treatment_plan_id);
create index session_runs_session_idx on session_runs (organization_id, plan_session_id);
create index session_runs_stale_idx on session_runs (last_event_at) where status = 'in_progress';

-- Of a living patient, of an active plan, with the exercises that the session has now. Whoever changes patient or plan waits
-- for the run, or the run for them: the patient's lock first, then the plan's, as everywhere.
create function session_runs_fit() returns trigger language plpgsql security definer set search_path = public as $$
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
  return new;
end
$$;
alter function session_runs_fit() owner to tendon_definer;
create trigger session_runs_fit before insert on session_runs for each row execute function session_runs_fit();
-- After the one above, which waits for the patient. The end of a run is let through.
create trigger session_runs_refuse_restricted before insert on session_runs for each row execute function refuse_restricted();

create table session_run_events (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  session_run_id uuid not null,
  patient_profile_id uuid not null,
  session_exercise_id uuid not null,
  type text not null check (type in ('started', 'completed', 'skipped', 'abandoned', 'paused_for_pain')),
  client_event_id uuid,                              -- null: written by the platform
  data jsonb not null default '{}',
  occurred_at timestamptz not null default now(),    -- as the client says
  created_at timestamptz not null default now(),
  constraint session_run_events_run_fkey foreign key (organization_id, session_run_id, patient_profile_id)
    references session_runs (organization_id, id, patient_profile_id),
  constraint session_run_events_exercise_fkey foreign key (organization_id, session_exercise_id)
    references session_exercises (organization_id, id),
  constraint session_run_events_client_event_key unique (session_run_id, client_event_id)
);
-- An exercise ends once in a run.
create unique index session_run_events_ended_key on session_run_events (session_run_id, session_exercise_id)
  where type in ('completed', 'skipped', 'abandoned');
create index session_run_events_run_idx on session_run_events (session_run_id, created_at);
create index session_run_events_profile_id_idx on session_run_events (patient_profile_id);
create index session_run_events_exercise_idx on session_run_events (organization_id, session_exercise_id);
-- What the platform writes belongs to the end of a run or to a pain report, which are let through.
create trigger session_run_events_refuse_restricted before insert on session_run_events
  for each row when (new.client_event_id is not null) execute function refuse_restricted();

create table pain_reports (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  session_run_id uuid not null,
  patient_profile_id uuid not null,
  session_exercise_id uuid,
  severity integer not null check (severity between 0 and 10),
  action text not null check (action in ('continue', 'rest', 'skip_exercise', 'end_session')),
  note text,
  client_event_id uuid,
  created_at timestamptz not null default now(),
  constraint pain_reports_run_fkey foreign key (organization_id, session_run_id, patient_profile_id)
    references session_runs (organization_id, id, patient_profile_id),
  constraint pain_reports_exercise_fkey foreign key (organization_id, session_exercise_id)
    references session_exercises (organization_id, id),
  constraint pain_reports_client_event_key unique (session_run_id, client_event_id)
);
create index pain_reports_run_idx on pain_reports (session_run_id, created_at);
create index pain_reports_profile_id_idx on pain_reports (patient_profile_id);
create index pain_reports_exercise_idx on pain_reports (organization_id, session_exercise_id);
create index pain_reports_created_idx on pain_reports (organization_id, created_at);

create table session_feedback (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  session_run_id uuid not null,
  patient_profile_id uuid not null,
  perceived_exertion integer not null check (perceived_exertion between 0 and 10),
  pain integer not null check (pain between 0 and 10),
  comment text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint session_feedback_run_key unique (session_run_id),
  constraint session_feedback_run_fkey foreign key (organization_id, session_run_id, patient_profile_id)
    references session_runs (organization_id, id, patient_profile_id)
);
create index session_feedback_profile_id_idx on session_feedback (patient_profile_id);
create trigger session_feedback_updated_at before update on session_feedback for each row execute function set_updated_at();
create trigger session_feedback_refuse_restricted before insert or update on session_feedback
  for each row execute function refuse_restricted();

-- The clinic reads with session_runs.view_org, patients their own at whatever clinic; only patients write, at the clinic
-- in context. Closing a stale run and what it leaves open is the platform's own work.
do $$
declare
  part text;
  own text := 'organization_id = (select current_app_org_id()) and patient_profile_id = any ((select current_app_profile_ids())::uuid[])';
begin
  foreach part in array array['session_runs', 'session_run_events', 'pain_reports', 'session_feedback'] loop
    execute format('alter table %I enable row level security', part);
    execute format('alter table %I force row level security', part);
    execute format('create policy %I on %I for select using (
      (organization_id = (select current_app_org_id()) and (select current_app_has_permission(''session_runs'', ''view_org'')))
      or patient_profile_id = any ((select current_app_profile_ids())::uuid[]))', part || '_select', part);
    execute format('create policy %I on %I for insert with check (%s)', part || '_insert', part, own);
    execute format('grant select on %I to tendon_app', part);
  end loop;
  foreach part in array array['session_runs', 'session_feedback'] loop
    execute format('create policy %I on %I for update using (%s) with check (%s)', part || '_update', part, own, own);
  end loop;
end
$$;
grant insert (organization_id, plan_session_id) on session_runs to tendon_app;
grant update (status, last_event_at, ended_at) on session_runs to tendon_app;
grant insert (organization_id, session_run_id, patient_profile_id, session_exercise_id, type, client_event_id, data, occurred_at)
  on session_run_events to tendon_app;
grant insert (organization_id, session_run_id, patient_profile_id, session_exercise_id, severity, action, note, client_event_id)
  on pain_reports to tendon_app;
grant insert (organization_id, session_run_id, patient_profile_id, perceived_exertion, pain, comment) on session_feedback to tendon_app;
grant update (perceived_exertion, pain, comment, updated_at) on session_feedback to tendon_app;

-- Ends a run in progress, once. Unless it came to its natural end, the exercises without an end are abandoned first.
create function end_session_run(p_run_id uuid, p_status text) returns boolean language plpgsql set search_path = public as $$
begin
  perform 1 from session_runs where id = p_run_id and status = 'in_progress' for no key update;
  if not found then
    return false;
  end if;
  if p_status <> 'ended_naturally' then
    insert into session_run_events (organization_id, session_run_id, patient_profile_id, session_exercise_id, type)
    select r.organization_id, r.id, r.patient_profile_id, e, 'abandoned'
    from session_runs r cross join unnest(r.session_exercise_ids) e
    where r.id = p_run_id
    on conflict (session_run_id, session_exercise_id) where type in ('completed', 'skipped', 'abandoned') do nothing;
  end if;
  update session_runs set status = p_status, ended_at = now(),
    last_event_at = case p_status when 'ended_auto' then last_event_at else now() end
    where id = p_run_id;
  return true;
end
$$;
grant execute on function end_session_run(uuid, text) to tendon_app, tendon_definer;

-- For the worker. A run that somebody writes to at this moment is not stale: it is skipped, and looked at another time.
create function stale_session_runs(p_before timestamptz, p_limit integer) returns table (organization_id uuid, session_run_id uuid)
language sql stable security definer set search_path = public as $$
  select r.organization_id, r.id from session_runs r
  where r.status = 'in_progress' and r.last_event_at < p_before order by r.last_event_at limit p_limit
$$;
create function close_stale_session_run(p_run_id uuid, p_before timestamptz)
returns table (patient_id uuid, patient_profile_id uuid) language plpgsql security definer set search_path = public as $$
begin
  perform 1 from session_runs r
    where r.organization_id = current_app_org_id() and r.id = p_run_id and r.status = 'in_progress' and r.last_event_at < p_before
    for no key update skip locked;
  if found and end_session_run(p_run_id, 'ended_auto') then
    return query select p.id, p.patient_profile_id from session_runs r
      join patients p on p.organization_id = r.organization_id and p.patient_profile_id = r.patient_profile_id
      where r.id = p_run_id;
  end if;
end
$$;
alter function stale_session_runs(timestamptz, integer) owner to tendon_definer;
alter function close_stale_session_run(uuid, timestamptz) owner to tendon_definer;
grant execute on function stale_session_runs(timestamptz, integer), close_stale_session_run(uuid, timestamptz) to tendon_worker;

create or replace function exercise_completed(p_patient_profile_id uuid, p_exercise_id uuid) returns boolean
language sql stable security definer set search_path = public as $$
  select exists (select 1 from session_run_events v
    join session_exercises e on e.organization_id = v.organization_id and e.id = v.session_exercise_id
    where v.organization_id = current_app_org_id() and v.patient_profile_id = p_patient_profile_id and v.type = 'completed'
      and e.exercise_id = p_exercise_id)
$$;
