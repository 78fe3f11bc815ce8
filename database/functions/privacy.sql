-- Purposes of the platform have texts of the platform only; the privacy notice of a clinic has texts of the clinic only.
-- Security definer: fires for every writer.
create or replace function consent_purpose_versions_check_scope() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if (new.organization_id is null and new.purpose_code = 'org_privacy_notice')
    or (new.organization_id is not null and exists (
      select 1 from consent_purposes where code = new.purpose_code and scope = 'platform'))
  then
    raise exception 'a text at the wrong place' using errcode = 'check_violation', constraint = 'consent_purpose_versions_scope_check';
  end if;
  return new;
end
$$;
alter function consent_purpose_versions_check_scope() owner to tendon_definer;

-- The text in force: the clinic's newest, otherwise the platform's newest. The privacy notice has no platform text.
-- Security definer (one person across clinics): for other definer functions only; callers use purpose_version_in_force.
create or replace function current_purpose_version(p_purpose text, p_organization_id uuid) returns consent_purpose_versions
language plpgsql stable security definer set search_path = public as $$
declare
  v_version consent_purpose_versions;
begin
  select * into v_version from consent_purpose_versions
    where purpose_code = p_purpose and (organization_id = p_organization_id or organization_id is null)
    order by organization_id nulls last, version desc limit 1;
  return v_version;
end
$$;
alter function current_purpose_version(text, uuid) owner to tendon_definer;

-- The text in force on the platform (null), at the clinic in context, or at a clinic where the caller is or was a patient;
-- no row for other clinics. Security definer (one person across clinics): a patient reads texts of all their clinics, whichever is in context.
create or replace function purpose_version_in_force(p_purpose text, p_organization_id uuid) returns setof consent_purpose_versions
language plpgsql stable security definer set search_path = public rows 1 as $$
begin
  return query select v.* from current_purpose_version(p_purpose, p_organization_id) v
    where v.id is not null and (p_organization_id is null or p_organization_id = current_app_org_id()
      or exists (select 1 from patient_profiles f
        where f.id = any (current_app_profile_ids()) and f.organization_id = p_organization_id));
end
$$;
alter function purpose_version_in_force(text, uuid) owner to tendon_definer;
grant execute on function purpose_version_in_force(text, uuid) to tendon_app, tendon_platform;

-- What the consent gate asks for: required purposes (legal basis other than consent) whose text in force the human has not
-- accepted, on the platform and at each clinic where they are a patient (profile_ids: their profiles there). A consent for
-- the platform on any profile counts for the human. Security definer (no context yet): runs before a context is set, across clinics.
create or replace function missing_texts(p_human_id uuid, p_language text)
returns table (organization_id uuid, organization_name text, purpose_code text, purpose_name text, required_version integer,
  body text, profile_ids uuid[])
language plpgsql stable security definer set search_path = public as $$
#variable_conflict use_column
begin
  return query select place.organization_id, (select o.name from organizations o where o.id = place.organization_id), p.code,
      coalesce(p.translations -> p_language ->> 'name', p.name), v.version,
      coalesce(v.body_translations ->> p_language, v.body_translations ->> 'en', (
        select value from jsonb_each_text(v.body_translations) limit 1)),
      place.profile_ids
    from (
      select 'platform' as scope, null::uuid as organization_id, null::uuid[] as profile_ids
      union all
      select 'org', r.organization_id, array_agg(f.id)
      from patient_profiles f join patients r on r.patient_profile_id = f.id and r.deleted_at is null
      where f.human_id = p_human_id group by r.organization_id
    ) place
    join consent_purposes p on p.scope = place.scope and p.legal_basis <> 'consent'
    cross join lateral (
      select t.version, t.body_translations from consent_purpose_versions t
      where t.purpose_code = p.code and (t.organization_id is null or t.organization_id = place.organization_id)
      order by t.organization_id nulls last, t.version desc limit 1
    ) v
    where not exists (
      select 1 from patient_profiles f join consents c on c.patient_profile_id = f.id
      where f.human_id = p_human_id and c.purpose_code = p.code and c.withdrawn_at is null and c.purpose_version = v.version
        and c.organization_id is not distinct from place.organization_id)
    order by place.organization_id nulls first, p.code;
