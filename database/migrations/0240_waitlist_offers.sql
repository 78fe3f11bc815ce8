-- Waitlist offers: a freed time is kept for one waitlist entry while its patient decides.
-- Small table: organization_settings (one row per clinic).
alter table organization_settings
  add column waitlist_offers text not null default 'off',
  add constraint organization_settings_waitlist_offers_check check (waitlist_offers in ('off', 'auto'));
grant insert (waitlist_offers), update (waitlist_offers) on organization_settings to tendon_app;

create table waitlist_offers (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  appointment_id uuid not null,                  -- the waitlist entry
  patient_profile_id uuid,
  specialist_id uuid not null,
  location_id uuid,
  calendar_id uuid,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  hold_id uuid,                                  -- claims the time while the offer is open
  status text not null default 'open' check (status in ('open', 'accepted', 'declined', 'expired', 'ended', 'skipped')),
  reason text check (reason in ('restricted', 'erased', 'no_address', 'patient_busy')),
  offered_by text not null check (offered_by in ('staff', 'auto')),
  token_hash bytea,                              -- of the link in the mail; null until it is sent
  mail_at timestamptz,
  expires_at timestamptz,
  answered_at timestamptz,
  created_by_principal_id uuid default current_app_principal_id(),
  created_at timestamptz not null default now(),
  constraint waitlist_offers_organization_id_key unique (organization_id, id),
  constraint waitlist_offers_token_key unique (token_hash),
  constraint waitlist_offers_skipped_check check ((status = 'skipped') = (reason is not null)),
  constraint waitlist_offers_open_check check (status <> 'open'
    or (expires_at is not null and mail_at is not null and patient_profile_id is not null)),
  constraint waitlist_offers_appointment_fkey foreign key (organization_id, appointment_id)
    references appointments (organization_id, id) on delete cascade,
  constraint waitlist_offers_patient_fkey foreign key (organization_id, patient_profile_id)
    references patients (organization_id, patient_profile_id),
  constraint waitlist_offers_specialist_fkey foreign key (organization_id, specialist_id)
    references specialists (organization_id, id),
  constraint waitlist_offers_location_fkey foreign key (organization_id, location_id)
    references locations (organization_id, id),
  constraint waitlist_offers_calendar_fkey foreign key (organization_id, calendar_id)
    references calendars (organization_id, id) on delete set null (calendar_id),
  constraint waitlist_offers_hold_fkey foreign key (organization_id, hold_id)
    references holds (organization_id, id) on delete set null (hold_id)
);
-- One open offer per time and per person.
create unique index waitlist_offers_open_time_key on waitlist_offers (organization_id, specialist_id, starts_at)
  where status = 'open';
create unique index waitlist_offers_open_person_key on waitlist_offers (organization_id, patient_profile_id)
  where status = 'open';
create index waitlist_offers_appointment_idx on waitlist_offers (organization_id, appointment_id);
create index waitlist_offers_patient_idx on waitlist_offers (organization_id, patient_profile_id);
create index waitlist_offers_specialist_idx on waitlist_offers (organization_id, specialist_id, starts_at);
create index waitlist_offers_location_idx on waitlist_offers (organization_id, location_id);
create index waitlist_offers_calendar_idx on waitlist_offers (organization_id, calendar_id);
create index waitlist_offers_hold_idx on waitlist_offers (organization_id, hold_id);
create trigger waitlist_offers_refuse_restricted before insert on waitlist_offers
  for each row when (new.status = 'open') execute function refuse_restricted();
-- An offer that is deleted with its entry, or by an erasure, keeps no time.
create trigger waitlist_offers_release_time after delete on waitlist_offers
  for each row when (old.status = 'open') execute function waitlist_offers_release_time();

alter table waitlist_offers enable row level security;
alter table waitlist_offers force row level security;
create policy waitlist_offers_select on waitlist_offers for select using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('appointments', 'view_org')));
create policy waitlist_offers_insert on waitlist_offers for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('appointments', 'manage')));
create policy waitlist_offers_update on waitlist_offers for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('appointments', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('appointments', 'manage')));
create policy waitlist_offers_delete on waitlist_offers for delete
  using (organization_id = (select current_app_org_id()) and (select current_app_is_service()));
grant delete on waitlist_offers to tendon_worker;
grant select, insert on waitlist_offers to tendon_app;
grant update (status, reason, token_hash, mail_at, answered_at) on waitlist_offers to tendon_app;

-- An accepted offer gives its entry the calendar of the time.
grant update (calendar_id) on appointments to tendon_app;
