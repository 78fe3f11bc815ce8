-- What a request leaves for later, written in its own transaction: events, jobs, mail; and the answers it may repeat.

create table outbox_events (
  id uuid primary key default uuidv7(),
  organization_id uuid default current_app_scope() references organizations (id),
  type text not null,
  payload jsonb not null,
  occurred_at timestamptz not null default now(),
  dispatched_at timestamptz,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  last_error text  -- its class only: messages may hold personal data
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

-- The key is (organization, path, key) as specified; principal and fingerprint stand beside it.
create table idempotency_keys (
  organization_id uuid default current_app_scope() references organizations (id),
  path text not null,
  key text not null,
  principal_id uuid not null,
  fingerprint bytea not null,
  status integer,
  response bytea,  -- encrypted: it may hold a key or token that is shown once
  created_at timestamptz not null default now(),
  constraint idempotency_keys_key unique nulls not distinct (organization_id, path, key)
);
create index idempotency_keys_created_at_idx on idempotency_keys (created_at);

-- For the worker: locks the events that are due until its transaction ends; another worker skips them.
create function take_outbox_events(p_limit integer) returns setof outbox_events
language sql security definer set search_path = public as $$
  select * from outbox_events where dispatched_at is null and next_attempt_at <= now()
  order by next_attempt_at, id limit p_limit for update skip locked
$$;
create function finish_outbox_events(p_ids uuid[]) returns void language sql security definer set search_path = public as $$
  update outbox_events set dispatched_at = now(), last_error = null where id = any (p_ids)
$$;
-- After 2, 4, 8 … seconds it is tried again, in the end once an hour.
create function fail_outbox_event(p_id uuid, p_error text) returns void language sql security definer set search_path = public as $$
  update outbox_events set attempts = attempts + 1, last_error = p_error,
    next_attempt_at = clock_timestamp() + least(interval '1 second' * 2 ^ least(attempts + 1, 12), interval '1 hour')
  where id = p_id
$$;
create function outbox_backlog() returns table (waiting bigint, oldest_seconds double precision)
language sql stable security definer set search_path = public as $$
  select count(*), coalesce(extract(epoch from now() - min(occurred_at)), 0)
  from outbox_events where dispatched_at is null
$$;
create function delete_expired_rows() returns void language sql security definer set search_path = public as $$
  delete from idempotency_keys where created_at < now() - interval '24 hours';
  delete from outbox_events where dispatched_at < now() - interval '30 days';
$$;
alter function take_outbox_events(integer) owner to tendon_definer;
alter function finish_outbox_events(uuid[]) owner to tendon_definer;
alter function fail_outbox_event(uuid, text) owner to tendon_definer;
alter function outbox_backlog() owner to tendon_definer;
alter function delete_expired_rows() owner to tendon_definer;
grant execute on function take_outbox_events(integer), finish_outbox_events(uuid[]), fail_outbox_event(uuid, text),
  outbox_backlog(), delete_expired_rows() to tendon_worker;

-- Adds a job to the caller's transaction. It will run in the organization of this context, which nobody can choose.
-- A waiting job of the same organization, name and key is replaced.
create function add_job(p_name text, p_payload jsonb, p_key text, p_run_at timestamptz, p_max_attempts integer)
returns void language sql security definer set search_path = public as $$
  select graphile_worker.add_job(
    identifier => p_name,
    payload => json_build_object('organization_id', current_app_scope(), 'payload', p_payload),
    job_key => coalesce(current_app_scope()::text, 'platform') || ' ' || p_name || ' ' || p_key,
    run_at => p_run_at,
    max_attempts => p_max_attempts)
$$;
alter function add_job(text, jsonb, text, timestamptz, integer) owner to tendon_worker;
grant execute on function add_job(text, jsonb, text, timestamptz, integer) to tendon_app, tendon_platform;

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

-- Claims a key for the request under way: null when it is new (or its 24 hours are over), else what was kept.
-- A request in flight with the same key is waited for at the unique index.
create function claim_idempotency_key(p_path text, p_key text, p_fingerprint bytea)
returns setof idempotency_keys language plpgsql as $$
begin
  delete from idempotency_keys
    where organization_id is not distinct from current_app_scope() and path = p_path and key = p_key
      and created_at < now() - interval '24 hours';
  insert into idempotency_keys (path, key, principal_id, fingerprint)
    values (p_path, p_key, current_app_principal_id(), p_fingerprint)
    on conflict on constraint idempotency_keys_key do nothing;
  if not found then
    return query select * from idempotency_keys
      where organization_id is not distinct from current_app_scope() and path = p_path and key = p_key;
  end if;
end
$$;
grant execute on function claim_idempotency_key(text, text, bytea) to tendon_app, tendon_platform;
