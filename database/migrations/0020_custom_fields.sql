-- A clinic's own fields on its records, in versions. The columns hold the last published version, which profiles and new
-- forms use; `draft` holds an edit that is not published yet.

create table custom_fields (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  entity_type text not null check (entity_type in ('patient', 'specialist', 'appointment', 'organization')),
  key text not null,
  label text not null,
  field_type text not null check (field_type in
    ('text', 'textarea', 'select', 'date', 'checkbox', 'radio', 'number', 'email', 'phone')),
  options text[],
  description text,
  is_private boolean not null default false,
  sort_order integer not null default 0,
  system_key text,            -- set only on seeded fields; never changes
  version integer not null default 1 check (version > 0),
  draft jsonb,                -- {label, options, description, is_private, sort_order}; null: nothing unpublished
  created_by_principal_id uuid default current_app_principal_id(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,     -- its versions stay, and forms that hold it
  constraint custom_fields_organization_id_key unique (organization_id, id),
  constraint custom_fields_options_check check (field_type not in ('select', 'radio', 'checkbox') or cardinality(options) > 0)
);
create unique index custom_fields_key_key on custom_fields (organization_id, entity_type, key) where deleted_at is null;
create unique index custom_fields_system_key_key on custom_fields (organization_id, entity_type, system_key)
  where deleted_at is null and system_key is not null;
create trigger custom_fields_updated_at before update on custom_fields for each row execute function set_updated_at();

create table custom_field_versions (
  organization_id uuid not null default current_app_scope() references organizations (id),
  custom_field_id uuid not null,
  version integer not null check (version > 0),
  fields_snapshot jsonb not null,  -- {key, label, field_type, options, description, is_private, sort_order, system_key}
  published_at timestamptz not null default now(),
  published_by_principal_id uuid default current_app_principal_id(),
  primary key (custom_field_id, version),
  constraint custom_field_versions_field_fkey foreign key (organization_id, custom_field_id)
    references custom_fields (organization_id, id)
);

-- One value of one record. A national identification number never stands here.
create table custom_field_values (
  organization_id uuid not null default current_app_scope() references organizations (id),
  custom_field_id uuid not null,
  entity_id uuid not null,         -- patients.id, specialists.id, the appointment's or the organization's
  patient_profile_id uuid,         -- of a patient's value, set by the trigger below
  value jsonb not null,            -- text, number, date as text, or the list of chosen options
  updated_by_principal_id uuid default current_app_principal_id(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (custom_field_id, entity_id),
  constraint custom_field_values_field_fkey foreign key (organization_id, custom_field_id)
    references custom_fields (organization_id, id),
  constraint custom_field_values_patient_fkey foreign key (organization_id, patient_profile_id)
    references patients (organization_id, patient_profile_id)
);
create index custom_field_values_entity_idx on custom_field_values (organization_id, entity_id);
create index custom_field_values_profile_idx on custom_field_values (organization_id, patient_profile_id);
create trigger custom_field_values_updated_at before update on custom_field_values
  for each row execute function set_updated_at();

-- The record must be one of the clinic's, of the kind that the field is for.
create function custom_field_values_fit_entity() returns trigger language plpgsql security definer set search_path = public as $$
declare
  v_type text;
  v_known boolean;
begin
  select entity_type into v_type from custom_fields
    where organization_id = new.organization_id and id = new.custom_field_id and deleted_at is null;
  if v_type = 'patient' then
    select patient_profile_id into new.patient_profile_id from patients
      where organization_id = new.organization_id and id = new.entity_id and deleted_at is null;
    v_known := found;
  elsif v_type = 'specialist' then
    v_known := exists (select 1 from specialists where organization_id = new.organization_id and id = new.entity_id);
  elsif v_type = 'organization' then
    v_known := new.entity_id = new.organization_id;
  else
    v_known := v_type is not null;  -- appointments come with scheduling
  end if;
  if not v_known then
    raise exception 'no such record' using errcode = 'foreign_key_violation', constraint = 'custom_field_values_entity_fkey';
  end if;
  return new;
end
$$;
alter function custom_field_values_fit_entity() owner to tendon_definer;
create trigger custom_field_values_fit_entity before insert on custom_field_values
  for each row execute function custom_field_values_fit_entity();
create trigger custom_field_values_refuse_restricted before insert or update on custom_field_values
  for each row when (new.patient_profile_id is not null) execute function refuse_restricted();

alter table custom_fields enable row level security;
alter table custom_fields force row level security;
-- A patient sees the fields of their own profile; those marked private never.
create policy custom_fields_select on custom_fields for select using (
  organization_id = (select current_app_org_id())
  and ((select current_app_has_permission('custom_fields', 'view'))
    or (entity_type = 'patient' and not is_private and (select current_app_profile_ids()) <> '{}'::uuid[])));
create policy custom_fields_insert on custom_fields for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('custom_fields', 'manage')));
create policy custom_fields_update on custom_fields for update
  using (organization_id = (select current_app_org_id()) and system_key is null
    and (select current_app_has_permission('custom_fields', 'manage')))
  with check (organization_id = (select current_app_org_id()) and system_key is null
    and (select current_app_has_permission('custom_fields', 'manage')));
