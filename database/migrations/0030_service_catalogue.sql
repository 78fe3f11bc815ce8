-- What a clinic offers: services that can be booked, plans of several services, and products. Nothing is billed.

create table services (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  name text collate "ro-x-icu" not null,
  slug text not null,
  description text,
  translations jsonb not null default '{}',
  duration_minutes integer not null check (duration_minutes between 5 and 480),
  buffer_before_minutes integer not null default 0 check (buffer_before_minutes between 0 and 240),
  buffer_after_minutes integer not null default 0 check (buffer_after_minutes between 0 and 240),
  slot_interval_minutes integer not null default 60 check (slot_interval_minutes between 5 and 1440),
  min_notice_minutes integer not null default 120 check (min_notice_minutes >= 0),
  max_days_ahead integer not null default 60 check (max_days_ahead > 0),
  modes text[] not null default '{in_person}'
    check (cardinality(modes) > 0 and modes <@ '{in_person,video,phone}'::text[]),
  specialty_id uuid,
  requires_confirmation boolean not null default false,
  cancel_notice_minutes integer not null default 1440 check (cancel_notice_minutes >= 0),
  reschedule_notice_minutes integer not null default 1440 check (reschedule_notice_minutes >= 0),
  max_per_day integer check (max_per_day > 0),
  is_public boolean not null default true,
  status text not null default 'active' check (status in ('active', 'archived')),
  color text,
  intake_form_template_id uuid,
  price_cents bigint check (price_cents >= 0),
  currency text not null default 'RON',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint services_organization_id_key unique (organization_id, id),
  constraint services_specialty_fkey foreign key (organization_id, specialty_id)
    references specialties (organization_id, id) on delete set null (specialty_id),
  constraint services_intake_form_template_fkey foreign key (organization_id, intake_form_template_id)
    references form_templates (organization_id, id)
);
create unique index services_slug_key on services (organization_id, slug) where deleted_at is null;
create index services_name_idx on services (organization_id, name);
create index services_specialty_idx on services (organization_id, specialty_id);
create index services_intake_form_template_idx on services (organization_id, intake_form_template_id);
create trigger services_updated_at before update on services for each row execute function set_updated_at();

-- No row for a service: every specialist offers it, at every location.
create table service_specialists (
  organization_id uuid not null default current_app_scope() references organizations (id),
  service_id uuid not null,
  specialist_id uuid not null,
  primary key (service_id, specialist_id),
  constraint service_specialists_service_fkey foreign key (organization_id, service_id)
    references services (organization_id, id) on delete cascade,
  constraint service_specialists_specialist_fkey foreign key (organization_id, specialist_id)
    references specialists (organization_id, id)
);
create index service_specialists_service_idx on service_specialists (organization_id, service_id);
create index service_specialists_specialist_idx on service_specialists (organization_id, specialist_id);

create table service_locations (
  organization_id uuid not null default current_app_scope() references organizations (id),
  service_id uuid not null,
  location_id uuid not null,
  primary key (service_id, location_id),
  constraint service_locations_service_fkey foreign key (organization_id, service_id)
    references services (organization_id, id) on delete cascade,
  constraint service_locations_location_fkey foreign key (organization_id, location_id)
    references locations (organization_id, id)
);
create index service_locations_service_idx on service_locations (organization_id, service_id);
create index service_locations_location_idx on service_locations (organization_id, location_id);

