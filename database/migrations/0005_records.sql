-- Custom fields of a clinic, versioned. The columns contain the last published version, which profiles and new forms use;
-- `draft` contains unpublished changes.

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
  deleted_at timestamptz,     -- its versions and forms stay
  constraint custom_fields_organization_id_key unique (organization_id, id),
  constraint custom_fields_options_check check ((field_type in ('select', 'radio', 'checkbox')) = (options is not null)
    and (options is null or cardinality(options) > 0))
);

-- The key of a deleted field can be used again.
create unique index custom_fields_key_key on custom_fields (organization_id, entity_type, key) where deleted_at is null;
create unique index custom_fields_system_key_key on custom_fields (organization_id, entity_type, system_key)
  where deleted_at is null and system_key is not null;
create trigger custom_fields_updated_at before update on custom_fields for each row execute function set_updated_at();
create trigger custom_fields_check_limit before insert on custom_fields
  for each row when (new.system_key is null) execute function custom_fields_check_limit();

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
create trigger custom_fields_record_first_version after insert on custom_fields
  for each row execute function custom_fields_record_version();
create trigger custom_fields_record_next_version after update on custom_fields
  for each row when (old.version <> new.version or (old.label, old.options, old.description, old.is_private, old.sort_order)
    is distinct from (new.label, new.options, new.description, new.is_private, new.sort_order))
  execute function custom_fields_record_version();
create trigger organizations_add_system_fields after insert on organizations
  for each row execute function organizations_add_system_fields();

-- One value of one record. The national identification number is never stored here.
create table custom_field_values (
  organization_id uuid not null default current_app_scope() references organizations (id),
  custom_field_id uuid not null,
  entity_id uuid not null,         -- patients.id, specialists.id, the appointment's or the organization's
  patient_profile_id uuid,         -- set by the trigger below for a patient's value
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
create trigger custom_field_values_check_entity before insert on custom_field_values
  for each row execute function custom_field_values_check_entity();
create trigger custom_field_values_refuse_restricted before insert or update on custom_field_values
  for each row when (new.patient_profile_id is not null) execute function refuse_restricted();
alter table custom_fields enable row level security;
alter table custom_fields force row level security;

-- Staff who work with records see the fields; a patient sees the fields of their own profile that are not private.
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

-- Callers who see the record see its values; a patient sees their own that are not private. Forms read and write them too.
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

-- Form templates, versioned. The row contains the newest text, which may be a draft; forms are created from the last
-- published version.
create table form_templates (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  title text collate "ro-x-icu" not null,                   -- Romanian order: Ș after S
  description text,
  type text not null check (type in ('survey', 'intake', 'assessment', 'consent', 'feedback', 'clinical_note')),
  status text not null default 'draft' check (status in ('draft', 'published', 'archived')),
  version integer not null default 0 check (version >= 0),  -- the last published; 0: none yet
  fields jsonb not null,
  translations jsonb not null default '{}',
  consent_purposes text[] not null default '{}',            -- purposes that a signed consent form consents to
  published_at timestamptz,
  published_by_principal_id uuid,
  created_by_principal_id uuid default current_app_principal_id(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,                                   -- its forms stay
  constraint form_templates_organization_id_key unique (organization_id, id)
);
create index form_templates_created_idx on form_templates (organization_id, created_at desc, id desc);
create trigger form_templates_updated_at before update on form_templates for each row execute function set_updated_at();

create table form_template_versions (
  organization_id uuid not null default current_app_scope() references organizations (id),
  form_template_id uuid not null,
  version integer not null check (version > 0),
  title text collate "ro-x-icu" not null,
  description text,
  type text not null,
  fields jsonb not null,
  translations jsonb not null,
  consent_purposes text[] not null,
  published_at timestamptz not null default now(),
  published_by_principal_id uuid default current_app_principal_id(),
  primary key (form_template_id, version),
  constraint form_template_versions_template_fkey foreign key (organization_id, form_template_id)
    references form_templates (organization_id, id),
  constraint form_template_versions_organization_id_key unique (organization_id, form_template_id, version)
);
alter table form_templates enable row level security;
alter table form_templates force row level security;

-- Callers who create forms see their templates.
create policy form_templates_select on form_templates for select using (
  organization_id = (select current_app_org_id())
  and ((select current_app_has_permission('form_templates', 'manage')) or (select current_app_has_permission('forms', 'create'))
    or (select current_app_has_permission('forms', 'view_org'))));
create policy form_templates_insert on form_templates for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('form_templates', 'manage')));
create policy form_templates_update on form_templates for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('form_templates', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('form_templates', 'manage')));
grant select on form_templates to tendon_app;
grant insert (organization_id, title, description, type, fields, translations, consent_purposes) on form_templates to tendon_app;
grant update (title, description, type, status, version, fields, translations, consent_purposes, published_at,
  published_by_principal_id, deleted_at, updated_at) on form_templates to tendon_app;