grant select on custom_fields to tendon_app;
grant insert (organization_id, entity_type, key, label, field_type, options, description, is_private, sort_order)
  on custom_fields to tendon_app;
grant update (label, options, description, is_private, sort_order, version, draft, deleted_at, updated_at)
  on custom_fields to tendon_app;

alter table custom_field_versions enable row level security;
alter table custom_field_versions force row level security;
create policy custom_field_versions_select on custom_field_versions for select using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('custom_fields', 'view')));
create policy custom_field_versions_insert on custom_field_versions for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('custom_fields', 'manage')));
grant select on custom_field_versions to tendon_app;
grant insert (organization_id, custom_field_id, version, fields_snapshot) on custom_field_versions to tendon_app;

-- Who sees the record sees its values; a patient those of their own that are not private. Saving a form writes them too.
alter table custom_field_values enable row level security;
alter table custom_field_values force row level security;
create policy custom_field_values_select on custom_field_values for select using (
  organization_id = (select current_app_org_id())
  and (case when patient_profile_id is null then (select current_app_has_permission('custom_fields', 'view'))
      else (select current_app_has_permission('patients', 'view_org')) end
    or (patient_profile_id = any ((select current_app_profile_ids())::uuid[])
      and exists (select 1 from custom_fields f where f.id = custom_field_id and not f.is_private))));
create policy custom_field_values_insert on custom_field_values for insert with check (
  organization_id = (select current_app_org_id())
  and (case when patient_profile_id is null then (select current_app_has_permission('specialists', 'manage'))
        or (select current_app_has_permission('custom_fields', 'manage'))
      else (select current_app_has_permission('patients', 'update')) or (select current_app_has_permission('forms', 'fill_org')) end
    or (patient_profile_id = any ((select current_app_profile_ids())::uuid[])
      and exists (select 1 from custom_fields f where f.id = custom_field_id and not f.is_private))));
create policy custom_field_values_update on custom_field_values for update
  using (organization_id = (select current_app_org_id())
    and (case when patient_profile_id is null then (select current_app_has_permission('specialists', 'manage'))
          or (select current_app_has_permission('custom_fields', 'manage'))
        else (select current_app_has_permission('patients', 'update')) or (select current_app_has_permission('forms', 'fill_org')) end
      or (patient_profile_id = any ((select current_app_profile_ids())::uuid[])
        and exists (select 1 from custom_fields f where f.id = custom_field_id and not f.is_private))))
  with check (organization_id = (select current_app_org_id()));
create policy custom_field_values_delete on custom_field_values for delete using (
  organization_id = (select current_app_org_id())
  and (case when patient_profile_id is null then (select current_app_has_permission('specialists', 'manage'))
        or (select current_app_has_permission('custom_fields', 'manage'))
      else (select current_app_has_permission('patients', 'update')) or (select current_app_has_permission('forms', 'fill_org'))
        or (select current_app_has_permission('custom_fields', 'manage')) end
    or (patient_profile_id = any ((select current_app_profile_ids())::uuid[])
      and exists (select 1 from custom_fields f where f.id = custom_field_id and not f.is_private))));
grant select, delete on custom_field_values to tendon_app;
grant insert (organization_id, custom_field_id, entity_id, value) on custom_field_values to tendon_app;
grant update (value, updated_by_principal_id, updated_at) on custom_field_values to tendon_app;
