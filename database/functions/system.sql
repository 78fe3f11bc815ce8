-- Every field in a fixed order and form. Never change the digest of existing rows: a new column is appended only when it is
-- set, as trace_id is.
create or replace function audit_digest(entry audit_log) returns bytea language sql stable as $$
  select sha256(convert_to((jsonb_build_array(
    entry.id, entry.organization_id, extract(epoch from entry.occurred_at), entry.actor_principal_id, entry.actor_type,
    entry.on_behalf_of, entry.action, entry.crud, entry.target_type, entry.target_id, entry.patient_profile_id,
    entry.outcome, entry.request_id, entry.key_id, encode(entry.personal, 'hex'))
    || case when entry.trace_id is null then '[]' else jsonb_build_array(entry.trace_id) end)::text, 'UTF8'))
$$;
alter function audit_digest(audit_log) owner to tendon_definer;
grant execute on function audit_digest(audit_log) to tendon_platform;

-- Chains a batch of digests to the hash of the previous seal.
create or replace function audit_seal_hash(p_prev bytea, p_digests bytea[]) returns bytea language sql immutable as $$
  select sha256(coalesce(p_prev, ''::bytea) || coalesce((select string_agg(d, ''::bytea order by n)
    from unnest(p_digests) with ordinality as u (d, n)), ''::bytea))
$$;
alter function audit_seal_hash(bytea, bytea[]) owner to tendon_definer;
grant execute on function audit_seal_hash(bytea, bytea[]) to tendon_platform;

-- Seals up to p_limit unsealed rows and returns their number. The time of a row is the start of its transaction, so rows from
-- the hour before the newest seal are checked again: no transaction runs that long. Security definer (all organizations): over all organizations.
create or replace function seal_audit_log(p_limit integer) returns integer
language plpgsql security definer set search_path = public as $$
declare
  v_previous audit_seals;
  v_ids uuid[];
  v_digests bytea[];
begin
  perform pg_advisory_xact_lock(hashtextextended('seal_audit_log', 0));
  select * into v_previous from audit_seals order by id desc limit 1;
  select array_agg(batch.id order by batch.n), array_agg(batch.digest order by batch.n) into v_ids, v_digests from (
    select a.id, audit_digest(a) as digest, row_number() over (order by a.occurred_at, a.id) as n
    from audit_log a left join audit_seal_entries e on e.entry_id = a.id
    where e.entry_id is null
      and a.occurred_at >= coalesce((
        select max(x.occurred_at) from audit_seal_entries s join audit_log x on x.id = s.entry_id
        where s.seal_id = v_previous.id) - interval '1 hour', '-infinity')
    order by a.occurred_at, a.id limit p_limit
  ) batch;
  if v_ids is null then
    return 0;
  end if;
  insert into audit_seals (id, prev_hash, hash, entry_count)
    values (coalesce(v_previous.id, 0) + 1, v_previous.hash, audit_seal_hash(v_previous.hash, v_digests), cardinality(v_ids));
  insert into audit_seal_entries (entry_id, seal_id, position, digest)
    select u.id, coalesce(v_previous.id, 0) + 1, u.n, u.digest
    from unnest(v_ids, v_digests) with ordinality as u (id, digest, n);
  return cardinality(v_ids);
end
$$;
alter function seal_audit_log(integer) owner to tendon_definer;
grant execute on function seal_audit_log(integer) to tendon_worker;

-- For the worker: locks due events until its transaction ends; other workers skip them.
-- Security definer (all organizations): over all organizations.
create or replace function claim_outbox_events(p_limit integer) returns setof outbox_events
language sql security definer set search_path = public as $$
  select * from outbox_events where dispatched_at is null and next_attempt_at <= now()
  order by next_attempt_at, id limit p_limit for update skip locked
$$;
alter function claim_outbox_events(integer) owner to tendon_definer;
grant execute on function claim_outbox_events(integer) to tendon_worker;

