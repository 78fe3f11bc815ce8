-- The audit log. Rows are written in the transaction that they describe and never change.
-- Personal text is encrypted with a key per organization or per patient: destroying the key erases the text,
-- while the digests (of the ciphertext) remain valid. A worker seals rows in batches, each chained to the previous seal.
create table audit_keys (
  id uuid primary key,
  organization_id uuid default current_app_scope() references organizations (id),  -- null: platform
  patient_profile_id uuid,                             -- null: the organization's own key
  wrapped_key bytea,                                   -- null once destroyed
  created_at timestamptz not null default now(),
  destroyed_at timestamptz,
  constraint audit_keys_organization_id_key unique nulls not distinct (organization_id, id),
  constraint audit_keys_destroyed_check check ((wrapped_key is null) = (destroyed_at is not null))
);
create unique index audit_keys_subject_key on audit_keys (organization_id, patient_profile_id)
  nulls not distinct where destroyed_at is null;

create table audit_log (
  id uuid primary key,
  organization_id uuid default current_app_scope() references organizations (id),
  occurred_at timestamptz not null default now(),
  actor_principal_id uuid,
  actor_type text not null check (actor_type in ('user', 'patient', 'service', 'system', 'superadmin')),
  on_behalf_of uuid,
  action text not null,
  crud text not null check (crud in ('C', 'R', 'U', 'D', 'E')),
  target_type text not null,
  target_id text,
  patient_profile_id uuid,
  outcome text not null default 'success' check (outcome in ('success', 'failure')),
  request_id text,
  key_id uuid not null references audit_keys (id),
  personal bytea not null,
  trace_id uuid,  -- for a read under break-glass: the audit entry of that read (action break_glass.read)
  -- Not checked for the platform (null organization); the organization's own key otherwise.
  constraint audit_log_key_fkey foreign key (organization_id, key_id) references audit_keys (organization_id, id)
);
create index audit_log_organization_occurred_idx on audit_log (organization_id, occurred_at desc, id desc);
create index audit_log_target_idx on audit_log (organization_id, target_id, occurred_at desc);
create index audit_log_actor_idx on audit_log (organization_id, actor_principal_id, occurred_at desc);
create index audit_log_action_idx on audit_log (organization_id, action, occurred_at desc);
-- A profile belongs to one organization, so this index also serves the clinic's queries about one patient.
create index audit_log_profile_idx on audit_log (patient_profile_id, occurred_at desc) where patient_profile_id is not null;
create index audit_log_occurred_idx on audit_log (occurred_at, id);

create table audit_seals (
  id bigint primary key,  -- 1, 2, 3, … without a gap
  prev_hash bytea,
  hash bytea not null,
  entry_count integer not null,
  sealed_at timestamptz not null default now()
);

create table audit_seal_entries (
  entry_id uuid primary key references audit_log (id),
  seal_id bigint not null references audit_seals (id),
  position integer not null,
  digest bytea not null,
  constraint audit_seal_entries_position_key unique (seal_id, position)
);
alter table audit_log enable row level security;
alter table audit_log force row level security;
create policy audit_log_select on audit_log for select using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('audit_log', 'view_org')));
create policy audit_log_insert on audit_log for insert with check (
  organization_id is not distinct from (select current_app_scope()) and (select current_app_org_id()) is not null);
alter table audit_keys enable row level security;
alter table audit_keys force row level security;
create policy audit_keys_select on audit_keys for select using (
  organization_id is not distinct from (select current_app_scope()) and (select current_app_org_id()) is not null);
create policy audit_keys_insert on audit_keys for insert with check (
  organization_id is not distinct from (select current_app_scope()) and (select current_app_org_id()) is not null);
alter table audit_seals enable row level security;
alter table audit_seals force row level security;
alter table audit_seal_entries enable row level security;
alter table audit_seal_entries force row level security;
create policy audit_seal_entries_select on audit_seal_entries for select using (
  exists (select 1 from audit_log a where a.id = entry_id));
create policy audit_seals_select on audit_seals for select using ((select current_app_has_permission('audit_log', 'view_org')));

-- Without occurred_at: the time of an entry is always that of its transaction.
grant select, insert (id, organization_id, actor_principal_id, actor_type, on_behalf_of, action, crud, target_type, target_id,
  patient_profile_id, outcome, request_id, key_id, personal, trace_id) on audit_log to tendon_app;
revoke insert, update, delete on audit_log from tendon_platform;
grant insert (id, organization_id, actor_principal_id, actor_type, on_behalf_of, action, crud, target_type, target_id,
  patient_profile_id, outcome, request_id, key_id, personal, trace_id) on audit_log to tendon_platform;
