-- The consent ledger: purposes, their texts in versions, and what each profile agreed to. Rows are never deleted.

create table consent_purposes (
  code text primary key,
  scope text not null check (scope in ('platform', 'org')),
  name text not null,
  description text not null,
  legal_basis text not null
    check (legal_basis in ('contract', 'legitimate_interest', 'consent', 'legal_obligation', 'vital_interest')),
  withdrawable boolean not null generated always as (legal_basis = 'consent') stored,
  created_at timestamptz not null default now()
);

-- organization_id null: the platform's text; else a clinic's own, of an org-scope purpose.
create table consent_purpose_versions (
  id uuid primary key default uuidv7(),
  purpose_code text not null constraint consent_purpose_versions_purpose_fkey references consent_purposes (code),
  organization_id uuid default current_app_scope() references organizations (id),
  version integer not null check (version > 0),
  body_translations jsonb not null,
  published_at timestamptz not null default now(),
  published_by_principal_id uuid,
  constraint consent_purpose_versions_version_key unique nulls not distinct (purpose_code, organization_id, version)
);

-- The platform's own purposes have the platform's text only; the privacy notice of a clinic has the clinic's only.
create function consent_purpose_versions_fit_scope() returns trigger language plpgsql security definer set search_path = public as $$
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
alter function consent_purpose_versions_fit_scope() owner to tendon_definer;
create trigger consent_purpose_versions_fit_scope before insert on consent_purpose_versions
  for each row execute function consent_purpose_versions_fit_scope();

create table consents (
  id uuid primary key default uuidv7(),
  organization_id uuid references organizations (id),  -- null: platform scope
  patient_profile_id uuid not null references patient_profiles (id),
  purpose_code text not null constraint consents_purpose_fkey references consent_purposes (code),
  purpose_version integer not null,
  source text not null check (source in ('signup_checkbox', 'self_toggle', 'form', 'staff_action', 'api')),
  source_form_id uuid,
  granted_at timestamptz not null default clock_timestamp(),  -- not of the transaction: it may have waited for its turn
  granted_by_principal_id uuid,
  granted_via_ip text,
  withdrawn_at timestamptz,
  withdrawn_by_principal_id uuid,
  withdrawal_reason text,
  -- Why an ended row ended: only 'withdrawn' and 'left' set cascades off.
  ended_as text check (ended_as in ('withdrawn', 'superseded', 'left', 'erased')),
  created_at timestamptz not null default now(),
  -- At a clinic: of a patient of that clinic.
  constraint consents_patient_fkey foreign key (organization_id, patient_profile_id) references patients (organization_id, patient_profile_id),
  constraint consents_form_check check ((source = 'form') = (source_form_id is not null)),
  constraint consents_ended_check check ((withdrawn_at is null) = (ended_as is null))
);
create unique index consents_active_key on consents (patient_profile_id, organization_id, purpose_code)
  nulls not distinct where withdrawn_at is null;
create index consents_profile_idx on consents (patient_profile_id, organization_id, purpose_code, granted_at);
create index consents_organization_idx on consents (organization_id, patient_profile_id);

-- The text in force: the clinic's own newest, else the platform's newest. The privacy notice has no platform text.
create function current_purpose_version(p_purpose text, p_organization_id uuid) returns consent_purpose_versions
language sql stable security definer set search_path = public as $$
  select * from consent_purpose_versions
  where purpose_code = p_purpose and (organization_id = p_organization_id or organization_id is null)
  order by organization_id nulls last, version desc limit 1
$$;
alter function current_purpose_version(text, uuid) owner to tendon_definer;
grant execute on function current_purpose_version(text, uuid) to tendon_app, tendon_platform;

-- What the universal gate asks for: required purposes (basis other than consent) whose text in force the human has not
-- agreed to, on the platform and at each clinic where they are a patient (profile_ids: their profiles there). A
-- platform-scope consent on any profile counts for the human. One statement, by indexes.
create function missing_purposes(p_human_id uuid, p_language text)
returns table (organization_id uuid, purpose_code text, required_version integer, body text, profile_ids uuid[])
language sql stable security definer set search_path = public as $$
  select place.organization_id, p.code, v.version,
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
  order by place.organization_id nulls first, p.code
$$;
alter function missing_purposes(uuid, text) owner to tendon_definer;
grant execute on function missing_purposes(uuid, text) to tendon_app;

