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

create function restrict_patient(p_id uuid, p_restricted boolean) returns boolean
language sql security definer set search_path = public as $$
  with changed as (
    update patients set restricted_at = case when p_restricted then coalesce(restricted_at, now()) end
    where organization_id = current_app_org_id() and id = p_id and deleted_at is null
      and current_app_has_permission('gdpr', 'restrict_processing')
    returning 1)
  select exists (select 1 from changed)
$$;
alter function restrict_patient(uuid, boolean) owner to tendon_definer;
grant execute on function restrict_patient(uuid, boolean) to tendon_app;
