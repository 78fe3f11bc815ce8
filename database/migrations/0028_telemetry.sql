-- What came of a run's camera and player. Core writes the manifest when a run is created; the telemetry service writes the
-- rest when it finalises the run, and everybody else reads. Nothing refers to session_runs: the run's id is the key.

-- What a run is made of, as it stood when the run began.
create table run_manifests (
  run_id uuid primary key,
  organization_id uuid not null default current_app_scope() references organizations (id),
  patient_profile_id uuid not null,
  items jsonb not null,                       -- [{media_id, exercise_id, pose_config}]; media_id is the session exercise
  created_at timestamptz not null default now(),
  constraint run_manifests_organization_id_key unique (organization_id, run_id, patient_profile_id),
  constraint run_manifests_patient_fkey foreign key (organization_id, patient_profile_id)
    references patients (organization_id, patient_profile_id),
  constraint run_manifests_items_check check (jsonb_typeof(items) = 'array')
);
create index run_manifests_profile_id_idx on run_manifests (patient_profile_id);
create trigger run_manifests_refuse_restricted before insert on run_manifests
  for each row execute function refuse_restricted();

-- Claims: what the telemetry service holds of a run (a take) is written once, whatever is tried again after a crash. A run
-- that fell silent and was taken up again has several; each version replaces the one before.
create table run_finalisations (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  run_id uuid not null,
  patient_profile_id uuid not null,
  take_id uuid not null,
  version integer not null,
  reason text not null check (reason in ('ended', 'silence')),
  events jsonb,                               -- after a silence: the media events so far, should the run go on
  claimed_at timestamptz not null default now(),
  flushed_at timestamptz,
  constraint run_finalisations_take_key unique (take_id),
  constraint run_finalisations_version_key unique (run_id, version)
);

-- One row per run: the player, all items together. The flag is for specialists: not everything of the run arrived.
create table media_session_metrics (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  run_id uuid not null,
  patient_profile_id uuid not null,
  version integer not null,
  is_complete boolean not null,
  end_reason text,
  event_count integer not null,
  constraint media_session_metrics_run_key unique (run_id)
);

create table media_item_metrics (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  run_id uuid not null,
  patient_profile_id uuid not null,
  media_id text not null,
  watched_pct integer not null,               -- the last of the marks 25, 50, 75 and 95 that was passed
  start_data jsonb,                           -- what the player said at its start: connection, bitrate, resolution
  constraint media_item_metrics_media_key unique (run_id, media_id)
);

do $$
begin
  for part in 1..2 loop
    execute format('alter table %I
      add started_at timestamptz,
      add ended_at timestamptz,               -- the own last event, not the time of writing
      add startup_ms integer,
      add rebuffer_count integer not null,
      add rebuffer_ms bigint not null,
      add rebuffer_pct double precision,      -- of playing and rebuffering; without first loading and seeking
      add watch_seconds double precision not null,
      add unique_seconds double precision not null,
      add quality_switches integer not null,
      add dropped_frames bigint not null,
      add total_frames bigint not null,
      add dropped_frame_pct double precision,
      add hidden_ms bigint not null,
      add created_at timestamptz not null default now()',
      (array['media_session_metrics', 'media_item_metrics'])[part]);
  end loop;
end
$$;

create table media_buffering_events (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  run_id uuid not null,
  patient_profile_id uuid not null,
  ordinal integer not null,
  media_id text not null,
  reason text not null check (reason in ('initial', 'seek', 'network')),
  started_at timestamptz not null,
  position_seconds double precision,
  duration_ms bigint not null,
  created_at timestamptz not null default now(),
  constraint media_buffering_events_ordinal_key unique (run_id, ordinal)
);

-- One row per exercise of a run. Where the camera did not see enough there is a reason and no number.
create table pose_session_metrics (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  run_id uuid not null,
  patient_profile_id uuid not null,
  media_id text not null,
  exercise_id uuid,
  measured boolean not null,
  reason text,                                -- why it was not measured
  confidence double precision not null,
  side text,
  repetitions integer,
  range_min_degrees double precision,
  range_max_degrees double precision,
  range_mean_degrees double precision,
  tempo_seconds double precision,
  symmetry double precision,
  hold_seconds double precision,
  created_at timestamptz not null default now(),
  constraint pose_session_metrics_media_key unique (run_id, media_id),
  constraint pose_session_metrics_reason_check check (measured = (reason is null))
);

