-- The exercise library. organization_id null: an exercise of the platform, seen by every clinic; else a clinic's own. The
-- parts of an exercise (instructions, tags, prerequisites, contraindications, pose configurations) belong to whom it belongs.

create table exercises (
  id uuid primary key default uuidv7(),
  organization_id uuid default current_app_scope() references organizations (id),
  name text collate "ro-x-icu" not null,                   -- sorts as people sort, Ș after S
  slug text not null,
  description text,
  instructions_summary text,
  difficulty text check (difficulty in ('beginner', 'intermediate', 'advanced')),
  estimated_duration_seconds integer check (estimated_duration_seconds > 0),
  kind text not null default 'reps_based' check (kind in ('reps_based', 'duration_based', 'static')),
  translations jsonb not null default '{}',                -- {ro: {name, description, instructions_summary}}
  status text not null default 'draft' check (status in ('draft', 'published', 'archived')),
  video_url text,
  video_provider text,
  video_thumbnail_url text,
  video_duration_seconds double precision check (video_duration_seconds >= 0),
  video_object_key text,                                   -- a copy of an exercise shares the files of its original
  cloned_from_id uuid constraint exercises_cloned_from_fkey references exercises (id),
  created_by_user_id uuid default current_app_principal_id(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  -- Name and description, in every language. Searched by LIKE among the rows that the caller sees, which their
  -- organization's index finds: a microsecond a row. A trigram index, which no policy lets through, holds every clinic's.
  search_text text not null generated always as (
    fold_text(normalize(name || ' ' || coalesce(description, '') || translated_text(translations, 'name')
      || translated_text(translations, 'description')))) stored
);
create unique index exercises_slug_key on exercises (organization_id, slug) nulls not distinct where deleted_at is null;
create index exercises_created_idx on exercises (organization_id, created_at desc, id desc);
create index exercises_cloned_from_idx on exercises (cloned_from_id);
create index exercises_video_object_idx on exercises (video_object_key) where video_object_key is not null;
create trigger exercises_updated_at before update on exercises for each row execute function set_updated_at();

create table exercise_instructions (
  id integer generated always as identity primary key,
  organization_id uuid default current_app_scope() references organizations (id),
  exercise_id uuid not null constraint exercise_instructions_exercise_fkey references exercises (id),
  sort_order integer not null,
  title text,
  content text not null,
  image_url text,
  image_object_key text,
  instruction_type text not null check (instruction_type in ('preparation', 'step', 'form_cue', 'safety')),
  translations jsonb not null default '{}',                -- {ro: {title, content}}
  created_at timestamptz not null default now()
);
create index exercise_instructions_order_idx on exercise_instructions (exercise_id, sort_order, id);
create index exercise_instructions_image_object_idx on exercise_instructions (image_object_key) where image_object_key is not null;

create table exercise_tags (
  exercise_id uuid not null constraint exercise_tags_exercise_fkey references exercises (id),
  organization_id uuid default current_app_scope() references organizations (id),
  axis text not null,
  tag_id uuid not null,
  clinical_basis text,
  tagged_by_principal_id uuid default current_app_principal_id(),
  tagged_at timestamptz not null default now(),
  primary key (exercise_id, tag_id),
  constraint exercise_tags_tag_fkey foreign key (tag_id, axis) references taxonomy_tags (id, axis) on delete cascade
);
create index exercise_tags_tag_idx on exercise_tags (tag_id, exercise_id);

create table exercise_prerequisites (
  exercise_id uuid not null constraint exercise_prerequisites_exercise_fkey references exercises (id),
  organization_id uuid default current_app_scope() references organizations (id),
  prerequisite_exercise_id uuid not null constraint exercise_prerequisites_prerequisite_fkey references exercises (id),
  clinical_basis text,
  tagged_by_principal_id uuid default current_app_principal_id(),
  tagged_at timestamptz not null default now(),
  primary key (exercise_id, prerequisite_exercise_id)
);
create index exercise_prerequisites_prerequisite_idx on exercise_prerequisites (prerequisite_exercise_id);

create table exercise_contraindications (
  id uuid primary key default uuidv7(),
  organization_id uuid default current_app_scope() references organizations (id),
  exercise_id uuid not null constraint exercise_contraindications_exercise_fkey references exercises (id),
  condition_id uuid not null constraint exercise_contraindications_condition_fkey references taxonomy_tags (id),
  severity text not null check (severity in ('contraindicated', 'relative', 'precaution')),
  description text,
  clinical_basis text,
  tagged_by_principal_id uuid default current_app_principal_id(),
  tagged_at timestamptz not null default now(),
  constraint exercise_contraindications_condition_key unique (exercise_id, condition_id)
);
create index exercise_contraindications_condition_idx on exercise_contraindications (condition_id);

-- The newest version is the one in force.
create table exercise_pose_configs (
  id uuid primary key default uuidv7(),
  organization_id uuid default current_app_scope() references organizations (id),
  exercise_id uuid not null constraint exercise_pose_configs_exercise_fkey references exercises (id),
  version integer not null check (version > 0),
  tracking_enabled boolean not null default true,
  engine_code text not null default 'blazepose-33',
  status text not null default 'active',
  pinned_asset_version text,
  config jsonb not null,
  created_by_principal_id uuid default current_app_principal_id(),
  created_at timestamptz not null default now(),
  constraint exercise_pose_configs_version_key unique (exercise_id, version)
);

-- A part takes the organization of its exercise, whatever the insert says. The policy then asks whether that is the
-- caller's own, in the same words for another clinic's exercise and for one that does not exist.
create function exercise_parts_take_organization() returns trigger language plpgsql security definer set search_path = public as $$
begin
  select organization_id into new.organization_id from exercises where id = new.exercise_id;
  return new;
end
$$;

-- A value of the platform's, or of whom the exercise belongs to.
create function exercise_tags_fit() returns trigger language plpgsql security definer set search_path = public as $$
begin
  select organization_id into new.organization_id from exercises where id = new.exercise_id;
  if not taxonomy_tag_fits(new.tag_id, new.axis, new.organization_id) then
    raise exception 'no such value' using errcode = 'foreign_key_violation', constraint = 'exercise_tags_tag_fkey';
  end if;
  return new;
end
$$;

create function exercise_contraindications_fit() returns trigger language plpgsql security definer set search_path = public as $$
begin
  select organization_id into new.organization_id from exercises where id = new.exercise_id;
  if not taxonomy_tag_fits(new.condition_id, 'condition', new.organization_id) then
    raise exception 'no such condition' using errcode = 'foreign_key_violation',
      constraint = 'exercise_contraindications_condition_fkey';
  end if;
  return new;
end
$$;

-- What is to be done first is the platform's or one's own, and never leads back to the exercise itself. The platform's
-- exercises need only the platform's, so a circle lies either among those or among one clinic's own: the lock on that one
-- graph makes two who would close a circle together take turns.
create function exercise_prerequisites_fit() returns trigger language plpgsql security definer set search_path = public as $$
begin
  select organization_id into new.organization_id from exercises where id = new.exercise_id;
  if not exists (select 1 from exercises where id = new.prerequisite_exercise_id and deleted_at is null
      and (organization_id is null or organization_id = new.organization_id))
  then
    raise exception 'no such exercise' using errcode = 'foreign_key_violation',
      constraint = 'exercise_prerequisites_prerequisite_fkey';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('exercise_prerequisites ' || coalesce(new.organization_id::text, 'platform'), 0));
  if exists (
    with recursive needed (id) as (
      select new.prerequisite_exercise_id
      union
      select p.prerequisite_exercise_id from needed n
        join exercise_prerequisites p on p.exercise_id = n.id
        join exercises e on e.id = p.prerequisite_exercise_id and e.deleted_at is null)
    select 1 from needed where id = new.exercise_id)
  then
    raise exception 'a circle' using errcode = 'check_violation', constraint = 'exercise_prerequisites_cycle_check';
  end if;
  return new;