create table products (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  sku text not null,
  name text collate "ro-x-icu" not null,
  description text,
  price_cents bigint not null check (price_cents >= 0),
  currency text not null default 'RON',
  vat_rate double precision check (vat_rate between 0 and 100),
  status text not null default 'active' check (status in ('active', 'archived')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint products_organization_id_key unique (organization_id, id)
);
create unique index products_sku_key on products (organization_id, lower(sku)) where deleted_at is null;
create index products_name_idx on products (organization_id, name);
create trigger products_updated_at before update on products for each row execute function set_updated_at();

create table service_plans (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  name text collate "ro-x-icu" not null,
  description text,
  valid_days integer check (valid_days > 0),
  billing text not null default 'one_time' check (billing in ('one_time', 'monthly')),
  price_cents bigint not null check (price_cents >= 0),
  currency text not null default 'RON',
  status text not null default 'draft' check (status in ('draft', 'active', 'archived')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint service_plans_organization_id_key unique (organization_id, id)
);
create index service_plans_name_idx on service_plans (organization_id, name);
create trigger service_plans_updated_at before update on service_plans for each row execute function set_updated_at();

create table service_plan_items (
  organization_id uuid not null default current_app_scope() references organizations (id),
  service_plan_id uuid not null,
  service_id uuid not null,
  quantity integer not null check (quantity between 1 and 1000),
  position integer not null,
  primary key (service_plan_id, service_id),
  constraint service_plan_items_plan_fkey foreign key (organization_id, service_plan_id)
    references service_plans (organization_id, id) on delete cascade,
  constraint service_plan_items_service_fkey foreign key (organization_id, service_id)
    references services (organization_id, id)
);
create index service_plan_items_plan_idx on service_plan_items (organization_id, service_plan_id);
create index service_plan_items_service_idx on service_plan_items (organization_id, service_id);

create table service_plan_products (
  organization_id uuid not null default current_app_scope() references organizations (id),
  service_plan_id uuid not null,
  product_id uuid not null,
  quantity integer not null default 1 check (quantity between 1 and 1000),
  created_at timestamptz not null default now(),
  constraint service_plan_products_pkey primary key (service_plan_id, product_id),
  constraint service_plan_products_plan_fkey foreign key (organization_id, service_plan_id)
    references service_plans (organization_id, id) on delete cascade,
  constraint service_plan_products_product_fkey foreign key (organization_id, product_id)
    references products (organization_id, id)
);
create index service_plan_products_plan_idx on service_plan_products (organization_id, service_plan_id);
create index service_plan_products_product_idx on service_plan_products (organization_id, product_id);

alter table services enable row level security;
alter table services force row level security;
create policy services_select on services for select using (
  organization_id = (select current_app_org_id())
  and ((select current_app_has_permission('services', 'view_org')) or (select current_app_has_permission('services', 'manage')))
  and (deleted_at is null or (select current_app_has_permission('data', 'view_deleted'))));
create policy services_insert on services for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('services', 'manage')));
create policy services_update on services for update
  using (organization_id = (select current_app_org_id()) and deleted_at is null
    and (select current_app_has_permission('services', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('services', 'manage')));
grant select, insert on services to tendon_app;
grant update (name, slug, description, translations, duration_minutes, buffer_before_minutes, buffer_after_minutes,
  slot_interval_minutes, min_notice_minutes, max_days_ahead, modes, specialty_id, requires_confirmation, cancel_notice_minutes,
  reschedule_notice_minutes, max_per_day, is_public, status, color, intake_form_template_id, price_cents, currency, updated_at)
  on services to tendon_app;

alter table products enable row level security;
alter table products force row level security;
create policy products_select on products for select using (
  organization_id = (select current_app_org_id())
  and ((select current_app_has_permission('services', 'view_org')) or (select current_app_has_permission('services', 'manage')))
  and (deleted_at is null or (select current_app_has_permission('data', 'view_deleted'))));
create policy products_insert on products for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('services', 'manage')));
create policy products_update on products for update
  using (organization_id = (select current_app_org_id()) and deleted_at is null
    and (select current_app_has_permission('services', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('services', 'manage')));
grant select, insert on products to tendon_app;
grant update (sku, name, description, price_cents, currency, vat_rate, status, updated_at) on products to tendon_app;

alter table service_plans enable row level security;
alter table service_plans force row level security;
create policy service_plans_select on service_plans for select using (
  organization_id = (select current_app_org_id())
  and ((select current_app_has_permission('services', 'view_org')) or (select current_app_has_permission('services', 'manage')))
  and (deleted_at is null or (select current_app_has_permission('data', 'view_deleted'))));
create policy service_plans_insert on service_plans for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('services', 'manage')));
create policy service_plans_update on service_plans for update
  using (organization_id = (select current_app_org_id()) and deleted_at is null
    and (select current_app_has_permission('services', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('services', 'manage')));
grant select, insert on service_plans to tendon_app;
grant update (name, description, valid_days, billing, price_cents, currency, status, updated_at) on service_plans to tendon_app;

alter table service_specialists enable row level security;
alter table service_specialists force row level security;
create policy service_specialists_select on service_specialists for select using (
  organization_id = (select current_app_org_id())
  and ((select current_app_has_permission('services', 'view_org')) or (select current_app_has_permission('services', 'manage'))));
create policy service_specialists_insert on service_specialists for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('services', 'manage')));
create policy service_specialists_delete on service_specialists for delete using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('services', 'manage')));
grant select, insert, delete on service_specialists to tendon_app;

alter table service_locations enable row level security;
alter table service_locations force row level security;
create policy service_locations_select on service_locations for select using (
  organization_id = (select current_app_org_id())
  and ((select current_app_has_permission('services', 'view_org')) or (select current_app_has_permission('services', 'manage'))));
create policy service_locations_insert on service_locations for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('services', 'manage')));
create policy service_locations_delete on service_locations for delete using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('services', 'manage')));
grant select, insert, delete on service_locations to tendon_app;

alter table service_plan_items enable row level security;
alter table service_plan_items force row level security;
create policy service_plan_items_select on service_plan_items for select using (
  organization_id = (select current_app_org_id())
  and ((select current_app_has_permission('services', 'view_org')) or (select current_app_has_permission('services', 'manage'))));
create policy service_plan_items_insert on service_plan_items for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('services', 'manage')));
create policy service_plan_items_delete on service_plan_items for delete using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('services', 'manage')));
grant select, insert, delete on service_plan_items to tendon_app;

alter table service_plan_products enable row level security;
alter table service_plan_products force row level security;
create policy service_plan_products_select on service_plan_products for select using (
  organization_id = (select current_app_org_id())
  and ((select current_app_has_permission('services', 'view_org')) or (select current_app_has_permission('services', 'manage'))));
create policy service_plan_products_insert on service_plan_products for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('services', 'manage')));
create policy service_plan_products_delete on service_plan_products for delete using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('services', 'manage')));
grant select, insert, delete on service_plan_products to tendon_app;
