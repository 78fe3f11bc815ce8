-- Export, erasure and restriction of one patient at one clinic: background work with progress to read.

create table privacy_requests (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  kind text not null check (kind in ('export', 'erase')),
  patient_id uuid not null,
  patient_profile_id uuid not null,
  status text not null default 'accepted' check (status in ('accepted', 'active', 'completed', 'error', 'cancelled')),
  progress integer not null default 0 check (progress between 0 and 100),
  reason text,
  result jsonb,          -- certificate or manifest; never personal text
  object_key text,       -- the ZIP of an export
  error text,
  requested_by_principal_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  completed_at timestamptz,
  expires_at timestamptz,
  constraint privacy_requests_patient_fkey foreign key (organization_id, patient_id) references patients (organization_id, id)
);
create index privacy_requests_organization_idx on privacy_requests (organization_id, created_at desc, id desc);
create index privacy_requests_patient_idx on privacy_requests (organization_id, patient_id);
-- One piece of work of a kind for a patient at a time.
create unique index privacy_requests_active_key on privacy_requests (organization_id, patient_id, kind)
  where status in ('accepted', 'active');
create trigger privacy_requests_updated_at before update on privacy_requests for each row execute function set_updated_at();

alter table privacy_requests enable row level security;
alter table privacy_requests force row level security;
create policy privacy_requests_select on privacy_requests for select using (
  organization_id = (select current_app_org_id())
  and ((select current_app_has_permission('gdpr', 'export_data')) or (select current_app_has_permission('gdpr', 'erase_data'))));
create policy privacy_requests_insert on privacy_requests for insert with check (
  organization_id = (select current_app_org_id())
  and ((kind = 'export' and (select current_app_has_permission('gdpr', 'export_data')))
    or (kind = 'erase' and (select current_app_has_permission('gdpr', 'erase_data')))));
create policy privacy_requests_update on privacy_requests for update
  using (organization_id = (select current_app_org_id())
    and ((select current_app_has_permission('gdpr', 'export_data')) or (select current_app_has_permission('gdpr', 'erase_data'))))
  with check (organization_id = (select current_app_org_id())
    and ((select current_app_has_permission('gdpr', 'export_data')) or (select current_app_has_permission('gdpr', 'erase_data'))));
grant select, insert on privacy_requests to tendon_app;
grant update (status, progress, result, object_key, error, completed_at, expires_at, updated_at) on privacy_requests to tendon_app;

-- Whom a request is about: also a patient who has left or was deleted, for whom the rights go on.
create function find_privacy_subject(p_patient_id uuid)
returns table (patient_id uuid, patient_profile_id uuid, name text, erased_at timestamptz)
language sql stable security definer set search_path = public rows 1 as $$
  select id, patient_profile_id, first_name || ' ' || last_name, erased_at from patients
  where organization_id = current_app_org_id() and id = p_patient_id
    and (current_app_has_permission('gdpr', 'export_data') or current_app_has_permission('gdpr', 'erase_data'))
$$;
alter function find_privacy_subject(uuid) owner to tendon_definer;
grant execute on function find_privacy_subject(uuid) to tendon_app;

create function restrict_patient(p_patient_id uuid, p_restricted boolean)
returns table (patient_id uuid, patient_profile_id uuid, name text, restricted_before timestamptz, restricted_at timestamptz)
language sql security definer set search_path = public rows 1 as $$
  with found as (
    select id, restricted_at from patients
    where organization_id = current_app_org_id() and id = p_patient_id and erased_at is null
      and current_app_has_permission('gdpr', 'restrict_processing')
    for no key update)
  update patients p set restricted_at = case when p_restricted then coalesce(p.restricted_at, now()) end
  from found where p.id = found.id
  returning p.id, p.patient_profile_id, p.first_name || ' ' || p.last_name, found.restricted_at, p.restricted_at
$$;
alter function restrict_patient(uuid, boolean) owner to tendon_definer;
grant execute on function restrict_patient(uuid, boolean) to tendon_app;

-- Restricted, a profile takes no new number; leaving and erasure only take it away.
create function patient_profiles_refuse_restricted() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if exists (select 1 from patients where organization_id = new.organization_id and patient_profile_id = new.id
      and restricted_at is not null)
  then
    raise exception 'processing is restricted' using errcode = 'check_violation', constraint = 'patients_restricted_check';
  end if;
  return new;
end
$$;
alter function patient_profiles_refuse_restricted() owner to tendon_definer;
create trigger patient_profiles_refuse_restricted before update of national_id_encrypted on patient_profiles
  for each row when (new.national_id_encrypted is not null) execute function patient_profiles_refuse_restricted();

