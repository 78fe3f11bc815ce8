-- A clinic's own fields on its records, in versions. The columns hold the last published version, which profiles and new
-- forms use; `draft` holds an edit that is not published yet.

-- Whether the caller holds at least one of these codes.
create function current_app_holds_any(permission_codes text[]) returns boolean language sql stable parallel safe as $$
  select exists (select 1 from unnest(permission_codes) code where current_app_holds(code))
$$;
grant execute on function current_app_holds_any(text[]) to tendon_app, tendon_platform, tendon_worker, tendon_definer;

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
  constraint custom_fields_options_check check ((field_type in ('select', 'radio', 'checkbox')) = (options is not null)
    and (options is null or cardinality(options) > 0))
);
-- A deleted field frees its key.
create unique index custom_fields_key_key on custom_fields (organization_id, entity_type, key) where deleted_at is null;
create unique index custom_fields_system_key_key on custom_fields (organization_id, entity_type, system_key)
  where deleted_at is null and system_key is not null;
create trigger custom_fields_updated_at before update on custom_fields for each row execute function set_updated_at();

-- Lists of fields have no pages, and every profile reads them all.
create function custom_fields_keep_limit() returns trigger language plpgsql security definer set search_path = public as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('custom_fields ' || new.organization_id || new.entity_type, 0));
  if (select count(*) from custom_fields
      where organization_id = new.organization_id and entity_type = new.entity_type and deleted_at is null) >= 200 then
    raise exception 'too many fields' using errcode = 'check_violation', constraint = 'custom_fields_limit_check';
  end if;
  return new;
end
$$;
alter function custom_fields_keep_limit() owner to tendon_definer;
create trigger custom_fields_keep_limit before insert on custom_fields
  for each row when (new.system_key is null) execute function custom_fields_keep_limit();

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

-- Whatever is published is kept: one row for each version, without a gap. Nobody else writes here, and nobody changes it.
create function custom_fields_keep_version() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if tg_op = 'UPDATE' and new.version <> old.version + 1 then
    raise exception 'versions follow each other' using errcode = 'check_violation', constraint = 'custom_fields_version_check';
  end if;
  insert into custom_field_versions (organization_id, custom_field_id, version, fields_snapshot)
    values (new.organization_id, new.id, new.version, jsonb_build_object('key', new.key, 'label', new.label,
      'field_type', new.field_type, 'options', new.options, 'description', new.description, 'is_private', new.is_private,
      'sort_order', new.sort_order, 'system_key', new.system_key));
  return null;
end
$$;
alter function custom_fields_keep_version() owner to tendon_definer;
create trigger custom_fields_keep_first_version after insert on custom_fields
  for each row execute function custom_fields_keep_version();
create trigger custom_fields_keep_next_version after update on custom_fields
  for each row when (old.version <> new.version or (old.label, old.options, old.description, old.is_private, old.sort_order)
    is distinct from (new.label, new.options, new.description, new.is_private, new.sort_order))
  execute function custom_fields_keep_version();

-- What the platform keeps for every clinic, in the clinic's language. The number itself stands encrypted in patient_profiles.
create function add_system_fields(p_organization uuid) returns void language sql security definer set search_path = public as $$
  insert into custom_fields (organization_id, entity_type, key, label, field_type, is_private, sort_order, system_key)
  select o.id, 'patient', f.key, case o.language_code when 'ro' then f.ro else f.en end, f.field_type,
    f.system_key = 'national_identification_number', f.sort_order, f.system_key
  from organizations o, (values
    ('national_id', 'text', 'national_identification_number', -60, 'National identification number', 'Cod numeric personal'),
    ('occupation', 'text', 'occupation', -50, 'Occupation', 'Ocupație'),
    ('emergency_contact', 'text', 'emergency_contact', -40, 'Emergency contact', 'Persoană de contact în caz de urgență'),
    ('emergency_phone', 'phone', 'emergency_phone', -30, 'Phone of the emergency contact', 'Telefonul persoanei de contact'),
    ('referring_doctor', 'text', 'referring_doctor', -20, 'Referring doctor', 'Medic trimițător'),
    ('allergies', 'textarea', 'allergies', -10, 'Allergies', 'Alergii')
  ) as f (key, field_type, system_key, sort_order, en, ro)
  where o.id = p_organization
  on conflict do nothing