alter table form_template_versions enable row level security;
alter table form_template_versions force row level security;
create policy form_template_versions_select on form_template_versions for select using (
  organization_id = (select current_app_org_id())
  and ((select current_app_has_permission('form_templates', 'manage')) or (select current_app_has_permission('forms', 'create'))
    or (select current_app_has_permission('forms', 'view_org'))));
create policy form_template_versions_insert on form_template_versions for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('form_templates', 'manage')));
grant select on form_template_versions to tendon_app;
grant insert (organization_id, form_template_id, version, title, description, type, fields, translations, consent_purposes)
  on form_template_versions to tendon_app;
revoke update, delete on form_template_versions from tendon_platform;

-- Forms about patients. A form contains a copy of its template; once signed, neither the row nor its files change.
create table forms (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  form_template_id uuid not null,
  template_version integer not null,
  patient_profile_id uuid not null,
  appointment_id uuid,
  amends_form_id uuid,                       -- the signed form that this one corrects
  title text collate "ro-x-icu" not null,
  type text not null,
  status text not null default 'pending' check (status in ('pending', 'in_progress', 'completed', 'signed')),
  fields jsonb not null,
  translations jsonb not null default '{}',
  values jsonb not null default '{}',
  consent_purposes jsonb not null default '[]',  -- [{purpose_code, purpose_version}]: consents given by signing
  completed_at timestamptz,
  signed_at timestamptz,
  signed_by_principal_id uuid,
  seal bytea,                                -- SHA-256 of what was signed
  created_by_principal_id uuid default current_app_principal_id(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint forms_organization_id_key unique (organization_id, id),
  constraint forms_patient_key unique (organization_id, id, patient_profile_id),
  constraint forms_template_fkey foreign key (organization_id, form_template_id, template_version)
    references form_template_versions (organization_id, form_template_id, version),
  constraint forms_patient_fkey foreign key (organization_id, patient_profile_id)
    references patients (organization_id, patient_profile_id),
  constraint forms_amends_fkey foreign key (organization_id, amends_form_id) references forms (organization_id, id),
  constraint forms_signed_complete_check check (
    (status = 'signed') = (signed_at is not null and signed_by_principal_id is not null and seal is not null)
    and (status in ('completed', 'signed')) = (completed_at is not null))
);
create index forms_created_idx on forms (organization_id, created_at desc, id desc);
create index forms_patient_idx on forms (organization_id, patient_profile_id, created_at desc);
create index forms_profile_id_idx on forms (patient_profile_id);
create index forms_template_idx on forms (organization_id, form_template_id, patient_profile_id, updated_at desc);
create trigger forms_updated_at before update on forms for each row execute function set_updated_at();
create trigger forms_refuse_restricted before insert or update on forms for each row execute function refuse_restricted();

create table form_files (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  form_id uuid not null,
  field_key text not null,
  object_key text not null,
  name text not null,
  size bigint not null check (size >= 0),
  mime text not null,
  sha256 bytea not null,
  patient_profile_id uuid not null,
  uploaded_by_principal_id uuid default current_app_principal_id(),
  uploaded_at timestamptz not null default now(),
  constraint form_files_field_key unique (form_id, field_key),
  constraint form_files_form_fkey foreign key (organization_id, form_id, patient_profile_id)
    references forms (organization_id, id, patient_profile_id) on delete cascade,
  constraint form_files_patient_fkey foreign key (organization_id, patient_profile_id)
    references patients (organization_id, patient_profile_id),
  constraint form_files_object_key_key unique (object_key)
);
create index form_files_patient_idx on form_files (organization_id, patient_profile_id);
-- A new file always has a new object key.
create trigger form_files_refuse_restricted before insert or update of object_key on form_files
  for each row execute function refuse_restricted();
create trigger form_files_release_object after delete or update of object_key on form_files
  for each row execute function release_object('object_key');
create trigger forms_refuse_signed before update or delete on forms
  for each row when (old.signed_at is not null) execute function forms_refuse_signed();
create trigger form_files_refuse_signed before insert or update or delete on form_files
  for each row execute function form_files_refuse_signed();
alter table forms enable row level security;
alter table forms force row level security;

-- A patient sees the forms about themselves at the clinic in context.
create policy forms_select on forms for select using (
  organization_id = (select current_app_org_id())
  and ((select current_app_has_permission('forms', 'view_org'))
    or patient_profile_id = any ((select current_app_profile_ids())::uuid[])));
create policy forms_insert on forms for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('forms', 'create')));
create policy forms_update on forms for update
  using (organization_id = (select current_app_org_id())
    and ((select current_app_has_permission('forms', 'fill_org'))
      or ((select current_app_has_permission('forms', 'fill_own'))
        and created_by_principal_id = (select current_app_principal_id()))
      or patient_profile_id = any ((select current_app_profile_ids())::uuid[])))
  with check (organization_id = (select current_app_org_id()) and status <> 'signed');
