-- Documents: what a clinic prints about a patient, as PDF. A template is a list of blocks in versions, as form templates are.

create table pdf_templates (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  name text collate "ro-x-icu" not null,
  kind text not null check (kind in ('form', 'appointment_letter', 'treatment_plan', 'attendance_certificate')),
  language text not null check (language in ('en', 'ro')),
  blocks jsonb not null,
  status text not null default 'draft' check (status in ('draft', 'published', 'archived')),
  version integer not null default 0 check (version >= 0),  -- the last published; 0: none yet
  published_at timestamptz,
  published_by_principal_id uuid,
  created_by_principal_id uuid default current_app_principal_id(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  revision integer not null default 1,
  deleted_at timestamptz,                                   -- its documents stay
  constraint pdf_templates_organization_id_key unique (organization_id, id)
);
create index pdf_templates_created_idx on pdf_templates (organization_id, created_at desc, id desc);
create index pdf_templates_kind_idx on pdf_templates (organization_id, kind, language, published_at desc);
create trigger pdf_templates_updated_at before update on pdf_templates for each row execute function set_updated_at();
create trigger pdf_templates_bump_revision before update on pdf_templates for each row execute function bump_revision();

create table pdf_template_versions (
  organization_id uuid not null default current_app_scope() references organizations (id),
  pdf_template_id uuid not null,
  version integer not null check (version > 0),
  name text collate "ro-x-icu" not null,
  kind text not null,
  language text not null,
  blocks jsonb not null,
  published_at timestamptz not null default now(),
  published_by_principal_id uuid default current_app_principal_id(),
  primary key (pdf_template_id, version),
  constraint pdf_template_versions_template_fkey foreign key (organization_id, pdf_template_id)
    references pdf_templates (organization_id, id),
  constraint pdf_template_versions_organization_id_key unique (organization_id, pdf_template_id, version)
);

alter table pdf_templates enable row level security;
alter table pdf_templates force row level security;
create policy pdf_templates_select on pdf_templates for select using (
  organization_id = (select current_app_org_id())
  and ((select current_app_has_permission('pdf_templates', 'manage')) or (select current_app_has_permission('documents', 'create'))));
create policy pdf_templates_insert on pdf_templates for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('pdf_templates', 'manage')));
create policy pdf_templates_update on pdf_templates for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('pdf_templates', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('pdf_templates', 'manage')));
grant select on pdf_templates to tendon_app;
grant insert (organization_id, name, kind, language, blocks) on pdf_templates to tendon_app;
grant update (name, language, blocks, status, version, published_at, published_by_principal_id, updated_at, deleted_at)
  on pdf_templates to tendon_app;

alter table pdf_template_versions enable row level security;
alter table pdf_template_versions force row level security;
create policy pdf_template_versions_select on pdf_template_versions for select using (
  organization_id = (select current_app_org_id())
  and ((select current_app_has_permission('pdf_templates', 'manage')) or (select current_app_has_permission('documents', 'create'))));
create policy pdf_template_versions_insert on pdf_template_versions for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('pdf_templates', 'manage')));
grant select on pdf_template_versions to tendon_app;
grant insert (organization_id, pdf_template_id, version, name, kind, language, blocks) on pdf_template_versions to tendon_app;

create table appointment_documents (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  kind text not null check (kind in ('form', 'appointment_letter', 'treatment_plan', 'attendance_certificate')),
  appointment_id uuid,
  form_id uuid,
  treatment_plan_id uuid,
  patient_profile_id uuid,                 -- null: of a booking that is not linked to a patient
  pdf_template_id uuid,                    -- null: the built-in template
  template_version integer not null,
  language text not null check (language in ('en', 'ro')),
  input_hash bytea not null,               -- SHA-256 of everything the document says: the same input is the same row
  object_key text not null,
  pages integer not null check (pages > 0),
  size bigint not null check (size > 0),
  sha256 bytea not null,
  verification_code text not null,         -- 128 random bits, printed on the document
  created_by_principal_id uuid default current_app_principal_id(),
  created_at timestamptz not null default now(),
  constraint appointment_documents_source_check check (num_nonnulls(appointment_id, form_id, treatment_plan_id) = 1),
  constraint appointment_documents_template_check check ((pdf_template_id is null) = (template_version = 0)),
  constraint appointment_documents_organization_id_key unique (organization_id, id),
  constraint appointment_documents_input_key unique (organization_id, input_hash),
  constraint appointment_documents_object_key_key unique (object_key),
  constraint appointment_documents_verification_code_key unique (verification_code),
  constraint appointment_documents_appointment_fkey foreign key (organization_id, appointment_id)
    references appointments (organization_id, id) on delete cascade,
  constraint appointment_documents_form_fkey foreign key (organization_id, form_id)
    references forms (organization_id, id) on delete cascade,
  constraint appointment_documents_plan_fkey foreign key (organization_id, treatment_plan_id)
    references treatment_plans (organization_id, id) on delete cascade,
  constraint appointment_documents_patient_fkey foreign key (organization_id, patient_profile_id)
    references patients (organization_id, patient_profile_id),
  constraint appointment_documents_version_fkey foreign key (organization_id, pdf_template_id, template_version)
    references pdf_template_versions (organization_id, pdf_template_id, version)
);
create index appointment_documents_created_idx on appointment_documents (organization_id, created_at desc, id desc);
create index appointment_documents_appointment_idx on appointment_documents (organization_id, appointment_id);
create index appointment_documents_form_idx on appointment_documents (organization_id, form_id);
create index appointment_documents_plan_idx on appointment_documents (organization_id, treatment_plan_id);
create index appointment_documents_patient_idx on appointment_documents (organization_id, patient_profile_id);
create index appointment_documents_version_idx on appointment_documents (organization_id, pdf_template_id, template_version);
create trigger appointment_documents_refuse_restricted before insert on appointment_documents
  for each row when (new.patient_profile_id is not null) execute function refuse_restricted();
create trigger appointment_documents_release_object after delete on appointment_documents
  for each row execute function release_object('object_key');

-- A document does not change. Patients see their own, at the clinic in context.
alter table appointment_documents enable row level security;
alter table appointment_documents force row level security;
create policy appointment_documents_select on appointment_documents for select using (
  organization_id = (select current_app_org_id())
  and ((select current_app_has_permission('documents', 'view_org')) or (select current_app_has_permission('documents', 'create'))
    or patient_profile_id = any ((select current_app_profile_ids())::uuid[])));
create policy appointment_documents_insert on appointment_documents for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('documents', 'create')));
grant select on appointment_documents to tendon_app;
grant insert (organization_id, kind, appointment_id, form_id, treatment_plan_id, patient_profile_id, pdf_template_id,
  template_version, language, input_hash, object_key, pages, size, sha256, verification_code, created_at)
  on appointment_documents to tendon_app;
