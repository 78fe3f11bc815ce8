-- Holds and appointments share one table of claimed time with one exclusion constraint: two people never get one slot.

create table holds (
  -- A random id: it is the capability that releasing and booking need.
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  service_id uuid not null,
  specialist_id uuid not null,
  location_id uuid,
  calendar_id uuid,
  mode text not null check (mode in ('in_person', 'video', 'phone')),
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  status text not null default 'active' check (status in ('active', 'converted', 'released', 'expired')),
  expires_at timestamptz not null,
  -- Blind index of the address that took a public hold, for its limit; null for staff.
  client_index bytea,
  created_by_principal_id uuid default current_app_principal_id(),
  created_at timestamptz not null default now(),
  constraint holds_organization_id_key unique (organization_id, id),
  constraint holds_service_fkey foreign key (organization_id, service_id) references services (organization_id, id),
  constraint holds_specialist_fkey foreign key (organization_id, specialist_id) references specialists (organization_id, id),
  constraint holds_location_fkey foreign key (organization_id, location_id) references locations (organization_id, id),
  constraint holds_calendar_fkey foreign key (organization_id, calendar_id) references calendars (organization_id, id)
    on delete set null (calendar_id)
);
create index holds_client_idx on holds (organization_id, client_index, expires_at) where status = 'active';
create index holds_expires_idx on holds (expires_at) where status = 'active';
create index holds_service_idx on holds (organization_id, service_id);
create index holds_specialist_idx on holds (organization_id, specialist_id);
create index holds_location_idx on holds (organization_id, location_id);
create index holds_calendar_idx on holds (organization_id, calendar_id);

