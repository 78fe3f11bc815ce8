-- Which step of a render runs; how often it was requested within a day; and a video at the host that is deleted before the next
-- attempt.
alter table renders add column stage text,
  add column requested_at timestamptz not null default now(),
  add column requests integer not null default 1,
  add column abandoned_reference text,
  add constraint renders_stage_check check (stage in ('normalising', 'joining', 'checking', 'uploading', 'transcoding')) not valid;
grant update (stage, requested_at, requests, abandoned_reference) on renders to tendon_app;