end
$$;

alter function exercise_parts_take_organization() owner to tendon_definer;
alter function exercise_tags_fit() owner to tendon_definer;
alter function exercise_contraindications_fit() owner to tendon_definer;
alter function exercise_prerequisites_fit() owner to tendon_definer;
create trigger exercise_instructions_take_organization before insert on exercise_instructions
  for each row execute function exercise_parts_take_organization();
create trigger exercise_pose_configs_take_organization before insert on exercise_pose_configs
  for each row execute function exercise_parts_take_organization();
create trigger exercise_tags_fit before insert on exercise_tags for each row execute function exercise_tags_fit();
create trigger exercise_contraindications_fit before insert on exercise_contraindications
  for each row execute function exercise_contraindications_fit();
create trigger exercise_prerequisites_fit before insert on exercise_prerequisites
  for each row execute function exercise_prerequisites_fit();

alter table exercises enable row level security;
alter table exercises force row level security;
-- Without exercises.manage_org only published ones.
create policy exercises_select on exercises for select using (
  (organization_id = (select current_app_org_id()) or organization_id is null)
  and (deleted_at is null or (select current_app_has_permission('data', 'view_deleted')))
  and ((select current_app_has_permission('exercises', 'manage_org'))
    or (status = 'published' and (select current_app_has_permission('exercises', 'view_published')))));
