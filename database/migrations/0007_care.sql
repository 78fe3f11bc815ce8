-- Conditions of patients, programs and treatment plans. A program is a reusable plan of a clinic; a treatment plan belongs to
-- a patient. Both consist of ordered sessions, and sessions of ordered exercises.
create table patient_conditions (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  patient_profile_id uuid not null,
  condition_id uuid not null constraint patient_conditions_condition_fkey references taxonomy_tags (id),
  since date,
  note text,
  created_by_principal_id uuid default current_app_principal_id(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint patient_conditions_patient_fkey foreign key (organization_id, patient_profile_id)
    references patients (organization_id, patient_profile_id),
  constraint patient_conditions_condition_key unique (organization_id, patient_profile_id, condition_id)
);
create index patient_conditions_condition_idx on patient_conditions (condition_id);
create trigger patient_conditions_updated_at before update on patient_conditions for each row execute function set_updated_at();
create trigger patient_conditions_refuse_restricted before insert or update on patient_conditions
  for each row execute function refuse_restricted();
create trigger patient_conditions_check_condition before insert on patient_conditions for each row execute function patient_conditions_check_condition();

create table programs (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  name text collate "ro-x-icu" not null,
  description text,
  status text not null default 'active' check (status in ('active', 'archived')),
  version integer not null default 1,       -- incremented by each change, which names the version it is based on
  created_by_principal_id uuid default current_app_principal_id(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint programs_organization_id_key unique (organization_id, id)
);
create unique index programs_name_key on programs (organization_id, lower(name)) where deleted_at is null;
create index programs_created_idx on programs (organization_id, created_at desc, id desc);
create trigger programs_updated_at before update on programs for each row execute function set_updated_at();

create table treatment_plans (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  patient_profile_id uuid not null,
  program_id uuid,                          -- the program that it was copied from
  title text collate "ro-x-icu" not null,
  description text,
  status text not null default 'draft' check (status in ('draft', 'active', 'completed', 'archived')),
  version integer not null default 1,       -- as in programs
  starts_on date,
  ends_on date,
  activated_at timestamptz,
  completed_at timestamptz,
  archived_at timestamptz,
  created_by_principal_id uuid default current_app_principal_id(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint treatment_plans_organization_id_key unique (organization_id, id),
  constraint treatment_plans_patient_key unique (organization_id, id, patient_profile_id),
  constraint treatment_plans_patient_fkey foreign key (organization_id, patient_profile_id)
    references patients (organization_id, patient_profile_id),
  constraint treatment_plans_program_fkey foreign key (organization_id, program_id) references programs (organization_id, id),
  constraint treatment_plans_dates_check check (ends_on >= starts_on)
);
create index treatment_plans_created_idx on treatment_plans (organization_id, created_at desc, id desc);
create index treatment_plans_patient_idx on treatment_plans (organization_id, patient_profile_id, created_at desc);
create index treatment_plans_profile_id_idx on treatment_plans (patient_profile_id);
create index treatment_plans_program_idx on treatment_plans (organization_id, program_id);
create trigger treatment_plans_updated_at before update on treatment_plans for each row execute function set_updated_at();
create trigger treatment_plans_refuse_restricted before insert or update on treatment_plans
  for each row execute function refuse_restricted();

-- Sessions of programs and treatment plans. A session or exercise that is removed from a plan that was ever active is only
-- marked as removed, so that runs can refer to it.
create table plan_sessions (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  program_id uuid,
  treatment_plan_id uuid,
  patient_profile_id uuid,                  -- in a treatment plan
  position integer not null check (position > 0),
  title text not null,
  notes text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  removed_at timestamptz,
  constraint plan_sessions_organization_id_key unique (organization_id, id),
  constraint plan_sessions_owner_check check (
    num_nonnulls(program_id, treatment_plan_id) = 1 and (treatment_plan_id is null) = (patient_profile_id is null)),
  constraint plan_sessions_program_fkey foreign key (organization_id, program_id) references programs (organization_id, id),
  constraint plan_sessions_plan_fkey foreign key (organization_id, treatment_plan_id, patient_profile_id)
    references treatment_plans (organization_id, id, patient_profile_id)
);
create index plan_sessions_program_idx on plan_sessions (organization_id, program_id, position);
create index plan_sessions_plan_idx on plan_sessions (organization_id, treatment_plan_id, position);
create index plan_sessions_profile_id_idx on plan_sessions (patient_profile_id);
create trigger plan_sessions_updated_at before update on plan_sessions for each row execute function set_updated_at();
create trigger plan_sessions_refuse_restricted before insert or update on plan_sessions
  for each row when (new.patient_profile_id is not null) execute function refuse_restricted();

create table session_exercises (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  plan_session_id uuid not null,
  patient_profile_id uuid,                  -- in a treatment plan; set by the trigger below
  exercise_id uuid not null constraint session_exercises_exercise_fkey references exercises (id),
  position integer not null check (position > 0),
  sets integer not null default 1 check (sets between 1 and 50),
  reps integer check (reps between 1 and 500),
  hold_seconds integer check (hold_seconds between 1 and 3600),
  rest_seconds integer not null default 0 check (rest_seconds between 0 and 3600),
  side text check (side in ('left', 'right', 'both')),
  notes text,
  override_reason text,                     -- why it is prescribed despite the findings of the safety check
  safety jsonb not null default '[]',       -- findings when the plan was last saved, which the reason is about
  created_by_principal_id uuid default current_app_principal_id(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  removed_at timestamptz,
  constraint session_exercises_organization_id_key unique (organization_id, id),
  constraint session_exercises_session_fkey foreign key (organization_id, plan_session_id)
    references plan_sessions (organization_id, id)
);
create index session_exercises_session_idx on session_exercises (organization_id, plan_session_id, position);
create index session_exercises_exercise_idx on session_exercises (exercise_id) where removed_at is null;
create index session_exercises_profile_id_idx on session_exercises (patient_profile_id);
create trigger session_exercises_updated_at before update on session_exercises for each row execute function set_updated_at();
create trigger session_exercises_check_exercise before insert on session_exercises for each row execute function session_exercises_check_exercise();
create trigger session_exercises_refuse_restricted before insert or update on session_exercises
  for each row when (new.patient_profile_id is not null) execute function refuse_restricted();
alter table patient_conditions enable row level security;
alter table patient_conditions force row level security;
create policy patient_conditions_select on patient_conditions for select using (
  organization_id = (select current_app_org_id())
  and ((select current_app_has_permission('patients', 'view_org'))
    or patient_profile_id = any ((select current_app_profile_ids())::uuid[])));
create policy patient_conditions_insert on patient_conditions for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('treatment_plans', 'manage')));
create policy patient_conditions_update on patient_conditions for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('treatment_plans', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('treatment_plans', 'manage')));
create policy patient_conditions_delete on patient_conditions for delete using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('treatment_plans', 'manage')));
grant select, delete on patient_conditions to tendon_app;
grant insert (organization_id, patient_profile_id, condition_id, since, note) on patient_conditions to tendon_app;
grant update (since, note, updated_at) on patient_conditions to tendon_app;
alter table programs enable row level security;
alter table programs force row level security;
create policy programs_select on programs for select using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('treatment_plans', 'view_org'))
  and (deleted_at is null or (select current_app_has_permission('data', 'view_deleted'))));
