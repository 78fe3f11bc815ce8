-- Patients. A profile is what a human owns, one for each onboarding; a patient is the clinic's record of it. Clinics are
-- separate controllers: onboarding never looks at or touches what another clinic has.

-- Lower case without accents, for search. Immutable, so that an index can hold it.
create function fold_text(p_text text) returns text language sql immutable parallel safe strict as $$
  select lower(public.unaccent('public.unaccent'::regdictionary, p_text))
$$;
grant execute on function fold_text(text) to tendon_app, tendon_platform, tendon_worker, tendon_definer;

-- app.profile_ids: the profiles that the calling human owns, as an array literal.
create function current_app_profile_ids() returns uuid[] language sql stable parallel safe as $$
  select coalesce(nullif(current_setting('app.profile_ids', true), ''), '{}')::uuid[]
$$;
grant execute on function current_app_profile_ids() to tendon_app, tendon_platform, tendon_worker, tendon_telemetry, tendon_definer;

create table patient_profiles (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),  -- who onboarded it
  human_id uuid references humans (id),                    -- null until claimed
  invited_email citext,                                    -- a verified sign-in with this address claims it
  invited_at timestamptz,
  claimed_at timestamptz,
  national_id_encrypted bytea,
  national_id_index bytea,                                 -- keyed per organization: equal numbers meet only inside one
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint patient_profiles_organization_id_key unique (organization_id, id),
  constraint patient_profiles_national_id_key unique (organization_id, national_id_index),
  constraint patient_profiles_claimed_check check (human_id is null or claimed_at is not null)
);
create index patient_profiles_human_id_idx on patient_profiles (human_id);
create index patient_profiles_invited_email_idx on patient_profiles (invited_email) where human_id is null;
create trigger patient_profiles_updated_at before update on patient_profiles for each row execute function set_updated_at();

create table patients (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  patient_profile_id uuid not null,
  first_name text collate "ro-x-icu" not null,             -- sorts as people sort, Ș after S
  last_name text collate "ro-x-icu" not null,
  email citext,
  phone text,
  birth_date date,
  sex text check (sex in ('female', 'male', 'other', 'unknown')),
  language_code text,
  address jsonb,
  notes text,
  created_by_principal_id uuid default current_app_principal_id(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  restricted_at timestamptz,
  erased_at timestamptz,
  deleted_at timestamptz,
  -- The phone twice: as written, and as its digits alone.
  search_text text generated always as (
    fold_text(first_name || ' ' || last_name || ' ' || coalesce(email::text, '') || ' ' || coalesce(phone, '') || ' '
      || regexp_replace(coalesce(phone, ''), '[^0-9]', '', 'g'))) stored,
  constraint patients_profile_fkey foreign key (organization_id, patient_profile_id) references patient_profiles (organization_id, id),
  constraint patients_organization_id_key unique (organization_id, id),
  constraint patients_profile_key unique (organization_id, patient_profile_id)
);
create index patients_profile_id_idx on patients (patient_profile_id);
create index patients_created_idx on patients (organization_id, created_at desc, id desc);
create index patients_name_idx on patients (organization_id, last_name, first_name);
create index patients_search_idx on patients using gin (search_text gin_trgm_ops);
create trigger patients_updated_at before update on patients for each row execute function set_updated_at();

-- While processing is restricted, nothing about the patient is written but what the law still asks for. Tables about a
-- patient get this trigger unless they are let through (consents, leave, erasure, pain reports, the end of a run).
create function refuse_restricted() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if exists (select 1 from patients
      where organization_id = new.organization_id and patient_profile_id = new.patient_profile_id and restricted_at is not null)
  then
    raise exception 'processing is restricted' using errcode = 'check_violation', constraint = 'patients_restricted_check';
  end if;
  return new;
end
$$;
alter function refuse_restricted() owner to tendon_definer;
-- A restricted record changes only by lifting the restriction, leaving or erasure, none of which names these columns.
create trigger patients_refuse_restricted before update of first_name, last_name, email, phone, birth_date, sex, language_code,
  address, notes on patients for each row when (old.restricted_at is not null and new.erased_at is null)
  execute function refuse_restricted();

-- Whoever is no longer a patient frees their number for a new onboarding, and no invitation to them is open.
create function patients_release_profile() returns trigger language plpgsql security definer set search_path = public as $$
begin
  update patient_profiles set national_id_index = null, invited_email = null, invited_at = null
    where organization_id = new.organization_id and id = new.patient_profile_id;
  return null;
end
$$;
alter function patients_release_profile() owner to tendon_definer;
create trigger patients_release_profile after update of deleted_at on patients
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function patients_release_profile();

alter table patient_profiles enable row level security;
alter table patient_profiles force row level security;
create policy patient_profiles_select on patient_profiles for select using (
  (organization_id = (select current_app_org_id()) and (select current_app_has_permission('patients', 'view_org')))
  or id = any ((select current_app_profile_ids())::uuid[]));
create policy patient_profiles_insert on patient_profiles for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('patients', 'onboard')));
create policy patient_profiles_update on patient_profiles for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('patients', 'update')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('patients', 'update')));

