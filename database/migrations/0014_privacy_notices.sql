-- The clinic's privacy notice: assembled from the platform's template, published as a version of org_privacy_notice.

create table privacy_notice_templates (
  version integer primary key check (version > 0),
  body_with_placeholders jsonb not null,   -- language → text with {{placeholder}} and {{section:key}}
  placeholders jsonb not null,             -- [{key, required, label: language → text}]
  toggleable_sections jsonb not null,      -- [{key, default, name: language → text, body: language → text}]
  published_at timestamptz not null default now(),
  published_by_principal_id uuid
);

-- What is published, and the draft of what will be: the one keeps serving while the other is written.
create table privacy_notices (
  organization_id uuid primary key default current_app_scope() references organizations (id),
  draft_template_version integer not null
    constraint privacy_notices_draft_template_fkey references privacy_notice_templates (version),
  draft_placeholder_values jsonb not null default '{}',
  draft_included_sections jsonb not null default '[]',
  source_template_version integer constraint privacy_notices_template_fkey references privacy_notice_templates (version),
  placeholder_values jsonb,
  included_sections jsonb,
  assembled_body jsonb,                    -- language → text
  published_version integer,               -- of org_privacy_notice in consent_purpose_versions; null until published
  published_at timestamptz,
  published_by_principal_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint privacy_notices_published_check check (num_nulls(source_template_version, placeholder_values, included_sections,
    assembled_body, published_version, published_at) in (0, 6))
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
grant update (draft_template_version, draft_placeholder_values, draft_included_sections, source_template_version,
  placeholder_values, included_sections, assembled_body, published_version, published_at, published_by_principal_id,
  updated_at) on privacy_notices to tendon_app;
revoke update, delete on privacy_notice_templates from tendon_platform;

-- For sign-up pages, before anybody is known: what a clinic has published, by its slug.
create function published_privacy_notice(p_slug text)
returns table (organization_name text, language_code text, version integer, published_at timestamptz, body_translations jsonb)
language sql stable security definer set search_path = public rows 1 as $$
  select o.name, o.language_code, v.version, v.published_at, v.body_translations
  from organizations o join consent_purpose_versions v on v.organization_id = o.id and v.purpose_code = 'org_privacy_notice'
  where o.slug = p_slug
  order by v.version desc limit 1
$$;
alter function published_privacy_notice(text) owner to tendon_definer;
grant execute on function published_privacy_notice(text) to tendon_app;