create policy programs_insert on programs for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('treatment_plans', 'manage')));
create policy programs_update on programs for update
  using (organization_id = (select current_app_org_id()) and deleted_at is null
    and (select current_app_has_permission('treatment_plans', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('treatment_plans', 'manage')));
grant select on programs to tendon_app;
grant insert (organization_id, name, description) on programs to tendon_app;
grant update (name, description, status, version, updated_at) on programs to tendon_app;

-- A patient sees their own plans at all clinics, except drafts.
alter table treatment_plans enable row level security;
alter table treatment_plans force row level security;
create policy treatment_plans_select on treatment_plans for select using (
  (organization_id = (select current_app_org_id()) and (select current_app_has_permission('treatment_plans', 'view_org')))
  or (patient_profile_id = any ((select current_app_profile_ids())::uuid[]) and status <> 'draft'));
create policy treatment_plans_insert on treatment_plans for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('treatment_plans', 'manage')));
create policy treatment_plans_update on treatment_plans for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('treatment_plans', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('treatment_plans', 'manage')));
create policy treatment_plans_delete on treatment_plans for delete using (
  organization_id = (select current_app_org_id()) and status = 'draft'
  and (select current_app_has_permission('treatment_plans', 'manage')));
grant select, delete on treatment_plans to tendon_app;
grant insert (organization_id, patient_profile_id, program_id, title, description, starts_on, ends_on) on treatment_plans to tendon_app;
grant update (title, description, status, version, starts_on, ends_on, activated_at, completed_at, archived_at, updated_at)
  on treatment_plans to tendon_app;
alter table plan_sessions enable row level security;
alter table plan_sessions force row level security;
create policy plan_sessions_insert on plan_sessions for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('treatment_plans', 'manage')));
create policy plan_sessions_update on plan_sessions for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('treatment_plans', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('treatment_plans', 'manage')));
create policy plan_sessions_delete on plan_sessions for delete using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('treatment_plans', 'manage')));
grant select, delete on plan_sessions to tendon_app;