end
$$;
alter function missing_texts(uuid, text) owner to tendon_definer;
grant execute on function missing_texts(uuid, text) to tendon_app;

-- The clinics where the caller is or was a patient, by name. Security definer (one person across clinics): across clinics.
create or replace function my_clinic_names() returns table (organization_id uuid, name text)
language sql stable security definer set search_path = public as $$
  select distinct o.id, o.name from patient_profiles f join organizations o on o.id = f.organization_id
  where f.id = any (current_app_profile_ids())
$$;
alter function my_clinic_names() owner to tendon_definer;
grant execute on function my_clinic_names() to tendon_app;

-- The text that each consent of the caller was given to: the clinic's version of that number, otherwise the platform's.
-- Security definer (one person across clinics): texts of all clinics where the caller is or was a patient.
create or replace function my_accepted_texts() returns table (consent_id uuid, body_translations jsonb, published_at timestamptz)
language sql stable security definer set search_path = public as $$
  select c.id, t.body_translations, t.published_at
  from consents c cross join lateral (
    select v.body_translations, v.published_at from consent_purpose_versions v
    where v.purpose_code = c.purpose_code and v.version = c.purpose_version
      and (v.organization_id = c.organization_id or v.organization_id is null)
    order by v.organization_id nulls last limit 1) t
  where c.patient_profile_id = any (current_app_profile_ids())
$$;
alter function my_accepted_texts() owner to tendon_definer;
grant execute on function my_accepted_texts() to tendon_app;

-- Security definer (expression in a list): features check consents that the caller may not read.
create or replace function has_consent(p_profile_id uuid, p_organization_id uuid, p_purpose text) returns boolean
language plpgsql stable security definer set search_path = public as $$
begin
  return exists (select 1 from consents
      where patient_profile_id = p_profile_id and organization_id is not distinct from p_organization_id
        and purpose_code = p_purpose and withdrawn_at is null);
end
$$;
alter function has_consent(uuid, uuid, text) owner to tendon_definer;
grant execute on function has_consent(uuid, uuid, text) to tendon_app, tendon_worker, tendon_platform;

-- Purposes of clinics apply at a clinic, purposes of the platform on the platform, and only consent can be withdrawn on its
-- own. Sets who granted or withdrew from the context. Security definer: fires for every writer.
create or replace function consents_check_purpose() returns trigger language plpgsql security definer set search_path = public as $$
declare
  v_purpose consent_purposes;
begin
  select * into v_purpose from consent_purposes where code = new.purpose_code;
  if tg_op = 'INSERT' then
    new.granted_by_principal_id := coalesce(current_app_principal_id(), new.granted_by_principal_id);
    if (v_purpose.scope = 'org') <> (new.organization_id is not null) then
      raise exception 'another scope' using errcode = 'check_violation', constraint = 'consents_scope_check';
    end if;
    return new;
  end if;
  if old.withdrawn_at is not null or new.withdrawn_at is null then
    return new;
  end if;
  if new.ended_as = 'withdrawn' and not v_purpose.withdrawable then
    raise exception 'not withdrawable' using errcode = 'check_violation', constraint = 'consents_withdrawable_check';
  end if;
  new.withdrawn_by_principal_id := coalesce(current_app_principal_id(), new.withdrawn_by_principal_id);
  return new;
end
$$;
alter function consents_check_purpose() owner to tendon_definer;

