-- Bundles of filmed pieces, and the videos that the composer renders from them.

-- The bundle of an exercise: its manifest, and files by name. Every change increments asset_version.
create table exercise_bundles (
  exercise_id uuid primary key constraint exercise_bundles_exercise_fkey references exercises (id),
  organization_id uuid default current_app_scope() references organizations (id),
  asset_version integer not null default 1 check (asset_version > 0),
  manifest jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create trigger exercise_bundles_set_organization before insert on exercise_bundles
  for each row execute function exercise_parts_set_organization();
create trigger exercise_bundles_updated_at before update on exercise_bundles for each row execute function set_updated_at();

-- A file is part of the asset versions from added_version up to, and without, removed_version.
create table exercise_bundle_files (
  id uuid primary key default uuidv7(),
  exercise_id uuid not null constraint exercise_bundle_files_bundle_fkey references exercise_bundles (exercise_id),
  organization_id uuid default current_app_scope() references organizations (id),
  name text not null,
  object_key text not null,
  sha256 text not null,
  bytes bigint not null,
  seconds double precision,                 -- of a video
  width integer,
  height integer,
  added_version integer not null,
  removed_version integer,
  created_at timestamptz not null default now()
);
create unique index exercise_bundle_files_name_key on exercise_bundle_files (exercise_id, name) where removed_version is null;
create index exercise_bundle_files_object_idx on exercise_bundle_files (object_key);
create trigger exercise_bundle_files_set_organization before insert on exercise_bundle_files
  for each row execute function exercise_parts_set_organization();
create trigger exercise_bundle_files_release after delete or update of object_key on exercise_bundle_files
  for each row execute function release_object('object_key');

alter table exercise_bundles enable row level security;
alter table exercise_bundles force row level security;
create policy exercise_bundles_select on exercise_bundles for select using (
  (organization_id = (select current_app_org_id()) or organization_id is null)
  and ((select current_app_has_permission('exercises', 'view_published'))
    or (select current_app_has_permission('exercises', 'manage_org'))));
create policy exercise_bundles_insert on exercise_bundles for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('exercises', 'manage_org')));
create policy exercise_bundles_update on exercise_bundles for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('exercises', 'manage_org')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('exercises', 'manage_org')));
grant select on exercise_bundles to tendon_app;
grant insert (organization_id, exercise_id, manifest) on exercise_bundles to tendon_app;
grant update (manifest, asset_version, updated_at) on exercise_bundles to tendon_app;

alter table exercise_bundle_files enable row level security;
alter table exercise_bundle_files force row level security;
create policy exercise_bundle_files_select on exercise_bundle_files for select using (
  (organization_id = (select current_app_org_id()) or organization_id is null)
  and ((select current_app_has_permission('exercises', 'view_published'))
    or (select current_app_has_permission('exercises', 'manage_org'))));
create policy exercise_bundle_files_insert on exercise_bundle_files for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('exercises', 'manage_org')));
create policy exercise_bundle_files_update on exercise_bundle_files for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('exercises', 'manage_org')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('exercises', 'manage_org')));
grant select on exercise_bundle_files to tendon_app;
grant insert (organization_id, exercise_id, name, object_key, sha256, bytes, seconds, width, height, added_version)
  on exercise_bundle_files to tendon_app;
grant update (removed_version) on exercise_bundle_files to tendon_app;

-- One composed video. The fingerprint covers everything that decides its content, so that the same request is the same render.
create table renders (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  exercise_id uuid not null constraint renders_exercise_fkey references exercises (id),
  asset_version integer not null,
  manifest jsonb not null,                    -- as it was when the render was requested
  language text not null,
  sets jsonb not null,
  seed bigint not null,
  fingerprint text not null,
  status text not null default 'queued'
    check (status in ('queued', 'rendering', 'uploading', 'transcoding', 'ready', 'failed', 'cancelled')),
  progress integer not null default 0 check (progress between 0 and 100),
  duration_seconds double precision,
  captions text[] not null default '{}',
  error_code text,
  error_message text,
  attempts integer not null default 0,
  run_at timestamptz not null default now(),  -- no attempt before
  started_at timestamptz,
  worker_id uuid,                             -- the attempt that runs; another one writes nothing
  heartbeat_at timestamptz,
  host_provider text,
  host_reference text,
  host_ready boolean not null default false,  -- the host reported the end before status was transcoding
  transcoding_at timestamptz,
  poll_at timestamptz,                        -- when the host is asked, if no webhook arrives
  rebuilds integer not null default 0,
  created_by_principal_id uuid default current_app_principal_id(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint renders_organization_id_key unique (organization_id, id),
  constraint renders_fingerprint_key unique (organization_id, fingerprint)
);
create index renders_created_idx on renders (organization_id, created_at desc, id desc);
create index renders_exercise_idx on renders (exercise_id, asset_version);
create index renders_started_idx on renders (organization_id, started_at);
create index renders_work_idx on renders (run_at) where status in ('queued', 'rendering', 'uploading');
create index renders_poll_idx on renders (poll_at) where status = 'transcoding';
create index renders_abandoned_idx on renders (updated_at) where status in ('failed', 'cancelled') and host_reference is not null;
create unique index renders_host_key on renders (host_provider, host_reference) where host_reference is not null;
create trigger renders_updated_at before update on renders for each row execute function set_updated_at();
create trigger renders_check_exercise before insert on renders for each row execute function renders_check_exercise();

alter table renders enable row level security;
alter table renders force row level security;
create policy renders_select on renders for select using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('exercises', 'view_published')));
create policy renders_insert on renders for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('exercises', 'compose')));
create policy renders_update on renders for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('exercises', 'compose')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('exercises', 'compose')));
grant select on renders to tendon_app;
grant insert (organization_id, exercise_id, asset_version, manifest, language, sets, seed, fingerprint) on renders to tendon_app;
grant update (status, progress, duration_seconds, captions, error_code, error_message, attempts, run_at, started_at, worker_id,
  heartbeat_at, host_provider, host_reference, host_ready, transcoding_at, poll_at, rebuilds, updated_at) on renders to tendon_app;

-- The film of an exercise in a patient's plan: its repetitions, side and language. Null: the exercise's own video. The composer
-- requests the films that are due.
alter table session_exercises add column film_render_id uuid;
alter table session_exercises add column film_due_at timestamptz;
alter table session_exercises add constraint session_exercises_film_fkey foreign key (organization_id, film_render_id)
  references renders (organization_id, id) not valid;
create trigger treatment_plans_request_films after update of status on treatment_plans
  for each row when (new.status = 'active' and old.status <> 'active') execute function treatment_plans_request_films();
create trigger session_exercises_request_film before insert or update of sets, reps, side on session_exercises
  for each row when (new.patient_profile_id is not null) execute function session_exercises_request_film();
