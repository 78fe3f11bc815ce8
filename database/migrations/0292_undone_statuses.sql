-- A status that staff set can be undone. Null in rows that were written before.
alter table appointments
  add column previous_status text,
  add column status_set_at timestamptz,
  add column status_set_by text,
  add column before_booking jsonb,   -- of a waitlist entry that staff gave a time: its specialist and time before
  add constraint appointments_previous_status_check check (previous_status in ('waitlist', 'pending', 'confirmed',
    'checked_in', 'completed', 'no_show', 'cancelled', 'entered_in_error')) not valid,
  add constraint appointments_status_set_by_check check (status_set_by in ('staff', 'patient', 'booker', 'system')) not valid;
grant update (previous_status, status_set_at, status_set_by, before_booking) on appointments to tendon_app;

-- A visit that takes place again raises the number of its calendar entry too, and a restricted patient gets none.
drop trigger appointments_raise_sequence on appointments;
create trigger appointments_raise_sequence before update of status, starts_at, ends_at, service_id, location_id on appointments
  for each row when (old.status = 'pending' and new.status = 'confirmed' or old.status = 'confirmed' and new.status = 'pending'
    or old.status = 'cancelled' and new.status <> 'cancelled'
    or old.starts_at is not null and (old.starts_at is distinct from new.starts_at
      or old.ends_at is distinct from new.ends_at or old.service_id is distinct from new.service_id
      or old.location_id is distinct from new.location_id))
  execute function appointments_raise_sequence();
drop trigger appointments_refuse_restricted_time on appointments;
create trigger appointments_refuse_restricted_time before update of status on appointments
  for each row when (new.patient_profile_id is not null
    and (old.status = 'waitlist' and new.status in ('pending', 'confirmed')
      or old.status in ('cancelled', 'no_show') and new.status in ('waitlist', 'pending', 'confirmed', 'checked_in')))
  execute function refuse_restricted();

-- Visits that staff changed and whose patient is not told yet: what the patient was last told (null: nothing). The mail about the
-- change takes the row with it.
create table appointment_notices (
  organization_id uuid not null default current_app_scope() references organizations (id),
  appointment_id uuid not null,
  told jsonb,
  created_at timestamptz not null default now(),
  constraint appointment_notices_pkey primary key (organization_id, appointment_id),
  constraint appointment_notices_appointment_fkey foreign key (organization_id, appointment_id)
    references appointments (organization_id, id) on delete cascade
);
alter table appointment_notices enable row level security;
alter table appointment_notices force row level security;
create policy appointment_notices_select on appointment_notices for select using (
  organization_id = (select current_app_org_id()) and (select current_app_is_service()));
create policy appointment_notices_insert on appointment_notices for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_is_service()));
create policy appointment_notices_update on appointment_notices for update
  using (organization_id = (select current_app_org_id()) and (select current_app_is_service()))
  with check (organization_id = (select current_app_org_id()) and (select current_app_is_service()));
create policy appointment_notices_delete on appointment_notices for delete using (
  organization_id = (select current_app_org_id()) and (select current_app_is_service()));
grant select, insert (organization_id, appointment_id, told), update (appointment_id), delete on appointment_notices to tendon_app;
