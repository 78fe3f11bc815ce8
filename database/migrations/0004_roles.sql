-- Permissions, roles, memberships.

create table permissions (
  code text primary key,
  resource text not null,
  action text not null,
  description text not null,
  constraint permissions_code_check check (code = resource || '.' || action)
);

-- organization_id null: a system template. A clone keeps the template it came from.
create table roles (
  id uuid primary key default uuidv7(),
  organization_id uuid default current_app_scope() references organizations (id),
  template_id uuid references roles (id),
  code text not null,
  name text not null,
  description text,
  is_system boolean not null default false,
  customized_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint roles_code_key unique nulls not distinct (organization_id, code),
  constraint roles_organization_id_key unique nulls not distinct (organization_id, id),
  constraint roles_system_check check (is_system = (organization_id is null or template_id is not null))
);
create index roles_template_id_idx on roles (template_id);

create table role_permissions (
  role_id uuid not null,
  organization_id uuid default current_app_scope(),
  permission_code text not null constraint role_permissions_permission_fkey references permissions (code),
  primary key (role_id, permission_code),
  -- Not checked for templates (null organization); the role's own organization otherwise. Stands first, so that a role of
  -- another organization is refused in the same words as one that does not exist.
  constraint role_permissions_organization_fkey foreign key (organization_id, role_id)
    references roles (organization_id, id) on delete cascade,
  constraint role_permissions_role_fkey foreign key (role_id) references roles (id) on delete cascade
);

create table organization_memberships (
  organization_id uuid not null default current_app_scope() references organizations (id),
  principal_id uuid not null references principals (id),
  role_id uuid not null,
  -- What the clinic typed to invite somebody. Until they first act here, it is all the clinic sees of them.
  invited_email citext,
  invited_name text,
  joined_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, principal_id),
  constraint organization_memberships_role_fkey foreign key (organization_id, role_id) references roles (organization_id, id)
);
create index organization_memberships_principal_id_idx on organization_memberships (principal_id);
create index organization_memberships_role_id_idx on organization_memberships (role_id);

create trigger roles_updated_at before update on roles for each row execute function set_updated_at();
create trigger organization_memberships_updated_at before update on organization_memberships
  for each row execute function set_updated_at();

-- Clones cannot be renamed or deleted.
create function roles_keep_clones() returns trigger language plpgsql as $$
begin
  if old.organization_id is null or not old.is_system then
    return coalesce(new, old);
  end if;
  if tg_op = 'DELETE' or (new.code, new.name, new.description) is distinct from (old.code, old.name, old.description) then
    raise exception 'a clone of a system role cannot be renamed or deleted'
      using errcode = 'check_violation', constraint = 'roles_clone_check', table = 'roles';
  end if;
  return new;
end
$$;
create trigger roles_keep_clones before update or delete on roles for each row execute function roles_keep_clones();

-- A grant to a template reaches its clones that no clinic has changed; a revocation reaches none.
-- The lock on the template makes a grant and the creation of an organization (which locks it for share) take turns;
-- the lock on the clones does the same for a clinic that changes one: once customized, it is left alone.
create function role_permissions_reach_clones() returns trigger language plpgsql security definer set search_path = public as $$
begin
  perform 1 from roles where id = new.role_id for no key update;
  insert into role_permissions (role_id, organization_id, permission_code)
    select id, organization_id, new.permission_code from roles
    where template_id = new.role_id and customized_at is null for no key update
    on conflict do nothing;
  return null;
end
$$;
alter function role_permissions_reach_clones() owner to tendon_definer;
create trigger role_permissions_reach_clones after insert on role_permissions
  for each row when (new.organization_id is null) execute function role_permissions_reach_clones();

-- Nobody gives a role that grants more than they hold. Whoever assigns a role reads its codes under this lock; a grant to
-- the role waits for it and is waited for, so that no code slips in between.
create function lock_role(p_role_id uuid) returns table (id uuid, code text, name text)
language sql security definer set search_path = public rows 1 as $$
  select r.id, r.code, r.name from roles r
  where r.organization_id = current_app_org_id() and r.id = p_role_id
    and current_app_has_permission('organizations', 'manage_members')
  for share
$$;
alter function lock_role(uuid) owner to tendon_definer;
grant execute on function lock_role(uuid) to tendon_app;

create function role_permissions_lock_role() returns trigger language plpgsql security definer set search_path = public as $$
begin
  perform 1 from roles where id = new.role_id for no key update;
  return new;