create policy exercises_insert on exercises for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('exercises', 'manage_org')));
create policy exercises_update on exercises for update
  using (organization_id = (select current_app_org_id()) and deleted_at is null
    and (select current_app_has_permission('exercises', 'manage_org')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('exercises', 'manage_org')));
grant select on exercises to tendon_app;
grant insert (organization_id, name, slug, description, instructions_summary, difficulty, estimated_duration_seconds, kind,
  translations) on exercises to tendon_app;
grant update (name, slug, description, instructions_summary, difficulty, estimated_duration_seconds, kind, translations, status,
  video_url, video_provider, video_thumbnail_url, video_duration_seconds, video_object_key, updated_at) on exercises to tendon_app;

do $$
declare
  part text;
  readable text := '((select current_app_has_permission(''exercises'', ''view_published''))
    or (select current_app_has_permission(''exercises'', ''manage_org'')))';
  own text := '(organization_id = (select current_app_org_id())
    and (select current_app_has_permission(''exercises'', ''manage_org'')))';
begin
  foreach part in array array['exercise_instructions', 'exercise_tags', 'exercise_prerequisites', 'exercise_contraindications',
    'exercise_pose_configs']
  loop
    execute format('alter table %I enable row level security', part);
    execute format('alter table %I force row level security', part);
    execute format('create policy %I on %I for select using (
      (organization_id = (select current_app_org_id()) or organization_id is null) and %s)', part || '_select', part, readable);
    execute format('create policy %I on %I for insert with check (%s)', part || '_insert', part, own);
    execute format('create policy %I on %I for delete using (%s)', part || '_delete', part, own);
    execute format('grant select, delete on %I to tendon_app', part);
  end loop;
  foreach part in array array['exercise_instructions', 'exercise_pose_configs'] loop
    execute format('create policy %I on %I for update using (%s) with check (%s)', part || '_update', part, own, own);
  end loop;
end
$$;
-- Versions of a pose configuration stay: what a session was measured by can be looked up.
drop policy exercise_pose_configs_delete on exercise_pose_configs;
revoke delete on exercise_pose_configs from tendon_app;

grant insert (organization_id, exercise_id, sort_order, title, content, instruction_type, translations)
  on exercise_instructions to tendon_app;
grant update (sort_order, title, content, instruction_type, translations, image_url, image_object_key)
  on exercise_instructions to tendon_app;
-- Who tagged and when is not for the caller to say.
grant insert (organization_id, exercise_id, axis, tag_id, clinical_basis) on exercise_tags to tendon_app;
grant insert (organization_id, exercise_id, prerequisite_exercise_id, clinical_basis) on exercise_prerequisites to tendon_app;
grant insert (organization_id, exercise_id, condition_id, severity, description, clinical_basis)
  on exercise_contraindications to tendon_app;
grant insert (organization_id, exercise_id, version, tracking_enabled, engine_code, status, pinned_asset_version, config)
  on exercise_pose_configs to tendon_app;
grant update (status) on exercise_pose_configs to tendon_app;

-- Whether a session of an active treatment plan has the exercise. The treatment plans fill this in.
create function exercise_in_use(p_exercise_id uuid) returns boolean
language sql stable security definer set search_path = public as $$
  select false