-- Publishes consent.granted and consent.withdrawn. Security definer: fires for every writer.
create or replace function consents_publish_event() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if tg_op = 'INSERT' or (old.withdrawn_at is null and new.withdrawn_at is not null and new.ended_as <> 'superseded') then
    insert into outbox_events (organization_id, type, payload) values (
      new.organization_id, case when tg_op = 'INSERT' then 'consent.granted' else 'consent.withdrawn' end,
      jsonb_build_object('consent_id', new.id, 'patient_id', (select p.id from patients p
          where p.organization_id = new.organization_id and p.patient_profile_id = new.patient_profile_id),
        'patient_profile_id', new.patient_profile_id, 'purpose_code', new.purpose_code,
        'purpose_version', new.purpose_version, 'ended_as', new.ended_as));
  end if;
  return null;
end
$$;
alter function consents_publish_event() owner to tendon_definer;

-- Leaving a clinic: the end of its terms or notice ends every consent there and hides the record from the clinic.
-- Security definer: a patient cannot change their record or staff's entries.
create or replace function consents_leave_clinic() returns trigger language plpgsql security definer set search_path = public as $$
begin
  update patients set deleted_at = coalesce(deleted_at, now())
    where organization_id = new.organization_id and patient_profile_id = new.patient_profile_id;
  update consents set withdrawn_at = new.withdrawn_at, withdrawn_by_principal_id = new.withdrawn_by_principal_id,
      withdrawal_reason = new.withdrawal_reason, ended_as = 'left'
    where organization_id = new.organization_id and patient_profile_id = new.patient_profile_id and withdrawn_at is null;
  return null;
end
$$;
alter function consents_leave_clinic() owner to tendon_definer;

-- A patient acts at several clinics in one transaction, and each clinic's audit log, events and jobs get its own part. Until
-- end_as_patient the context is that clinic (null: the platform), without permissions that the person has as staff.
create or replace function begin_as_patient(p_organization_id uuid) returns boolean language plpgsql as $$
begin
  if p_organization_id is not null and not exists (select 1 from patients
      where organization_id = p_organization_id and patient_profile_id = any (current_app_profile_ids()))
  then
    return false;
  end if;
  perform set_config('app.org_id_before', current_setting('app.org_id'), true),
    set_config('app.permissions_before', current_setting('app.permissions'), true),
    set_config('app.org_id', coalesce(p_organization_id, '00000000-0000-0000-0000-000000000000')::text, true),
    set_config('app.permissions', '', true);
  return true;
end
$$;
grant execute on function begin_as_patient(uuid) to tendon_app;

-- Restores the context from before begin_as_patient.
create or replace function end_as_patient() returns void language plpgsql as $$
begin
  perform set_config('app.org_id', current_setting('app.org_id_before'), true),
    set_config('app.permissions', current_setting('app.permissions_before'), true);
end
$$;
grant execute on function end_as_patient() to tendon_app;

-- Ends the terms and the notice at the clinic, which ends everything else (consents_leave_clinic); where neither was ever
-- accepted, does the same without them. Returns the records that were left.
-- Security definer (one person across clinics): a patient cannot change their record.
create or replace function leave_clinic(p_organization_id uuid, p_reason text)
returns table (patient_id uuid, patient_profile_id uuid, left_at timestamptz)
language plpgsql security definer set search_path = public as $$
#variable_conflict use_column
declare
  v_left uuid[] := array(select patient_profile_id from patients
    where organization_id = p_organization_id and deleted_at is null and patient_profile_id = any (current_app_profile_ids()));
begin
  update consents set withdrawn_at = clock_timestamp(), withdrawal_reason = p_reason, ended_as = 'left'
    where organization_id = p_organization_id and patient_profile_id = any (v_left) and withdrawn_at is null
      and purpose_code in ('org_terms', 'org_privacy_notice');
  update consents set withdrawn_at = clock_timestamp(), withdrawal_reason = p_reason, ended_as = 'left'
    where organization_id = p_organization_id and patient_profile_id = any (v_left) and withdrawn_at is null;
  update patients set deleted_at = now()
    where organization_id = p_organization_id and patient_profile_id = any (v_left) and deleted_at is null;
  return query select id, patient_profile_id, deleted_at from patients
    where organization_id = p_organization_id and patient_profile_id = any (v_left);
