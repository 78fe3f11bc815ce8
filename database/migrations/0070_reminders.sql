-- Reminders of appointments: when a clinic or a service sends them, and what was planned and sent.
-- Small table: services (a few dozen rows per clinic).

-- What a clinic decides for all its appointments. A clinic without a row has the defaults.
create table scheduling_settings (
  organization_id uuid primary key default current_app_scope() references organizations (id),
  reminder_offsets_minutes integer[] not null default '{1440,120}',
  feed_shows_details boolean not null default false,
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  constraint scheduling_settings_offsets_check check (cardinality(reminder_offsets_minutes) <= 5
    and 10 <= all (reminder_offsets_minutes) and 43200 >= all (reminder_offsets_minutes))
);
create trigger scheduling_settings_updated_at before update on scheduling_settings
  for each row execute function set_updated_at();
create trigger scheduling_settings_bump_version before update on scheduling_settings
  for each row execute function bump_version();
alter table scheduling_settings enable row level security;
alter table scheduling_settings force row level security;
create policy scheduling_settings_select on scheduling_settings for select using (
  organization_id = (select current_app_org_id())
  and ((select current_app_has_permission('calendars', 'view_org')) or (select current_app_has_permission('calendars', 'manage'))));
create policy scheduling_settings_update on scheduling_settings for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('calendars', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('calendars', 'manage')));
grant select on scheduling_settings to tendon_app;
grant update (reminder_offsets_minutes, feed_shows_details, version, updated_at) on scheduling_settings to tendon_app;

-- Null: as the clinic decides.
alter table services
  add column reminder_offsets_minutes integer[],
  add constraint services_reminder_offsets_check check (cardinality(reminder_offsets_minutes) <= 5
    and 10 <= all (reminder_offsets_minutes) and 43200 >= all (reminder_offsets_minutes));
grant update (reminder_offsets_minutes) on services to tendon_app;

-- One row for each reminder that a confirmed appointment gets. The start is part of the key: a reminder is about that start.
create table appointment_reminders (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  appointment_id uuid not null,
  patient_profile_id uuid,
  offset_minutes integer not null,
  starts_at timestamptz not null,
  send_at timestamptz not null,
  status text not null default 'planned' check (status in ('planned', 'sent', 'skipped')),
  created_at timestamptz not null default now(),
  constraint appointment_reminders_organization_id_key unique (organization_id, id),
  constraint appointment_reminders_key unique (organization_id, appointment_id, offset_minutes, starts_at),
  constraint appointment_reminders_appointment_fkey foreign key (organization_id, appointment_id)
    references appointments (organization_id, id) on delete cascade,
  constraint appointment_reminders_patient_fkey foreign key (organization_id, patient_profile_id)
    references patients (organization_id, patient_profile_id)
);
create index appointment_reminders_patient_idx on appointment_reminders (organization_id, patient_profile_id);
alter table appointment_reminders enable row level security;
alter table appointment_reminders force row level security;
create policy appointment_reminders_select on appointment_reminders for select using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('appointments', 'view_org')));
grant select on appointment_reminders to tendon_app;

-- A mail that is sent only while its reminder is right. Without a foreign key: a mail whose reminder is gone is not sent either.
alter table mail_outbox add column appointment_reminder_id uuid;
