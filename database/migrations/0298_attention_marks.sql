-- What the clinic decided about a fact that needs attention: done, snoozed until a time, or open again. The key is made of the
-- kind and the ids and dates of the fact, so that a new fact has a new key. Shared by the clinic: the last mark counts.
create table attention_marks (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  key text not null constraint attention_marks_key_check check (length(key) <= 200),
  patient_profile_id uuid,                       -- null: the fact is about nobody, or about a booking without a record
  state text not null constraint attention_marks_state_check check (state in ('done', 'snoozed', 'open')),
  until timestamptz,
  marked_by_principal_id uuid not null default current_app_principal_id(),
  marked_at timestamptz not null,
  constraint attention_marks_key unique (organization_id, key),
  constraint attention_marks_until_check check ((state = 'snoozed') = (until is not null)),
  constraint attention_marks_patient_fkey foreign key (organization_id, patient_profile_id)
    references patients (organization_id, patient_profile_id)
);
create index attention_marks_patient_idx on attention_marks (organization_id, patient_profile_id);
create index attention_marks_done_idx on attention_marks (organization_id, marked_at) where state = 'done';
create trigger attention_marks_refuse_restricted before insert or update on attention_marks
  for each row when (new.patient_profile_id is not null) execute function refuse_restricted();

alter table attention_marks enable row level security;
alter table attention_marks force row level security;
create policy attention_marks_select on attention_marks for select using (
  organization_id = (select current_app_org_id()) and (patient_profile_id is null
    or (select current_app_has_permission('patients', 'view_org')) or (select current_app_has_permission('appointments', 'view_org'))
    or (select current_app_has_permission('gdpr', 'export_data')) or (select current_app_has_permission('gdpr', 'erase_data'))));
create policy attention_marks_insert on attention_marks for insert with check (
  organization_id = (select current_app_org_id()) and (patient_profile_id is null
    or (select current_app_has_permission('patients', 'view_org')) or (select current_app_has_permission('appointments', 'view_org'))
    or (select current_app_has_permission('gdpr', 'export_data')) or (select current_app_has_permission('gdpr', 'erase_data'))));
create policy attention_marks_update on attention_marks for update
  using (organization_id = (select current_app_org_id()) and (patient_profile_id is null
    or (select current_app_has_permission('patients', 'view_org')) or (select current_app_has_permission('appointments', 'view_org'))
    or (select current_app_has_permission('gdpr', 'export_data')) or (select current_app_has_permission('gdpr', 'erase_data'))))
  with check (organization_id = (select current_app_org_id()) and (patient_profile_id is null
    or (select current_app_has_permission('patients', 'view_org')) or (select current_app_has_permission('appointments', 'view_org'))
    or (select current_app_has_permission('gdpr', 'export_data')) or (select current_app_has_permission('gdpr', 'erase_data'))));
create policy attention_marks_delete on attention_marks for delete
  using (organization_id = (select current_app_org_id()) and (select current_app_is_service()));
grant select, insert (organization_id, key, patient_profile_id, state, until, marked_at),
  update (patient_profile_id, state, until, marked_by_principal_id, marked_at) on attention_marks to tendon_app;
grant delete on attention_marks to tendon_worker;