end
$$;
alter function leave_clinic(uuid, text) owner to tendon_definer;
grant execute on function leave_clinic(uuid, text) to tendon_app;

-- Account erasure: removes what identifies the human. The clinics' records stay hidden until their own erasure has run.
-- Takes the locks of provision_human and find_or_create_human, so that nobody signs in or is invited meanwhile. Data that
-- would name the person later is erased now, because afterwards nobody could tell whose it was.
-- Security definer (one person across clinics): across clinics.
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
  -- Mail to their verified address, and to invitations that they never accepted: unsent mail is deleted, sent mail loses
  -- address and data.
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

  -- A profile was claimed since the request began: its clinic is not informed yet, so the request is retried.
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
  update patients set deleted_at = coalesce(deleted_at, now()), deleted_by_principal_id = null
    where patient_profile_id = any (v_profiles);
  update patient_profiles set human_id = null, claimed_at = null, invited_email = null, invited_at = null,
    national_id_encrypted = null, national_id_index = null where id = any (v_profiles);
  -- The platform's audit texts about them: keyed by their profiles, or by themselves where there is none.
  update audit_keys set wrapped_key = null, destroyed_at = now()
    where organization_id is null and patient_profile_id = any (v_profiles || v_human) and destroyed_at is null;
  delete from idempotency_keys where principal_id = v_human;
  delete from identities where human_id = v_human;
  update humans set name = null, email = null, email_verified = false, preferred_language = null,
    current_organization_id = null where id = v_human;
  return now();
end
$$;
alter function erase_account() owner to tendon_definer;
grant execute on function erase_account() to tendon_app;

-- For sign-up pages, without a caller: what a clinic has published, by its slug. Security definer (no context yet): no context is set.
create or replace function published_privacy_notice(p_slug text)
returns table (organization_name text, language_code text, version integer, published_at timestamptz, body_translations jsonb)
language plpgsql stable security definer set search_path = public rows 1 as $$
#variable_conflict use_column
begin
  return query select o.name, o.language_code, v.version, v.published_at, v.body_translations
    from organizations o join consent_purpose_versions v on v.organization_id = o.id and v.purpose_code = 'org_privacy_notice'
    where o.slug = p_slug
    order by v.version desc limit 1;
end
$$;
alter function published_privacy_notice(text) owner to tendon_definer;
grant execute on function published_privacy_notice(text) to tendon_app;

-- A restricted profile gets no new national number; leaving and erasure only remove it.
-- Security definer: the writer may not see the record.
create or replace function patient_profiles_refuse_restricted() returns trigger language plpgsql security definer set search_path = public as $$
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

-- Erasure: only the worker may call these functions. Each takes a request in progress and finds the patient in it. What is
-- of the clinic alone is erased by typed code (features/privacy/gdpr). Returns the request, or nothing when it is not in progress.
-- Security definer (one person across clinics): the functions below read it, over rows of the person at all their clinics.
create or replace function find_active_erasure(p_request_id uuid) returns setof privacy_requests
language sql stable security definer set search_path = public rows 1 as $$
  select * from privacy_requests
  where id = p_request_id and organization_id = current_app_org_id() and kind = 'erase' and status = 'active' and result is null
$$;
alter function find_active_erasure(uuid) owner to tendon_definer;

-- Locks the patient, so that writers wait, and cancels exports of the patient. Security definer (one person across clinics): locks
-- the consents of the person's profiles at all their clinics.
create or replace function begin_erasure(p_request_id uuid) returns table (patient_id uuid, patient_profile_id uuid, requested_at timestamptz)
language plpgsql security definer set search_path = public rows 1 as $$
declare
  v_request privacy_requests;