alter table session_exercises enable row level security;
alter table session_exercises force row level security;
create policy session_exercises_insert on session_exercises for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('treatment_plans', 'manage')));
create policy session_exercises_update on session_exercises for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('treatment_plans', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('treatment_plans', 'manage')));
create policy session_exercises_delete on session_exercises for delete using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('treatment_plans', 'manage')));
grant select, delete on session_exercises to tendon_app;
create policy plan_sessions_select on plan_sessions for select using (
  (organization_id = (select current_app_org_id()) and (select current_app_has_permission('treatment_plans', 'view_org')))
  or (patient_profile_id = any ((select current_app_profile_ids())::uuid[])
    and exists (select 1 from treatment_plans p where p.id = treatment_plan_id)));
create policy session_exercises_select on session_exercises for select using (
  (organization_id = (select current_app_org_id()) and (select current_app_has_permission('treatment_plans', 'view_org')))
  or (patient_profile_id = any ((select current_app_profile_ids())::uuid[])
    and exists (select 1 from plan_sessions s where s.id = plan_session_id)));
grant insert (organization_id, program_id, treatment_plan_id, patient_profile_id, position, title, notes) on plan_sessions to tendon_app;
grant update (position, title, notes, removed_at, updated_at) on plan_sessions to tendon_app;
grant insert (organization_id, plan_session_id, exercise_id, position, sets, reps, hold_seconds, rest_seconds, side, notes,
  override_reason, safety) on session_exercises to tendon_app;
grant update (position, sets, reps, hold_seconds, rest_seconds, side, notes, override_reason, safety, removed_at, updated_at)
  on session_exercises to tendon_app;

-- Session runs: a patient does a session of their plan. Events are never changed.
create table session_runs (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  patient_profile_id uuid not null,                  -- this and the next two are set by the trigger below
  treatment_plan_id uuid not null,
  session_exercise_ids uuid[] not null,              -- in order, as they were when the run began
  plan_session_id uuid not null,
  status text not null default 'in_progress' check (status in ('in_progress', 'ended_naturally', 'ended_explicit', 'ended_auto')),
  started_at timestamptz not null default now(),
  last_event_at timestamptz not null default now(),  -- the run is stale two hours later
  ended_at timestamptz,
  prescription jsonb not null,                       -- what was prescribed, in the same order; set by the same trigger
  constraint session_runs_patient_key unique (organization_id, id, patient_profile_id),
  constraint session_runs_patient_fkey foreign key (organization_id, patient_profile_id)
    references patients (organization_id, patient_profile_id),
  constraint session_runs_plan_fkey foreign key (organization_id, treatment_plan_id, patient_profile_id)
    references treatment_plans (organization_id, id, patient_profile_id),
  constraint session_runs_session_fkey foreign key (organization_id, plan_session_id) references plan_sessions (organization_id, id),
  constraint session_runs_ended_check check ((status = 'in_progress') = (ended_at is null)),
  constraint session_runs_exercises_check check (cardinality(session_exercise_ids) > 0)
);

-- At most one run of a session is in progress; it is resumed.
create unique index session_runs_in_progress_key on session_runs (plan_session_id, patient_profile_id) where status = 'in_progress';
create index session_runs_started_idx on session_runs (organization_id, started_at desc, id desc);
create index session_runs_patient_idx on session_runs (organization_id, patient_profile_id, started_at desc);
create index session_runs_profile_id_idx on session_runs (patient_profile_id);
create index session_runs_plan_idx on session_runs (organization_id, treatment_plan_id);
create index session_runs_session_idx on session_runs (organization_id, plan_session_id);
create index session_runs_stale_idx on session_runs (last_event_at) where status = 'in_progress';
create trigger session_runs_check_plan before insert on session_runs for each row execute function session_runs_check_plan();

-- Fires after session_runs_check_plan, which sets the patient. A restricted patient can still end a run.
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
  occurred_at timestamptz not null default now(),    -- time of the client
  created_at timestamptz not null default now(),
  constraint session_run_events_run_fkey foreign key (organization_id, session_run_id, patient_profile_id)
    references session_runs (organization_id, id, patient_profile_id),
  constraint session_run_events_exercise_fkey foreign key (organization_id, session_exercise_id)
    references session_exercises (organization_id, id),
  constraint session_run_events_client_event_key unique (session_run_id, client_event_id)
);

