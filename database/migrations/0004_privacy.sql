-- The consent ledger: purposes, versions of their texts, and the consents of each profile. Rows are never deleted.
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

-- organization_id null: a text of the platform; otherwise of a clinic, for a purpose with scope org.
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
create trigger consent_purpose_versions_check_scope before insert on consent_purpose_versions
  for each row execute function consent_purpose_versions_check_scope();

create table consents (
  id uuid primary key default uuidv7(),
  organization_id uuid references organizations (id),  -- null: platform scope
  patient_profile_id uuid not null references patient_profiles (id),
  purpose_code text not null constraint consents_purpose_fkey references consent_purposes (code),
  purpose_version integer not null,
  source text not null check (source in ('signup_checkbox', 'self_toggle', 'form', 'staff_action', 'api')),
  source_form_id uuid,
  granted_at timestamptz not null default clock_timestamp(),  -- not the start of the transaction, which may have waited
  granted_by_principal_id uuid,
  granted_via_ip text,
  withdrawn_at timestamptz,
  withdrawn_by_principal_id uuid,
  withdrawal_reason text,
  -- Why the consent ended: only 'withdrawn' and 'left' have cascading effects.
  ended_as text check (ended_as in ('withdrawn', 'superseded', 'left', 'erased')),
  created_at timestamptz not null default now(),
  -- A consent at a clinic belongs to a patient of that clinic.
  constraint consents_patient_fkey foreign key (organization_id, patient_profile_id) references patients (organization_id, patient_profile_id),
  constraint consents_form_check check ((source = 'form') = (source_form_id is not null)),
  constraint consents_ended_check check ((withdrawn_at is null) = (ended_as is null))
);
create unique index consents_active_key on consents (patient_profile_id, organization_id, purpose_code)
  nulls not distinct where withdrawn_at is null;
create index consents_profile_idx on consents (patient_profile_id, organization_id, purpose_code, granted_at);
create index consents_organization_idx on consents (organization_id, patient_profile_id);
create trigger consents_check_purpose before insert or update on consents for each row execute function consents_check_purpose();
create trigger consents_publish_event after insert or update of withdrawn_at on consents for each row execute function consents_publish_event();
create trigger consents_leave_clinic after update of withdrawn_at on consents
  for each row when (old.withdrawn_at is null and new.ended_as = 'left' and new.purpose_code in ('org_terms', 'org_privacy_notice'))
  execute function consents_leave_clinic();
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
  (organization_id = (select current_app_org_id())
    and (select current_app_holds_any('{consents.view_org,consents.manage,patients.onboard,forms.sign}')))
  or patient_profile_id = any ((select current_app_profile_ids())::uuid[]));

-- Staff who onboard a patient record consents given in person. A signed consent form records the consents it contains.
create policy consents_insert on consents for insert with check (
  (organization_id = (select current_app_org_id())
    and ((source in ('staff_action', 'form') and (select current_app_holds_any('{consents.manage,patients.onboard}')))
      or (source = 'form' and (select current_app_has_permission('forms', 'sign')))))
  or (patient_profile_id = any ((select current_app_profile_ids())::uuid[]) and source in ('signup_checkbox', 'self_toggle', 'form')));

-- An ended consent never changes; only erasure, which bypasses policies, removes IP address and reason.
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

-- The clinic's privacy notice, assembled from the platform's template and published as a version of org_privacy_notice.
create table privacy_notice_templates (
  version integer primary key check (version > 0),
  body_with_placeholders jsonb not null,   -- language → text with {{placeholder}} and {{section:key}}
  placeholders jsonb not null,             -- [{key, required, label: language → text}]
  toggleable_sections jsonb not null,      -- [{key, default, name: language → text, body: language → text}]
  published_at timestamptz not null default now(),
  published_by_principal_id uuid
);

-- The published notice and the draft of the next one.
create table privacy_notices (
  organization_id uuid primary key default current_app_scope() references organizations (id),
  draft_template_version integer not null
    constraint privacy_notices_draft_template_fkey references privacy_notice_templates (version),
  draft_placeholder_values jsonb not null default '{}',
  draft_included_sections jsonb not null default '[]',
  source_template_version integer constraint privacy_notices_template_fkey references privacy_notice_templates (version),
  placeholder_values jsonb,
  included_sections jsonb,
  assembled_body jsonb,                    -- language → text
  published_version integer,               -- of org_privacy_notice in consent_purpose_versions; null until published
  published_at timestamptz,
  published_by_principal_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint privacy_notices_published_check check (num_nulls(source_template_version, placeholder_values, included_sections,
    assembled_body, published_version, published_at) in (0, 6))
);
create trigger privacy_notices_updated_at before update on privacy_notices for each row execute function set_updated_at();
alter table privacy_notices enable row level security;
alter table privacy_notices force row level security;
create policy privacy_notices_select on privacy_notices for select using (organization_id = (select current_app_org_id()));
create policy privacy_notices_insert on privacy_notices for insert with check (
  organization_id = (select current_app_org_id())
  and (select current_app_has_permission('organizations', 'manage_privacy_notice')));