begin
  perform 1 from privacy_requests where id = p_request_id and organization_id = current_app_org_id() for update;
  select * into v_request from find_active_erasure(p_request_id);
  if v_request.id is null then
    return;
  end if;
  -- Lock order: profiles by id, then rows, as in grants, leaving and account erasure.
  perform pg_advisory_xact_lock(hashtextextended('consents ' || profiles.id, 0)) from (
    select o.id from patient_profiles f join patient_profiles o on o.id = f.id or o.human_id = f.human_id
    where f.id = v_request.patient_profile_id order by o.id) profiles;
  -- Both rows or none: who writes about the patient has one of them and may ask for the other.
  loop
    begin
      perform 1 from patients p where p.organization_id = v_request.organization_id and p.id = v_request.patient_id
        for update;
      perform 1 from patient_profiles f where f.organization_id = v_request.organization_id
        and f.id = v_request.patient_profile_id for update nowait;
      exit;
    exception when lock_not_available then
      perform pg_sleep(0.05);
    end;
  end loop;
  update privacy_requests r set status = 'cancelled'
    where r.organization_id = v_request.organization_id and r.patient_id = v_request.patient_id and r.kind = 'export'
      and r.status in ('accepted', 'active');
  return query select v_request.patient_id, v_request.patient_profile_id, v_request.created_at;
end
$$;
alter function begin_erasure(uuid) owner to tendon_definer;
grant execute on function begin_erasure(uuid) to tendon_worker;

-- Consents stay as proof, without IP address, reasons and names. Consents for the platform belong to the human and stay valid
-- where they are a patient elsewhere. Security definer (one person across clinics): see find_active_erasure.
create or replace function erase_patient_consents(p_request_id uuid) returns integer
language plpgsql security definer set search_path = public as $$
declare
  v_request privacy_requests;
  v_other uuid;
  v_human uuid;
  v_rows integer;
begin
  select * into strict v_request from find_active_erasure(p_request_id);
  perform pg_advisory_xact_lock(hashtextextended('consents ' || v_request.patient_profile_id, 0));
  select human_id into v_human from patient_profiles where id = v_request.patient_profile_id;
  select id into v_other from patient_profiles where human_id = v_human and id <> v_request.patient_profile_id
    order by created_at, id limit 1;
  if v_other is not null then
    perform pg_advisory_xact_lock(hashtextextended('consents ' || v_other, 0));
    update consents c set patient_profile_id = v_other
      where c.patient_profile_id = v_request.patient_profile_id and c.organization_id is null
        and (c.withdrawn_at is not null or not exists (select 1 from consents o where o.patient_profile_id = v_other
          and o.organization_id is null and o.purpose_code = c.purpose_code and o.withdrawn_at is null));
  end if;
  update consents set withdrawn_at = coalesce(withdrawn_at, now()), ended_as = coalesce(ended_as, 'erased'),
      granted_via_ip = null, withdrawal_reason = null, granted_by_principal_id = nullif(granted_by_principal_id, v_human),
      withdrawn_by_principal_id = nullif(withdrawn_by_principal_id, v_human)
    where patient_profile_id = v_request.patient_profile_id
      and (organization_id = v_request.organization_id or organization_id is null);
  get diagnostics v_rows = row_count;
  return v_rows;
end
$$;
alter function erase_patient_consents(uuid) owner to tendon_definer;
grant execute on function erase_patient_consents(uuid) to tendon_worker;

-- Destroys the keys of the patient's audit texts, the clinic's and the platform's; entries and digests stay.
-- Security definer (all organizations): keys of the platform too; no login may change what was audited.
create or replace function erase_patient_audit_keys(p_request_id uuid) returns integer
language plpgsql security definer set search_path = public as $$
declare
  v_request privacy_requests;
  v_rows integer;
begin
  select * into strict v_request from find_active_erasure(p_request_id);
  update audit_keys set wrapped_key = null, destroyed_at = now()
    where patient_profile_id = v_request.patient_profile_id and destroyed_at is null
      and (organization_id = v_request.organization_id or organization_id is null);
  get diagnostics v_rows = row_count;
  return v_rows;
