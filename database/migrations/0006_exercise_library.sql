-- Tags that classify exercises: seven axes in one table. organization_id null: a tag of the platform, visible to everybody;
-- otherwise of a clinic, on the axes that allow it. Slug and name never change, so that tagged exercises keep their meaning:
-- a tag is deprecated and replaced by another.

create table taxonomy_tags (
  id uuid primary key default uuidv7(),
  organization_id uuid default current_app_scope() references organizations (id),
  axis text not null check (axis in ('category', 'body_region', 'equipment', 'movement_pattern', 'recovery_phase', 'condition',
    'skill_prerequisite')),
  slug text not null,
  name text collate "ro-x-icu" not null,       -- Romanian order: Ș after S
  description text,
  sort_order integer not null default 0,
  translations jsonb not null default '{}',   -- {ro: {name, description}}
  parent_id uuid,                             -- of a category
  body_area text check (body_area in ('upper_body', 'lower_body', 'core', 'full_body')),
  icon_url text,                              -- of equipment
  icd10_code text check (icd10_code ~ '^[A-Z][0-9][0-9A-Z](\.[0-9A-Z]{1,4})?$'),
  body_region_id uuid,                        -- of a condition
  status text not null generated always as (case when deprecated_at is null then 'active' else 'deprecated' end) stored,
  deprecated_at timestamptz,
  replaced_by_id uuid,
  created_by_principal_id uuid default current_app_principal_id(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Name and translated names, one per line, for search.
  search_text text not null generated always as (
    fold_text(normalize(name || translated_text(translations, 'name')))) stored,
  constraint taxonomy_tags_slug_key unique nulls not distinct (axis, organization_id, slug),
  constraint taxonomy_tags_axis_key unique (id, axis),  -- for foreign keys to tags of one axis
  constraint taxonomy_tags_parent_fkey foreign key (parent_id) references taxonomy_tags (id) on delete set null,
  constraint taxonomy_tags_body_region_fkey foreign key (body_region_id) references taxonomy_tags (id) on delete set null,
  constraint taxonomy_tags_replaced_by_fkey foreign key (replaced_by_id) references taxonomy_tags (id) on delete set null,
  constraint taxonomy_tags_platform_only_check check (organization_id is null or axis in ('category', 'equipment', 'condition')),
  constraint taxonomy_tags_columns_check check (
    (parent_id is null or axis = 'category') and (body_area is not null) = (axis = 'body_region')
    and (icon_url is null or axis = 'equipment') and (coalesce(icd10_code, body_region_id::text) is null or axis = 'condition')),
  constraint taxonomy_tags_replaced_check check (replaced_by_id is null or deprecated_at is not null)
);
create index taxonomy_tags_parent_idx on taxonomy_tags (parent_id);
create index taxonomy_tags_body_region_idx on taxonomy_tags (body_region_id);
create index taxonomy_tags_replaced_by_idx on taxonomy_tags (replaced_by_id);
create trigger taxonomy_tags_updated_at before update on taxonomy_tags for each row execute function set_updated_at();
create trigger taxonomy_tags_check_references before insert or update of parent_id, body_region_id, replaced_by_id on taxonomy_tags
  for each row execute function taxonomy_tags_check_references();
alter table taxonomy_tags enable row level security;
alter table taxonomy_tags force row level security;
create policy taxonomy_tags_select on taxonomy_tags for select using (
  organization_id = (select current_app_org_id()) or organization_id is null);
create policy taxonomy_tags_insert on taxonomy_tags for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('catalog', 'tags:write_private')));
create policy taxonomy_tags_update on taxonomy_tags for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('catalog', 'tags:write_private')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('catalog', 'tags:write_private')));

-- Conditions are never deleted: patients' records and contraindications refer to them.
create policy taxonomy_tags_delete on taxonomy_tags for delete using (
  organization_id = (select current_app_org_id()) and axis in ('category', 'equipment')
  and (select current_app_has_permission('catalog', 'tags:write_private')));
grant select, delete on taxonomy_tags to tendon_app;
grant insert (organization_id, axis, slug, name, description, sort_order, translations, parent_id, icon_url, icd10_code,
  body_region_id) on taxonomy_tags to tendon_app;
revoke update on taxonomy_tags from tendon_platform;
grant update (description, sort_order, translations, parent_id, icon_url, body_region_id, deprecated_at, replaced_by_id, updated_at)
  on taxonomy_tags to tendon_app;
grant update (description, sort_order, translations, parent_id, body_area, icon_url, body_region_id, deprecated_at, replaced_by_id,
  updated_at) on taxonomy_tags to tendon_platform;

-- The exercise library. organization_id null: an exercise of the platform, visible to every clinic; otherwise of a clinic.
-- The parts of an exercise (instructions, tags, prerequisites, contraindications, pose configurations) have the same owner.
create table exercises (
  id uuid primary key default uuidv7(),
  organization_id uuid default current_app_scope() references organizations (id),
  name text collate "ro-x-icu" not null,                   -- Romanian order: Ș after S
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
  -- Name and description, in every language. Searched by LIKE among the rows of the caller's organization, at a microsecond
  -- a row: a trigram index cannot be used behind a policy.
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
  translations jsonb not null default '{}',                -- {ro: {clinical_basis}}
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
  translations jsonb not null default '{}',                -- {ro: {description, clinical_basis}}
  constraint exercise_contraindications_condition_key unique (exercise_id, condition_id)
);
create index exercise_contraindications_condition_idx on exercise_contraindications (condition_id);