$$;
alter function add_system_fields(uuid) owner to tendon_definer;
create function organizations_add_system_fields() returns trigger language plpgsql security definer set search_path = public as $$
begin
  perform add_system_fields(new.id);
  return null;
end
$$;
alter function organizations_add_system_fields() owner to tendon_definer;
create trigger organizations_add_system_fields after insert on organizations
  for each row execute function organizations_add_system_fields();

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

-- The record must be one of the clinic's, of the kind that the field is for. The value of a field that was deleted meanwhile
-- is left out: the lock, which a deletion waits for, makes the two take turns.
create function custom_field_values_fit_entity() returns trigger language plpgsql security definer set search_path = public as $$
declare
  v_field custom_fields;
  v_known boolean;
begin
  select * into v_field from custom_fields
    where organization_id = new.organization_id and id = new.custom_field_id for key share;
  if v_field.deleted_at is not null then
    return null;
  end if;
  if v_field.system_key = 'national_identification_number' then
    raise exception 'the number is kept encrypted' using errcode = 'check_violation', constraint = 'custom_field_values_number_check';
  end if;
  if v_field.entity_type = 'patient' then
    select patient_profile_id into new.patient_profile_id from patients
      where organization_id = new.organization_id and id = new.entity_id and deleted_at is null;
    v_known := found;
  elsif v_field.entity_type = 'specialist' then
    v_known := exists (select 1 from specialists
      where organization_id = new.organization_id and id = new.entity_id and deleted_at is null);
  elsif v_field.entity_type = 'organization' then
    v_known := new.entity_id = new.organization_id;
  else
    v_known := v_field.id is not null;  -- appointments come with scheduling
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

-- Writers of one record's values take turns, until their transactions end. The patient comes first, as in an erasure, so
-- that the two take turns as well.
create function lock_custom_field_values(p_entity_id uuid) returns void language plpgsql security definer set search_path = public as $$
begin
  perform 1 from patients where organization_id = current_app_org_id() and id = p_entity_id for share;
  perform pg_advisory_xact_lock(hashtextextended('custom_field_values ' || p_entity_id, 0));
end
$$;
alter function lock_custom_field_values(uuid) owner to tendon_definer;
grant execute on function lock_custom_field_values(uuid) to tendon_app;

-- The field goes, with the values of every record, whoever may see those; its versions stay. False: there is none to delete.
create function delete_custom_field(p_id uuid) returns boolean language plpgsql security definer set search_path = public as $$
begin
  perform 1 from custom_fields where organization_id = current_app_org_id() and id = p_id and deleted_at is null
    and system_key is null and current_app_has_permission('custom_fields', 'manage') for update;
  if not found then
    return false;
  end if;
  update custom_fields set deleted_at = now(), draft = null where id = p_id;
  delete from custom_field_values where organization_id = current_app_org_id() and custom_field_id = p_id;
  return true;
end
$$;
alter function delete_custom_field(uuid) owner to tendon_definer;
grant execute on function delete_custom_field(uuid) to tendon_app;

-- What was private stays so in templates that outlive the field, also for whoever does not see deleted records.
create function deleted_private_fields(p_ids uuid[]) returns setof uuid language sql stable security definer set search_path = public as $$
  select id from custom_fields
  where organization_id = current_app_org_id() and id = any (p_ids) and deleted_at is not null and is_private
$$;
alter function deleted_private_fields(uuid[]) owner to tendon_definer;
grant execute on function deleted_private_fields(uuid[]) to tendon_app;