-- An exercise ends at most once in a run.
create unique index session_run_events_ended_key on session_run_events (session_run_id, session_exercise_id)
  where type in ('completed', 'skipped', 'abandoned');
create index session_run_events_run_idx on session_run_events (session_run_id, created_at);
create index session_run_events_profile_id_idx on session_run_events (patient_profile_id);
create index session_run_events_exercise_idx on session_run_events (organization_id, session_exercise_id);

-- Events without client_event_id belong to the end of a run or to a pain report, which a restriction does not prevent.
create trigger session_run_events_check_patient before insert on session_run_events
  for each row when (new.client_event_id is not null) execute function check_session_run_patient();
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
create trigger pain_reports_check_patient before insert on pain_reports for each row execute function check_session_run_patient();

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
-- On insert only: feedback that is given again is an upsert, and only erasure updates the row directly.
create trigger session_feedback_check_patient before insert on session_feedback for each row execute function check_session_run_patient();
create trigger session_feedback_refuse_restricted before insert on session_feedback
  for each row execute function refuse_restricted();

-- Staff read with session_runs.view_org, patients read their own runs at all clinics; only patients write, at the clinic in
-- context. The worker closes stale runs.
alter table session_runs enable row level security;
alter table session_runs force row level security;
create policy session_runs_select on session_runs for select using (
  (organization_id = (select current_app_org_id()) and (select current_app_has_permission('session_runs', 'view_org')))
  or patient_profile_id = any ((select current_app_profile_ids())::uuid[]));
create policy session_runs_insert on session_runs for insert with check (
  organization_id = (select current_app_org_id()) and patient_profile_id = any ((select current_app_profile_ids())::uuid[]));
create policy session_runs_update on session_runs for update
  using (organization_id = (select current_app_org_id()) and patient_profile_id = any ((select current_app_profile_ids())::uuid[]))
  with check (organization_id = (select current_app_org_id()) and patient_profile_id = any ((select current_app_profile_ids())::uuid[]));
grant select on session_runs to tendon_app;

alter table session_run_events enable row level security;
alter table session_run_events force row level security;
create policy session_run_events_select on session_run_events for select using (
  (organization_id = (select current_app_org_id()) and (select current_app_has_permission('session_runs', 'view_org')))
  or patient_profile_id = any ((select current_app_profile_ids())::uuid[]));
create policy session_run_events_insert on session_run_events for insert with check (
  organization_id = (select current_app_org_id()) and patient_profile_id = any ((select current_app_profile_ids())::uuid[]));
grant select on session_run_events to tendon_app;

alter table pain_reports enable row level security;
alter table pain_reports force row level security;
create policy pain_reports_select on pain_reports for select using (
  (organization_id = (select current_app_org_id()) and (select current_app_has_permission('session_runs', 'view_org')))
  or patient_profile_id = any ((select current_app_profile_ids())::uuid[]));
create policy pain_reports_insert on pain_reports for insert with check (
  organization_id = (select current_app_org_id()) and patient_profile_id = any ((select current_app_profile_ids())::uuid[]));
grant select on pain_reports to tendon_app;

alter table session_feedback enable row level security;
alter table session_feedback force row level security;
create policy session_feedback_select on session_feedback for select using (
  (organization_id = (select current_app_org_id()) and (select current_app_has_permission('session_runs', 'view_org')))
  or patient_profile_id = any ((select current_app_profile_ids())::uuid[]));
create policy session_feedback_insert on session_feedback for insert with check (
  organization_id = (select current_app_org_id()) and patient_profile_id = any ((select current_app_profile_ids())::uuid[]));
create policy session_feedback_update on session_feedback for update
  using (organization_id = (select current_app_org_id()) and patient_profile_id = any ((select current_app_profile_ids())::uuid[]))
  with check (organization_id = (select current_app_org_id()) and patient_profile_id = any ((select current_app_profile_ids())::uuid[]));
grant select on session_feedback to tendon_app;
grant insert (organization_id, plan_session_id) on session_runs to tendon_app;
grant update (status, last_event_at, ended_at) on session_runs to tendon_app;
grant insert (organization_id, session_run_id, patient_profile_id, session_exercise_id, type, client_event_id, data, occurred_at)
  on session_run_events to tendon_app;
grant insert (organization_id, session_run_id, patient_profile_id, session_exercise_id, severity, action, note, client_event_id)
  on pain_reports to tendon_app;
grant insert (organization_id, session_run_id, patient_profile_id, perceived_exertion, pain, comment) on session_feedback to tendon_app;
grant update (perceived_exertion, pain, comment, updated_at) on session_feedback to tendon_app;
