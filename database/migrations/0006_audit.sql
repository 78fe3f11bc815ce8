-- The audit log. Rows are written in the transaction they tell of and never change.
-- Personal text is encrypted under a key per organization, or per patient: destroying the key erases the text,
-- while the digests (over the ciphertext) still verify. A worker seals rows in batches, each seal chained to the one before.

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
  -- Not checked for the platform (null organization); the organization's own key otherwise.
  constraint audit_log_key_fkey foreign key (organization_id, key_id) references audit_keys (organization_id, id)
);
create index audit_log_organization_occurred_idx on audit_log (organization_id, occurred_at desc, id desc);
create index audit_log_target_idx on audit_log (organization_id, target_id, occurred_at desc);
create index audit_log_actor_idx on audit_log (organization_id, actor_principal_id, occurred_at desc);
create index audit_log_action_idx on audit_log (organization_id, action, occurred_at desc);
create index audit_log_patient_idx on audit_log (organization_id, patient_profile_id, occurred_at desc)
  where patient_profile_id is not null;
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

-- Every field in a fixed order and form; a new column needs a new digest, never a change of this one.
create function audit_digest(entry audit_log) returns bytea language sql stable as $$
  select sha256(convert_to(jsonb_build_array(
    entry.id, entry.organization_id, extract(epoch from entry.occurred_at), entry.actor_principal_id, entry.actor_type,
    entry.on_behalf_of, entry.action, entry.crud, entry.target_type, entry.target_id, entry.patient_profile_id,
    entry.outcome, entry.request_id, entry.key_id, encode(entry.personal, 'hex'))::text, 'UTF8'))
$$;

create function audit_seal_hash(p_prev bytea, p_digests bytea[]) returns bytea language sql immutable as $$
  select sha256(coalesce(p_prev, ''::bytea) || coalesce((select string_agg(d, ''::bytea order by n)
    from unnest(p_digests) with ordinality as u (d, n)), ''::bytea))
$$;

-- Seals up to p_limit rows that are not sealed yet; gives their number. A row appears with its transaction's start as
-- time, so rows of the hour before the newest seal are looked at again: no transaction lasts that long.
create function seal_audit_log(p_limit integer) returns integer
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
alter function audit_digest(audit_log) owner to tendon_definer;
alter function audit_seal_hash(bytea, bytea[]) owner to tendon_definer;
alter function seal_audit_log(integer) owner to tendon_definer;
grant execute on function seal_audit_log(integer) to tendon_worker;
grant execute on function audit_digest(audit_log), audit_seal_hash(bytea, bytea[]) to tendon_platform;

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
  patient_profile_id, outcome, request_id, key_id, personal) on audit_log to tendon_app;
revoke insert, update, delete on audit_log from tendon_platform;
grant insert (id, organization_id, actor_principal_id, actor_type, on_behalf_of, action, crud, target_type, target_id,
  patient_profile_id, outcome, request_id, key_id, personal) on audit_log to tendon_platform;
grant select, insert on audit_keys to tendon_app;
grant select on audit_seals, audit_seal_entries to tendon_app;
revoke update, delete on audit_keys, audit_seals, audit_seal_entries from tendon_platform;
revoke insert on audit_seals, audit_seal_entries from tendon_platform;
revoke update, delete on audit_log, audit_seals, audit_seal_entries from tendon_definer;
