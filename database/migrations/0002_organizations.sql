-- Organizations (the tenants) and the plans that bound them.

create table plans (
  code text primary key,
  name text not null,
  max_specialists integer check (max_specialists >= 0)  -- null: unlimited
);

create table organizations (
  id uuid primary key default uuidv7(),
  name text not null,
  slug text not null,
  language_code text not null default 'en',
  time_zone text not null default 'Europe/Bucharest',
  legal_name text,
  contact_email text,
  phone text,
  website text,
  address jsonb,
  plan text not null default 'free' constraint organizations_plan_fkey references plans (code),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint organizations_slug_key unique (slug)
);

create trigger organizations_updated_at before update on organizations for each row execute function set_updated_at();

alter table organizations enable row level security;
alter table organizations force row level security;
create policy organizations_select on organizations for select using (id = (select current_app_org_id()));
create policy organizations_update on organizations for update
  using (id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'update')))
  with check (id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'update')));

grant select on organizations, plans to tendon_app;
grant update (name, slug, language_code, time_zone, legal_name, contact_email, phone, website, address, updated_at)
  on organizations to tendon_app;
revoke insert, update, delete on plans from tendon_platform;
