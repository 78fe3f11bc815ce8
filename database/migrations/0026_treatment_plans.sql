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
  version integer not null default 1,       -- one more with each change: whoever changes it names the one they saw
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
  title text collate "ro-x-icu" not null,
  description text,
  status text not null default 'draft' check (status in ('draft', 'active', 'completed', 'archived')),
  version integer not null default 1,       -- as of programs
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

-- Of a program or of a treatment plan. What a patient has done stays: a session or exercise taken out of a plan that was
-- ever active is only marked, so that runs keep what they refer to.
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
  override_reason text,                     -- why it is given in spite of what the check found
  safety jsonb not null default '[]',       -- what the check found when the plan was last saved: what the reason is for
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

-- A published exercise of the platform or of the clinic's own; the lock waits for whoever deletes it.
create function session_exercises_fit() returns trigger language plpgsql security definer set search_path = public as $$
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
alter function session_exercises_fit() owner to tendon_definer;
create trigger session_exercises_fit before insert on session_exercises for each row execute function session_exercises_fit();
create trigger session_exercises_refuse_restricted before insert or update on session_exercises
  for each row when (new.patient_profile_id is not null) execute function refuse_restricted();

-- Of a patient who is gone, nobody does the plan any more, and nobody can take the exercise out.
create or replace function exercise_in_use(p_exercise_id uuid) returns boolean
language sql stable security definer set search_path = public as $$
  select exists (select 1 from session_exercises e
    join plan_sessions s on s.id = e.plan_session_id and s.removed_at is null
    join treatment_plans p on p.id = s.treatment_plan_id and p.status = 'active'
    join patients w on w.organization_id = p.organization_id and w.patient_profile_id = p.patient_profile_id
      and w.deleted_at is null
    where e.exercise_id = p_exercise_id and e.removed_at is null)
$$;

-- Those of the exercises that may be put into a program or plan of the organization. They stay as they are, with their
-- contraindications, until the end of the transaction: whoever changes or deletes one waits.
create function lock_exercises(p_ids uuid[]) returns setof uuid language sql security definer set search_path = public as $$
  select id from exercises
  where id = any (p_ids) and deleted_at is null and status = 'published'
    and (organization_id is null or organization_id = current_app_org_id())
    and current_app_has_permission('treatment_plans', 'manage')
  order by id for share
$$;
alter function lock_exercises(uuid[]) owner to tendon_definer;
grant execute on function lock_exercises(uuid[]) to tendon_app;

-- The safety check. Its functions look past row-level security, so that nothing speaks for an exercise only because the
-- caller may not see what speaks against it.

-- What a condition is called today: a deprecated one stands for the one that replaced it.
create function current_condition(p_id uuid) returns uuid language sql stable security definer set search_path = public as $$
  with recursive chain (id, next) as (
    select id, replaced_by_id from taxonomy_tags where id = p_id
    union
    select t.id, t.replaced_by_id from chain join taxonomy_tags t on t.id = chain.next)
  select id from chain where next is null
$$;
alter function current_condition(uuid) owner to tendon_definer;

-- Whether the patient has completed the exercise in a session. The session runs fill this in.
create function exercise_completed(p_patient_profile_id uuid, p_exercise_id uuid) returns boolean
language sql stable security definer set search_path = public as $$
  select false
$$;
alter function exercise_completed(uuid, uuid) owner to tendon_definer;

-- What the patient's conditions say against the exercises.
create function plan_contraindications(p_patient_profile_id uuid, p_exercise_ids uuid[]) returns table (
  exercise_id uuid, contraindication_id uuid, severity text, description text, clinical_basis text, tagged_by_principal_id uuid,
  tagged_at timestamptz, patient_condition_id uuid, condition_id uuid, condition_slug text, condition_name text,
  condition_icd10_code text, since date, recorded_by_principal_id uuid, recorded_at timestamptz
) language sql stable security definer set search_path = public as $$
  with present as materialized (
    select p.*, current_condition(p.condition_id) as stands_for from patient_conditions p
    where p.organization_id = current_app_org_id() and p.patient_profile_id = p_patient_profile_id
      and (current_app_has_permission('treatment_plans', 'view_org') or current_app_has_permission('treatment_plans', 'manage')))
  select c.exercise_id, c.id, c.severity, c.description, c.clinical_basis, c.tagged_by_principal_id, c.tagged_at,
    p.id, t.id, t.slug, t.name, t.icd10_code, p.since, p.created_by_principal_id, p.created_at
  from exercise_contraindications c
  join present p on p.stands_for = current_condition(c.condition_id)
  join taxonomy_tags t on t.id = p.condition_id
  where c.exercise_id = any (p_exercise_ids) and (c.organization_id is null or c.organization_id = current_app_org_id())
  order by c.tagged_at, c.id, p.created_at, p.id
$$;