-- Erasure. The worker alone may, and only what a request under way asks for: each function takes the request, finds the
-- patient in it, and touches rows of the organization in context.

-- The request, or nothing when it is not (or no longer) to be carried out.
create function erasure_under_way(p_request_id uuid) returns setof privacy_requests
language sql stable security definer set search_path = public rows 1 as $$
  select * from privacy_requests
  where id = p_request_id and organization_id = current_app_org_id() and kind = 'erase' and status = 'active' and result is null
$$;
alter function erasure_under_way(uuid) owner to tendon_definer;

-- Writers about this patient wait from here on; exports of the patient are over.
create function begin_erasure(p_request_id uuid) returns table (patient_id uuid, patient_profile_id uuid, requested_at timestamptz)
language plpgsql security definer set search_path = public rows 1 as $$
declare
  v_request privacy_requests;
begin
  perform 1 from privacy_requests where id = p_request_id and organization_id = current_app_org_id() for update;
  select * into v_request from erasure_under_way(p_request_id);
  if v_request.id is null then
    return;
  end if;
  -- Profiles first, by id, then rows: the order in which grants, leaving and account erasure take them.
  perform pg_advisory_xact_lock(hashtextextended('consents ' || profiles.id, 0)) from (
    select o.id from patient_profiles f join patient_profiles o on o.id = f.id or o.human_id = f.human_id
    where f.id = v_request.patient_profile_id order by o.id) profiles;
  perform 1 from patients p where p.organization_id = v_request.organization_id and p.id = v_request.patient_id for update;
  update privacy_requests r set status = 'cancelled'
    where r.organization_id = v_request.organization_id and r.patient_id = v_request.patient_id and r.kind = 'export'
      and r.status in ('accepted', 'active');
  return query select v_request.patient_id, v_request.patient_profile_id, v_request.created_at;
end
$$;
alter function begin_erasure(uuid) owner to tendon_definer;

-- One table: deletes the patient's rows, or overwrites columns (p_values: column → value). p_key is the column by which
-- rows belong to the patient, p_holds whether that is the id of the patient or of the profile.
create function erase_patient_rows(p_request_id uuid, p_table text, p_key text, p_holds text, p_values jsonb) returns integer
language plpgsql security definer set search_path = public as $$
declare
  v_request privacy_requests;
  v_subject uuid;
  v_columns text;
  v_rows integer;
begin
  select * into strict v_request from erasure_under_way(p_request_id);
  v_subject := case p_holds when 'patient_id' then v_request.patient_id when 'patient_profile_id' then v_request.patient_profile_id end;
  if p_values is null then
    execute format('delete from %I where organization_id = $1 and %I = $2', p_table, p_key)
      using v_request.organization_id, v_subject;
  else
    select string_agg(format('%I', key), ', ') into v_columns from jsonb_object_keys(p_values) key;
    execute format('update %I set (%s) = (select %s from jsonb_populate_record(null::%1$I, $3)) where organization_id = $1 and %4$I = $2',
        p_table, v_columns, v_columns, p_key)
      using v_request.organization_id, v_subject, p_values;
  end if;
  get diagnostics v_rows = row_count;
  return v_rows;
end
$$;
alter function erase_patient_rows(uuid, text, text, text, jsonb) owner to tendon_definer;

-- What was agreed to stays as proof, without address and words. What the human agreed to on the platform is theirs and goes
-- on counting where they are a patient elsewhere.
create function erase_patient_consents(p_request_id uuid) returns integer
language plpgsql security definer set search_path = public as $$
declare
  v_request privacy_requests;
  v_other uuid;
  v_rows integer;
begin
  select * into strict v_request from erasure_under_way(p_request_id);
  perform pg_advisory_xact_lock(hashtextextended('consents ' || v_request.patient_profile_id, 0));
  select o.id into v_other from patient_profiles f join patient_profiles o on o.human_id = f.human_id and o.id <> f.id
    where f.id = v_request.patient_profile_id order by o.created_at, o.id limit 1;
  if v_other is not null then
    perform pg_advisory_xact_lock(hashtextextended('consents ' || v_other, 0));
    update consents c set patient_profile_id = v_other
      where c.patient_profile_id = v_request.patient_profile_id and c.organization_id is null
        and (c.withdrawn_at is not null or not exists (select 1 from consents o where o.patient_profile_id = v_other
          and o.organization_id is null and o.purpose_code = c.purpose_code and o.withdrawn_at is null));
  end if;
  update consents set withdrawn_at = coalesce(withdrawn_at, now()), ended_as = coalesce(ended_as, 'erased'),
      granted_via_ip = null, withdrawal_reason = null
    where patient_profile_id = v_request.patient_profile_id
      and (organization_id = v_request.organization_id or organization_id is null);
  get diagnostics v_rows = row_count;
  return v_rows;