-- Security definer (all organizations): see claim_outbox_events.
create or replace function finish_outbox_events(p_ids uuid[]) returns void language sql security definer set search_path = public as $$
  update outbox_events set dispatched_at = now(), last_error = null where id = any (p_ids)
$$;
alter function finish_outbox_events(uuid[]) owner to tendon_definer;
grant execute on function finish_outbox_events(uuid[]) to tendon_worker;

-- Retries after 2, 4, 8 … seconds, at most one hour. Security definer (all organizations): see claim_outbox_events.
create or replace function fail_outbox_event(p_id uuid, p_error text) returns void language sql security definer set search_path = public as $$
  update outbox_events set attempts = attempts + 1, last_error = p_error,
    next_attempt_at = clock_timestamp() + least(interval '1 second' * 2 ^ least(attempts + 1, 12), interval '1 hour')
  where id = p_id
$$;
alter function fail_outbox_event(uuid, text) owner to tendon_definer;
grant execute on function fail_outbox_event(uuid, text) to tendon_worker;

-- For metrics. Security definer (all organizations): over all organizations.
create or replace function outbox_backlog() returns table (waiting bigint, oldest_seconds double precision)
language sql stable security definer set search_path = public as $$
  select count(*), coalesce(extract(epoch from now() - min(occurred_at)), 0)
  from outbox_events where dispatched_at is null
$$;
alter function outbox_backlog() owner to tendon_definer;
grant execute on function outbox_backlog() to tendon_worker;

-- Security definer (all organizations): retention covers every organization.
create or replace function delete_expired_rows() returns void language sql security definer set search_path = public as $$
  delete from idempotency_keys where created_at < now() - interval '24 hours';
  delete from outbox_events where dispatched_at < now() - interval '30 days';
  delete from web_sessions where expires_at < now() or seen_at + idle_limit < now();
$$;
alter function delete_expired_rows() owner to tendon_definer;
grant execute on function delete_expired_rows() to tendon_worker;

-- Adds a job to the caller's transaction. It runs in the organization of the context, which the caller cannot choose. A waiting
-- job with the same organization, name and key is replaced. The library's add_job adds nothing, without an error, when a
-- worker starts the waiting job meanwhile (github.com/graphile/worker/issues/580); called again, it adds a new one.
-- Security definer (all organizations): only the worker may write to the job queue.
create or replace function add_job(p_name text, p_payload jsonb, p_key text, p_run_at timestamptz, p_max_attempts integer)
returns void language plpgsql security definer set search_path = public as $$
declare
  v_added bigint;
begin
  loop
    select id into v_added from graphile_worker.add_job(
      identifier => p_name,
      payload => (jsonb_build_object('organization_id', current_app_scope(), 'payload', p_payload)
        || case when current_app_automation_rule_ids() = '{}' then '{}'
          else jsonb_build_object('automation_rule_ids', current_app_automation_rule_ids()) end)::json,
      job_key => coalesce(current_app_scope()::text, 'platform') || ' ' || p_name || ' ' || p_key,
      run_at => p_run_at,
      max_attempts => p_max_attempts);
    exit when v_added is not null;
  end loop;
end
$$;
alter function add_job(text, jsonb, text, timestamptz, integer) owner to tendon_worker;
grant execute on function add_job(text, jsonb, text, timestamptz, integer) to tendon_app, tendon_platform;
grant execute on function add_job(text, jsonb, text, timestamptz, integer) to tendon_definer;

-- Makes waiting jobs with these keys due now. Returns whether there is one. Security definer (all organizations): only the worker writes to the job queue.
create or replace function run_jobs_now(p_keys text[]) returns boolean
language sql security definer set search_path = public as $$
  select count(*) > 0 from graphile_worker.reschedule_jobs(
    array(select id from graphile_worker.jobs where key = any (p_keys) and locked_at is null), run_at => now())
$$;
alter function run_jobs_now(text[]) owner to tendon_worker;
grant execute on function run_jobs_now(text[]) to tendon_definer;

