-- Patients. A profile belongs to a human, one per onboarding; a patient is the clinic's record of it. Clinics are separate
-- controllers: onboarding neither reads nor changes data of another clinic.

create table patient_profiles (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),  -- the clinic that onboarded it
  human_id uuid references humans (id),                    -- null until claimed
  invited_email citext,                                    -- a sign-in with this verified address claims it
  invited_at timestamptz,
  claimed_at timestamptz,
  national_id_encrypted bytea,
  national_id_index bytea,                                 -- HMAC with a key per organization: equal numbers match within one only
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint patient_profiles_organization_id_key unique (organization_id, id),
  constraint patient_profiles_national_id_key unique (organization_id, national_id_index),
  constraint patient_profiles_claimed_check check (human_id is null or claimed_at is not null)
);
create index patient_profiles_human_id_idx on patient_profiles (human_id);
create index patient_profiles_invited_email_idx on patient_profiles (invited_email) where human_id is null;
create trigger patient_profiles_updated_at before update on patient_profiles for each row execute function set_updated_at();
create trigger patient_profiles_clear_current_organization after update of human_id on patient_profiles
  for each row when (old.human_id is not null and new.human_id is null) execute function patient_profiles_clear_current_organization();

create table patients (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  patient_profile_id uuid not null,
  first_name text collate "ro-x-icu" not null,             -- Romanian order: Ș after S
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
  -- The phone twice: as entered, and its digits only.
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

-- A restricted record can only be unrestricted, left or erased, and none of these writes these columns.
create trigger patients_refuse_restricted before update of first_name, last_name, email, phone, birth_date, sex, language_code,
  address, notes on patients for each row when (old.restricted_at is not null and new.erased_at is null)
  execute function refuse_restricted();
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

-- Specialists and their specialties. A specialist may be a member of the clinic, or a name only.
create table specialties (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  title text collate "ro-x-icu" not null,                  -- Romanian order: Ș after S
  slug text not null,
  description text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint specialties_organization_id_key unique (organization_id, id),
  constraint specialties_slug_key unique (organization_id, slug)
);
create trigger specialties_updated_at before update on specialties for each row execute function set_updated_at();

create table specialists (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  human_id uuid constraint specialists_human_id_fkey references humans (id),
  name text collate "ro-x-icu" not null,
  title text,
  description text,
  slug text not null,
  signature_url text,
  avatar_url text,
  scheduling_timezone text not null,
  scheduling_active boolean not null default true,
  crm_name text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,                                  -- appointments and records that refer to it stay
  -- A member who leaves is unlinked; a human who takes over an invitation is linked in place of the invited one.
  constraint specialists_member_fkey foreign key (organization_id, human_id)
    references organization_memberships (organization_id, principal_id) on update cascade on delete set null (human_id),
  constraint specialists_organization_id_key unique (organization_id, id)
);

-- The slug and the human of a deleted specialist can be used again.
create unique index specialists_slug_key on specialists (organization_id, slug) where deleted_at is null;
create unique index specialists_human_key on specialists (organization_id, human_id) where deleted_at is null;
create index specialists_member_idx on specialists (organization_id, human_id);
create index specialists_human_id_idx on specialists (human_id);
create trigger specialists_updated_at before update on specialists for each row execute function set_updated_at();
create trigger specialists_change_usage before insert on specialists
  for each row when (new.deleted_at is null and new.organization_id is not null) execute function specialists_change_usage();
create trigger specialists_change_usage_on_delete before update of deleted_at on specialists
  for each row when ((old.deleted_at is null) <> (new.deleted_at is null)) execute function specialists_change_usage();

create table specialist_specialties (
  organization_id uuid not null default current_app_scope() references organizations (id),
  specialist_id uuid not null,
  specialty_id uuid not null,
  primary key (specialist_id, specialty_id),
  constraint specialist_specialties_specialist_fkey foreign key (organization_id, specialist_id)
    references specialists (organization_id, id),
  constraint specialist_specialties_specialty_fkey foreign key (organization_id, specialty_id)
    references specialties (organization_id, id) on delete cascade
);
create index specialist_specialties_specialty_idx on specialist_specialties (organization_id, specialty_id);
alter table specialties enable row level security;
alter table specialties force row level security;
create policy specialties_select on specialties for select using (
  organization_id = (select current_app_org_id())
  and ((select current_app_has_permission('specialists', 'view_org')) or (select current_app_has_permission('specialists', 'manage'))));
create policy specialties_insert on specialties for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('specialists', 'manage')));
create policy specialties_update on specialties for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('specialists', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('specialists', 'manage')));
create policy specialties_delete on specialties for delete using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('specialists', 'manage')));
grant select, delete on specialties to tendon_app;
grant insert (organization_id, title, slug, description) on specialties to tendon_app;
grant update (title, slug, description, updated_at) on specialties to tendon_app;
alter table specialists enable row level security;
alter table specialists force row level security;

-- Managers also see deleted specialists.
create policy specialists_select on specialists for select using (
  organization_id = (select current_app_org_id())
  and ((select current_app_has_permission('specialists', 'manage'))
    or ((select current_app_has_permission('specialists', 'view_org'))
      and (deleted_at is null or (select current_app_has_permission('data', 'view_deleted'))))));
create policy specialists_insert on specialists for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('specialists', 'manage')));
create policy specialists_update on specialists for update
  using (organization_id = (select current_app_org_id()) and deleted_at is null
    and (select current_app_has_permission('specialists', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('specialists', 'manage')));
grant select on specialists to tendon_app;
grant insert (organization_id, human_id, name, title, description, slug, scheduling_timezone, scheduling_active, crm_name)
  on specialists to tendon_app;
grant update (human_id, name, title, description, slug, scheduling_timezone, scheduling_active, crm_name, deleted_at, updated_at)
  on specialists to tendon_app;
alter table specialist_specialties enable row level security;
alter table specialist_specialties force row level security;
create policy specialist_specialties_select on specialist_specialties for select using (
  organization_id = (select current_app_org_id())
  and ((select current_app_has_permission('specialists', 'view_org')) or (select current_app_has_permission('specialists', 'manage'))));
create policy specialist_specialties_insert on specialist_specialties for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('specialists', 'manage')));
create policy specialist_specialties_delete on specialist_specialties for delete using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('specialists', 'manage')));
grant select, insert, delete on specialist_specialties to tendon_app;