create policy forms_delete on forms for delete using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('forms', 'delete')));
grant select, delete on forms to tendon_app;
grant insert (organization_id, form_template_id, template_version, patient_profile_id, appointment_id, amends_form_id, title, type,
  fields, translations, values, consent_purposes) on forms to tendon_app;
grant update (status, values, completed_at, updated_at) on forms to tendon_app;

-- A signed consent form writes consents. Callers with forms.sign may do that; earlier consents are superseded.
alter table consents add constraint consents_source_form_fkey foreign key (organization_id, source_form_id)
  references forms (organization_id, id);
create trigger consents_check_form before insert on consents
  for each row when (new.source = 'form' or new.source_form_id is not null) execute function consents_check_form();
alter table form_files enable row level security;
alter table form_files force row level security;
create policy form_files_select on form_files for select using (
  organization_id = (select current_app_org_id())
  and ((select current_app_has_permission('forms', 'view_org'))
    or patient_profile_id = any ((select current_app_profile_ids())::uuid[])));
create policy form_files_insert on form_files for insert with check (
  organization_id = (select current_app_org_id())
  and ((select current_app_has_permission('forms', 'fill_org'))
    or ((select current_app_has_permission('forms', 'fill_own')) and exists (
      select 1 from forms f where f.id = form_id and f.created_by_principal_id = (select current_app_principal_id())))
    or patient_profile_id = any ((select current_app_profile_ids())::uuid[])));
create policy form_files_update on form_files for update
  using (organization_id = (select current_app_org_id())
    and ((select current_app_has_permission('forms', 'fill_org'))
      or ((select current_app_has_permission('forms', 'fill_own')) and exists (
      select 1 from forms f where f.id = form_id and f.created_by_principal_id = (select current_app_principal_id())))
      or patient_profile_id = any ((select current_app_profile_ids())::uuid[])))
  with check (organization_id = (select current_app_org_id()));
create policy form_files_delete on form_files for delete using (
  organization_id = (select current_app_org_id())
  and ((select current_app_has_permission('forms', 'fill_org'))
    or ((select current_app_has_permission('forms', 'fill_own')) and exists (
      select 1 from forms f where f.id = form_id and f.created_by_principal_id = (select current_app_principal_id())))
    or patient_profile_id = any ((select current_app_profile_ids())::uuid[])));
grant select, delete on form_files to tendon_app;
grant insert (organization_id, form_id, field_key, object_key, name, size, mime, sha256, patient_profile_id) on form_files to tendon_app;
grant update (object_key, name, size, mime, sha256, uploaded_by_principal_id, uploaded_at) on form_files to tendon_app;

-- Segments: groups of patients by rules over their profiles, forms and appointments. Staff read them, patients never.
-- Only the platform's own evaluation writes members: `segments.evaluate` is no permission that can be granted, and only work
-- with all permissions has it.

