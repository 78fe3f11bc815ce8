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
create index privacy_requests_object_idx on privacy_requests (object_key) where object_key is not null;
create trigger privacy_requests_release_object after delete or update of object_key on privacy_requests
  for each row execute function release_object('object_key');
drop function expired_exports(timestamptz, integer);
drop function forget_exports(uuid[]);
create function forget_expired_exports(p_now timestamptz) returns void language sql security definer set search_path = public as $$
  update privacy_requests set object_key = null
    where kind = 'export' and object_key is not null and (expires_at <= p_now or status in ('error', 'cancelled'))
$$;
alter function forget_expired_exports(timestamptz) owner to tendon_definer;
grant execute on function forget_expired_exports(timestamptz) to tendon_worker;

-- As before; but what is erased waits only for its files, and is never given up.
create or replace function fail_stalled_privacy_requests(p_before timestamptz) returns void
language sql security definer set search_path = public as $$
  update privacy_requests set status = 'error', error = 'Stalled'
    where status in ('accepted', 'active') and result is null and updated_at < p_before
$$;

-- Answers kept for repeated requests. What the person sent themselves was about them, wherever they stood when they sent it.
create function erase_own_answers(p_request_id uuid) returns integer
language plpgsql security definer set search_path = public as $$
declare
  v_rows integer;
begin
  delete from idempotency_keys i using erasure_under_way(p_request_id) r, patient_profiles f
    where f.id = r.patient_profile_id and i.principal_id = f.human_id;
  get diagnostics v_rows = row_count;
  return v_rows;
end
$$;
-- The rest is encrypted: the worker opens what the clinic's staff and the platform's operators were told, and says which goes.
create function platform_answers(p_request_id uuid) returns setof idempotency_keys
language sql stable security definer set search_path = public as $$
  select i.* from idempotency_keys i
  where i.organization_id is null and exists (select 1 from erasure_under_way(p_request_id))
$$;
create function erase_answer(p_request_id uuid, p_organization_id uuid, p_path text, p_key text) returns void
language sql security definer set search_path = public as $$
  delete from idempotency_keys i using erasure_under_way(p_request_id) r
  where i.organization_id is not distinct from p_organization_id and i.path = p_path and i.key = p_key
    and (i.organization_id is null or i.organization_id = r.organization_id)
$$;
alter function erase_own_answers(uuid) owner to tendon_definer;
alter function platform_answers(uuid) owner to tendon_definer;
alter function erase_answer(uuid, uuid, text, text) owner to tendon_definer;
grant execute on function erase_own_answers(uuid), platform_answers(uuid), erase_answer(uuid, uuid, text, text) to tendon_worker;

-- What is kept of an erased patient does not name who acted. The file of a signed form forgets who put it there, if that was
-- the patient; nothing else about it changes.
create or replace function form_files_refuse_signed() returns trigger language plpgsql security definer set search_path = public as $$
declare
  v_form uuid := case when tg_op = 'DELETE' then old.form_id else new.form_id end;
begin
  if tg_op = 'UPDATE' and to_jsonb(new) = to_jsonb(old) || '{"uploaded_by_principal_id": null}' then
    return new;
  end if;
  perform 1 from forms where id = v_form and signed_at is null for no key update;
  if not found and exists (select 1 from forms where id = v_form) then
    raise exception 'the form is signed' using errcode = 'check_violation', constraint = 'forms_signed_check';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;
-- A new file always comes with a new object.
drop trigger form_files_refuse_restricted on form_files;
create trigger form_files_refuse_restricted before insert or update of object_key on form_files
  for each row execute function refuse_restricted();

-- Nor does the account go on naming a clinic where it is nobody any more.
create function patient_profiles_forget_clinic() returns trigger language plpgsql security definer set search_path = public as $$
begin
  update humans h set current_organization_id = null
    where h.id = old.human_id and h.current_organization_id = old.organization_id
      and not exists (select 1 from organization_memberships m
        where m.organization_id = old.organization_id and m.principal_id = h.id)
      and not exists (select 1 from patient_profiles f where f.organization_id = old.organization_id and f.human_id = h.id);
  return null;