create table appointments (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  service_id uuid not null,
  specialist_id uuid,
  location_id uuid,
  calendar_id uuid,
  patient_profile_id uuid,
  patient_id uuid,
  starts_at timestamptz,
  ends_at timestamptz,
  time_zone text not null,
  mode text not null check (mode in ('in_person', 'video', 'phone')),
  status text not null check (status in
    ('waitlist', 'pending', 'confirmed', 'checked_in', 'completed', 'no_show', 'cancelled', 'entered_in_error')),
  source text not null check (source in ('staff', 'patient', 'public', 'waitlist', 'series')),
  title text,
  notes text,                                    -- for staff alone
  patient_note text,
  meeting_url text,
  price_cents bigint check (price_cents >= 0),
  currency text not null default 'RON',
  booker jsonb,                                  -- name, email, phone, language of someone without a linked record
  wanted jsonb,                                  -- what a waitlist entry waits for
  series_id uuid,
  rescheduled_from_id uuid,
  rescheduled_to_id uuid,
  -- The first appointment of a chain of moves, and how many moves there were: UID and SEQUENCE of calendar files.
  calendar_uid uuid not null default uuidv7(),
  calendar_sequence integer not null default 0,
  cancelled_at timestamptz,
  cancelled_by text check (cancelled_by in ('staff', 'patient', 'booker', 'system')),
  cancellation_reason text,
  confirmed_at timestamptz,
  checked_in_at timestamptz,
  completed_at timestamptz,
  overlap_allowed boolean not null default false,
  missing_consents text[] not null default '{}',
  slot_freed_at timestamptz,                     -- of a waitlist entry: a matching slot was freed
  version integer not null default 1,
  created_by_principal_id uuid default current_app_principal_id(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint appointments_organization_id_key unique (organization_id, id),
  constraint appointments_time_check check (
    (status = 'waitlist' or rescheduled_from_id is not null or starts_at is not null or cancelled_at is not null
      or status = 'entered_in_error')
    and ((starts_at is null) = (ends_at is null)) and (ends_at > starts_at)),
  constraint appointments_patient_check check ((patient_id is null) = (patient_profile_id is null)),
  constraint appointments_service_fkey foreign key (organization_id, service_id) references services (organization_id, id),
  constraint appointments_specialist_fkey foreign key (organization_id, specialist_id)
    references specialists (organization_id, id),
  constraint appointments_location_fkey foreign key (organization_id, location_id) references locations (organization_id, id),
  constraint appointments_calendar_fkey foreign key (organization_id, calendar_id)
    references calendars (organization_id, id) on delete set null (calendar_id),
  constraint appointments_patient_fkey foreign key (organization_id, patient_id) references patients (organization_id, id),
  constraint appointments_profile_fkey foreign key (organization_id, patient_profile_id)
    references patients (organization_id, patient_profile_id),
  constraint appointments_rescheduled_from_fkey foreign key (organization_id, rescheduled_from_id)
    references appointments (organization_id, id),
  constraint appointments_rescheduled_to_fkey foreign key (organization_id, rescheduled_to_id)
    references appointments (organization_id, id),
  -- A patient is in one place at a time, unless staff allow it.
  constraint appointments_patient_excl exclude using gist (
    organization_id with =, patient_profile_id with =, tstzrange(starts_at, ends_at) with &&)
    where (patient_profile_id is not null and starts_at is not null and not overlap_allowed
      and status in ('pending', 'confirmed', 'checked_in'))
);
create index appointments_starts_idx on appointments (organization_id, starts_at);
create index appointments_specialist_idx on appointments (organization_id, specialist_id, starts_at);
create index appointments_service_idx on appointments (organization_id, service_id, starts_at);
create index appointments_patient_idx on appointments (organization_id, patient_id, starts_at);
create index appointments_profile_idx on appointments (patient_profile_id);
create index appointments_location_idx on appointments (organization_id, location_id);
create index appointments_calendar_idx on appointments (organization_id, calendar_id);
create index appointments_series_idx on appointments (organization_id, series_id) where series_id is not null;
create index appointments_rescheduled_from_idx on appointments (organization_id, rescheduled_from_id);
create index appointments_rescheduled_to_idx on appointments (organization_id, rescheduled_to_id);
create trigger appointments_updated_at before update on appointments for each row execute function set_updated_at();
create trigger appointments_refuse_restricted before insert on appointments
  for each row when (new.patient_profile_id is not null) execute function refuse_restricted();

create table time_claims (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  specialist_id uuid not null,
  starts_at timestamptz not null,                -- with buffers
  ends_at timestamptz not null,
  during tstzrange generated always as (tstzrange(starts_at, ends_at)) stored,
  kind text not null check (kind in ('hold', 'appointment')),
  hold_id uuid,
  appointment_id uuid,
  expires_at timestamptz,
  constraint time_claims_length_check check (ends_at > starts_at and ends_at - starts_at <= interval '24 hours'),
  constraint time_claims_expiry_check check ((kind = 'hold') = (expires_at is not null)),
  constraint time_claims_free_excl exclude using gist (organization_id with =, specialist_id with =, during with &&),
  constraint time_claims_specialist_fkey foreign key (organization_id, specialist_id)
    references specialists (organization_id, id),
  constraint time_claims_hold_fkey foreign key (organization_id, hold_id) references holds (organization_id, id) on delete cascade,
  constraint time_claims_appointment_fkey foreign key (organization_id, appointment_id)
    references appointments (organization_id, id) on delete cascade
);
create unique index time_claims_hold_key on time_claims (organization_id, hold_id) where hold_id is not null;
create unique index time_claims_appointment_key on time_claims (organization_id, appointment_id) where appointment_id is not null;
create index time_claims_read_idx on time_claims (organization_id, specialist_id, starts_at) include (ends_at, kind, expires_at);

-- Holds and claims are written and read by functions alone: the id of a hold is a capability.
alter table holds enable row level security;
alter table holds force row level security;
create policy holds_select on holds for select using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('appointments', 'manage')));

alter table time_claims enable row level security;
alter table time_claims force row level security;
create policy time_claims_select on time_claims for select using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('appointments', 'view_org')));

-- Staff by permission; patients their own, at any clinic. What patients and visitors book goes through functions.
alter table appointments enable row level security;
alter table appointments force row level security;
create policy appointments_select on appointments for select using (
  (organization_id = (select current_app_org_id()) and (select current_app_has_permission('appointments', 'view_org')))
  or patient_profile_id = any ((select current_app_profile_ids())::uuid[]));
create policy appointments_insert on appointments for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('appointments', 'manage')));
create policy appointments_update on appointments for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('appointments', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('appointments', 'manage')));
grant select, insert on appointments to tendon_app;
grant update (service_id, location_id, patient_profile_id, patient_id, mode, status, title, notes, patient_note, meeting_url,
  price_cents, currency, booker, wanted, rescheduled_to_id, cancelled_at, cancelled_by, cancellation_reason, confirmed_at,
  checked_in_at, completed_at, overlap_allowed, missing_consents, slot_freed_at, version, updated_at)
  on appointments to tendon_app;
