-- Videos that arrive in parts (the tus protocol). An upload belongs to the person who started it and to the organization of its
-- exercise. The objects hold what has arrived, in order. An expired upload is deleted; a finished one stays until then without
-- objects, so that finishing can be repeated.
create table exercise_video_uploads (
  id uuid primary key default uuidv7(),
  organization_id uuid default current_app_scope() references organizations (id),
  exercise_id uuid not null constraint exercise_video_uploads_exercise_fkey references exercises (id) on delete cascade,
  principal_id uuid not null default current_app_principal_id(),
  length bigint not null,
  received bigint not null default 0,
  object_keys text[] not null default '{}',
  metadata jsonb not null,
  expires_at timestamptz not null,
  finished_at timestamptz,
  created_at timestamptz not null default now(),
  constraint exercise_video_uploads_length_check check (length > 0),
  constraint exercise_video_uploads_received_check check (received between 0 and length)
);
create unique index exercise_video_uploads_unfinished_key on exercise_video_uploads (exercise_id, principal_id)
  where finished_at is null;
create index exercise_video_uploads_exercise_idx on exercise_video_uploads (exercise_id);
create index exercise_video_uploads_organization_idx on exercise_video_uploads (organization_id);
create index exercise_video_uploads_expires_idx on exercise_video_uploads (expires_at);
alter table exercise_video_uploads enable row level security;
alter table exercise_video_uploads force row level security;
create policy exercise_video_uploads_select on exercise_video_uploads for select using (
  organization_id = (select current_app_org_id()) and principal_id = (select current_app_principal_id())
  and (select current_app_has_permission('exercises', 'manage_org')));
create policy exercise_video_uploads_insert on exercise_video_uploads for insert with check (
  organization_id = (select current_app_org_id()) and principal_id = (select current_app_principal_id())
  and (select current_app_has_permission('exercises', 'manage_org')));
create policy exercise_video_uploads_update on exercise_video_uploads for update
  using (organization_id = (select current_app_org_id()) and principal_id = (select current_app_principal_id())
    and (select current_app_has_permission('exercises', 'manage_org')))
  with check (organization_id = (select current_app_org_id()) and principal_id = (select current_app_principal_id())
    and (select current_app_has_permission('exercises', 'manage_org')));
create policy exercise_video_uploads_delete on exercise_video_uploads for delete using (
  organization_id = (select current_app_org_id()) and principal_id = (select current_app_principal_id())
  and (select current_app_has_permission('exercises', 'manage_org')));
create trigger exercise_video_uploads_set_organization before insert on exercise_video_uploads
  for each row execute function exercise_parts_set_organization();
create trigger exercise_video_uploads_settle after insert or delete or update of finished_at, object_keys on exercise_video_uploads
  for each row execute function exercise_video_uploads_settle();
grant select, delete on exercise_video_uploads to tendon_app;
grant insert (id, organization_id, exercise_id, principal_id, length, metadata, expires_at) on exercise_video_uploads to tendon_app;
grant update (received, object_keys, finished_at) on exercise_video_uploads to tendon_app;
