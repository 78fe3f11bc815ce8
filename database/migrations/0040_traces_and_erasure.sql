-- Who read, told past what the reader chooses; and what an erasure left behind.

-- What a feature writes about a read under break-glass names that read's own trace (action break_glass.read).
alter table audit_log add column trace_id uuid;
grant insert (trace_id) on audit_log to tendon_app, tendon_platform;

-- Rows without a trace, all older ones among them, have the digest that they always had.
create or replace function audit_digest(entry audit_log) returns bytea language sql stable as $$
  select sha256(convert_to((jsonb_build_array(
    entry.id, entry.organization_id, extract(epoch from entry.occurred_at), entry.actor_principal_id, entry.actor_type,
    entry.on_behalf_of, entry.action, entry.crud, entry.target_type, entry.target_id, entry.patient_profile_id,
    entry.outcome, entry.request_id, entry.key_id, encode(entry.personal, 'hex'))
    || case when entry.trace_id is null then '[]' else jsonb_build_array(entry.trace_id) end)::text, 'UTF8'))
$$;

-- As before; but the trace is found by an id of ours, for the caller chooses that of the request.
create or replace function my_access_log(p_organization_id uuid)
returns table (id uuid, organization_id uuid, occurred_at timestamptz)
language sql stable security definer set search_path = public as $$
  select a.id, a.organization_id, a.occurred_at from audit_log a
  where a.patient_profile_id = any (current_app_profile_ids()) and a.outcome = 'success'
    and (p_organization_id is null or a.organization_id = p_organization_id)
    and not (a.crud = 'R' and a.trace_id is not null and exists (
      select 1 from audit_log t where t.id = a.trace_id and t.patient_profile_id = a.patient_profile_id))
$$;

-- The file of an export goes by the list of what no row names, as every other: whatever becomes of who let it go.
create trigger privacy_requests_release_object after delete or update of object_key on privacy_requests
  for each row execute function release_object('object_key');
drop function expired_exports(timestamptz, integer);
drop function forget_exports(uuid[]);
create function forget_expired_exports(p_now timestamptz) returns void language sql security definer set search_path = public as $$
  update privacy_requests set object_key = null where kind = 'export' and object_key is not null and expires_at <= p_now
$$;
alter function forget_expired_exports(timestamptz) owner to tendon_definer;
grant execute on function forget_expired_exports(timestamptz) to tendon_worker;

-- As before; but what is erased waits only for its files, and is never given up.
create or replace function fail_stalled_privacy_requests(p_before timestamptz) returns void
language sql security definer set search_path = public as $$
  update privacy_requests set status = 'error', error = 'Stalled'
    where status in ('accepted', 'active') and result is null and updated_at < p_before
$$;
