-- Outside services that a clinic connects, and the providers of the platform.

create table integration_services (
  slug text primary key,
  name text not null,
  description text not null,
  auth_type text not null,
  provider text,
  config_schema jsonb not null,
  credentials_schema jsonb not null,
  scopes text[] not null default '{}',
  capabilities text[] not null default '{}',
  constraint integration_services_auth_type_check check (auth_type in ('api_key', 'webhook_in_only', 'oauth2')),
  constraint integration_services_provider_check check ((auth_type = 'oauth2') = (provider is not null))
);
grant select on integration_services to tendon_app;

create table organization_integrations (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  service_slug text not null references integration_services (slug),
  status text not null,
  title text not null,
  config jsonb not null default '{}',
  credentials_encrypted bytea,
  version integer not null default 1,  -- counts changes of config and credentials: a cached connection names its own
  external_account_id text,
  external_account_label text,
  scopes text[] not null default '{}',
  token_expires_at timestamptz,
  token_locked_until timestamptz,  -- one refresh at a time
  inbound_token_hash bytea,
  connected_at timestamptz,
  last_health_check_at timestamptz,
  last_error_code text,
  last_error_at timestamptz,
  failure_count integer not null default 0,
  created_by_principal_id uuid default current_app_principal_id(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint organization_integrations_organization_id_key unique (organization_id, id),
  constraint organization_integrations_status_check check (status in ('pending', 'connected', 'expired', 'revoked', 'error')),
  constraint organization_integrations_revoked_check
    check (status <> 'revoked' or (credentials_encrypted is null and inbound_token_hash is null))
);
create unique index organization_integrations_title_key on organization_integrations (organization_id, lower(title))
  where status <> 'revoked';
create unique index organization_integrations_inbound_token_key on organization_integrations (inbound_token_hash)
  where inbound_token_hash is not null;
create index organization_integrations_list_idx on organization_integrations (organization_id, created_at desc, id desc);
create index organization_integrations_pending_idx on organization_integrations (created_at) where status = 'pending';
create index organization_integrations_token_idx on organization_integrations (token_expires_at)
  where status = 'connected' and token_expires_at is not null;
create index organization_integrations_health_idx on organization_integrations (last_health_check_at)
  where status in ('connected', 'error');
create trigger organization_integrations_updated_at before update on organization_integrations
  for each row execute function set_updated_at();
alter table organization_integrations enable row level security;
alter table organization_integrations force row level security;
create policy organization_integrations_select on organization_integrations for select using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_integrations')));
create policy organization_integrations_insert on organization_integrations for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_integrations')));
create policy organization_integrations_update on organization_integrations for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_integrations')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_integrations')));
grant select, insert on organization_integrations to tendon_app;
grant update (status, title, config, credentials_encrypted, version, external_account_id, external_account_label, scopes,
  token_expires_at, token_locked_until, inbound_token_hash, connected_at, last_health_check_at, last_error_code, last_error_at,
  failure_count) on organization_integrations to tendon_app;

-- The history of an integration's status.
create table integration_events (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope(),
  integration_id uuid not null,
  from_status text,
  to_status text not null,
  reason text not null,
  actor_principal_id uuid default current_app_principal_id(),
  occurred_at timestamptz not null default clock_timestamp(),
  constraint integration_events_integration_fkey foreign key (organization_id, integration_id)
    references organization_integrations (organization_id, id) on delete cascade
);
create index integration_events_list_idx on integration_events (organization_id, integration_id, occurred_at desc, id desc);
alter table integration_events enable row level security;
alter table integration_events force row level security;
create policy integration_events_select on integration_events for select using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_integrations')));
create policy integration_events_insert on integration_events for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_integrations')));
grant select, insert on integration_events to tendon_app;

-- A round trip to a provider that is under way. Spent by one update.
create table oauth_states (
  state_hash bytea primary key,
  organization_id uuid not null default current_app_scope(),
  integration_id uuid not null,
  principal_id uuid not null,
  cookie_hash bytea not null,
  verifier_encrypted bytea not null,
  redirect_uri text not null,
  return_path text not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  constraint oauth_states_integration_fkey foreign key (organization_id, integration_id)
    references organization_integrations (organization_id, id) on delete cascade
);
create index oauth_states_integration_idx on oauth_states (organization_id, integration_id);
create index oauth_states_expires_idx on oauth_states (expires_at);
alter table oauth_states enable row level security;
alter table oauth_states force row level security;
create policy oauth_states_insert on oauth_states for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_integrations')));
grant insert on oauth_states to tendon_app;

-- What came in by an inbound webhook: sealed, for 30 days.
create table integration_messages (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope(),
  integration_id uuid not null,
  body_encrypted bytea not null,
  received_at timestamptz not null default now(),
  constraint integration_messages_organization_id_key unique (organization_id, id),
  constraint integration_messages_integration_fkey foreign key (organization_id, integration_id)
    references organization_integrations (organization_id, id) on delete cascade
);
create index integration_messages_integration_idx on integration_messages (organization_id, integration_id);
create index integration_messages_received_idx on integration_messages (received_at);
alter table integration_messages enable row level security;
alter table integration_messages force row level security;
create policy integration_messages_select on integration_messages for select using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_integrations')));
create policy integration_messages_insert on integration_messages for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_integrations')));
grant select, insert on integration_messages to tendon_app;

-- Who does what for the whole platform. Read through functions: only superadmins reach the table.
create table platform_service_providers (
  id uuid primary key default uuidv7(),
  capability text not null,
  provider text not null,
  credentials_encrypted bytea,
  config jsonb not null default '{}',
  status text not null default 'active',
  last_error text,  -- a name such as `authentication`
  last_error_at timestamptz,
  last_health_check_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint platform_service_providers_status_check check (status in ('active', 'error', 'inactive'))
);
create unique index platform_service_providers_capability_key on platform_service_providers (capability)
  where status <> 'inactive';
alter table platform_service_providers enable row level security;
alter table platform_service_providers force row level security;
