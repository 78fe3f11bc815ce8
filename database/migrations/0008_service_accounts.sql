-- Service accounts: the non-human principals of one organization, and the API keys by which they call.

create table service_accounts (
  id uuid primary key,
  kind text not null default 'service' check (kind = 'service'),
  organization_id uuid not null default current_app_scope() references organizations (id),
  name text not null,
  description text,
  created_by_principal_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint service_accounts_principal_fkey foreign key (organization_id, id, kind)
    references principals (organization_id, id, kind),
  constraint service_accounts_organization_id_key unique (organization_id, id),
  constraint service_accounts_name_key unique (organization_id, name)
);
create trigger service_accounts_updated_at before update on service_accounts for each row execute function set_updated_at();

create table api_keys (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  service_account_id uuid not null,
  name text not null,
  prefix text not null,      -- the first characters, so that people can tell keys apart
  hash bytea not null,       -- SHA-256 of the key: 32 random bytes need no slow hash
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  created_by_principal_id uuid,
  created_at timestamptz not null default now(),
  constraint api_keys_hash_key unique (hash),
  constraint api_keys_service_account_fkey foreign key (organization_id, service_account_id)
    references service_accounts (organization_id, id) on delete cascade
);
create index api_keys_service_account_id_idx on api_keys (service_account_id);

-- The caller behind an API key: its own organization only (see find_caller).
create function find_service_caller(p_hash bytea) returns caller
language plpgsql security definer set search_path = public as $$
declare
  v caller;
  v_key api_keys;
begin
  select * into v_key from api_keys
    where hash = p_hash and revoked_at is null and (expires_at is null or expires_at > now());
  if v_key.id is null then
    return null;
  end if;
  update api_keys set last_used_at = now()
    where id = v_key.id and (last_used_at is null or last_used_at < now() - interval '1 minute');
  select s.id, s.kind, s.name, false, false, o.id, o.language_code, m.role_id, r.name, true, permissions_of(m.role_id)
    into v.principal_id, v.kind, v.name, v.email_verified, v.is_superadmin, v.organization_id, v.organization_language,
      v.role_id, v.role_name, v.joined, v.permissions
    from service_accounts s
    join organizations o on o.id = s.organization_id
    left join organization_memberships m on m.principal_id = s.id and m.organization_id = s.organization_id
    left join roles r on r.id = m.role_id
    where s.id = v_key.service_account_id;
  return v;
end
$$;
alter function find_service_caller(bytea) owner to tendon_definer;
grant execute on function find_service_caller(bytea) to tendon_app;

alter table service_accounts enable row level security;
alter table service_accounts force row level security;
create policy service_accounts_select on service_accounts for select using (
  organization_id = (select current_app_org_id())
  and (id = (select current_app_principal_id())
    or (select current_app_has_permission('organizations', 'view_directory'))
    or (select current_app_has_permission('organizations', 'manage_members'))));
create policy service_accounts_insert on service_accounts for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_members')));
create policy service_accounts_update on service_accounts for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_members')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_members')));
create policy service_accounts_delete on service_accounts for delete using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_members')));

alter table api_keys enable row level security;
alter table api_keys force row level security;
create policy api_keys_select on api_keys for select using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_members')));
create policy api_keys_insert on api_keys for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_members')));
create policy api_keys_update on api_keys for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_members')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_members')));
create policy api_keys_delete on api_keys for delete using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_members')));

grant select, insert, delete on service_accounts to tendon_app;
grant update (name, description, updated_at) on service_accounts to tendon_app;
grant select, insert, delete on api_keys to tendon_app;
grant update (name, revoked_at) on api_keys to tendon_app;

-- Everybody with a role at the organization, human or not, as the API shows them.
create view members with (security_invoker = true) as
select m.principal_id, m.principal_id as user_id,
  case when s.id is null then 'human' else 'service' end as type,
  coalesce(s.name, case when m.joined_at is null then m.invited_name else h.name end) as name,
  coalesce(h.email, m.invited_email)::text as email,
  coalesce(h.email_verified, false) as email_verified,
  case when s.id is null and m.joined_at is null then 'invited' else 'active' end as status,
  m.role_id,
  jsonb_build_object('id', r.id, 'code', r.code, 'name', r.name) as role,
  m.created_at, m.updated_at
from organization_memberships m
join roles r on r.organization_id = m.organization_id and r.id = m.role_id
left join humans h on h.id = m.principal_id
left join service_accounts s on s.id = m.principal_id;
grant select on members to tendon_app;