-- The newest active version is in force. Versions never change and are never deleted, so that the configuration with which
-- a session was measured can be looked up.
create table exercise_pose_configs (
  id uuid primary key default uuidv7(),
  organization_id uuid default current_app_scope() references organizations (id),
  exercise_id uuid not null constraint exercise_pose_configs_exercise_fkey references exercises (id),
  version integer not null check (version > 0),
  tracking_enabled boolean not null default true,
  engine_code text not null default 'blazepose-33',
  status text not null default 'active' check (status in ('draft', 'active')),
  pinned_asset_version text,
  config jsonb not null,
  created_by_principal_id uuid default current_app_principal_id(),
  created_at timestamptz not null default now(),
  constraint exercise_pose_configs_version_key unique (exercise_id, version)
);
create trigger exercise_instructions_set_organization before insert on exercise_instructions
  for each row execute function exercise_parts_set_organization();
create trigger exercise_pose_configs_set_organization before insert on exercise_pose_configs
  for each row execute function exercise_parts_set_organization();
create trigger exercise_tags_check_tag before insert on exercise_tags for each row execute function exercise_tags_check_tag();
create trigger exercise_contraindications_check_condition before insert on exercise_contraindications
  for each row execute function exercise_contraindications_check_condition();
create trigger exercise_prerequisites_check_prerequisite before insert on exercise_prerequisites
  for each row execute function exercise_prerequisites_check_prerequisite();
alter table exercises enable row level security;
alter table exercises force row level security;

-- Only published exercises without exercises.manage_org.
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

alter table exercise_instructions enable row level security;
alter table exercise_instructions force row level security;
create policy exercise_instructions_select on exercise_instructions for select using (
  (organization_id = (select current_app_org_id()) or organization_id is null)
  and ((select current_app_has_permission('exercises', 'view_published'))
    or (select current_app_has_permission('exercises', 'manage_org'))));
create policy exercise_instructions_insert on exercise_instructions for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('exercises', 'manage_org')));
create policy exercise_instructions_update on exercise_instructions for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('exercises', 'manage_org')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('exercises', 'manage_org')));
create policy exercise_instructions_delete on exercise_instructions for delete using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('exercises', 'manage_org')));
grant select, delete on exercise_instructions to tendon_app;

alter table exercise_tags enable row level security;
alter table exercise_tags force row level security;
create policy exercise_tags_select on exercise_tags for select using (
  (organization_id = (select current_app_org_id()) or organization_id is null)
  and ((select current_app_has_permission('exercises', 'view_published'))
    or (select current_app_has_permission('exercises', 'manage_org'))));
create policy exercise_tags_insert on exercise_tags for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('exercises', 'manage_org')));
create policy exercise_tags_delete on exercise_tags for delete using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('exercises', 'manage_org')));
grant select, delete on exercise_tags to tendon_app;

alter table exercise_prerequisites enable row level security;
alter table exercise_prerequisites force row level security;
create policy exercise_prerequisites_select on exercise_prerequisites for select using (
  (organization_id = (select current_app_org_id()) or organization_id is null)
  and ((select current_app_has_permission('exercises', 'view_published'))
    or (select current_app_has_permission('exercises', 'manage_org'))));
create policy exercise_prerequisites_insert on exercise_prerequisites for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('exercises', 'manage_org')));
create policy exercise_prerequisites_delete on exercise_prerequisites for delete using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('exercises', 'manage_org')));
grant select, delete on exercise_prerequisites to tendon_app;

alter table exercise_contraindications enable row level security;
alter table exercise_contraindications force row level security;
create policy exercise_contraindications_select on exercise_contraindications for select using (
  (organization_id = (select current_app_org_id()) or organization_id is null)
  and ((select current_app_has_permission('exercises', 'view_published'))
    or (select current_app_has_permission('exercises', 'manage_org'))));
create policy exercise_contraindications_insert on exercise_contraindications for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('exercises', 'manage_org')));
create policy exercise_contraindications_delete on exercise_contraindications for delete using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('exercises', 'manage_org')));
grant select, delete on exercise_contraindications to tendon_app;

alter table exercise_pose_configs enable row level security;
alter table exercise_pose_configs force row level security;
create policy exercise_pose_configs_select on exercise_pose_configs for select using (
  (organization_id = (select current_app_org_id()) or organization_id is null)
  and ((select current_app_has_permission('exercises', 'view_published'))
    or (select current_app_has_permission('exercises', 'manage_org'))));
create policy exercise_pose_configs_insert on exercise_pose_configs for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('exercises', 'manage_org')));
grant select on exercise_pose_configs to tendon_app;

grant insert (organization_id, exercise_id, sort_order, title, content, instruction_type, translations)
  on exercise_instructions to tendon_app;
grant update (sort_order, title, content, instruction_type, translations, image_url, image_object_key)
  on exercise_instructions to tendon_app;

-- Callers cannot write who tagged, and when.
grant insert (organization_id, exercise_id, axis, tag_id, clinical_basis) on exercise_tags to tendon_app;
grant insert (organization_id, exercise_id, prerequisite_exercise_id, clinical_basis, translations) on exercise_prerequisites to tendon_app;
grant insert (organization_id, exercise_id, condition_id, severity, description, clinical_basis, translations)
  on exercise_contraindications to tendon_app;
grant insert (organization_id, exercise_id, version, tracking_enabled, engine_code, status, pinned_asset_version, config)
  on exercise_pose_configs to tendon_app;

-- Videos of exercises and images of instructions. A copy of an exercise uses the files of its original; a file is deleted
-- when nothing uses it any more.
create trigger exercise_instructions_release_image after delete or update of image_object_key on exercise_instructions
  for each row execute function release_object('image_object_key');
create trigger exercises_release_video after update of video_object_key on exercises
  for each row execute function exercises_release_video();