alter table custom_fields enable row level security;
alter table custom_fields force row level security;
-- Staff who work with records see what is asked on them; a patient the fields of their own profile, private ones never.
create policy custom_fields_select on custom_fields for select using (
  organization_id = (select current_app_org_id())
  and (deleted_at is null or (select current_app_has_permission('data', 'view_deleted')))
  and ((select current_app_holds_any('{custom_fields.view,custom_fields.manage,patients.view_org,specialists.view_org,
      specialists.manage,form_templates.manage,forms.create,forms.fill_own,forms.fill_org,segments.view,segments.manage}'))
    or (entity_type = 'patient' and not is_private and (select current_app_profile_ids()) <> '{}'::uuid[])));
create policy custom_fields_insert on custom_fields for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('custom_fields', 'manage')));
create policy custom_fields_update on custom_fields for update
  using (organization_id = (select current_app_org_id()) and system_key is null and deleted_at is null
    and (select current_app_has_permission('custom_fields', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('custom_fields', 'manage')));
grant select on custom_fields to tendon_app;
grant insert (organization_id, entity_type, key, label, field_type, options, description, is_private, sort_order)
  on custom_fields to tendon_app;
grant update (label, options, description, is_private, sort_order, version, draft, updated_at) on custom_fields to tendon_app;

alter table custom_field_versions enable row level security;
alter table custom_field_versions force row level security;
create policy custom_field_versions_select on custom_field_versions for select using (
  organization_id = (select current_app_org_id())
  and (select current_app_holds_any('{custom_fields.view,custom_fields.manage}')));
grant select on custom_field_versions to tendon_app;
revoke insert, update, delete on custom_field_versions from tendon_platform;

-- Who sees the record sees its values; a patient those of their own that are not private. A form reads and writes them too.
alter table custom_field_values enable row level security;
alter table custom_field_values force row level security;
create policy custom_field_values_select on custom_field_values for select using (
  organization_id = (select current_app_org_id())
  and (case when patient_profile_id is null
      then (select current_app_holds_any('{custom_fields.view,custom_fields.manage,specialists.view_org,specialists.manage}'))
      else (select current_app_holds_any('{patients.view_org,patients.update,forms.create,forms.fill_own,forms.fill_org}')) end
    or (patient_profile_id = any ((select current_app_profile_ids())::uuid[])
      and exists (select 1 from custom_fields f where f.id = custom_field_id and not f.is_private))));
create policy custom_field_values_insert on custom_field_values for insert with check (
  organization_id = (select current_app_org_id())
  and (case when patient_profile_id is null then (select current_app_holds_any('{specialists.manage,custom_fields.manage}'))
      else (select current_app_holds_any('{patients.update,forms.fill_own,forms.fill_org}')) end
    or (patient_profile_id = any ((select current_app_profile_ids())::uuid[])
      and exists (select 1 from custom_fields f where f.id = custom_field_id and not f.is_private))));
create policy custom_field_values_update on custom_field_values for update
  using (organization_id = (select current_app_org_id())
    and (case when patient_profile_id is null then (select current_app_holds_any('{specialists.manage,custom_fields.manage}'))
        else (select current_app_holds_any('{patients.update,forms.fill_own,forms.fill_org}')) end
      or (patient_profile_id = any ((select current_app_profile_ids())::uuid[])
        and exists (select 1 from custom_fields f where f.id = custom_field_id and not f.is_private))))
  with check (organization_id = (select current_app_org_id()));
create policy custom_field_values_delete on custom_field_values for delete using (
  organization_id = (select current_app_org_id())
  and (case when patient_profile_id is null then (select current_app_holds_any('{specialists.manage,custom_fields.manage}'))
      else (select current_app_holds_any('{patients.update,forms.fill_own,forms.fill_org}')) end
    or (patient_profile_id = any ((select current_app_profile_ids())::uuid[])
      and exists (select 1 from custom_fields f where f.id = custom_field_id and not f.is_private))));
grant select, delete on custom_field_values to tendon_app;
grant insert (organization_id, custom_field_id, entity_id, value) on custom_field_values to tendon_app;
grant update (value, updated_by_principal_id, updated_at) on custom_field_values to tendon_app;