grant select, insert on audit_keys to tendon_app;
grant select on audit_seals, audit_seal_entries to tendon_app;
revoke update, delete on audit_keys, audit_seals, audit_seal_entries from tendon_platform;
revoke insert on audit_seals, audit_seal_entries from tendon_platform;
revoke update, delete on audit_log, audit_seals, audit_seal_entries from tendon_definer;

-- Side effects of a request, written in its transaction: events and mail; and stored responses to repeated requests.
create table outbox_events (
  id uuid primary key default uuidv7(),
  organization_id uuid default current_app_scope() references organizations (id),
  type text not null,
  payload jsonb not null,
  occurred_at timestamptz not null default now(),
  dispatched_at timestamptz,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  last_error text  -- its class only: messages may contain personal data
);
create index outbox_events_waiting_idx on outbox_events (next_attempt_at, id) where dispatched_at is null;

create table mail_outbox (
  id uuid primary key default uuidv7(),
  organization_id uuid default current_app_scope() references organizations (id),
  to_address text not null,
  template text not null,
  language text not null,
  data jsonb not null,
  created_at timestamptz not null default now(),
  sent_at timestamptz
);
create index mail_outbox_waiting_idx on mail_outbox (id) where sent_at is null;

-- The key is (organization, path, key) as specified; principal and fingerprint are checked in addition.
create table idempotency_keys (
  organization_id uuid default current_app_scope() references organizations (id),
  path text not null,
  key text not null,
  principal_id uuid not null,
  fingerprint bytea not null,
  status integer,
  response bytea,  -- encrypted: it may contain a key or token that is shown once
  created_at timestamptz not null default now(),
  constraint idempotency_keys_key unique nulls not distinct (organization_id, path, key)
);
create index idempotency_keys_created_at_idx on idempotency_keys (created_at);
alter table outbox_events enable row level security;
alter table outbox_events force row level security;
create policy outbox_events_insert on outbox_events for insert with check (
  organization_id is not distinct from (select current_app_scope()) and (select current_app_org_id()) is not null);
alter table mail_outbox enable row level security;
alter table mail_outbox force row level security;
create policy mail_outbox_insert on mail_outbox for insert with check (
  organization_id is not distinct from (select current_app_scope()) and (select current_app_org_id()) is not null);
alter table idempotency_keys enable row level security;
alter table idempotency_keys force row level security;
create policy idempotency_keys_select on idempotency_keys for select using (
  organization_id is not distinct from (select current_app_scope()) and (select current_app_org_id()) is not null);
create policy idempotency_keys_insert on idempotency_keys for insert with check (
  organization_id is not distinct from (select current_app_scope()) and (select current_app_org_id()) is not null);
create policy idempotency_keys_update on idempotency_keys for update
  using (organization_id is not distinct from (select current_app_scope()) and (select current_app_org_id()) is not null)
  with check (organization_id is not distinct from (select current_app_scope()) and (select current_app_org_id()) is not null);
create policy idempotency_keys_delete on idempotency_keys for delete using (
  organization_id is not distinct from (select current_app_scope()) and (select current_app_org_id()) is not null);
grant insert on outbox_events, mail_outbox to tendon_app;
grant select, insert, delete on idempotency_keys to tendon_app;
grant update (status, response) on idempotency_keys to tendon_app;

-- Objects in the store that no row refers to: an upload is in progress, or the row is gone. The worker deletes them when they
-- are due. An upload removes its object from this list in the transaction that inserts its row.
create table unclaimed_objects (
  object_key text primary key,
  organization_id uuid default current_app_scope() references organizations (id),
  delete_after timestamptz not null
);
create index unclaimed_objects_due_idx on unclaimed_objects (delete_after);
alter table unclaimed_objects enable row level security;
alter table unclaimed_objects force row level security;
create policy unclaimed_objects_select on unclaimed_objects for select using (
  organization_id is not distinct from (select current_app_scope()) and (select current_app_org_id()) is not null);
create policy unclaimed_objects_insert on unclaimed_objects for insert with check (
  organization_id is not distinct from (select current_app_scope()) and (select current_app_org_id()) is not null);
create policy unclaimed_objects_update on unclaimed_objects for update
  using (organization_id is not distinct from (select current_app_scope()) and (select current_app_org_id()) is not null)
  with check (organization_id is not distinct from (select current_app_scope()) and (select current_app_org_id()) is not null);
create policy unclaimed_objects_delete on unclaimed_objects for delete using (
  organization_id is not distinct from (select current_app_scope()) and (select current_app_org_id()) is not null);
grant select, delete on unclaimed_objects to tendon_app;
grant insert (object_key, organization_id, delete_after) on unclaimed_objects to tendon_app;
grant update (delete_after) on unclaimed_objects to tendon_app;