end
$$;
alter function role_permissions_lock_role() owner to tendon_definer;
create trigger role_permissions_lock_role before insert on role_permissions
  for each row execute function role_permissions_lock_role();

create function current_app_holds_role(p_role_id uuid) returns boolean language sql stable as $$
  select not exists (
    select 1 from role_permissions where role_id = p_role_id and not current_app_holds(permission_code))
$$;
grant execute on function current_app_holds_role(uuid) to tendon_app;

-- A service account belongs to its own organization only; a superadmin to none. Locking the principal makes
-- "becomes superadmin" and "becomes member" take turns.
create function memberships_fit_principal() returns trigger language plpgsql security definer set search_path = public as $$
declare
  v_principal principals;
begin
  select * into v_principal from principals where id = new.principal_id for no key update;
  if tg_table_name = 'platform_memberships' then
    if exists (select 1 from organization_memberships where principal_id = new.principal_id) then
      raise exception 'a member of an organization cannot become superadmin'
        using errcode = 'check_violation', constraint = 'platform_memberships_member_check';
    end if;
    return new;
  end if;
  if v_principal.kind = 'service' and v_principal.organization_id is distinct from new.organization_id then
    raise exception 'a service account belongs to its own organization'
      using errcode = 'check_violation', constraint = 'organization_memberships_service_check';
  end if;
  if exists (select 1 from platform_memberships where principal_id = new.principal_id) then
    raise exception 'a superadmin has no organization memberships'
      using errcode = 'check_violation', constraint = 'organization_memberships_superadmin_check';
  end if;
  return new;
end
$$;
alter function memberships_fit_principal() owner to tendon_definer;
create trigger organization_memberships_fit_principal before insert or update of principal_id, organization_id
  on organization_memberships for each row execute function memberships_fit_principal();
create trigger platform_memberships_fit_principal before insert or update of principal_id on platform_memberships
  for each row execute function memberships_fit_principal();

-- The last superadmin cannot be revoked. The lock makes two superadmins who revoke each other take turns.
create function platform_memberships_keep_last() returns trigger language plpgsql security definer set search_path = public as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('platform_memberships', 0));
  if not exists (select 1 from platform_memberships) then
    raise exception 'the last superadmin stays'
      using errcode = 'check_violation', constraint = 'platform_memberships_last_check';
  end if;
  return null;
end
$$;
alter function platform_memberships_keep_last() owner to tendon_definer;
create trigger platform_memberships_keep_last after delete on platform_memberships
  for each row execute function platform_memberships_keep_last();

-- The last human who can manage members cannot be removed or lowered, nor can their role lose that right.
-- The lock on the organization makes two managers who remove each other take turns.
create function organizations_keep_manager() returns trigger language plpgsql security definer set search_path = public as $$
begin
  perform 1 from organizations where id = old.organization_id for no key update;
  if exists (select 1 from organization_memberships m
      join humans h on h.id = m.principal_id
      join role_permissions p on p.role_id = m.role_id and p.permission_code = 'organizations.manage_members'
      where m.organization_id = old.organization_id and m.joined_at is not null)
  then
    return null;
  end if;
  -- Whoever was no manager may go, and so may somebody who never took the invitation up: an unread mail manages nobody.
  -- A role that is deleted with its grants is held by nobody, or organization_memberships_role_fkey keeps it.
  if tg_table_name = 'organization_memberships' then
    if not (old.joined_at is not null and exists (select 1 from humans where id = old.principal_id) and exists (
      select 1 from role_permissions where role_id = old.role_id and permission_code = 'organizations.manage_members'))
    then
      return null;
    end if;
  elsif not exists (select 1 from roles r
    join organization_memberships m on m.role_id = r.id join humans h on h.id = m.principal_id
    where r.id = old.role_id and m.joined_at is not null)
  then
    return null;
  end if;
  raise exception 'the last manager of an organization stays'
    using errcode = 'check_violation', constraint = 'organizations_last_manager_check';
end
$$;
alter function organizations_keep_manager() owner to tendon_definer;
create trigger organization_memberships_keep_manager after delete or update of role_id, principal_id
  on organization_memberships for each row execute function organizations_keep_manager();
create trigger role_permissions_keep_manager after delete on role_permissions
  for each row when (old.organization_id is not null and old.permission_code = 'organizations.manage_members')
  execute function organizations_keep_manager();