end
$$;
alter function erase_patient_audit_keys(uuid) owner to tendon_definer;
grant execute on function erase_patient_audit_keys(uuid) to tendon_worker;

-- No new key after erasure: a request that read the name before would store it under that key.
-- Security definer: the writer may not see the record.
create or replace function audit_keys_refuse_erased() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if exists (select 1 from patients where patient_profile_id = new.patient_profile_id and erased_at is not null) then
    return null;
  end if;
  return new;
end
$$;
alter function audit_keys_refuse_erased() owner to tendon_definer;

-- Requests whose last attempt died with its worker. A request with a result waits for its files only and never fails.
-- Security definer (all organizations): over all organizations.
create or replace function fail_stalled_privacy_requests(p_before timestamptz) returns void
language sql security definer set search_path = public as $$
  update privacy_requests set status = 'error', error = 'Stalled'
    where status in ('accepted', 'active') and result is null and updated_at < p_before
$$;
alter function fail_stalled_privacy_requests(timestamptz) owner to tendon_definer;
grant execute on function fail_stalled_privacy_requests(timestamptz) to tendon_worker;

-- Break-glass grants of the clinic with the name of the operator. Security definer (expression in a list): operators are not
-- members of the clinic,
-- so their names are invisible to it.
create or replace function clinic_break_glass_grants() returns table (
  id uuid, principal_id uuid, principal_name text, organization_id uuid, organization_name text, patient_id uuid, reason text,
  created_at timestamptz, expires_at timestamptz, ended_at timestamptz
) language sql stable security definer set search_path = public as $$
  select g.id, g.principal_id, coalesce(h.name, h.email::text), g.organization_id, o.name, g.patient_id, g.reason,
    g.created_at, g.expires_at, g.ended_at
  from break_glass_grants g join humans h on h.id = g.principal_id join organizations o on o.id = g.organization_id
  where g.organization_id = current_app_org_id() and current_app_has_permission('audit_log', 'view_org')
$$;
alter function clinic_break_glass_grants() owner to tendon_definer;
grant execute on function clinic_break_glass_grants() to tendon_app;

-- The patient as seen by an impersonating staff member: one profile at one clinic, no permissions (see find_caller). The
-- principal is the profile, not the human behind it, who may have roles elsewhere that are no business of this clinic.
-- Returns nothing once the staff member has lost one of the two permissions. Security definer (no context yet): no context is set yet.
create or replace function find_impersonated_caller(p_hash bytea) returns caller
language plpgsql stable security definer set search_path = public as $$
declare
  v caller;
begin
  select f.id, 'human', p.first_name || ' ' || p.last_name, p.email::text, false, h.preferred_language, false,
      o.id, o.language_code, '', array[f.id], p.id, f.id, i.principal_id, s.name, r.name
    into v.principal_id, v.kind, v.name, v.email, v.email_verified, v.preferred_language, v.is_superadmin,
      v.organization_id, v.organization_language, v.permissions, v.profile_ids, v.patient_id, v.patient_profile_id,
      v.impersonator_id, v.impersonator_name, v.role_name
    from impersonations i
    join patients p on p.organization_id = i.organization_id and p.id = i.patient_id and p.deleted_at is null
    join patient_profiles f on f.id = p.patient_profile_id
    join organizations o on o.id = i.organization_id
    join organization_memberships m on m.organization_id = i.organization_id and m.principal_id = i.principal_id
    join roles r on r.id = m.role_id
    left join humans h on h.id = f.human_id
    left join humans s on s.id = i.principal_id
    where i.hash = p_hash and i.expires_at > now()
      and exists (select 1 from role_permissions g where g.role_id = r.id and g.permission_code = 'patients.impersonate')
      and exists (select 1 from role_permissions g where g.role_id = r.id and g.permission_code = 'patients.view_org');
  return v;
