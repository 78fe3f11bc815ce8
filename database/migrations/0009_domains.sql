-- Custom domains: proven by a TXT record. An unproven domain never resolves; a proven one belongs to one organization.

create table organization_domains (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  domain text not null constraint organization_domains_domain_check check (domain = lower(domain)),
  status text not null default 'pending' check (status in ('pending', 'verified', 'failed')),
  challenge text not null,
  verified_at timestamptz,
  last_checked_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint organization_domains_domain_key unique (organization_id, domain),
  constraint organization_domains_verified_check check ((status = 'verified') = (verified_at is not null))
);
create unique index organization_domains_verified_key on organization_domains (domain) where status = 'verified';
create trigger organization_domains_updated_at before update on organization_domains
  for each row execute function set_updated_at();

alter table organization_domains enable row level security;
alter table organization_domains force row level security;
create policy organization_domains_select on organization_domains for select using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_domains')));
create policy organization_domains_insert on organization_domains for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_domains')));
create policy organization_domains_update on organization_domains for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_domains')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_domains')));
create policy organization_domains_delete on organization_domains for delete using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_domains')));
grant select, insert, delete on organization_domains to tendon_app;
grant update (status, verified_at, last_checked_at, updated_at) on organization_domains to tendon_app;

-- For sign-in pages, before anybody is known: one row by equality, four columns.
create function resolve_organization(p_slug text, p_domain text)
returns table (id uuid, name text, slug text, language_code text)
language sql stable security definer set search_path = public rows 1 as $$
  select o.id, o.name, o.slug, o.language_code from organizations o where p_slug is not null and o.slug = p_slug
  union all
  select o.id, o.name, o.slug, o.language_code from organization_domains d join organizations o on o.id = d.organization_id
  where p_domain is not null and d.domain = lower(p_domain) and d.status = 'verified'
$$;
alter function resolve_organization(text, text) owner to tendon_definer;
grant execute on function resolve_organization(text, text) to tendon_app;
