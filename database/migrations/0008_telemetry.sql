-- Telemetry of camera and player. Core writes the manifest when a run is created; the telemetry service writes the rest when
-- it finalises the run. Nothing refers to session_runs: the run's id is the key.

-- The exercises of a run when it began.
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

-- Claims: a recording (what the telemetry service has of a run) is written once, also when it is retried after a crash. A run
-- that was resumed after a silence has several recordings; each version replaces the one before.
create table run_finalisations (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  run_id uuid not null,
  patient_profile_id uuid not null,
  recording_id uuid not null,
  version integer not null,
  reason text not null check (reason in ('ended', 'silence')),
  events jsonb,                               -- after a silence: the media events so far, in case the run is resumed
  claimed_at timestamptz not null default now(),
  flushed_at timestamptz,
  ended_at timestamptz,                       -- when the end arrived, by the clock of the service; null: no end, or unknown
  based_on integer,                           -- the version that this one continues; 0: none
  is_damaged boolean not null default false,  -- part of the run up to here could not be read
  constraint run_finalisations_recording_key unique (recording_id),
  constraint run_finalisations_version_key unique (run_id, version),
  constraint run_finalisations_run_fkey foreign key (organization_id, run_id, patient_profile_id)
    references run_manifests (organization_id, run_id, patient_profile_id) on delete cascade
);
create index run_finalisations_events_idx on run_finalisations (claimed_at) where events is not null;
create index run_finalisations_run_idx on run_finalisations (organization_id, run_id);
create index run_finalisations_profile_id_idx on run_finalisations (patient_profile_id);

-- One row per run: the player, all items together. is_complete tells specialists whether everything of the run arrived.
create table media_session_metrics (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  run_id uuid not null,
  patient_profile_id uuid not null,
  version integer not null,
  is_complete boolean not null,
  end_reason text,
  event_count integer not null,
  started_at timestamptz,
  ended_at timestamptz,                       -- time of its own last event, not the time of writing
  startup_ms integer,
  rebuffer_count integer not null,
  rebuffer_ms bigint not null,
  rebuffer_pct double precision,              -- of playing and rebuffering, without first loading and seeking
  watch_seconds double precision not null,
  unique_seconds double precision not null,
  quality_switches integer not null,
  dropped_frames bigint not null,
  total_frames bigint not null,
  dropped_frame_pct double precision,
  hidden_ms bigint not null,
  created_at timestamptz not null default now(),
  constraint media_session_metrics_run_key unique (run_id),
  constraint media_session_metrics_run_fkey foreign key (organization_id, run_id, patient_profile_id)
    references run_manifests (organization_id, run_id, patient_profile_id) on delete cascade
);
create index media_session_metrics_run_idx on media_session_metrics (organization_id, run_id);
create index media_session_metrics_profile_id_idx on media_session_metrics (patient_profile_id);
create index media_session_metrics_created_idx on media_session_metrics using brin (created_at);

create table media_item_metrics (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  run_id uuid not null,
  patient_profile_id uuid not null,
  media_id text not null,
  watched_pct integer not null,               -- the last mark that was passed: 25, 50, 75 or 95
  start_data jsonb,                           -- reported by the player at its start: connection, bitrate, resolution
  started_at timestamptz,
  ended_at timestamptz,                       -- time of its own last event, not the time of writing
  startup_ms integer,
  rebuffer_count integer not null,
  rebuffer_ms bigint not null,
  rebuffer_pct double precision,              -- of playing and rebuffering, without first loading and seeking
  watch_seconds double precision not null,
  unique_seconds double precision not null,
  quality_switches integer not null,
  dropped_frames bigint not null,
  total_frames bigint not null,
  dropped_frame_pct double precision,
  hidden_ms bigint not null,
  created_at timestamptz not null default now(),
  constraint media_item_metrics_media_key unique (run_id, media_id),
  constraint media_item_metrics_run_fkey foreign key (organization_id, run_id, patient_profile_id)
    references run_manifests (organization_id, run_id, patient_profile_id) on delete cascade
);
create index media_item_metrics_run_idx on media_item_metrics (organization_id, run_id);
create index media_item_metrics_profile_id_idx on media_item_metrics (patient_profile_id);
create index media_item_metrics_created_idx on media_item_metrics using brin (created_at);

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
  constraint media_buffering_events_ordinal_key unique (run_id, ordinal),
  constraint media_buffering_events_run_fkey foreign key (organization_id, run_id, patient_profile_id)
    references run_manifests (organization_id, run_id, patient_profile_id) on delete cascade
);
create index media_buffering_events_run_idx on media_buffering_events (organization_id, run_id);
create index media_buffering_events_profile_id_idx on media_buffering_events (patient_profile_id);
create index media_buffering_events_created_idx on media_buffering_events using brin (created_at);