create table segments (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  name text not null check (char_length(name) between 1 and 255),
  description text not null default '',
  match_mode text not null check (match_mode in ('all', 'any')),
  rules jsonb not null,
  version integer not null default 1 check (version > 0),
  follows_calendar boolean not null default false,  -- a rule is relative to today: members change with the date
  fresh_asked_at timestamptz,                       -- when a reader last requested an evaluation
  created_by_principal_id uuid default current_app_principal_id(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint segments_organization_id_key unique (organization_id, id)
);
create trigger segments_updated_at before update of name, description, match_mode, rules, version on segments
  for each row execute function set_updated_at();
create trigger segments_check_limit before insert on segments for each row execute function segments_check_limit();

create table segment_versions (
  organization_id uuid not null default current_app_scope() references organizations (id),
  segment_id uuid not null,
  version integer not null check (version > 0),
  match_mode text not null,
  rules jsonb not null,
  changed_by_principal_id uuid default current_app_principal_id(),
  created_at timestamptz not null default now(),
  primary key (segment_id, version),
  constraint segment_versions_segment_fkey foreign key (organization_id, segment_id)
    references segments (organization_id, id) on delete cascade
);

-- Without a foreign key to organizations, for fast evaluation: the two composite keys imply it.
create table segment_members (
  organization_id uuid not null default current_app_scope(),
  segment_id uuid not null,
  patient_id uuid not null,
  matched_at timestamptz not null,
  primary key (segment_id, patient_id),
  constraint segment_members_segment_fkey foreign key (organization_id, segment_id)
    references segments (organization_id, id) on delete cascade,
  constraint segment_members_patient_fkey foreign key (organization_id, patient_id) references patients (organization_id, id)
);
create index segment_members_matched_idx on segment_members (segment_id, matched_at desc, patient_id desc);
create index segment_members_patient_idx on segment_members (organization_id, patient_id);

-- Full evaluations. At most one per segment is queued: a second request gets the queued one.
create table segment_evaluations (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  segment_id uuid not null,
  status text not null default 'queued' check (status in ('queued', 'running', 'completed', 'failed')),
  attempts integer not null default 0,
  queued_at timestamptz not null default now(),
  started_at timestamptz,
  completed_at timestamptz,
  duration_ms integer,
  members_added integer,
  members_removed integer,
  failure jsonb,  -- {failing_rule, error}
  constraint segment_evaluations_segment_fkey foreign key (organization_id, segment_id)
    references segments (organization_id, id) on delete cascade
);
create unique index segment_evaluations_waiting_key on segment_evaluations (segment_id) where status = 'queued';
create index segment_evaluations_segment_idx on segment_evaluations (segment_id, id desc);
create index segment_evaluations_open_idx on segment_evaluations (organization_id, id) where status in ('queued', 'running');
alter table segments enable row level security;
alter table segments force row level security;
create policy segments_select on segments for select using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('segments', 'view')));
create policy segments_insert on segments for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('segments', 'manage')));
create policy segments_update on segments for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('segments', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('segments', 'manage')));
create policy segments_delete on segments for delete using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('segments', 'manage')));
grant select, delete on segments to tendon_app;
grant insert (organization_id, name, description, match_mode, rules, follows_calendar) on segments to tendon_app;
grant update (name, description, match_mode, rules, version, follows_calendar, fresh_asked_at, updated_at)
  on segments to tendon_app;
alter table segment_versions enable row level security;
alter table segment_versions force row level security;
create policy segment_versions_select on segment_versions for select using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('segments', 'view')));
create policy segment_versions_insert on segment_versions for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('segments', 'manage')));
grant select on segment_versions to tendon_app;
grant insert (organization_id, segment_id, version, match_mode, rules) on segment_versions to tendon_app;
alter table segment_members enable row level security;
alter table segment_members force row level security;
-- Only staff who may see patients see who is in a segment.
create policy segment_members_select on segment_members for select using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('segments', 'view'))
  and (select current_app_has_permission('patients', 'view_org')));
create policy segment_members_insert on segment_members for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('segments', 'evaluate')));
create policy segment_members_delete on segment_members for delete using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('segments', 'evaluate')));
grant select, insert, delete on segment_members to tendon_app;
alter table segment_evaluations enable row level security;
alter table segment_evaluations force row level security;
create policy segment_evaluations_select on segment_evaluations for select using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('segments', 'view')));
create policy segment_evaluations_insert on segment_evaluations for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('segments', 'manage')));
create policy segment_evaluations_update on segment_evaluations for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('segments', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('segments', 'manage')));
create policy segment_evaluations_delete on segment_evaluations for delete using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('segments', 'evaluate')));
grant select, delete on segment_evaluations to tendon_app;
grant insert (organization_id, segment_id, status, started_at) on segment_evaluations to tendon_app;
grant update (status, attempts, queued_at, started_at, completed_at, duration_ms, members_added, members_removed, failure)
  on segment_evaluations to tendon_app;
