-- Organizations (the tenants) and their plans.
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

-- A principal is a human or a service account. A human's id is their principal id. It is random, not time-ordered:
-- otherwise a clinic that invites an address could see since when the platform knows that person.
create table principals (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('human', 'service')),
  organization_id uuid references organizations (id),
  created_at timestamptz not null default now(),
  constraint principals_id_kind_key unique (id, kind),
  constraint principals_organization_id_key unique nulls not distinct (organization_id, id, kind),
  constraint principals_organization_check check ((kind = 'service') = (organization_id is not null))
);

create table humans (
  id uuid primary key,
  kind text not null default 'human' check (kind = 'human'),
  email citext,
  email_verified boolean not null default false,
  name text,
  preferred_language text,
  current_organization_id uuid references organizations (id),
  linked_at timestamptz,  -- null: invited by e-mail, not yet signed in
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint humans_principal_fkey foreign key (id, kind) references principals (id, kind)
);

-- An address belongs to one human once it is verified, or while an invitation to it is open. An unverified sign-in may have
-- any address; it neither claims nor blocks it.
create unique index humans_email_key on humans (email) where email_verified or linked_at is null;
create trigger humans_updated_at before update on humans for each row execute function set_updated_at();

-- The accounts at identity providers with which a human signs in.
create table identities (
  issuer text not null,
  subject text not null,
  human_id uuid not null references humans (id),
  created_at timestamptz not null default now(),
  primary key (issuer, subject)
);
create index identities_human_id_idx on identities (human_id);

create table platform_memberships (
  principal_id uuid primary key constraint platform_memberships_human_fkey references humans (id),
  role text not null default 'superadmin' check (role = 'superadmin'),
  granted_by_principal_id uuid references humans (id),  -- null: by the command line tool
  granted_at timestamptz not null default now()
);

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
  -- Not checked for templates (null organization); the role's own organization otherwise. It is the first
  -- constraint, so that a role of another organization gets the same error as one that does not exist.
  constraint role_permissions_organization_fkey foreign key (organization_id, role_id)
    references roles (organization_id, id) on delete cascade,
  constraint role_permissions_role_fkey foreign key (role_id) references roles (id) on delete cascade
);

create table organization_memberships (
  organization_id uuid not null default current_app_scope() references organizations (id),
  principal_id uuid not null references principals (id),
  role_id uuid not null,
  -- What the clinic entered in the invitation. Until the member first acts here, the clinic sees nothing else of them.
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
create trigger roles_protect_clones before update or delete on roles for each row execute function roles_protect_clones();
create trigger role_permissions_copy_to_clones after insert on role_permissions
  for each row when (new.organization_id is null) execute function role_permissions_copy_to_clones();
create trigger role_permissions_lock_role before insert on role_permissions
  for each row execute function role_permissions_lock_role();
create trigger organization_memberships_check_principal before insert or update of principal_id, organization_id
  on organization_memberships for each row execute function memberships_check_principal();
create trigger platform_memberships_check_principal before insert or update of principal_id on platform_memberships
  for each row execute function memberships_check_principal();
create trigger platform_memberships_protect_last after delete on platform_memberships
  for each row execute function platform_memberships_protect_last();
create trigger organization_memberships_protect_last_manager after delete or update of role_id, principal_id
  on organization_memberships for each row execute function organizations_protect_last_manager();
create trigger role_permissions_protect_last_manager after delete on role_permissions
  for each row when (old.organization_id is not null and old.permission_code = 'organizations.manage_members')
  execute function organizations_protect_last_manager();
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

-- Nobody can grant a permission that they do not hold.
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

-- Visible people: the caller, and members of the organization in context.
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

-- The result of find_caller: who is calling, in which organization, with which permissions (Authentication, points 1, 2, 4).
-- organization_id null: no context, because the caller has no membership, or none in the organization of the header.
create type caller as (
  principal_id uuid,
  kind text,
  name text,
  email text,
  email_verified boolean,
  preferred_language text,
  is_superadmin boolean,
  organization_id uuid,
  organization_language text,
  role_id uuid,
  role_name text,            -- of the person who acts
  joined boolean,
  permissions text,
  profile_ids uuid[],        -- every patient profile of the human, at all clinics
  patient_id uuid,           -- their record at the organization in context
  patient_profile_id uuid,
  impersonator_id uuid,      -- the staff member who impersonates the patient
  impersonator_name text,
  break_glass_id uuid        -- the grant that gives a superadmin access to patient data
);

-- Service accounts (the non-human principals of one organization) and their API keys.
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
  prefix text not null,      -- the first characters, to tell keys apart
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

-- Members of the organization, human or not, as the API shows them.
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

-- Custom domains, verified by a TXT record. An unverified domain never resolves; a verified one belongs to one organization.
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

-- Locations of a clinic.
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

-- Usage of the plan's limits by an organization. The row lock of the counter makes limits exact under concurrent creates.
create table organization_usage (
  organization_id uuid not null default current_app_scope() references organizations (id),
  name text not null check (name in ('max_specialists')),
  current integer not null default 0 check (current >= 0),
  primary key (organization_id, name)
);
alter table organization_usage enable row level security;
alter table organization_usage force row level security;
create policy organization_usage_select on organization_usage for select using (organization_id = (select current_app_org_id()));
grant select on organization_usage to tendon_app;
