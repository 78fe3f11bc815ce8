-- Files of appointments: referrals, reports, pictures. The patient of the appointment sees them too.
create table appointment_files (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  appointment_id uuid not null,
  patient_profile_id uuid,                 -- null: of a booking that is not linked to a patient
  object_key text not null,
  name text not null,
  size bigint not null check (size >= 0),
  mime text not null,
  sha256 bytea not null,
  uploaded_by_principal_id uuid default current_app_principal_id(),
  uploaded_at timestamptz not null default now(),
  constraint appointment_files_organization_id_key unique (organization_id, id),
  constraint appointment_files_object_key_key unique (object_key),
  constraint appointment_files_appointment_fkey foreign key (organization_id, appointment_id)
    references appointments (organization_id, id) on delete cascade,
  constraint appointment_files_patient_fkey foreign key (organization_id, patient_profile_id)
    references patients (organization_id, patient_profile_id)
);
create index appointment_files_appointment_idx on appointment_files (organization_id, appointment_id, uploaded_at);
create index appointment_files_patient_idx on appointment_files (organization_id, patient_profile_id);
create trigger appointment_files_refuse_restricted before insert on appointment_files
  for each row when (new.patient_profile_id is not null) execute function refuse_restricted();
create trigger appointment_files_release_object after delete on appointment_files
  for each row execute function release_object('object_key');
-- A booking that is linked to a patient brings its files and documents along.
create trigger appointments_link_files after update of patient_profile_id on appointments
  for each row when (old.patient_profile_id is null and new.patient_profile_id is not null)
  execute function appointments_link_files();

alter table appointment_files enable row level security;
alter table appointment_files force row level security;
create policy appointment_files_select on appointment_files for select using (
  organization_id = (select current_app_org_id())
  and ((select current_app_has_permission('appointments', 'view_org'))
    or patient_profile_id = any ((select current_app_profile_ids())::uuid[])));
create policy appointment_files_insert on appointment_files for insert with check (
  organization_id = (select current_app_org_id())
  and ((select current_app_has_permission('appointments', 'manage'))
    or (patient_profile_id = any ((select current_app_profile_ids())::uuid[]) and exists (
      select 1 from appointments a where a.organization_id = appointment_files.organization_id
        and a.id = appointment_id and a.patient_profile_id = appointment_files.patient_profile_id))));
create policy appointment_files_delete on appointment_files for delete using (
  organization_id = (select current_app_org_id())
  and ((select current_app_has_permission('appointments', 'manage'))
    or (patient_profile_id = any ((select current_app_profile_ids())::uuid[])
      and uploaded_by_principal_id = (select current_app_principal_id()))));
grant select, delete on appointment_files to tendon_app;
grant insert (organization_id, appointment_id, patient_profile_id, object_key, name, size, mime, sha256)
  on appointment_files to tendon_app;
