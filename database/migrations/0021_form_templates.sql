-- What a form asks, in versions. The row holds the newest text, which may be a draft; forms are made from the last
-- published version.

create table form_templates (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  title text collate "ro-x-icu" not null,                   -- sorts as people sort, Ș after S
  description text,
  type text not null check (type in ('survey', 'intake', 'assessment', 'consent', 'feedback', 'clinical_note')),
  status text not null default 'draft' check (status in ('draft', 'published', 'archived')),
  version integer not null default 0 check (version >= 0),  -- the last published; 0: none yet
  fields jsonb not null,
  translations jsonb not null default '{}',
  consent_purposes text[] not null default '{}',            -- what a signed form of type consent agrees to
  published_at timestamptz,
  published_by_principal_id uuid,
  created_by_principal_id uuid default current_app_principal_id(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,                                   -- forms made from it stay
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
-- Who makes forms must see what they are made from.
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
