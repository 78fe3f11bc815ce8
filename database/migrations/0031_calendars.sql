-- When and where specialists work: weekly hours, overrides of single days, closures of the clinic, and busy times that a
-- connected calendar reports.

create table calendars (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  specialist_id uuid not null,
  name text collate "ro-x-icu" not null,
  location_id uuid,
  is_active boolean not null default true,
  weekly_hours jsonb not null default '[]' check (jsonb_typeof(weekly_hours) = 'array'),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint calendars_organization_id_key unique (organization_id, id),
  constraint calendars_specialist_fkey foreign key (organization_id, specialist_id)
    references specialists (organization_id, id),
  constraint calendars_location_fkey foreign key (organization_id, location_id) references locations (organization_id, id)
);
create index calendars_specialist_idx on calendars (organization_id, specialist_id);
create index calendars_location_idx on calendars (organization_id, location_id);
create trigger calendars_updated_at before update on calendars for each row execute function set_updated_at();

-- No row for a calendar: it serves every service.
create table calendar_services (
  organization_id uuid not null default current_app_scope() references organizations (id),
  calendar_id uuid not null,
  service_id uuid not null,
  primary key (calendar_id, service_id),
  constraint calendar_services_calendar_fkey foreign key (organization_id, calendar_id)
    references calendars (organization_id, id) on delete cascade,
  constraint calendar_services_service_fkey foreign key (organization_id, service_id)
    references services (organization_id, id)
);
create index calendar_services_calendar_idx on calendar_services (organization_id, calendar_id);
create index calendar_services_service_idx on calendar_services (organization_id, service_id);

-- Replaces the weekly hours of its days. No windows: closed.
create table calendar_overrides (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  calendar_id uuid not null,
  date date not null,
  date_to date,
  windows jsonb not null default '[]' check (jsonb_typeof(windows) = 'array'),
  service_id uuid,
  reason text,
  created_at timestamptz not null default now(),
  constraint calendar_overrides_dates_check check (date_to is null or date_to between date and date + 366),
  constraint calendar_overrides_calendar_fkey foreign key (organization_id, calendar_id)
    references calendars (organization_id, id) on delete cascade,
  constraint calendar_overrides_service_fkey foreign key (organization_id, service_id)
    references services (organization_id, id)
);
create index calendar_overrides_calendar_idx on calendar_overrides (organization_id, calendar_id, date);
create index calendar_overrides_service_idx on calendar_overrides (organization_id, service_id);

-- Days on which the clinic, or one location, is closed.
create table closures (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  date date not null,
  date_to date,
  location_id uuid,
  name text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint closures_dates_check check (date_to is null or date_to between date and date + 366),
  constraint closures_location_fkey foreign key (organization_id, location_id) references locations (organization_id, id)
);
create index closures_date_idx on closures (organization_id, date);
create index closures_location_idx on closures (organization_id, location_id);
create trigger closures_updated_at before update on closures for each row execute function set_updated_at();

-- Times at which a connected calendar says that the specialist is busy. They hide slots; they do not refuse bookings.
create table busy_times (
  organization_id uuid not null default current_app_scope() references organizations (id),
  specialist_id uuid not null,
  integration_id uuid not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  primary key (integration_id, starts_at, ends_at),
  constraint busy_times_order_check check (ends_at > starts_at),
  constraint busy_times_specialist_fkey foreign key (organization_id, specialist_id)
    references specialists (organization_id, id)
);
create index busy_times_specialist_idx on busy_times (organization_id, specialist_id, starts_at);

alter table calendars enable row level security;
alter table calendars force row level security;
create policy calendars_select on calendars for select using (
  organization_id = (select current_app_org_id())
  and ((select current_app_has_permission('calendars', 'view_org')) or (select current_app_has_permission('calendars', 'manage'))));
create policy calendars_insert on calendars for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('calendars', 'manage')));
create policy calendars_delete on calendars for delete using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('calendars', 'manage')));
grant select, insert, delete on calendars to tendon_app;
create policy calendars_update on calendars for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('calendars', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('calendars', 'manage')));
grant update (name, location_id, is_active, weekly_hours, updated_at) on calendars to tendon_app;

alter table calendar_services enable row level security;
alter table calendar_services force row level security;
create policy calendar_services_select on calendar_services for select using (
  organization_id = (select current_app_org_id())
  and ((select current_app_has_permission('calendars', 'view_org')) or (select current_app_has_permission('calendars', 'manage'))));
create policy calendar_services_insert on calendar_services for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('calendars', 'manage')));
create policy calendar_services_delete on calendar_services for delete using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('calendars', 'manage')));
grant select, insert, delete on calendar_services to tendon_app;

alter table calendar_overrides enable row level security;
alter table calendar_overrides force row level security;
create policy calendar_overrides_select on calendar_overrides for select using (
  organization_id = (select current_app_org_id())
  and ((select current_app_has_permission('calendars', 'view_org')) or (select current_app_has_permission('calendars', 'manage'))));
create policy calendar_overrides_insert on calendar_overrides for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('calendars', 'manage')));
create policy calendar_overrides_delete on calendar_overrides for delete using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('calendars', 'manage')));
grant select, insert, delete on calendar_overrides to tendon_app;

alter table closures enable row level security;
alter table closures force row level security;
create policy closures_select on closures for select using (
  organization_id = (select current_app_org_id())
  and ((select current_app_has_permission('calendars', 'view_org')) or (select current_app_has_permission('calendars', 'manage'))));
create policy closures_insert on closures for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('calendars', 'manage')));
create policy closures_delete on closures for delete using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('calendars', 'manage')));
grant select, insert, delete on closures to tendon_app;
create policy closures_update on closures for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('calendars', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('calendars', 'manage')));
grant update (date, date_to, location_id, name, updated_at) on closures to tendon_app;

-- Written by the job that reads connected calendars, in the context of the clinic.
alter table busy_times enable row level security;
alter table busy_times force row level security;
create policy busy_times_select on busy_times for select using (organization_id = (select current_app_org_id()));
create policy busy_times_insert on busy_times for insert with check (organization_id = (select current_app_org_id()));
create policy busy_times_delete on busy_times for delete using (organization_id = (select current_app_org_id()));
grant select, insert, delete on busy_times to tendon_worker;