$$;
alter function exercise_in_use(uuid) owner to tendon_definer;

-- A soft delete hides the row from its own writer, which a plain update under row-level security cannot do. A superadmin,
-- who has every permission and no organization, deletes any. The lock waits for whoever is putting the exercise into a plan
-- (their foreign key holds it for key share). Null when there is no such living exercise.
create function delete_exercise(p_id uuid) returns timestamptz language plpgsql security definer set search_path = public as $$
begin
  perform 1 from exercises
    where id = p_id and deleted_at is null and current_app_has_permission('exercises', 'manage_org')
      and (organization_id = current_app_org_id() or current_app_scope() is null)
    for update;
  if not found then
    return null;
  end if;
  if exercise_in_use(p_id) then
    raise exception 'in use' using errcode = 'check_violation', constraint = 'exercises_in_use_check';
  end if;
  update exercises set deleted_at = now() where id = p_id;
  return now();
end
$$;
alter function delete_exercise(uuid) owner to tendon_definer;
grant execute on function delete_exercise(uuid) to tendon_app, tendon_platform;

-- Copies an exercise of the platform or of one's own into the organization in context (none: the platform), as a draft.
-- Who tagged it, when and on what basis goes with it: that judgement was made for the original. Without a slug: the first
-- of <slug>-copy, <slug>-copy-2 … that is free. Null when there is no such exercise.
create function clone_exercise(p_id uuid, p_name text, p_slug text) returns uuid
language plpgsql security definer set search_path = public as $$
declare
  v_source exercises;
  v_copy uuid;
  v_suffix text := '-copy';
  v_count integer := 1;
begin
  -- For share: whoever changes a part of an exercise locks the exercise, so what is copied belongs together.
  select * into v_source from exercises
    where id = p_id and deleted_at is null and current_app_has_permission('exercises', 'manage_org')
      and (organization_id is null or organization_id = current_app_scope())
    for share;
  if not found then
    return null;
  end if;
  loop
    insert into exercises (organization_id, name, slug, description, instructions_summary, difficulty, estimated_duration_seconds,
        kind, translations, video_url, video_provider, video_thumbnail_url, video_duration_seconds, video_object_key,
        cloned_from_id)
      values (current_app_scope(), coalesce(p_name, v_source.name),
        coalesce(p_slug, rtrim(left(v_source.slug, 63 - length(v_suffix)), '-') || v_suffix), v_source.description,
        v_source.instructions_summary, v_source.difficulty, v_source.estimated_duration_seconds, v_source.kind,
        case when p_name is null then v_source.translations else v_source.translations #- '{ro,name}' #- '{en,name}' end,
        v_source.video_url, v_source.video_provider, v_source.video_thumbnail_url, v_source.video_duration_seconds,
        v_source.video_object_key, v_source.id)
      on conflict (organization_id, slug) where deleted_at is null do nothing
      returning id into v_copy;
    exit when v_copy is not null;
    if p_slug is not null then
      raise exception 'the slug is taken' using errcode = 'unique_violation', constraint = 'exercises_slug_key';
    end if;
    v_count := v_count + 1;
    v_suffix := '-copy-' || v_count;
  end loop;
  insert into exercise_instructions (exercise_id, sort_order, title, content, image_url, image_object_key, instruction_type,
      translations)
    select v_copy, sort_order, title, content, image_url, image_object_key, instruction_type, translations
    from exercise_instructions where exercise_id = p_id order by sort_order, id;
  insert into exercise_tags (exercise_id, axis, tag_id, clinical_basis, tagged_by_principal_id, tagged_at)
    select v_copy, axis, tag_id, clinical_basis, tagged_by_principal_id, tagged_at from exercise_tags where exercise_id = p_id;
  insert into exercise_contraindications (exercise_id, condition_id, severity, description, clinical_basis,
      tagged_by_principal_id, tagged_at)
    select v_copy, condition_id, severity, description, clinical_basis, tagged_by_principal_id, tagged_at
    from exercise_contraindications where exercise_id = p_id order by id;
  return v_copy;
end
$$;
alter function clone_exercise(uuid, text, text) owner to tendon_definer;
grant execute on function clone_exercise(uuid, text, text) to tendon_app, tendon_platform;