end
$$;
alter function find_impersonated_caller(bytea) owner to tendon_definer;
grant execute on function find_impersonated_caller(bytea) to tendon_app;

-- Entries about the caller's own profiles (p_organization_id: at one clinic only). A read under break-glass has its own entry,
-- so the entry of the feature about the same read is left out. It is found by trace_id, because the caller chooses the
-- request id. Security definer (one person across clinics): patients have no policy on the audit log; across clinics.
create or replace function my_access_log(p_organization_id uuid)
returns table (id uuid, organization_id uuid, occurred_at timestamptz)
language sql stable security definer set search_path = public as $$
  select a.id, a.organization_id, a.occurred_at from audit_log a
  where a.patient_profile_id = any (current_app_profile_ids()) and a.outcome = 'success'
    and (p_organization_id is null or a.organization_id = p_organization_id)
    and not (a.crud = 'R' and a.trace_id is not null and exists (
      select 1 from audit_log t where t.id = a.trace_id and t.patient_profile_id = a.patient_profile_id))
$$;
alter function my_access_log(uuid) owner to tendon_definer;
grant execute on function my_access_log(uuid) to tendon_app;

-- The entries of one page, with the keys of their encrypted text. Security definer (one person across clinics): see my_access_log.
create or replace function my_access_log_entries(p_ids uuid[]) returns table (
  id uuid, organization_id uuid, organization_name text, occurred_at timestamptz, actor_principal_id uuid, actor_type text,
  on_behalf_of uuid, action text, crud text, key_id uuid, personal bytea, wrapped_key bytea
) language sql stable security definer set search_path = public as $$
  select a.id, a.organization_id, o.name, a.occurred_at, a.actor_principal_id, a.actor_type, a.on_behalf_of, a.action, a.crud,
    a.key_id, a.personal, k.wrapped_key
  from audit_log a join audit_keys k on k.id = a.key_id left join organizations o on o.id = a.organization_id
  where a.id = any (p_ids) and a.patient_profile_id = any (current_app_profile_ids())
$$;
alter function my_access_log_entries(uuid[]) owner to tendon_definer;
grant execute on function my_access_log_entries(uuid[]) to tendon_app;

-- For the worker. The trigger of the table then releases the file. Security definer (all organizations): over all organizations.
create or replace function release_expired_exports(p_now timestamptz) returns void language sql security definer set search_path = public as $$
  update privacy_requests set object_key = null
    where kind = 'export' and object_key is not null and (expires_at <= p_now or status in ('error', 'cancelled'))
$$;
alter function release_expired_exports(timestamptz) owner to tendon_definer;
grant execute on function release_expired_exports(timestamptz) to tendon_worker;

-- Stored responses to repeated requests: those that the person sent themselves, in any organization.
-- Security definer (one person across clinics): see find_active_erasure.
create or replace function erase_own_responses(p_request_id uuid) returns integer
language plpgsql security definer set search_path = public as $$
declare
  v_rows integer;
begin
  delete from idempotency_keys i using find_active_erasure(p_request_id) r, patient_profiles f
    where f.id = r.patient_profile_id and i.principal_id = f.human_id;
  get diagnostics v_rows = row_count;
  return v_rows;
end
$$;
alter function erase_own_responses(uuid) owner to tendon_definer;
grant execute on function erase_own_responses(uuid) to tendon_worker;

-- The rest is encrypted: the worker decrypts stored responses and names those to delete. Security definer (all organizations): see
-- find_active_erasure.
create or replace function list_platform_responses(p_request_id uuid) returns setof idempotency_keys
language sql stable security definer set search_path = public as $$
  select i.* from idempotency_keys i
  where i.organization_id is null and exists (select 1 from find_active_erasure(p_request_id))
$$;
alter function list_platform_responses(uuid) owner to tendon_definer;
grant execute on function list_platform_responses(uuid) to tendon_worker;