create policy privacy_notices_update on privacy_notices for update
  using (organization_id = (select current_app_org_id())
    and (select current_app_has_permission('organizations', 'manage_privacy_notice')))
  with check (organization_id = (select current_app_org_id())
    and (select current_app_has_permission('organizations', 'manage_privacy_notice')));
grant select on privacy_notice_templates, privacy_notices to tendon_app;
grant insert on privacy_notices to tendon_app;
grant update (draft_template_version, draft_placeholder_values, draft_included_sections, source_template_version,
  placeholder_values, included_sections, assembled_body, published_version, published_at, published_by_principal_id,
  updated_at) on privacy_notices to tendon_app;
revoke update, delete on privacy_notice_templates from tendon_platform;

-- Exports and erasures of one patient at one clinic: background work with progress.
create table privacy_requests (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  kind text not null check (kind in ('export', 'erase')),
  patient_id uuid not null,
  patient_profile_id uuid not null,
  status text not null default 'accepted' check (status in ('accepted', 'active', 'completed', 'error', 'cancelled')),
  progress integer not null default 0 check (progress between 0 and 100),
  reason text,
  result jsonb,          -- certificate or manifest; no personal data
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

-- At most one export and one erasure of a patient at a time.
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
create trigger patient_profiles_refuse_restricted before update of national_id_encrypted on patient_profiles
  for each row when (new.national_id_encrypted is not null) execute function patient_profiles_refuse_restricted();
create trigger audit_keys_refuse_erased before insert on audit_keys
  for each row when (new.patient_profile_id is not null) execute function audit_keys_refuse_erased();
create index privacy_requests_expires_idx on privacy_requests (expires_at) where object_key is not null;
create index privacy_requests_object_idx on privacy_requests (object_key) where object_key is not null;
create trigger privacy_requests_release_object after delete or update of object_key on privacy_requests
  for each row execute function release_object('object_key');

-- Two kinds of access on behalf of somebody else, both short and audited: break-glass access of a superadmin to a clinic, and
-- impersonation of a patient by a staff member.
create table break_glass_grants (
  id uuid primary key default uuidv7(),
  principal_id uuid not null references humans (id),
  organization_id uuid not null references organizations (id),
  patient_id uuid,                          -- null: the whole clinic
  reason text not null constraint break_glass_grants_reason_check check (length(trim(reason)) >= 20),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz,
  constraint break_glass_grants_patient_fkey foreign key (organization_id, patient_id) references patients (organization_id, id),
  constraint break_glass_grants_length_check check (expires_at <= created_at + interval '60 minutes')
);
create index break_glass_grants_principal_idx on break_glass_grants (principal_id, organization_id, expires_at);
create index break_glass_grants_organization_idx on break_glass_grants (organization_id, created_at desc);
alter table break_glass_grants enable row level security;
alter table break_glass_grants force row level security;

-- The clinic sees who accessed its records, and why.
create policy break_glass_grants_select on break_glass_grants for select using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('audit_log', 'view_org')));
grant select on break_glass_grants to tendon_app;
revoke update, delete on break_glass_grants from tendon_platform;
grant update (ended_at) on break_glass_grants to tendon_platform;

create table impersonations (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  patient_id uuid not null,
  principal_id uuid not null,               -- the staff member
  hash bytea not null,                      -- SHA-256 of the token; the reason is in the audit log
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  constraint impersonations_hash_key unique (hash),
  constraint impersonations_patient_fkey foreign key (organization_id, patient_id) references patients (organization_id, id),
  constraint impersonations_length_check check (expires_at <= created_at + interval '15 minutes')
);
create index impersonations_patient_idx on impersonations (organization_id, patient_id);
alter table impersonations enable row level security;
alter table impersonations force row level security;
create policy impersonations_insert on impersonations for insert with check (
  organization_id = (select current_app_org_id()) and principal_id = (select current_app_principal_id())
  and (select current_app_has_permission('patients', 'impersonate')));
grant insert on impersonations to tendon_app;
revoke update, delete on impersonations from tendon_platform;