-- What is to be done before the exercises, and whether the patient has done it.
create function plan_prerequisites(p_patient_profile_id uuid, p_exercise_ids uuid[]) returns table (
  exercise_id uuid, prerequisite_exercise_id uuid, prerequisite_name text, prerequisite_slug text, clinical_basis text,
  tagged_by_principal_id uuid, tagged_at timestamptz, completed boolean
) language sql stable security definer set search_path = public as $$
  select p.exercise_id, e.id, e.name, e.slug, p.clinical_basis, p.tagged_by_principal_id, p.tagged_at,
    exercise_completed(p_patient_profile_id, e.id)
  from exercise_prerequisites p
  join exercises e on e.id = p.prerequisite_exercise_id and e.deleted_at is null
  where p.exercise_id = any (p_exercise_ids) and (p.organization_id is null or p.organization_id = current_app_org_id())
    and (current_app_has_permission('treatment_plans', 'view_org') or current_app_has_permission('treatment_plans', 'manage'))
  order by p.tagged_at, e.id
$$;
alter function plan_contraindications(uuid, uuid[]) owner to tendon_definer;
alter function plan_prerequisites(uuid, uuid[]) owner to tendon_definer;
grant execute on function plan_contraindications(uuid, uuid[]), plan_prerequisites(uuid, uuid[]) to tendon_app;

-- The exercises of a plan are there for whoever sees the plan: for staff also when they were archived or deleted since, and
-- for the patient, who does not see the library.

create function exercises_of_plan(p_session_exercise_ids uuid[]) returns table (session_exercise_id uuid, exercise_id uuid)
language sql stable security definer set search_path = public as $$
  select e.id, e.exercise_id from session_exercises e
  join plan_sessions s on s.organization_id = e.organization_id and s.id = e.plan_session_id
  left join treatment_plans p on p.organization_id = s.organization_id and p.id = s.treatment_plan_id
  where e.id = any (p_session_exercise_ids)
    and ((e.organization_id = current_app_org_id() and current_app_has_permission('treatment_plans', 'view_org'))
      or (e.patient_profile_id = any (current_app_profile_ids()) and p.status <> 'draft'))
$$;
alter function exercises_of_plan(uuid[]) owner to tendon_definer;

-- pose_config: the newest version that is in force.
create function planned_exercises(p_session_exercise_ids uuid[]) returns table (
  session_exercise_id uuid, id uuid, name text, slug text, kind text, difficulty text, available boolean, description text,
  instructions_summary text, translations jsonb, video_url text, video_provider text, video_thumbnail_url text,
  video_duration_seconds double precision, pose_config jsonb
) language sql stable security definer set search_path = public as $$
  select p.session_exercise_id, e.id, e.name, e.slug, e.kind, e.difficulty, e.deleted_at is null and e.status = 'published',
    e.description, e.instructions_summary, e.translations, e.video_url, e.video_provider, e.video_thumbnail_url,
    e.video_duration_seconds, c.pose_config
  from exercises_of_plan(p_session_exercise_ids) p
  join exercises e on e.id = p.exercise_id
  left join lateral (
    select jsonb_build_object('id', v.id, 'version', v.version, 'tracking_enabled', v.tracking_enabled,
      'engine_code', v.engine_code, 'config', v.config) as pose_config
    from exercise_pose_configs v where v.exercise_id = e.id and v.status = 'active' order by v.version desc limit 1) c on true
$$;
create function planned_instructions(p_session_exercise_ids uuid[]) returns table (
  exercise_id uuid, id integer, sort_order integer, title text, content text, image_url text, instruction_type text,
  translations jsonb
) language sql stable security definer set search_path = public as $$
  select i.exercise_id, i.id, i.sort_order, i.title, i.content, i.image_url, i.instruction_type, i.translations
  from exercise_instructions i
  where i.exercise_id in (select p.exercise_id from exercises_of_plan(p_session_exercise_ids) p)
  order by i.exercise_id, i.sort_order, i.id
$$;
alter function planned_exercises(uuid[]) owner to tendon_definer;
alter function planned_instructions(uuid[]) owner to tendon_definer;
grant execute on function planned_exercises(uuid[]), planned_instructions(uuid[]) to tendon_app;

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

-- A soft delete hides the row from its own writer, which a plain update under row-level security cannot do.
create function delete_program(p_id uuid) returns timestamptz language sql security definer set search_path = public as $$
  update programs set deleted_at = now()
  where organization_id = current_app_org_id() and id = p_id and deleted_at is null
    and current_app_has_permission('treatment_plans', 'manage')
  returning deleted_at
$$;
alter function delete_program(uuid) owner to tendon_definer;
grant execute on function delete_program(uuid) to tendon_app;

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
grant update (title, description, status, version, starts_on, ends_on, activated_at, completed_at, archived_at, updated_at)
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
