-- The clinic's privacy notice: assembled from the platform's template, published as a version of org_privacy_notice.

create table privacy_notice_templates (
  version integer primary key,
  body_with_placeholders jsonb not null,   -- language → text with {{placeholder}} and {{section:key}}
  placeholders jsonb not null,             -- [{key, label, required}]
  toggleable_sections jsonb not null,      -- [{key, default, body: language → text}]
  published_at timestamptz not null default now()
);

create table privacy_notices (
  organization_id uuid primary key default current_app_scope() references organizations (id),
  source_template_version integer not null constraint privacy_notices_template_fkey references privacy_notice_templates (version),
  placeholder_values jsonb not null default '{}',
  included_sections jsonb not null default '[]',
  assembled_body jsonb,                    -- language → text, of the published version
  published_version integer,               -- null until published
  published_template_version integer,
  published_at timestamptz,
  published_by_principal_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint privacy_notices_published_check check ((published_version is null) = (assembled_body is null))
);
create trigger privacy_notices_updated_at before update on privacy_notices for each row execute function set_updated_at();

alter table privacy_notices enable row level security;
alter table privacy_notices force row level security;
create policy privacy_notices_select on privacy_notices for select using (organization_id = (select current_app_org_id()));
create policy privacy_notices_insert on privacy_notices for insert with check (
  organization_id = (select current_app_org_id())
  and (select current_app_has_permission('organizations', 'manage_privacy_notice')));
create policy privacy_notices_update on privacy_notices for update
  using (organization_id = (select current_app_org_id())
    and (select current_app_has_permission('organizations', 'manage_privacy_notice')))
  with check (organization_id = (select current_app_org_id())
    and (select current_app_has_permission('organizations', 'manage_privacy_notice')));
grant select on privacy_notice_templates, privacy_notices to tendon_app;
grant insert on privacy_notices to tendon_app;
grant update (source_template_version, placeholder_values, included_sections, assembled_body, published_version,
  published_template_version, published_at, published_by_principal_id, updated_at) on privacy_notices to tendon_app;
revoke update, delete on privacy_notice_templates from tendon_platform;