-- Gives a new organization its clones of the templates. Part of the transaction that creates it.
create function clone_role_templates(p_organization_id uuid) returns void
language plpgsql security definer set search_path = public as $$
begin
  perform 1 from roles where organization_id is null order by id for share;
  insert into roles (organization_id, template_id, code, name, description, is_system)
    select p_organization_id, id, code, name, description, true from roles where organization_id is null;
  insert into role_permissions (role_id, organization_id, permission_code)
    select c.id, c.organization_id, p.permission_code
    from roles c join role_permissions p on p.role_id = c.template_id where c.organization_id = p_organization_id;
end
$$;
alter function clone_role_templates(uuid) owner to tendon_definer;
grant execute on function clone_role_templates(uuid) to tendon_platform;

-- How a deployment ships a permission: seeds call it. Grants go to the templates (and by the trigger above to untouched
-- clones) only when the permission is new, so that a later revocation by the operator stays.
create function ship_permission(p_code text, p_description text, p_templates text[]) returns void language plpgsql as $$
begin
  insert into permissions (code, resource, action, description)
    values (p_code, split_part(p_code, '.', 1), substr(p_code, strpos(p_code, '.') + 1), p_description)
    on conflict (code) do nothing;
  if found then
    insert into role_permissions (role_id, organization_id, permission_code)
      select id, null, p_code from roles where organization_id is null and code = any (p_templates) order by id;
  else
    update permissions set description = p_description where code = p_code and description <> p_description;
  end if;
end
$$;
alter function ship_permission(text, text, text[]) owner to tendon_definer;

-- How many hold a role, service accounts included: for those who manage roles but may not see the members.
create function role_member_count(p_role_id uuid) returns bigint
language sql stable security definer set search_path = public as $$
  select count(*) from organization_memberships where organization_id = current_app_org_id() and role_id = p_role_id
$$;
alter function role_member_count(uuid) owner to tendon_definer;
grant execute on function role_member_count(uuid) to tendon_app;

alter table roles enable row level security;
alter table roles force row level security;
create policy roles_select on roles for select using (organization_id = (select current_app_org_id()));
create policy roles_insert on roles for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_roles'))
  and not is_system and template_id is null);
create policy roles_update on roles for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_roles')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_roles')));
create policy roles_delete on roles for delete using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_roles')));

alter table role_permissions enable row level security;
alter table role_permissions force row level security;
create policy role_permissions_select on role_permissions for select using (organization_id = (select current_app_org_id()));
-- Nobody grants what they do not hold.
create policy role_permissions_insert on role_permissions for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_roles'))
  and current_app_holds(permission_code));
create policy role_permissions_delete on role_permissions for delete using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_roles')));

alter table organization_memberships enable row level security;
alter table organization_memberships force row level security;
create policy organization_memberships_select on organization_memberships for select using (
  organization_id = (select current_app_org_id())
  and (principal_id = (select current_app_principal_id())
    or (select current_app_has_permission('organizations', 'view_directory'))
    or (select current_app_has_permission('organizations', 'manage_members'))));
create policy organization_memberships_insert on organization_memberships for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_members'))
  and current_app_holds_role(role_id));
create policy organization_memberships_update on organization_memberships for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_members')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_members'))
    and current_app_holds_role(role_id));
create policy organization_memberships_delete on organization_memberships for delete using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_members')));

-- People: the caller, and the colleagues of the organization in context.
alter table principals enable row level security;
alter table principals force row level security;
create policy principals_select on principals for select using (
  id = (select current_app_principal_id()) or organization_id = (select current_app_org_id()));
create policy principals_insert on principals for insert with check (
  organization_id = (select current_app_org_id()) and kind = 'service'
  and (select current_app_has_permission('organizations', 'manage_members')));

alter table humans enable row level security;
alter table humans force row level security;
create policy humans_select on humans for select using (
  id = (select current_app_principal_id())
  or exists (select 1 from organization_memberships m
    where m.organization_id = (select current_app_org_id()) and m.principal_id = humans.id and m.joined_at is not null));
create policy humans_update on humans for update
  using (id = (select current_app_principal_id())) with check (id = (select current_app_principal_id()));

grant select on permissions, roles, role_permissions, organization_memberships, principals, humans to tendon_app;
grant insert, delete on roles, role_permissions, organization_memberships to tendon_app;
grant update (code, name, description, customized_at, updated_at) on roles to tendon_app;
grant update (role_id, updated_at) on organization_memberships to tendon_app;
grant insert (kind, organization_id) on principals to tendon_app;
grant update (name, preferred_language, updated_at) on humans to tendon_app;
revoke insert, update, delete on permissions from tendon_platform;
revoke all on identities from tendon_platform;
alter table identities enable row level security;
alter table identities force row level security;
alter table platform_memberships enable row level security;
alter table platform_memberships force row level security;
