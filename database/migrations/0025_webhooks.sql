-- Webhooks: who subscribes to which events, what was published, what became of each delivery.

create table webhook_subscriptions (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  url text not null,
  description text not null default '',
  events text[] not null,
  is_active boolean not null default true,
  disabled_reason text,
  secret_encrypted bytea not null,
  secret_hint text not null,
  previous_secret_encrypted bytea,  -- signs too until it expires
  previous_secret_expires_at timestamptz,
  rate_limit_per_second integer,
  rate_window_started_at timestamptz,
  rate_window_count integer not null default 0,
  consecutive_failures integer not null default 0,
  first_failure_at timestamptz,  -- of the failures since the last success
  last_failure_at timestamptz,
  last_success_at timestamptz,
  created_by_principal_id uuid default current_app_principal_id(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint webhook_subscriptions_organization_id_key unique (organization_id, id),
  constraint webhook_subscriptions_events_check check (cardinality(events) between 1 and 100),
  constraint webhook_subscriptions_disabled_reason_check check (disabled_reason in ('manual', 'gone', 'failing')),
  constraint webhook_subscriptions_active_check check (is_active = (disabled_reason is null)),
  constraint webhook_subscriptions_rate_check check (rate_limit_per_second between 1 and 1000)
);
create index webhook_subscriptions_list_idx on webhook_subscriptions (organization_id, created_at desc, id desc);
create index webhook_subscriptions_failing_idx on webhook_subscriptions (first_failure_at)
  where is_active and first_failure_at is not null;
create index webhook_subscriptions_previous_secret_idx on webhook_subscriptions (previous_secret_expires_at)
  where previous_secret_encrypted is not null;
create trigger webhook_subscriptions_updated_at
  before update of url, description, events, is_active, rate_limit_per_second, secret_encrypted on webhook_subscriptions
  for each row execute function set_updated_at();
alter table webhook_subscriptions enable row level security;
alter table webhook_subscriptions force row level security;
create policy webhook_subscriptions_select on webhook_subscriptions for select using (
  organization_id = (select current_app_org_id())
  and ((select current_app_has_permission('webhooks', 'view_org')) or (select current_app_has_permission('webhooks', 'manage'))));
create policy webhook_subscriptions_insert on webhook_subscriptions for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('webhooks', 'manage')));
create policy webhook_subscriptions_update on webhook_subscriptions for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('webhooks', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('webhooks', 'manage')));
create policy webhook_subscriptions_delete on webhook_subscriptions for delete using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('webhooks', 'manage')));
grant select, insert, delete on webhook_subscriptions to tendon_app;
grant update (url, description, events, is_active, disabled_reason, secret_encrypted, secret_hint, previous_secret_encrypted,
  previous_secret_expires_at, rate_limit_per_second, consecutive_failures, first_failure_at, last_failure_at)
  on webhook_subscriptions to tendon_app;

-- A published event: the bytes that every attempt sends. The id is that of the event in the outbox.
create table webhook_events (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  event text not null,
  body bytea,  -- null after an erasure
  patient_profile_id uuid,
  occurred_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  constraint webhook_events_organization_id_key unique (organization_id, id),
  constraint webhook_events_patient_profile_fkey foreign key (organization_id, patient_profile_id)
    references patient_profiles (organization_id, id) on delete set null (patient_profile_id)
);
create index webhook_events_organization_idx on webhook_events (organization_id, occurred_at);
create index webhook_events_created_idx on webhook_events (created_at);
create index webhook_events_patient_profile_idx on webhook_events (organization_id, patient_profile_id)
  where patient_profile_id is not null;
alter table webhook_events enable row level security;
alter table webhook_events force row level security;
create policy webhook_events_select on webhook_events for select using (
  organization_id = (select current_app_org_id())
  and ((select current_app_has_permission('webhooks', 'view_org')) or (select current_app_has_permission('webhooks', 'manage'))));
