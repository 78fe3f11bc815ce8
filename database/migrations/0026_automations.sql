-- Automations: rules in versions, and what they did.

create table automation_rules (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  name text not null,
  is_active boolean not null default true,
  version integer not null default 1,
  trigger_event text not null,
  conditions jsonb not null,
  actions jsonb not null,
  delay_minutes integer not null default 0,
  created_by_principal_id uuid default current_app_principal_id(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint automation_rules_organization_id_key unique (organization_id, id)
);
create index automation_rules_list_idx on automation_rules (organization_id, created_at desc, id desc);
create index automation_rules_trigger_idx on automation_rules (organization_id, trigger_event) where is_active;
create trigger automation_rules_updated_at before update on automation_rules for each row execute function set_updated_at();
alter table automation_rules enable row level security;
alter table automation_rules force row level security;
create policy automation_rules_select on automation_rules for select using (
  organization_id = (select current_app_org_id())
  and ((select current_app_has_permission('automations', 'view_org')) or (select current_app_has_permission('automations', 'manage'))));
create policy automation_rules_insert on automation_rules for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('automations', 'manage')));
create policy automation_rules_update on automation_rules for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('automations', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('automations', 'manage')));
create policy automation_rules_delete on automation_rules for delete using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('automations', 'manage')));
grant select, insert, delete on automation_rules to tendon_app;
grant update (name, is_active, version, trigger_event, conditions, actions, delay_minutes) on automation_rules to tendon_app;

create table automation_rule_versions (
  organization_id uuid not null default current_app_scope(),
  rule_id uuid not null,
  version integer not null,
  definition jsonb not null,
  created_at timestamptz not null default now(),
  constraint automation_rule_versions_pkey primary key (organization_id, rule_id, version),
  constraint automation_rule_versions_rule_fkey foreign key (organization_id, rule_id)
    references automation_rules (organization_id, id) on delete cascade
);
alter table automation_rule_versions enable row level security;
alter table automation_rule_versions force row level security;
create policy automation_rule_versions_select on automation_rule_versions for select using (
  organization_id = (select current_app_org_id())
  and ((select current_app_has_permission('automations', 'view_org')) or (select current_app_has_permission('automations', 'manage'))));
create policy automation_rule_versions_insert on automation_rule_versions for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('automations', 'manage')));
grant select, insert on automation_rule_versions to tendon_app;

-- `data` holds what a webhook of the event would: ids, choices, times. An execution keeps the version it began with.
create table automation_executions (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope(),
  rule_id uuid not null,
  rule_version integer not null,
  event_id uuid not null,
  event text not null,
  data jsonb,  -- null after an erasure
  status text not null default 'queued',
  skip_reason text,
  patient_profile_id uuid,
  retried_from_id uuid,
  started_at timestamptz,
  finished_at timestamptz,
  progressed_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  constraint automation_executions_organization_id_key unique (organization_id, id),
  constraint automation_executions_version_fkey foreign key (organization_id, rule_id, rule_version)
    references automation_rule_versions (organization_id, rule_id, version) on delete cascade,
  constraint automation_executions_patient_profile_fkey foreign key (organization_id, patient_profile_id)
    references patient_profiles (organization_id, id) on delete set null (patient_profile_id),
  constraint automation_executions_status_check check (status in
    ('queued', 'running', 'paused', 'succeeded', 'failed', 'skipped', 'canceled', 'timed_out')),
  constraint automation_executions_skip_reason_check check (skip_reason in ('conditions', 'loop', 'quota', 'patient_restricted')),
  constraint automation_executions_skipped_check check ((status = 'skipped') = (skip_reason is not null))
);
create unique index automation_executions_event_key on automation_executions (rule_id, event_id) where retried_from_id is null;
create index automation_executions_list_idx on automation_executions (organization_id, created_at desc, id desc);
create index automation_executions_version_idx on automation_executions (organization_id, rule_id, rule_version);
create index automation_executions_open_idx on automation_executions (progressed_at) where status in ('queued', 'running');
create index automation_executions_patient_profile_idx on automation_executions (organization_id, patient_profile_id)
  where patient_profile_id is not null;
alter table automation_executions enable row level security;
alter table automation_executions force row level security;
create policy automation_executions_select on automation_executions for select using (
  organization_id = (select current_app_org_id())
  and ((select current_app_has_permission('automations', 'view_org')) or (select current_app_has_permission('automations', 'manage'))));
create policy automation_executions_insert on automation_executions for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('automations', 'manage')));
create policy automation_executions_update on automation_executions for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('automations', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('automations', 'manage')));
grant select, insert on automation_executions to tendon_app;
grant update (status, skip_reason, started_at, finished_at, progressed_at) on automation_executions to tendon_app;

create table automation_steps (
  organization_id uuid not null default current_app_scope(),
  execution_id uuid not null,
  index integer not null,
  type text not null,
  status text not null,
  attempts integer not null default 0,
  error text,  -- a name such as `webhook_inactive`
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  constraint automation_steps_pkey primary key (organization_id, execution_id, index),
  constraint automation_steps_execution_fkey foreign key (organization_id, execution_id)
    references automation_executions (organization_id, id) on delete cascade,
  constraint automation_steps_status_check check (status in ('running', 'waiting', 'succeeded', 'failed', 'skipped'))
);
alter table automation_steps enable row level security;
alter table automation_steps force row level security;
create policy automation_steps_select on automation_steps for select using (
  organization_id = (select current_app_org_id())
  and ((select current_app_has_permission('automations', 'view_org')) or (select current_app_has_permission('automations', 'manage'))));
create policy automation_steps_insert on automation_steps for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('automations', 'manage')));
create policy automation_steps_update on automation_steps for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('automations', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('automations', 'manage')));
grant select, insert on automation_steps to tendon_app;
grant update (status, attempts, error, finished_at) on automation_steps to tendon_app;