-- One row per exercise of a run. When the camera did not see enough, there is a reason and no numbers.
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
  constraint pose_session_metrics_reason_check check (measured = (reason is null)),
  constraint pose_session_metrics_run_fkey foreign key (organization_id, run_id, patient_profile_id)
    references run_manifests (organization_id, run_id, patient_profile_id) on delete cascade
);
create index pose_session_metrics_run_idx on pose_session_metrics (organization_id, run_id);
create index pose_session_metrics_profile_id_idx on pose_session_metrics (patient_profile_id);
create index pose_session_metrics_created_idx on pose_session_metrics using brin (created_at);

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
  constraint pose_repetitions_number_key unique (run_id, media_id, number),
  constraint pose_repetitions_run_fkey foreign key (organization_id, run_id, patient_profile_id)
    references run_manifests (organization_id, run_id, patient_profile_id) on delete cascade
);
create index pose_repetitions_run_idx on pose_repetitions (organization_id, run_id);
create index pose_repetitions_profile_id_idx on pose_repetitions (patient_profile_id);
create index pose_repetitions_created_idx on pose_repetitions using brin (created_at);

-- The stored frames of a run. A replaced version is deleted from the store before its row is.
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
  capture jsonb,                              -- the camera settings that the client last reported
  superseded_at timestamptz,
  created_at timestamptz not null default now(),
  constraint replay_blobs_version_key unique (run_id, version),
  constraint replay_blobs_object_key_key unique (object_key),
  constraint replay_blobs_run_fkey foreign key (organization_id, run_id, patient_profile_id)
    references run_manifests (organization_id, run_id, patient_profile_id)
);
create index replay_blobs_run_idx on replay_blobs (organization_id, run_id);
create index replay_blobs_profile_id_idx on replay_blobs (patient_profile_id);
create index replay_blobs_created_idx on replay_blobs using brin (created_at);
-- Deferred: within the transaction another row may come to refer to the object.
create constraint trigger replay_blobs_release_object after delete or update of object_key on replay_blobs
  deferrable initially deferred for each row execute function release_object('object_key');

create table library_views (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  run_id uuid not null,
  patient_profile_id uuid not null,
  media_id text not null,
  viewed_at timestamptz not null,
  duration_seconds double precision,
  created_at timestamptz not null default now(),
  constraint library_views_view_key unique (run_id, media_id, viewed_at),
  constraint library_views_run_fkey foreign key (organization_id, run_id, patient_profile_id)
    references run_manifests (organization_id, run_id, patient_profile_id) on delete cascade
);
create index library_views_run_idx on library_views (organization_id, run_id);
create index library_views_profile_id_idx on library_views (patient_profile_id);
create index library_views_created_idx on library_views using brin (created_at);

-- All tables refer to the manifest, which connects run, patient and clinic: a run whose patient was erased accepts no more
-- data. Deleting the manifest deletes their rows, except replays: they are deleted explicitly, with their objects.
-- Staff read with session_runs.view_org, patients read their own at all clinics; only the telemetry service writes.
alter table run_finalisations enable row level security;
alter table run_finalisations force row level security;
create policy run_finalisations_select on run_finalisations for select using (
  (organization_id = (select current_app_org_id()) and (select current_app_has_permission('session_runs', 'view_org')))
  or patient_profile_id = any ((select current_app_profile_ids())::uuid[]));
create policy run_finalisations_insert on run_finalisations for insert with check (
  organization_id = (select current_app_org_id()));
create policy run_finalisations_update on run_finalisations for update
  using (organization_id = (select current_app_org_id()))
  with check (organization_id = (select current_app_org_id()));
create policy run_finalisations_delete on run_finalisations for delete using (
  organization_id = (select current_app_org_id()));
grant select on run_finalisations to tendon_app, tendon_telemetry;
grant insert, delete on run_finalisations to tendon_telemetry;

alter table media_session_metrics enable row level security;
alter table media_session_metrics force row level security;
create policy media_session_metrics_select on media_session_metrics for select using (
  (organization_id = (select current_app_org_id()) and (select current_app_has_permission('session_runs', 'view_org')))
  or patient_profile_id = any ((select current_app_profile_ids())::uuid[]));
create policy media_session_metrics_insert on media_session_metrics for insert with check (
  organization_id = (select current_app_org_id()));
create policy media_session_metrics_update on media_session_metrics for update
  using (organization_id = (select current_app_org_id()))
  with check (organization_id = (select current_app_org_id()));
create policy media_session_metrics_delete on media_session_metrics for delete using (
  organization_id = (select current_app_org_id()));
grant select on media_session_metrics to tendon_app, tendon_telemetry;
grant insert, delete on media_session_metrics to tendon_telemetry;

alter table media_item_metrics enable row level security;
alter table media_item_metrics force row level security;
create policy media_item_metrics_select on media_item_metrics for select using (
  (organization_id = (select current_app_org_id()) and (select current_app_has_permission('session_runs', 'view_org')))
  or patient_profile_id = any ((select current_app_profile_ids())::uuid[]));
create policy media_item_metrics_insert on media_item_metrics for insert with check (
  organization_id = (select current_app_org_id()));
create policy media_item_metrics_update on media_item_metrics for update
  using (organization_id = (select current_app_org_id()))
  with check (organization_id = (select current_app_org_id()));
create policy media_item_metrics_delete on media_item_metrics for delete using (
  organization_id = (select current_app_org_id()));