create policy webhook_events_insert on webhook_events for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('webhooks', 'manage')));
grant select, insert on webhook_events to tendon_app;

-- `next_attempt_at` of a delivery that is being sent is the end of its lease.
create table webhook_deliveries (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope(),
  subscription_id uuid not null,
  event_id uuid not null,
  status text not null default 'pending',
  attempt_count integer not null default 0,
  retry_count integer not null default 0,  -- the position in the retry schedule
  trigger text not null default 'scheduled',  -- of the next attempt
  next_attempt_at timestamptz,
  discard_reason text,
  created_at timestamptz not null default now(),
  delivered_at timestamptz,
  constraint webhook_deliveries_organization_id_key unique (organization_id, id),
  constraint webhook_deliveries_event_key unique (event_id, subscription_id),
  constraint webhook_deliveries_subscription_fkey foreign key (organization_id, subscription_id)
    references webhook_subscriptions (organization_id, id) on delete cascade,
  constraint webhook_deliveries_event_fkey foreign key (organization_id, event_id)
    references webhook_events (organization_id, id) on delete cascade,
  constraint webhook_deliveries_status_check
    check (status in ('pending', 'delivering', 'retrying', 'delivered', 'failed', 'discarded')),
  constraint webhook_deliveries_trigger_check check (trigger in ('scheduled', 'manual')),
  constraint webhook_deliveries_discard_reason_check
    check (discard_reason in ('patient_restricted', 'patient_erased', 'subscription_inactive')),
  constraint webhook_deliveries_discarded_check check ((status = 'discarded') = (discard_reason is not null)),
  constraint webhook_deliveries_due_check
    check ((status in ('pending', 'delivering', 'retrying')) = (next_attempt_at is not null))
);
create index webhook_deliveries_due_idx on webhook_deliveries (subscription_id, next_attempt_at, id)
  where status in ('pending', 'delivering', 'retrying');
create index webhook_deliveries_log_idx on webhook_deliveries (organization_id, subscription_id, created_at desc, id desc);
create index webhook_deliveries_event_idx on webhook_deliveries (organization_id, event_id);
create index webhook_deliveries_created_idx on webhook_deliveries (created_at);
alter table webhook_deliveries enable row level security;
alter table webhook_deliveries force row level security;
create policy webhook_deliveries_select on webhook_deliveries for select using (
  organization_id = (select current_app_org_id())
  and ((select current_app_has_permission('webhooks', 'view_org')) or (select current_app_has_permission('webhooks', 'manage'))));
create policy webhook_deliveries_insert on webhook_deliveries for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('webhooks', 'manage')));
create policy webhook_deliveries_update on webhook_deliveries for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('webhooks', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('webhooks', 'manage')));
grant select, insert on webhook_deliveries to tendon_app;
grant update (status, retry_count, trigger, next_attempt_at, discard_reason) on webhook_deliveries to tendon_app;

create table webhook_attempts (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope(),
  delivery_id uuid not null,
  attempt_number integer not null,
  trigger text not null,
  requested_at timestamptz not null,
  duration_ms integer not null,
  response_status integer,
  response_body text,
  error text,  -- a name such as `timeout`
  constraint webhook_attempts_number_key unique (delivery_id, attempt_number),
  constraint webhook_attempts_trigger_check check (trigger in ('scheduled', 'manual')),
  constraint webhook_attempts_delivery_fkey foreign key (organization_id, delivery_id)
    references webhook_deliveries (organization_id, id) on delete cascade
);
create index webhook_attempts_delivery_idx on webhook_attempts (organization_id, delivery_id);
alter table webhook_attempts enable row level security;
alter table webhook_attempts force row level security;
create policy webhook_attempts_select on webhook_attempts for select using (
  organization_id = (select current_app_org_id())
  and ((select current_app_has_permission('webhooks', 'view_org')) or (select current_app_has_permission('webhooks', 'manage'))));
grant select on webhook_attempts to tendon_app;