-- Claims a key for the current request: returns nothing when it is new (or older than 24 hours), otherwise the stored row.
-- Waits at the unique index for a concurrent request with the same key.
create or replace function claim_idempotency_key(p_path text, p_key text, p_fingerprint bytea)
returns setof idempotency_keys language plpgsql as $$
begin
  -- One condition for a clinic, one for the platform: "is not distinct from" would use no index.
  delete from idempotency_keys
    where (organization_id = (select current_app_scope()) or (select current_app_scope()) is null and organization_id is null)
      and path = p_path and key = p_key and created_at < now() - interval '24 hours';
  insert into idempotency_keys (path, key, principal_id, fingerprint)
    values (p_path, p_key, coalesce(current_app_principal_id(), '00000000-0000-0000-0000-000000000000'), p_fingerprint)
    on conflict on constraint idempotency_keys_key do nothing;
  if not found then
    return query select * from idempotency_keys
      where (organization_id = (select current_app_scope()) or (select current_app_scope()) is null and organization_id is null)
        and path = p_path and key = p_key;
  end if;
end
$$;
grant execute on function claim_idempotency_key(text, text, bytea) to tendon_app, tendon_platform;

-- For the worker. A row that is being claimed by an upload is locked and skipped. Security definer (all organizations): over all organizations.
create or replace function claim_unclaimed_objects(p_limit integer) returns setof text language sql security definer set search_path = public as $$
  select object_key from unclaimed_objects where delete_after <= now() order by delete_after limit p_limit for update skip locked
$$;
alter function claim_unclaimed_objects(integer) owner to tendon_definer;
grant execute on function claim_unclaimed_objects(integer) to tendon_worker;

-- Security definer (all organizations): see claim_unclaimed_objects.
create or replace function remove_unclaimed_objects(p_keys text[]) returns void language sql security definer set search_path = public as $$
  delete from unclaimed_objects where object_key = any (p_keys) and delete_after <= now()
$$;
alter function remove_unclaimed_objects(text[]) owner to tendon_definer;
grant execute on function remove_unclaimed_objects(text[]) to tendon_worker;

-- When a row is deleted, or gets another object, its object is queued for deletion by the worker. The argument is the column
-- with the key. An object that another row of the table uses stays.
-- Security definer: fires for every writer, also in cascades and erasures.
create or replace function release_object() returns trigger language plpgsql security definer set search_path = public as $$
declare
  v_key text := to_jsonb(old) ->> tg_argv[0];
  v_named boolean;
begin
  if v_key is null or (tg_op = 'UPDATE' and v_key is not distinct from to_jsonb(new) ->> tg_argv[0]) then
    return null;
  end if;
  -- Of two rows that release it at the same time, the second sees that it was the last.
  perform pg_advisory_xact_lock(hashtextextended('object ' || v_key, 0));
  execute format('select exists (select 1 from %I where %I = $1)', tg_table_name, tg_argv[0]) into v_named using v_key;
  if v_named then
    return null;
  end if;
  insert into unclaimed_objects (object_key, organization_id, delete_after)
    values (v_key, (to_jsonb(old) ->> 'organization_id')::uuid, now())
    on conflict (object_key) do update set delete_after = excluded.delete_after;
  perform add_job('delete_unclaimed_objects', '{}', null, null, null);
  return null;
end
$$;
alter function release_object() owner to tendon_definer;

-- Which migrations and function files were applied, for the check at the start of a server. A function file has a row for each
-- text that it ever had. Security definer (all organizations): logins cannot read these tables.
create or replace function applied_files() returns table (kind text, name text, checksum text, is_current boolean)
language sql stable security definer set search_path = public as $$
  select 'migration', m.name, m.checksum, true from migrations m
  union all
  select 'functions', f.name, f.checksum, f.is_current from function_files f
$$;
alter function applied_files() owner to tendon_definer;
grant execute on function applied_files() to tendon_app, tendon_worker, tendon_telemetry;
