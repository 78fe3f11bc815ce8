-- Private calendar feeds of specialists and patients. The URL is the key; only the hash of its token is stored.
create table calendar_feeds (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  specialist_id uuid,
  patient_profile_id uuid,
  token_hash bytea not null,
  -- Who asked for it: the feed ends with their membership, or when the patient's record is no longer theirs.
  principal_id uuid not null default current_app_principal_id(),
  created_at timestamptz not null default now(),
  constraint calendar_feeds_token_key unique (token_hash),
  constraint calendar_feeds_specialist_key unique (organization_id, specialist_id),
  constraint calendar_feeds_patient_key unique (organization_id, patient_profile_id),
  constraint calendar_feeds_owner_check check ((specialist_id is null) <> (patient_profile_id is null)),
  constraint calendar_feeds_specialist_fkey foreign key (organization_id, specialist_id)
    references specialists (organization_id, id),
  constraint calendar_feeds_patient_fkey foreign key (organization_id, patient_profile_id)
    references patients (organization_id, patient_profile_id)
);
alter table calendar_feeds enable row level security;
alter table calendar_feeds force row level security;
create policy calendar_feeds_select on calendar_feeds for select using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('appointments', 'view_org')));
create trigger calendar_feeds_refuse_restricted before insert on calendar_feeds
  for each row when (new.patient_profile_id is not null) execute function refuse_restricted();
grant select on calendar_feeds to tendon_app;
