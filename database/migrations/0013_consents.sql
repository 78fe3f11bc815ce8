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
  granted_at timestamptz not null default now(),
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
-- agreed to. A platform-scope consent on any profile counts for the human. One statement, by indexes.
create function missing_purposes(p_human_id uuid, p_organization_id uuid, p_language text)
returns table (organization_id uuid, purpose_code text, required_version integer, body text)
language sql stable security definer set search_path = public as $$
  select case when p.scope = 'org' then p_organization_id end, p.code, v.version,
    coalesce(v.body_translations ->> p_language, v.body_translations ->> 'en', (
      select value from jsonb_each_text(v.body_translations) limit 1))
  from consent_purposes p
  cross join lateral (
    select t.version, t.body_translations from consent_purpose_versions t
    where t.purpose_code = p.code and (t.organization_id is null or (p.scope = 'org' and t.organization_id = p_organization_id))
    order by t.organization_id nulls last, t.version desc limit 1
  ) v
  where p.legal_basis <> 'consent' and (p.scope = 'platform' or p_organization_id is not null)
    and not exists (
      select 1 from patient_profiles f join consents c on c.patient_profile_id = f.id
      where f.human_id = p_human_id and c.purpose_code = p.code and c.withdrawn_at is null and c.purpose_version = v.version
        and c.organization_id is not distinct from case when p.scope = 'org' then p_organization_id end)
  order by p.scope desc, p.code
$$;
alter function missing_purposes(uuid, uuid, text) owner to tendon_definer;
grant execute on function missing_purposes(uuid, uuid, text) to tendon_app;

create function has_consent(p_profile_id uuid, p_organization_id uuid, p_purpose text) returns boolean
language sql stable security definer set search_path = public as $$
  select exists (select 1 from consents
    where patient_profile_id = p_profile_id and organization_id is not distinct from p_organization_id
      and purpose_code = p_purpose and withdrawn_at is null)
$$;
alter function has_consent(uuid, uuid, text) owner to tendon_definer;
grant execute on function has_consent(uuid, uuid, text) to tendon_app, tendon_worker, tendon_platform;

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
  (organization_id = (select current_app_org_id()) and (select current_app_has_permission('consents', 'view_org')))
  or patient_profile_id = any ((select current_app_profile_ids())::uuid[]));
create policy consents_insert on consents for insert with check (
  (organization_id = (select current_app_org_id()) and (select current_app_has_permission('consents', 'manage'))
    and source in ('staff_action', 'form'))
  or (patient_profile_id = any ((select current_app_profile_ids())::uuid[]) and source <> 'staff_action'));
create policy consents_update on consents for update
  using ((organization_id = (select current_app_org_id()) and (select current_app_has_permission('consents', 'manage')))
    or patient_profile_id = any ((select current_app_profile_ids())::uuid[]))
  with check ((organization_id = (select current_app_org_id()) and (select current_app_has_permission('consents', 'manage')))
    or patient_profile_id = any ((select current_app_profile_ids())::uuid[]));

grant select on consent_purposes to tendon_app;
grant select, insert on consent_purpose_versions, consents to tendon_app;
grant update (withdrawn_at, withdrawn_by_principal_id, withdrawal_reason, ended_as) on consents to tendon_app;
revoke insert, update, delete on consent_purposes from tendon_platform;
revoke update, delete on consent_purpose_versions from tendon_platform;
revoke delete on consents from tendon_platform, tendon_definer;