create function has_consent(p_profile_id uuid, p_organization_id uuid, p_purpose text) returns boolean
language sql stable security definer set search_path = public as $$
  select exists (select 1 from consents
    where patient_profile_id = p_profile_id and organization_id is not distinct from p_organization_id
      and purpose_code = p_purpose and withdrawn_at is null)
$$;
alter function has_consent(uuid, uuid, text) owner to tendon_definer;
grant execute on function has_consent(uuid, uuid, text) to tendon_app, tendon_worker, tendon_platform;

-- A row fits its purpose: a clinic's purposes at a clinic, the platform's on the platform, and only what rests on consent
-- is withdrawn by itself. Who did it is whoever the transaction belongs to.
create function consents_fit_purpose() returns trigger language plpgsql security definer set search_path = public as $$
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
alter function consents_fit_purpose() owner to tendon_definer;
create trigger consents_fit_purpose before insert or update on consents for each row execute function consents_fit_purpose();

-- What the rest of the platform hears of.
create function consents_tell() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if tg_op = 'INSERT' or (old.withdrawn_at is null and new.withdrawn_at is not null and new.ended_as <> 'superseded') then
    insert into outbox_events (organization_id, type, payload) values (
      new.organization_id, case when tg_op = 'INSERT' then 'consent.granted' else 'consent.withdrawn' end,
      jsonb_build_object('consent_id', new.id, 'patient_profile_id', new.patient_profile_id, 'purpose_code', new.purpose_code,
        'purpose_version', new.purpose_version, 'ended_as', new.ended_as));
  end if;
  return null;
end
$$;
alter function consents_tell() owner to tendon_definer;
create trigger consents_tell after insert or update of withdrawn_at on consents for each row execute function consents_tell();

-- Leaving a clinic: the end of its terms or notice ends every consent there and hides the record from the clinic.
create function consents_cascade() returns trigger language plpgsql security definer set search_path = public as $$
begin
  update patients set deleted_at = coalesce(deleted_at, now())
    where organization_id = new.organization_id and patient_profile_id = new.patient_profile_id;
  update consents set withdrawn_at = new.withdrawn_at, withdrawn_by_principal_id = new.withdrawn_by_principal_id,
      withdrawal_reason = new.withdrawal_reason, ended_as = 'left'
    where organization_id = new.organization_id and patient_profile_id = new.patient_profile_id and withdrawn_at is null;
  return null;
end
$$;
alter function consents_cascade() owner to tendon_definer;
create trigger consents_cascade after update of withdrawn_at on consents
  for each row when (old.withdrawn_at is null and new.ended_as = 'left' and new.purpose_code in ('org_terms', 'org_privacy_notice'))
  execute function consents_cascade();

alter table consent_purpose_versions enable row level security;
alter table consent_purpose_versions force row level security;
create policy consent_purpose_versions_select on consent_purpose_versions for select using (
  organization_id = (select current_app_org_id()) or organization_id is null);
create policy consent_purpose_versions_insert on consent_purpose_versions for insert with check (
  organization_id = (select current_app_org_id())
  and (select current_app_has_permission('organizations', 'manage_privacy_notice')));

alter table consents enable row level security;
alter table consents force row level security;
create policy consents_select on consents for select using (
  (organization_id = (select current_app_org_id()) and ((select current_app_has_permission('consents', 'view_org'))
    or (select current_app_has_permission('consents', 'manage')) or (select current_app_has_permission('patients', 'onboard'))))
  or patient_profile_id = any ((select current_app_profile_ids())::uuid[]));
-- Whoever onboards a patient records what was agreed to at the desk.
create policy consents_insert on consents for insert with check (
  (organization_id = (select current_app_org_id()) and source in ('staff_action', 'form')
    and ((select current_app_has_permission('consents', 'manage')) or (select current_app_has_permission('patients', 'onboard'))))
  or (patient_profile_id = any ((select current_app_profile_ids())::uuid[]) and source in ('signup_checkbox', 'self_toggle', 'form')));
-- What has ended stays as it is; only erasure, which no policy binds, takes address and words out of it.
create policy consents_update on consents for update
  using (withdrawn_at is null
    and ((organization_id = (select current_app_org_id()) and (select current_app_has_permission('consents', 'manage')))
      or patient_profile_id = any ((select current_app_profile_ids())::uuid[])))
  with check ((organization_id = (select current_app_org_id()) and (select current_app_has_permission('consents', 'manage'))
      and ended_as in ('withdrawn', 'superseded'))
    or (patient_profile_id = any ((select current_app_profile_ids())::uuid[]) and ended_as in ('withdrawn', 'superseded')));

