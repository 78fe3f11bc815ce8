-- What a patient suffers from, and what the clinic has them do. A program is a clinic's reusable plan; a treatment plan is
-- one given to a patient. Both are made of sessions, and sessions of exercises, in order.

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
create function patient_conditions_fit() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if not taxonomy_tag_fits(new.condition_id, 'condition', new.organization_id) then
    raise exception 'no such condition' using errcode = 'foreign_key_violation', constraint = 'patient_conditions_condition_fkey';
  end if;
  return new;
end
$$;
alter function patient_conditions_fit() owner to tendon_definer;
create trigger patient_conditions_fit before insert on patient_conditions for each row execute function patient_conditions_fit();

create table programs (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  name text collate "ro-x-icu" not null,
  description text,
  status text not null default 'active' check (status in ('active', 'archived')),
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
  program_id uuid,                          -- what it was copied from
  title text not null,
  description text,
  status text not null default 'draft' check (status in ('draft', 'active', 'completed', 'archived')),
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

-- Of a program or of a treatment plan. What a patient has done stays: a session or exercise taken out of a plan is only
-- marked, so that runs keep what they refer to.
create table plan_sessions (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  program_id uuid,
  treatment_plan_id uuid,
  patient_profile_id uuid,                  -- of a treatment plan
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
  patient_profile_id uuid,                  -- of a treatment plan; set by the trigger below
  exercise_id uuid not null constraint session_exercises_exercise_fkey references exercises (id),
  position integer not null check (position > 0),
  sets integer not null default 1 check (sets between 1 and 50),
  reps integer check (reps between 1 and 500),
  hold_seconds integer check (hold_seconds between 1 and 3600),
  rest_seconds integer not null default 0 check (rest_seconds between 0 and 3600),
  side text check (side in ('left', 'right', 'both')),
  notes text,
  override_reason text,                     -- why it is given in spite of a relative contraindication
  safety jsonb not null default '[]',       -- what the check found when it was put in
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

-- An exercise of the platform or of the clinic's own that is not deleted; the lock waits for whoever deletes it.
create function session_exercises_fit() returns trigger language plpgsql security definer set search_path = public as $$
begin
  select patient_profile_id into new.patient_profile_id from plan_sessions
    where organization_id = new.organization_id and id = new.plan_session_id;
  perform 1 from exercises where id = new.exercise_id and deleted_at is null
    and (organization_id is null or organization_id = new.organization_id) for key share;
  if not found then
    raise exception 'no such exercise' using errcode = 'foreign_key_violation', constraint = 'session_exercises_exercise_fkey';
  end if;
  return new;
end
$$;
alter function session_exercises_fit() owner to tendon_definer;
create trigger session_exercises_fit before insert on session_exercises for each row execute function session_exercises_fit();
create trigger session_exercises_refuse_restricted before insert or update on session_exercises
  for each row when (new.patient_profile_id is not null) execute function refuse_restricted();

create or replace function exercise_in_use(p_exercise_id uuid) returns boolean
language sql stable security definer set search_path = public as $$
  select exists (select 1 from session_exercises e
    join plan_sessions s on s.id = e.plan_session_id and s.removed_at is null
    join treatment_plans p on p.id = s.treatment_plan_id and p.status = 'active'
    where e.exercise_id = p_exercise_id and e.removed_at is null)
$$;

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
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('treatment_plans', 'view_org')));
create policy programs_insert on programs for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('treatment_plans', 'manage')));
create policy programs_update on programs for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('treatment_plans', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('treatment_plans', 'manage')));
grant select on programs to tendon_app;
grant insert (organization_id, name, description) on programs to tendon_app;
grant update (name, description, status, deleted_at, updated_at) on programs to tendon_app;

-- A patient sees the plans that were given to them, at whatever clinic; a draft is not given yet.
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
grant update (title, description, status, starts_on, ends_on, activated_at, completed_at, archived_at, updated_at)
  on treatment_plans to tendon_app;

do $$
declare
  part text;
  own text := '(organization_id = (select current_app_org_id()) and (select current_app_has_permission(''treatment_plans'', ''manage'')))';
begin
  foreach part in array array['plan_sessions', 'session_exercises'] loop
    execute format('alter table %I enable row level security', part);
    execute format('alter table %I force row level security', part);
    execute format('create policy %I on %I for insert with check %s', part || '_insert', part, own);
    execute format('create policy %I on %I for update using %s with check %s', part || '_update', part, own, own);
    execute format('create policy %I on %I for delete using %s', part || '_delete', part, own);
    execute format('grant select, delete on %I to tendon_app', part);
  end loop;
end
$$;
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