-- Security definer (all organizations): see find_active_erasure.
create or replace function erase_response(p_request_id uuid, p_organization_id uuid, p_path text, p_key text) returns void
language sql security definer set search_path = public as $$
  delete from idempotency_keys i using find_active_erasure(p_request_id) r
  where i.path = p_path and i.key = p_key
    and (i.organization_id = p_organization_id and i.organization_id = r.organization_id
      or p_organization_id is null and i.organization_id is null)
$$;
alter function erase_response(uuid, uuid, text, text) owner to tendon_definer;
grant execute on function erase_response(uuid, uuid, text, text) to tendon_worker;

-- Who changed a record last, from the audit log of the organization in context. Operators of the platform are not named.
-- Security definer (expression in a list): callers who may change a record may read this without permission to read the audit log.
create or replace function last_change(p_target_id text)
returns table (principal_id uuid, name text, changed_at timestamptz)
language plpgsql stable security definer set search_path = public rows 1 as $$
declare
  v_scope uuid := current_app_scope();
  v_entry audit_log;
begin
  -- One statement for a clinic, one for the platform: "is not distinct from" would use no index.
  if v_scope is null then
    select * into v_entry from audit_log a
      where a.organization_id is null and a.target_id = p_target_id and a.crud in ('C', 'U') and a.outcome = 'success'
      order by a.occurred_at desc limit 1;
  else
    select * into v_entry from audit_log a
      where a.organization_id = v_scope and a.target_id = p_target_id and a.crud in ('C', 'U') and a.outcome = 'success'
      order by a.occurred_at desc limit 1;
  end if;
  if found then
    return query select v_entry.actor_principal_id,
      case when v_entry.actor_type <> 'superadmin' then coalesce(
        (select h.name from humans h where h.id = v_entry.actor_principal_id),
        (select s.name from service_accounts s where s.id = v_entry.actor_principal_id)) end,
      v_entry.occurred_at;
  end if;
end
$$;
alter function last_change(text) owner to tendon_definer;
grant execute on function last_change(text) to tendon_app, tendon_platform;

-- Requests an export of each record of the calling patient at the clinic in context, linked ones included, that has none under
-- way. The first id is that of the oldest record. Security definer (one person across clinics): patients hold no permission; only own records are exported.
create or replace function request_my_exports() returns setof uuid language sql security definer set search_path = public as $$
  insert into privacy_requests (organization_id, kind, patient_id, patient_profile_id, requested_by_principal_id)
  select p.organization_id, 'export', p.id, p.patient_profile_id, current_app_principal_id()
  from patients p
  where p.organization_id = current_app_org_id() and p.deleted_at is null
    and p.patient_profile_id in (select unnest(linked_profile_ids(own.patient_profile_id)) from patients own
      where own.organization_id = current_app_org_id() and own.patient_profile_id = any (current_app_profile_ids())
        and own.deleted_at is null)
  order by p.created_at, p.id
  on conflict do nothing
  returning id
$$;
alter function request_my_exports() owner to tendon_definer;
grant execute on function request_my_exports() to tendon_app;

-- The exports that a patient asked for, at all their clinics, also of linked records. Security definer (one person across clinics): as request_my_exports.
create or replace function my_exports() returns setof privacy_requests
language sql stable security definer set search_path = public as $$
  select r.* from privacy_requests r
  where r.kind = 'export' and r.requested_by_principal_id = current_app_principal_id()
    and (r.patient_profile_id = any (current_app_profile_ids())
      or exists (select 1 from patients p join patients o on o.organization_id = p.organization_id
          and (o.id = p.merged_into_id or o.merged_into_id = p.id or o.merged_into_id = p.merged_into_id)
        where p.organization_id = r.organization_id and p.id = r.patient_id
          and o.patient_profile_id = any (current_app_profile_ids())))
$$;
alter function my_exports() owner to tendon_definer;
grant execute on function my_exports() to tendon_app;