grant select on consent_purposes to tendon_app;
grant select, insert on consent_purpose_versions to tendon_app;
grant select, insert (id, organization_id, patient_profile_id, purpose_code, purpose_version, source, source_form_id,
  granted_by_principal_id, granted_via_ip) on consents to tendon_app;
grant update (withdrawn_at, withdrawn_by_principal_id, withdrawal_reason, ended_as) on consents to tendon_app;
revoke insert, update, delete on consent_purposes from tendon_platform;
revoke update, delete on consent_purpose_versions from tendon_platform;
revoke delete on consents from tendon_platform, tendon_definer;

-- The profile of a patient of the clinic in context, for whoever may see or record what they agreed to.
create function find_consenting_profile(p_patient_id uuid) returns table (patient_profile_id uuid, deleted_at timestamptz)
language sql stable security definer set search_path = public as $$
  select p.patient_profile_id, p.deleted_at from patients p
  where p.organization_id = current_app_org_id() and p.id = p_patient_id
    and (current_app_has_permission('consents', 'view_org') or current_app_has_permission('consents', 'manage'))
    and (p.deleted_at is null or current_app_has_permission('data', 'view_deleted'))
$$;
alter function find_consenting_profile(uuid) owner to tendon_definer;
grant execute on function find_consenting_profile(uuid) to tendon_app;

-- A patient acts at several clinics in one transaction, and each clinic's log, events and jobs get its own part. In
-- between the context is that clinic (null: the platform), without the rights the person holds as staff anywhere.
create function begin_as_patient(p_organization_id uuid) returns boolean language plpgsql as $$
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
create function end_as_patient() returns void language plpgsql as $$
begin
  perform set_config('app.org_id', current_setting('app.org_id_before'), true),
    set_config('app.permissions', current_setting('app.permissions_before'), true);
end
$$;
grant execute on function begin_as_patient(uuid), end_as_patient() to tendon_app;

-- Leave clinic: ends the terms and the notice there, which ends everything (consents_cascade); where neither was ever
-- agreed to, the same effects without them. Gives the records that were left.
create function leave_clinic(p_organization_id uuid, p_reason text)
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

-- Account erasure: what makes the human a person goes; the clinics' records stay hidden until their own erasure has run.
-- Takes the locks of provision_human and human_for_email, so that nobody signs in or is invited half-way.
create function erase_account() returns timestamptz language plpgsql security definer set search_path = public as $$
declare
  v_human uuid := current_app_principal_id();
  v_email citext;
  v_profiles uuid[];
begin
  perform pg_advisory_xact_lock(hashtextextended('identity:' || issuer || ' ' || subject, 0))
    from (select issuer, subject from identities where human_id = v_human order by issuer, subject) i;
  select email into v_email from humans where id = v_human;
  if v_email is not null then
    perform pg_advisory_xact_lock(hashtextextended('email:' || lower(v_email::text), 0));
  end if;
  if not exists (select 1 from identities where human_id = v_human) then
    return null;
  end if;
  if exists (select 1 from platform_memberships where principal_id = v_human) then
    raise exception 'a superadmin' using errcode = 'check_violation', constraint = 'humans_superadmin_check';
  end if;
  delete from organization_memberships where principal_id = v_human and joined_at is null;  -- invitations never taken up
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
  update patients set deleted_at = now() where patient_profile_id = any (v_profiles) and deleted_at is null;
  update patient_profiles set human_id = null, claimed_at = null, invited_email = null, invited_at = null,
    national_id_encrypted = null, national_id_index = null where id = any (v_profiles);
  -- The platform's log about them: under their profiles, or under themselves where there is none.
  update audit_keys set wrapped_key = null, destroyed_at = now()
    where organization_id is null and patient_profile_id = any (v_profiles || v_human) and destroyed_at is null;
  delete from identities where human_id = v_human;
  update humans set name = null, email = null, email_verified = false, preferred_language = null,
    current_organization_id = null where id = v_human;
  return now();
end
$$;
alter function erase_account() owner to tendon_definer;
grant execute on function erase_account() to tendon_app;