end
$$;
alter function erase_patient_consents(uuid) owner to tendon_definer;

-- Mail about the patient, or to an address of theirs and about nobody else (what staff get is not about them): what waits is
-- not sent, what was sent loses address and words.
create function erase_patient_mail(p_request_id uuid) returns integer
language plpgsql security definer set search_path = public as $$
declare
  v_request privacy_requests;
  v_addresses citext[];
  v_ids uuid[];
begin
  select * into strict v_request from erasure_under_way(p_request_id);
  select array[p.email, f.invited_email] into v_addresses
    from patients p join patient_profiles f on f.organization_id = p.organization_id and f.id = p.patient_profile_id
    where p.organization_id = v_request.organization_id and p.id = v_request.patient_id;
  select array_agg(id) into v_ids from mail_outbox
    where organization_id = v_request.organization_id and template !~ '^(member|break_glass)_'
      and case when data ? 'patient_id' then data ->> 'patient_id' = v_request.patient_id::text
        else to_address::citext = any (v_addresses) end;
  delete from mail_outbox where id = any (v_ids) and sent_at is null;
  update mail_outbox set to_address = 'erased', data = '{}' where id = any (v_ids);
  return coalesce(cardinality(v_ids), 0);
end
$$;
alter function erase_patient_mail(uuid) owner to tendon_definer;

-- The texts of the audit log, the clinic's and the platform's, go with their keys; entries and their digests stay.
create function erase_patient_audit_keys(p_request_id uuid) returns integer
language plpgsql security definer set search_path = public as $$
declare
  v_request privacy_requests;
  v_rows integer;
begin
  select * into strict v_request from erasure_under_way(p_request_id);
  update audit_keys set wrapped_key = null, destroyed_at = now()
    where patient_profile_id = v_request.patient_profile_id and destroyed_at is null
      and (organization_id = v_request.organization_id or organization_id is null);
  get diagnostics v_rows = row_count;
  return v_rows;
end
$$;
alter function erase_patient_audit_keys(uuid) owner to tendon_definer;

-- Nor does a new key begin: whoever read the name just before would write it down under that one.
create function audit_keys_refuse_erased() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if exists (select 1 from patients where patient_profile_id = new.patient_profile_id and erased_at is not null) then
    return null;
  end if;
  return new;
end
$$;
alter function audit_keys_refuse_erased() owner to tendon_definer;
create trigger audit_keys_refuse_erased before insert on audit_keys
  for each row when (new.patient_profile_id is not null) execute function audit_keys_refuse_erased();

grant execute on function begin_erasure(uuid), erase_patient_rows(uuid, text, text, text, jsonb), erase_patient_consents(uuid),
  erase_patient_mail(uuid), erase_patient_audit_keys(uuid) to tendon_worker;

-- Exports whose time is over, at whatever clinic: their objects are deleted first, then forgotten.
create function expired_exports(p_now timestamptz, p_limit integer) returns table (id uuid, object_key text)
language sql stable security definer set search_path = public as $$
  select r.id, r.object_key from privacy_requests r
  where r.kind = 'export' and r.object_key is not null and r.expires_at <= p_now order by r.expires_at limit p_limit
$$;
create function forget_exports(p_ids uuid[]) returns void language sql security definer set search_path = public as $$
  update privacy_requests set object_key = null where id = any (p_ids)
$$;
-- Work that nobody does any more, because its last attempt died with the worker.
create function fail_stalled_privacy_requests(p_before timestamptz) returns void language sql security definer set search_path = public as $$
  update privacy_requests set status = 'error', error = 'Stalled' where status in ('accepted', 'active') and updated_at < p_before
$$;
alter function expired_exports(timestamptz, integer) owner to tendon_definer;
alter function forget_exports(uuid[]) owner to tendon_definer;
alter function fail_stalled_privacy_requests(timestamptz) owner to tendon_definer;
grant execute on function expired_exports(timestamptz, integer), forget_exports(uuid[]), fail_stalled_privacy_requests(timestamptz)
  to tendon_worker;
create index privacy_requests_expires_idx on privacy_requests (expires_at) where object_key is not null;
