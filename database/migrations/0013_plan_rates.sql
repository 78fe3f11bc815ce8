-- Rates by plan: requests a minute of an organization, and its telemetry a second. Null: the setting of the service.
-- Small table: plans (one row per plan).
alter table plans
  add column requests_per_minute integer check (requests_per_minute > 0),
  add column pose_per_second integer check (pose_per_second > 0),
  add column media_per_second integer check (media_per_second > 0);

-- The telemetry service cannot read plans: it reads the quota of an organization from the manifests of its runs.
alter table run_manifests
  add column pose_per_second integer,
  add column media_per_second integer,
  add constraint run_manifests_pose_per_second_check check (pose_per_second > 0) not valid,
  add constraint run_manifests_media_per_second_check check (media_per_second > 0) not valid;
grant insert (pose_per_second, media_per_second) on run_manifests to tendon_app;