grant select on media_item_metrics to tendon_app, tendon_telemetry;
grant insert, delete on media_item_metrics to tendon_telemetry;

alter table media_buffering_events enable row level security;
alter table media_buffering_events force row level security;
create policy media_buffering_events_select on media_buffering_events for select using (
  (organization_id = (select current_app_org_id()) and (select current_app_has_permission('session_runs', 'view_org')))
  or patient_profile_id = any ((select current_app_profile_ids())::uuid[]));
create policy media_buffering_events_insert on media_buffering_events for insert with check (
  organization_id = (select current_app_org_id()));
create policy media_buffering_events_update on media_buffering_events for update
  using (organization_id = (select current_app_org_id()))
  with check (organization_id = (select current_app_org_id()));
create policy media_buffering_events_delete on media_buffering_events for delete using (
  organization_id = (select current_app_org_id()));
grant select on media_buffering_events to tendon_app, tendon_telemetry;
grant insert, delete on media_buffering_events to tendon_telemetry;

alter table pose_session_metrics enable row level security;
alter table pose_session_metrics force row level security;
create policy pose_session_metrics_select on pose_session_metrics for select using (
  (organization_id = (select current_app_org_id()) and (select current_app_has_permission('session_runs', 'view_org')))
  or patient_profile_id = any ((select current_app_profile_ids())::uuid[]));
create policy pose_session_metrics_insert on pose_session_metrics for insert with check (
  organization_id = (select current_app_org_id()));
create policy pose_session_metrics_update on pose_session_metrics for update
  using (organization_id = (select current_app_org_id()))
  with check (organization_id = (select current_app_org_id()));
create policy pose_session_metrics_delete on pose_session_metrics for delete using (
  organization_id = (select current_app_org_id()));
grant select on pose_session_metrics to tendon_app, tendon_telemetry;
grant insert, delete on pose_session_metrics to tendon_telemetry;

alter table pose_repetitions enable row level security;
alter table pose_repetitions force row level security;
create policy pose_repetitions_select on pose_repetitions for select using (
  (organization_id = (select current_app_org_id()) and (select current_app_has_permission('session_runs', 'view_org')))
  or patient_profile_id = any ((select current_app_profile_ids())::uuid[]));
create policy pose_repetitions_insert on pose_repetitions for insert with check (
  organization_id = (select current_app_org_id()));
create policy pose_repetitions_update on pose_repetitions for update
  using (organization_id = (select current_app_org_id()))
  with check (organization_id = (select current_app_org_id()));
create policy pose_repetitions_delete on pose_repetitions for delete using (
  organization_id = (select current_app_org_id()));
grant select on pose_repetitions to tendon_app, tendon_telemetry;
grant insert, delete on pose_repetitions to tendon_telemetry;

alter table replay_blobs enable row level security;
alter table replay_blobs force row level security;
create policy replay_blobs_select on replay_blobs for select using (
  (organization_id = (select current_app_org_id()) and (select current_app_has_permission('session_runs', 'view_org')))
  or patient_profile_id = any ((select current_app_profile_ids())::uuid[]));
create policy replay_blobs_insert on replay_blobs for insert with check (
  organization_id = (select current_app_org_id()));
create policy replay_blobs_update on replay_blobs for update
  using (organization_id = (select current_app_org_id()))
  with check (organization_id = (select current_app_org_id()));
create policy replay_blobs_delete on replay_blobs for delete using (
  organization_id = (select current_app_org_id()));
grant select on replay_blobs to tendon_app, tendon_telemetry;
grant insert, delete on replay_blobs to tendon_telemetry;

alter table library_views enable row level security;
alter table library_views force row level security;
create policy library_views_select on library_views for select using (
  (organization_id = (select current_app_org_id()) and (select current_app_has_permission('session_runs', 'view_org')))
  or patient_profile_id = any ((select current_app_profile_ids())::uuid[]));
create policy library_views_insert on library_views for insert with check (
  organization_id = (select current_app_org_id()));
create policy library_views_update on library_views for update
  using (organization_id = (select current_app_org_id()))
  with check (organization_id = (select current_app_org_id()));
create policy library_views_delete on library_views for delete using (
  organization_id = (select current_app_org_id()));
grant select on library_views to tendon_app, tendon_telemetry;
grant insert, delete on library_views to tendon_telemetry;
grant update (events, flushed_at, version, based_on, is_damaged) on run_finalisations to tendon_telemetry;
grant update (superseded_at) on replay_blobs to tendon_telemetry;
alter table run_manifests enable row level security;
alter table run_manifests force row level security;
create policy run_manifests_select on run_manifests for select using (
  (organization_id = (select current_app_org_id()) and (select current_app_has_permission('session_runs', 'view_org')))
  or patient_profile_id = any ((select current_app_profile_ids())::uuid[]));

-- The patient starts the run, so the patient inserts the manifest.
create policy run_manifests_insert on run_manifests for insert with check (
  organization_id = (select current_app_org_id())
  and patient_profile_id = any ((select current_app_profile_ids())::uuid[]));
grant select on run_manifests to tendon_app, tendon_telemetry;
grant insert (run_id, organization_id, patient_profile_id, items) on run_manifests to tendon_app;