end
$$;
alter function patient_profiles_forget_clinic() owner to tendon_definer;
create trigger patient_profiles_forget_clinic after update of human_id on patient_profiles
  for each row when (old.human_id is not null and new.human_id is null) execute function patient_profiles_forget_clinic();

-- As before; and what would name the person later goes at once, for then nobody could say whose it was.
create or replace function erase_account() returns timestamptz language plpgsql security definer set search_path = public as $$
declare
  v_human uuid := current_app_principal_id();
  v_email citext;
  v_verified boolean;
  v_mail uuid[];
  v_profiles uuid[];
begin
  perform pg_advisory_xact_lock(hashtextextended('identity:' || issuer || ' ' || subject, 0))
    from (select issuer, subject from identities where human_id = v_human order by issuer, subject) i;
  select email, email_verified into v_email, v_verified from humans where id = v_human;
  if v_email is not null then
    perform pg_advisory_xact_lock(hashtextextended('email:' || lower(v_email::text), 0));
  end if;
  if not exists (select 1 from identities where human_id = v_human) then
    return null;
  end if;
  if exists (select 1 from platform_memberships where principal_id = v_human) then
    raise exception 'a superadmin' using errcode = 'check_violation', constraint = 'humans_superadmin_check';
  end if;
  -- Mail to their address, if it is proven, and the invitations that they never took up: what waits is not sent, what was sent
  -- loses address and words.
  v_mail := array(select o.id from mail_outbox o
    where v_verified and o.to_address::citext = v_email
      or exists (select 1 from organization_memberships m where m.principal_id = v_human and m.joined_at is null
        and m.organization_id = o.organization_id and m.invited_email = o.to_address::citext));
  delete from mail_outbox where id = any (v_mail) and sent_at is null;
  update mail_outbox set to_address = 'erased', data = '{}' where id = any (v_mail);
  delete from organization_memberships where principal_id = v_human and joined_at is null;
  if exists (select 1 from organization_memberships where principal_id = v_human) then
    raise exception 'still a member' using errcode = 'check_violation', constraint = 'humans_member_check';
  end if;

  -- A profile claimed since the request began: its clinic has not been told, so the request begins anew.
  if exists (select 1 from patient_profiles where human_id = v_human and id <> all (current_app_profile_ids())) then
    raise exception 'another profile' using errcode = 'serialization_failure';
  end if;

  v_profiles := array(select id from patient_profiles where human_id = v_human);
  update consents set withdrawn_at = clock_timestamp(), ended_as = 'erased'
    where patient_profile_id = any (v_profiles) and withdrawn_at is null;
  update consents set granted_via_ip = null, withdrawal_reason = null
    where patient_profile_id = any (v_profiles) and organization_id is null;
  update consents set granted_by_principal_id = nullif(granted_by_principal_id, v_human),
      withdrawn_by_principal_id = nullif(withdrawn_by_principal_id, v_human)
    where patient_profile_id = any (v_profiles);
  update form_files f set uploaded_by_principal_id = null from patient_profiles p
    where p.id = any (v_profiles) and f.organization_id = p.organization_id and f.patient_profile_id = p.id
      and f.uploaded_by_principal_id = v_human;
  update patients set deleted_at = now() where patient_profile_id = any (v_profiles) and deleted_at is null;
  update patient_profiles set human_id = null, claimed_at = null, invited_email = null, invited_at = null,
    national_id_encrypted = null, national_id_index = null where id = any (v_profiles);
  -- The platform's log about them: under their profiles, or under themselves where there is none.
  update audit_keys set wrapped_key = null, destroyed_at = now()
    where organization_id is null and patient_profile_id = any (v_profiles || v_human) and destroyed_at is null;
  delete from idempotency_keys where principal_id = v_human;
  delete from identities where human_id = v_human;
  update humans set name = null, email = null, email_verified = false, preferred_language = null,
    current_organization_id = null where id = v_human;
  return now();
end
$$;