alter table patients enable row level security;
alter table patients force row level security;
create policy patients_select on patients for select using (
  (organization_id = (select current_app_org_id()) and (select current_app_has_permission('patients', 'view_org'))
    and (deleted_at is null or (select current_app_has_permission('data', 'view_deleted'))))
  or patient_profile_id = any ((select current_app_profile_ids())::uuid[]));
create policy patients_insert on patients for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('patients', 'onboard')));
create policy patients_update on patients for update
  using (organization_id = (select current_app_org_id()) and deleted_at is null
    and (select current_app_has_permission('patients', 'update')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('patients', 'update')));

grant select on patient_profiles, patients to tendon_app;
grant insert (id, organization_id, national_id_encrypted, national_id_index) on patient_profiles to tendon_app;
grant update (invited_email, invited_at, national_id_encrypted, national_id_index, updated_at) on patient_profiles to tendon_app;
grant insert (organization_id, patient_profile_id, first_name, last_name, email, phone, birth_date, sex, language_code, address,
  notes) on patients to tendon_app;
grant update (first_name, last_name, email, phone, birth_date, sex, language_code, address, notes, updated_at) on patients to tendon_app;

-- The ids that a search finds: every word of it, in whatever order. A policy would keep the trigram index from being used,
-- so this looks first and the policy filters what is read by id. The longest word leads: the index finds it soonest.
create function search_patients(p_text text) returns setof uuid
language plpgsql stable security definer set search_path = public set plan_cache_mode = force_custom_plan rows 100 as $$
declare
  v_words text[];
begin
  select array_agg('%' || replace(replace(replace(word, '\', '\\'), '%', '\%'), '_', '\_') || '%' order by length(word) desc)
    into v_words from regexp_split_to_table(fold_text(p_text), '\s+') word where word <> '';
  if not coalesce(current_app_has_permission('patients', 'view_org'), false) then
    return;
  end if;
  return query select p.id from patients p
    where p.organization_id = current_app_org_id() and p.search_text like v_words[1] and p.search_text like all (v_words[2:]);
end
$$;
alter function search_patients(text) owner to tendon_definer;
grant execute on function search_patients(text) to tendon_app;

-- Locks a living record for whoever may change it in one way or another: a plain lock would ask for patients.update.
create function lock_patient(p_id uuid) returns boolean language sql security definer set search_path = public as $$
  with locked as (
    select 1 from patients where organization_id = current_app_org_id() and id = p_id and deleted_at is null
      and current_app_has_permission('patients', 'view_org') for no key update)
  select exists (select 1 from locked)
$$;
alter function lock_patient(uuid) owner to tendon_definer;
grant execute on function lock_patient(uuid) to tendon_app;

-- Opens the record to whoever proves the address at their next sign-in. False when somebody has it already.
create function invite_patient(p_id uuid, p_email citext) returns boolean language sql security definer set search_path = public as $$
  with invited as (
    update patient_profiles f set invited_email = p_email, invited_at = now()
    from patients p
    where p.organization_id = current_app_org_id() and p.id = p_id and p.deleted_at is null and p.restricted_at is null
      and f.organization_id = p.organization_id and f.id = p.patient_profile_id and f.human_id is null
      and current_app_has_permission('patients', 'onboard')
    returning 1)
  select exists (select 1 from invited)
$$;
alter function invite_patient(uuid, citext) owner to tendon_definer;
grant execute on function invite_patient(uuid, citext) to tendon_app;

-- A soft delete hides the row from its own writer, which a plain update under row-level security cannot do.
create function delete_patient(p_id uuid) returns timestamptz language sql security definer set search_path = public as $$
  update patients set deleted_at = now()
  where organization_id = current_app_org_id() and id = p_id and deleted_at is null and restricted_at is null
    and current_app_has_permission('patients', 'delete')
  returning deleted_at
$$;
alter function delete_patient(uuid) owner to tendon_definer;
grant execute on function delete_patient(uuid) to tendon_app;

-- Where the calling human is a patient, across clinics.
create function my_patient_records() returns table (
  organization_id uuid, organization_name text, organization_slug text, language_code text, patient_id uuid,
  patient_profile_id uuid, created_at timestamptz
) language sql stable security definer set search_path = public as $$
  select o.id, o.name, o.slug, o.language_code, p.id, p.patient_profile_id, p.created_at
  from patients p join organizations o on o.id = p.organization_id
  where p.patient_profile_id = any (current_app_profile_ids()) and p.deleted_at is null
  order by p.created_at, p.id
$$;
alter function my_patient_records() owner to tendon_definer;
grant execute on function my_patient_records() to tendon_app;