create table pose_repetitions (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  run_id uuid not null,
  patient_profile_id uuid not null,
  media_id text not null,
  number integer not null,
  side text not null,
  start_ms bigint not null,                   -- since the session started
  peak_ms bigint not null,
  end_ms bigint not null,
  peak_degrees double precision not null,
  range_degrees double precision not null,
  tempo_seconds double precision not null,
  hold_seconds double precision not null,
  feedback text[] not null,                   -- codes of the rules of the pose configuration that applied
  created_at timestamptz not null default now(),
  constraint pose_repetitions_number_key unique (run_id, media_id, number)
);

-- Where the frames of a run lie. A version that was replaced is gone from the store before its row is.
create table replay_blobs (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  run_id uuid not null,
  patient_profile_id uuid not null,
  version integer not null,
  object_key text not null,
  bytes bigint not null,
  frame_count integer not null,
  batch_count integer not null,
  capture jsonb,                              -- what the client last said of its camera
  superseded_at timestamptz,
  created_at timestamptz not null default now(),
  constraint replay_blobs_version_key unique (run_id, version),
  constraint replay_blobs_object_key_key unique (object_key)
);

create table library_views (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  run_id uuid not null,
  patient_profile_id uuid not null,
  media_id text not null,
  viewed_at timestamptz not null,
  duration_seconds double precision,
  created_at timestamptz not null default now(),
  constraint library_views_view_key unique (run_id, media_id, viewed_at)
);

-- All of them hang on the manifest, which binds run, patient and clinic: a run whose patient was erased takes nothing more.
-- They go with it, except the row that names an object in the store: whoever deletes it deletes the object.
do $$
declare
  part text;
begin
  foreach part in array array['run_finalisations', 'media_session_metrics', 'media_item_metrics', 'media_buffering_events',
    'pose_session_metrics', 'pose_repetitions', 'replay_blobs', 'library_views']
  loop
    execute format('alter table %I add constraint %I foreign key (organization_id, run_id, patient_profile_id)
      references run_manifests (organization_id, run_id, patient_profile_id) %s',
      part, part || '_run_fkey', case part when 'replay_blobs' then '' else 'on delete cascade' end);
    execute format('create index %I on %I (organization_id, run_id)', part || '_run_idx', part);
    execute format('create index %I on %I (patient_profile_id)', part || '_profile_id_idx', part);
    execute format('alter table %I enable row level security', part);
    execute format('alter table %I force row level security', part);
    -- The clinic reads with session_runs.view_org, patients their own at whatever clinic; only the telemetry service writes.
    execute format('create policy %I on %I for select using (
      (organization_id = (select current_app_org_id()) and (select current_app_has_permission(''session_runs'', ''view_org'')))
      or patient_profile_id = any ((select current_app_profile_ids())::uuid[]))', part || '_select', part);
    execute format('create policy %I on %I for insert with check (organization_id = (select current_app_org_id()))',
      part || '_insert', part);
    execute format('create policy %I on %I for update using (organization_id = (select current_app_org_id()))
      with check (organization_id = (select current_app_org_id()))', part || '_update', part);
    execute format('create policy %I on %I for delete using (organization_id = (select current_app_org_id()))',
      part || '_delete', part);
    execute format('grant select on %I to tendon_app, tendon_telemetry', part);
    execute format('grant insert, delete on %I to tendon_telemetry', part);
  end loop;
end
$$;
grant update (events, flushed_at) on run_finalisations to tendon_telemetry;
grant update (superseded_at) on replay_blobs to tendon_telemetry;

alter table run_manifests enable row level security;
alter table run_manifests force row level security;
create policy run_manifests_select on run_manifests for select using (
  (organization_id = (select current_app_org_id()) and (select current_app_has_permission('session_runs', 'view_org')))
  or patient_profile_id = any ((select current_app_profile_ids())::uuid[]));
-- The patient starts the run.
create policy run_manifests_insert on run_manifests for insert with check (
  organization_id = (select current_app_org_id())
  and patient_profile_id = any ((select current_app_profile_ids())::uuid[]));
grant select on run_manifests to tendon_app, tendon_telemetry;
grant insert (run_id, organization_id, patient_profile_id, items) on run_manifests to tendon_app;
