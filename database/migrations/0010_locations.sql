-- Where a clinic receives patients.

create table locations (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  name text not null,
  address jsonb,
  phone text,
  email text,
  time_zone text,  -- null: the organization's
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint locations_organization_id_key unique (organization_id, id)
);
create unique index locations_name_key on locations (organization_id, lower(name)) where deleted_at is null;
create trigger locations_updated_at before update on locations for each row execute function set_updated_at();

alter table locations enable row level security;
alter table locations force row level security;
create policy locations_select on locations for select using (
  organization_id = (select current_app_org_id())
  and (deleted_at is null or (select current_app_has_permission('data', 'view_deleted'))));
create policy locations_insert on locations for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('locations', 'manage')));
create policy locations_update on locations for update
  using (organization_id = (select current_app_org_id()) and deleted_at is null
    and (select current_app_has_permission('locations', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('locations', 'manage')));
grant select, insert on locations to tendon_app;
grant update (name, address, phone, email, time_zone, updated_at) on locations to tendon_app;

-- A soft delete hides the row from its own writer, which a plain update under row-level security cannot do.
-- Null when there is no such living location.
create function delete_location(p_id uuid) returns timestamptz language sql security definer set search_path = public as $$
  with deleted as (
    update locations set deleted_at = now()
    where organization_id = current_app_org_id() and id = p_id and deleted_at is null
      and current_app_has_permission('locations', 'manage')
    returning deleted_at)
  select deleted_at from deleted
$$;
alter function delete_location(uuid) owner to tendon_definer;
grant execute on function delete_location(uuid) to tendon_app;
