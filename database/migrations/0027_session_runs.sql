-- A patient works through a session of their plan. What they do arrives as events, which are never changed.

create table session_runs (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  patient_profile_id uuid not null,
  treatment_plan_id uuid not null,
  plan_session_id uuid not null,
  status text not null default 'in_progress' check (status in ('in_progress', 'ended_naturally', 'ended_explicit', 'ended_auto')),
  started_at timestamptz not null default now(),
  last_event_at timestamptz not null default now(),  -- two hours after it the run is stale
  ended_at timestamptz,
  created_by_principal_id uuid default current_app_principal_id(),
  constraint session_runs_organization_id_key unique (organization_id, id),
  constraint session_runs_patient_key unique (organization_id, id, patient_profile_id),
  constraint session_runs_patient_fkey foreign key (organization_id, patient_profile_id)
    references patients (organization_id, patient_profile_id),
  constraint session_runs_plan_fkey foreign key (organization_id, treatment_plan_id, patient_profile_id)
    references treatment_plans (organization_id, id, patient_profile_id),
  constraint session_runs_session_fkey foreign key (organization_id, plan_session_id) references plan_sessions (organization_id, id),
  constraint session_runs_ended_check check ((status = 'in_progress') = (ended_at is null))
);
-- A run in progress is resumed, never doubled.
create unique index session_runs_in_progress_key on session_runs (plan_session_id, patient_profile_id) where status = 'in_progress';
create index session_runs_started_idx on session_runs (organization_id, started_at desc, id desc);
create index session_runs_patient_idx on session_runs (organization_id, patient_profile_id, started_at desc);
create index session_runs_profile_id_idx on session_runs (patient_profile_id);
create index session_runs_plan_idx on session_runs (organization_id, treatment_plan_id);
create index session_runs_stale_idx on session_runs (last_event_at) where status = 'in_progress';
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
create index session_run_events_profile_id_idx on session_run_events (patient_profile_id);
create index session_run_events_exercise_idx on session_run_events (organization_id, session_exercise_id);
create index session_run_events_occurred_idx on session_run_events (organization_id, created_at);

create table pain_reports (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  session_run_id uuid not null,
  patient_profile_id uuid not null,
  session_exercise_id uuid,
  severity integer not null check (severity between 0 and 10),
  action text not null check (action in ('continue', 'rest', 'skip_exercise', 'end_session')),
  body_region_id uuid constraint pain_reports_body_region_fkey references taxonomy_tags (id),
  note text,
  client_event_id uuid,
  created_at timestamptz not null default now(),
  constraint pain_reports_run_fkey foreign key (organization_id, session_run_id, patient_profile_id)
    references session_runs (organization_id, id, patient_profile_id),
  constraint pain_reports_exercise_fkey foreign key (organization_id, session_exercise_id)
    references session_exercises (organization_id, id),
  constraint pain_reports_client_event_key unique (session_run_id, client_event_id)
);
create index pain_reports_profile_id_idx on pain_reports (patient_profile_id);
create index pain_reports_created_idx on pain_reports (organization_id, created_at);

create table session_feedback (
  session_run_id uuid primary key,
  organization_id uuid not null default current_app_scope() references organizations (id),
  patient_profile_id uuid not null,
  perceived_exertion integer not null check (perceived_exertion between 0 and 10),
  pain integer not null check (pain between 0 and 10),
  comment text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint session_feedback_run_fkey foreign key (organization_id, session_run_id, patient_profile_id)
    references session_runs (organization_id, id, patient_profile_id)
);
create index session_feedback_profile_id_idx on session_feedback (patient_profile_id);
create trigger session_feedback_updated_at before update on session_feedback for each row execute function set_updated_at();

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
end
$$;
create policy session_runs_update on session_runs for update
  using (organization_id = (select current_app_org_id()) and patient_profile_id = any ((select current_app_profile_ids())::uuid[]))
  with check (organization_id = (select current_app_org_id()));
create policy session_feedback_update on session_feedback for update
  using (organization_id = (select current_app_org_id()) and patient_profile_id = any ((select current_app_profile_ids())::uuid[]))
  with check (organization_id = (select current_app_org_id()));
grant insert (organization_id, patient_profile_id, treatment_plan_id, plan_session_id) on session_runs to tendon_app;
grant update (status, last_event_at, ended_at) on session_runs to tendon_app;
grant insert (organization_id, session_run_id, patient_profile_id, session_exercise_id, type, client_event_id, data, occurred_at)
  on session_run_events to tendon_app;
grant insert (organization_id, session_run_id, patient_profile_id, session_exercise_id, severity, action, body_region_id, note,
  client_event_id) on pain_reports to tendon_app;
grant insert (organization_id, session_run_id, patient_profile_id, perceived_exertion, pain, comment) on session_feedback to tendon_app;
grant update (perceived_exertion, pain, comment, updated_at) on session_feedback to tendon_app;
