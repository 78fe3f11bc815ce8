-- The database after all migrations, for reading and for review. Written by "npm run generate"; nothing runs it.
-- Not shown: schemas of libraries (graphile_worker), extensions' own objects, roles (database/roles.sql).

-- Types

create type caller as (
  principal_id uuid,
  kind text,
  name text,
  email text,
  email_verified boolean,
  preferred_language text,
  is_superadmin boolean,
  organization_id uuid,
  organization_language text,
  role_id uuid,
  role_name text,
  joined boolean,
  permissions text,
  profile_ids uuid[],
  patient_id uuid,
  patient_profile_id uuid,
  impersonator_id uuid,
  impersonator_name text,
  break_glass_id uuid
);

-- Tables

create table api_keys (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  service_account_id uuid not null,
  name text not null,
  prefix text not null,
  hash bytea not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  created_by_principal_id uuid,
  created_at timestamptz default now() not null,
  constraint api_keys_pkey primary key (id),
  constraint api_keys_hash_key unique (hash),
  constraint api_keys_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint api_keys_service_account_fkey foreign key (organization_id, service_account_id) references service_accounts(organization_id, id) on delete cascade
);
create index api_keys_service_account_id_idx on api_keys using btree (service_account_id);
alter table api_keys enable row level security;
alter table api_keys force row level security;
create policy api_keys_delete on api_keys for delete
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_members')));
create policy api_keys_insert on api_keys for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_members')));
create policy api_keys_select on api_keys for select
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_members')));
create policy api_keys_update on api_keys for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_members')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_members')));
grant select, insert, update (name, revoked_at), delete on api_keys to tendon_app;
grant select, insert, update, delete on api_keys to tendon_definer;
grant select, insert, update, delete on api_keys to tendon_platform;

create table appointment_documents (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  kind text not null,
  appointment_id uuid,
  form_id uuid,
  treatment_plan_id uuid,
  patient_profile_id uuid,
  pdf_template_id uuid,
  template_version integer not null,
  language text not null,
  input_hash bytea not null,
  object_key text not null,
  pages integer not null,
  size bigint not null,
  sha256 bytea not null,
  verification_code text not null,
  created_by_principal_id uuid default current_app_principal_id(),
  created_at timestamptz default now() not null,
  issued_by text,
  constraint appointment_documents_pkey primary key (id),
  constraint appointment_documents_input_key unique (organization_id, input_hash),
  constraint appointment_documents_object_key_key unique (object_key),
  constraint appointment_documents_organization_id_key unique (organization_id, id),
  constraint appointment_documents_verification_code_key unique (verification_code),
  constraint appointment_documents_appointment_fkey foreign key (organization_id, appointment_id) references appointments(organization_id, id) on delete cascade,
  constraint appointment_documents_form_fkey foreign key (organization_id, form_id) references forms(organization_id, id) on delete cascade,
  constraint appointment_documents_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint appointment_documents_patient_fkey foreign key (organization_id, patient_profile_id) references patients(organization_id, patient_profile_id),
  constraint appointment_documents_plan_fkey foreign key (organization_id, treatment_plan_id) references treatment_plans(organization_id, id) on delete cascade,
  constraint appointment_documents_version_fkey foreign key (organization_id, pdf_template_id, template_version) references pdf_template_versions(organization_id, pdf_template_id, version),
  constraint appointment_documents_kind_check check (kind = any (array['form', 'appointment_letter', 'treatment_plan', 'attendance_certificate'])),
  constraint appointment_documents_language_check check (language = any (array['en', 'ro'])),
  constraint appointment_documents_pages_check check (pages > 0),
  constraint appointment_documents_size_check check (size > 0),
  constraint appointment_documents_source_check check (num_nonnulls(appointment_id, form_id, treatment_plan_id) = 1),
  constraint appointment_documents_template_check check ((pdf_template_id is null) = (template_version = 0))
);
create index appointment_documents_appointment_idx on appointment_documents using btree (organization_id, appointment_id);
create index appointment_documents_created_idx on appointment_documents using btree (organization_id, created_at desc, id desc);
create index appointment_documents_form_idx on appointment_documents using btree (organization_id, form_id);
create index appointment_documents_patient_idx on appointment_documents using btree (organization_id, patient_profile_id);
create index appointment_documents_plan_idx on appointment_documents using btree (organization_id, treatment_plan_id);
create index appointment_documents_version_idx on appointment_documents using btree (organization_id, pdf_template_id, template_version);
alter table appointment_documents enable row level security;
alter table appointment_documents force row level security;
create policy appointment_documents_delete on appointment_documents for delete
  using (organization_id = (select current_app_org_id()) and (select current_app_is_service()));
create policy appointment_documents_insert on appointment_documents for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('documents', 'create')));
create policy appointment_documents_select on appointment_documents for select
  using (organization_id = (select current_app_org_id()) and ((select current_app_has_permission('documents', 'view_org')) or (select current_app_has_permission('documents', 'create')) or (patient_profile_id = any ((select current_app_profile_ids())::uuid[]))));
create trigger appointment_documents_refuse_restricted before insert on appointment_documents for each row when (new.patient_profile_id is not null) execute function refuse_restricted();
create trigger appointment_documents_release_object after delete on appointment_documents for each row execute function release_object('object_key');
grant select, insert (organization_id, kind, appointment_id, form_id, treatment_plan_id, patient_profile_id, pdf_template_id, template_version, language, input_hash, object_key, pages, size, sha256, verification_code, created_at, issued_by) on appointment_documents to tendon_app;
grant select, insert, update, delete on appointment_documents to tendon_definer;
grant select, insert, update, delete on appointment_documents to tendon_platform;
grant delete on appointment_documents to tendon_worker;

create table appointment_files (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  appointment_id uuid not null,
  patient_profile_id uuid,
  object_key text not null,
  name text not null,
  size bigint not null,
  mime text not null,
  sha256 bytea not null,
  uploaded_by_principal_id uuid default current_app_principal_id(),
  uploaded_at timestamptz default now() not null,
  constraint appointment_files_pkey primary key (id),
  constraint appointment_files_object_key_key unique (object_key),
  constraint appointment_files_organization_id_key unique (organization_id, id),
  constraint appointment_files_appointment_fkey foreign key (organization_id, appointment_id) references appointments(organization_id, id) on delete cascade,
  constraint appointment_files_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint appointment_files_patient_fkey foreign key (organization_id, patient_profile_id) references patients(organization_id, patient_profile_id),
  constraint appointment_files_size_check check (size >= 0)
);
create index appointment_files_appointment_idx on appointment_files using btree (organization_id, appointment_id, uploaded_at);
create index appointment_files_patient_idx on appointment_files using btree (organization_id, patient_profile_id);
alter table appointment_files enable row level security;
alter table appointment_files force row level security;
create policy appointment_files_delete on appointment_files for delete
  using (organization_id = (select current_app_org_id()) and ((select current_app_has_permission('appointments', 'manage')) or (patient_profile_id = any ((select current_app_profile_ids())::uuid[])) and uploaded_by_principal_id = (select current_app_principal_id())));
create policy appointment_files_insert on appointment_files for insert
  with check (organization_id = (select current_app_org_id()) and ((select current_app_has_permission('appointments', 'manage')) or (patient_profile_id = any ((select current_app_profile_ids())::uuid[])) and (exists ( select 1
   from appointments a
  where a.organization_id = appointment_files.organization_id and a.id = appointment_files.appointment_id and a.patient_profile_id = appointment_files.patient_profile_id))));
create policy appointment_files_select on appointment_files for select
  using (organization_id = (select current_app_org_id()) and ((select current_app_has_permission('appointments', 'view_org')) or (patient_profile_id = any ((select current_app_profile_ids())::uuid[]))));
create policy appointment_files_update on appointment_files for update
  using (organization_id = (select current_app_org_id()) and (select current_app_is_service()) and ((select current_app_has_permission('appointments', 'manage')) or (patient_profile_id = any ((select current_app_profile_ids())::uuid[]))))
  with check (organization_id = (select current_app_org_id()) and (select current_app_is_service()) and (exists ( select 1
   from appointments a
  where a.organization_id = appointment_files.organization_id and a.id = appointment_files.appointment_id and not a.patient_profile_id is distinct from appointment_files.patient_profile_id)));
create trigger appointment_files_refuse_restricted before insert on appointment_files for each row when (new.patient_profile_id is not null) execute function refuse_restricted();
create trigger appointment_files_release_object after delete on appointment_files for each row execute function release_object('object_key');
grant select, insert (organization_id, appointment_id, patient_profile_id, object_key, name, size, mime, sha256), update (appointment_id), delete on appointment_files to tendon_app;
grant select, insert, update, delete on appointment_files to tendon_definer;
grant select, insert, update, delete on appointment_files to tendon_platform;
grant update (uploaded_by_principal_id) on appointment_files to tendon_worker;

create table appointment_notices (
  organization_id uuid default current_app_scope() not null,
  appointment_id uuid not null,
  told jsonb,
  created_at timestamptz default now() not null,
  constraint appointment_notices_pkey primary key (organization_id, appointment_id),
  constraint appointment_notices_appointment_fkey foreign key (organization_id, appointment_id) references appointments(organization_id, id) on delete cascade,
  constraint appointment_notices_organization_id_fkey foreign key (organization_id) references organizations(id)
);
alter table appointment_notices enable row level security;
alter table appointment_notices force row level security;
create policy appointment_notices_delete on appointment_notices for delete
  using (organization_id = (select current_app_org_id()) and (select current_app_is_service()));
create policy appointment_notices_insert on appointment_notices for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_is_service()));
create policy appointment_notices_select on appointment_notices for select
  using (organization_id = (select current_app_org_id()) and (select current_app_is_service()));
create policy appointment_notices_update on appointment_notices for update
  using (organization_id = (select current_app_org_id()) and (select current_app_is_service()))
  with check (organization_id = (select current_app_org_id()) and (select current_app_is_service()));
grant select, insert (organization_id, appointment_id, told), update (appointment_id), delete on appointment_notices to tendon_app;
grant select, insert, update, delete on appointment_notices to tendon_definer;
grant select, insert, update, delete on appointment_notices to tendon_platform;

create table appointment_reminders (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  appointment_id uuid not null,
  patient_profile_id uuid,
  offset_minutes integer not null,
  starts_at timestamptz not null,
  send_at timestamptz not null,
  status text default 'planned' not null,
  created_at timestamptz default now() not null,
  reason text,
  constraint appointment_reminders_pkey primary key (id),
  constraint appointment_reminders_key unique (organization_id, appointment_id, offset_minutes, starts_at),
  constraint appointment_reminders_organization_id_key unique (organization_id, id),
  constraint appointment_reminders_appointment_fkey foreign key (organization_id, appointment_id) references appointments(organization_id, id) on delete cascade,
  constraint appointment_reminders_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint appointment_reminders_patient_fkey foreign key (organization_id, patient_profile_id) references patients(organization_id, patient_profile_id),
  constraint appointment_reminders_reason_check check (reason = any (array['visit_cancelled', 'visit_moved', 'visit_not_confirmed', 'visit_started', 'patient_deleted', 'no_address', 'suppressed', 'processing_restricted', 'mail_failed', 'unknown'])),
  constraint appointment_reminders_skipped_check check ((status = 'skipped') = (reason is not null)),
  constraint appointment_reminders_status_check check (status = any (array['planned', 'queued', 'sent', 'skipped']))
);
create index appointment_reminders_patient_idx on appointment_reminders using btree (organization_id, patient_profile_id);
alter table appointment_reminders enable row level security;
alter table appointment_reminders force row level security;
create policy appointment_reminders_delete on appointment_reminders for delete
  using (organization_id = (select current_app_org_id()) and (select current_app_is_service()));
create policy appointment_reminders_insert on appointment_reminders for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_is_service()));
create policy appointment_reminders_select on appointment_reminders for select
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('appointments', 'view_org')));
create policy appointment_reminders_update on appointment_reminders for update
  using (organization_id = (select current_app_org_id()) and (select current_app_is_service()))
  with check (organization_id = (select current_app_org_id()) and (select current_app_is_service()));
grant select on appointment_reminders to tendon_app;
grant select, insert, update, delete on appointment_reminders to tendon_definer;
grant select, insert, update, delete on appointment_reminders to tendon_platform;
grant insert (organization_id, appointment_id, patient_profile_id, offset_minutes, starts_at, send_at), update (status, reason), delete on appointment_reminders to tendon_worker;

create table appointment_reviews (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  appointment_id uuid not null,
  patient_profile_id uuid not null,
  rating integer not null,
  comment text,
  created_at timestamptz default now() not null,
  constraint appointment_reviews_pkey primary key (id),
  constraint appointment_reviews_appointment_key unique (organization_id, appointment_id),
  constraint appointment_reviews_appointment_fkey foreign key (organization_id, appointment_id) references appointments(organization_id, id),
  constraint appointment_reviews_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint appointment_reviews_patient_fkey foreign key (organization_id, patient_profile_id) references patients(organization_id, patient_profile_id),
  constraint appointment_reviews_rating_check check (rating >= 1 and rating <= 5)
);
create index appointment_reviews_patient_idx on appointment_reviews using btree (organization_id, patient_profile_id);
alter table appointment_reviews enable row level security;
alter table appointment_reviews force row level security;
create policy appointment_reviews_insert on appointment_reviews for insert
  with check (organization_id = (select current_app_org_id()) and (patient_profile_id = any ((select current_app_profile_ids())::uuid[])));
create policy appointment_reviews_select on appointment_reviews for select
  using (organization_id = (select current_app_org_id()) and ((select current_app_has_permission('appointments', 'view_org')) or (patient_profile_id = any ((select current_app_profile_ids())::uuid[]))));
create policy appointment_reviews_update on appointment_reviews for update
  using (organization_id = (select current_app_org_id()) and (select current_app_is_service()) and (select current_app_has_permission('appointments', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_is_service()) and (select current_app_has_permission('appointments', 'manage')));
create trigger appointment_reviews_refuse_restricted before insert on appointment_reviews for each row execute function refuse_restricted();
grant select, insert on appointment_reviews to tendon_app;
grant select, insert, update, delete on appointment_reviews to tendon_definer;
grant select, insert, update, delete on appointment_reviews to tendon_platform;
grant update (comment) on appointment_reviews to tendon_worker;

create table appointments (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  service_id uuid not null,
  specialist_id uuid,
  location_id uuid,
  calendar_id uuid,
  patient_profile_id uuid,
  patient_id uuid,
  starts_at timestamptz,
  ends_at timestamptz,
  time_zone text not null,
  mode text not null,
  status text not null,
  source text not null,
  title text,
  notes text,
  patient_note text,
  meeting_url text,
  price_cents bigint,
  currency text default 'RON' not null,
  booker jsonb,
  wanted jsonb,
  series_id uuid,
  rescheduled_from_id uuid,
  rescheduled_to_id uuid,
  calendar_uid uuid default uuidv7() not null,
  calendar_sequence integer default 0 not null,
  cancelled_at timestamptz,
  cancelled_by text,
  cancellation_reason text,
  confirmed_at timestamptz,
  checked_in_at timestamptz,
  completed_at timestamptz,
  overlap_allowed boolean default false not null,
  missing_consents text[] default '{}'[] not null,
  slot_freed_at timestamptz,
  version integer default 1 not null,
  created_by_principal_id uuid default current_app_principal_id(),
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  freed_slot jsonb,
  custom_fields jsonb default '{}'::jsonb not null,
  kept_on_day_off_at timestamptz,
  skipped_starts_at timestamptz[] default '{}'::timestamptz[] not null,
  previous_status text,
  status_set_at timestamptz,
  status_set_by text,
  before_booking jsonb,
  constraint appointments_pkey primary key (id),
  constraint appointments_organization_id_key unique (organization_id, id),
  constraint appointments_patient_excl exclude using gist (organization_id with =, patient_profile_id with =, tstzrange(starts_at, ends_at) with &&) where (patient_profile_id is not null and starts_at is not null and not overlap_allowed and (status = any (array['pending', 'confirmed', 'checked_in']))),
  constraint appointments_calendar_fkey foreign key (organization_id, calendar_id) references calendars(organization_id, id) on delete set null (calendar_id),
  constraint appointments_location_fkey foreign key (organization_id, location_id) references locations(organization_id, id),
  constraint appointments_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint appointments_patient_fkey foreign key (organization_id, patient_id) references patients(organization_id, id),
  constraint appointments_profile_fkey foreign key (organization_id, patient_profile_id) references patients(organization_id, patient_profile_id),
  constraint appointments_rescheduled_from_fkey foreign key (organization_id, rescheduled_from_id) references appointments(organization_id, id),
  constraint appointments_rescheduled_to_fkey foreign key (organization_id, rescheduled_to_id) references appointments(organization_id, id),
  constraint appointments_service_fkey foreign key (organization_id, service_id) references services(organization_id, id),
  constraint appointments_specialist_fkey foreign key (organization_id, specialist_id) references specialists(organization_id, id),
  constraint appointments_cancelled_by_check check (cancelled_by = any (array['staff', 'patient', 'booker', 'system'])),
  constraint appointments_custom_fields_check check (jsonb_typeof(custom_fields) = 'object'),
  constraint appointments_mode_check check (mode = any (array['in_person', 'video', 'phone'])),
  constraint appointments_patient_check check ((patient_id is null) = (patient_profile_id is null)),
  constraint appointments_previous_status_check check (previous_status = any (array['waitlist', 'pending', 'confirmed', 'checked_in', 'completed', 'no_show', 'cancelled', 'entered_in_error'])),
  constraint appointments_price_cents_check check (price_cents >= 0),
  constraint appointments_source_check check (source = any (array['staff', 'patient', 'public', 'waitlist', 'series'])),
  constraint appointments_status_check check (status = any (array['waitlist', 'pending', 'confirmed', 'checked_in', 'completed', 'no_show', 'cancelled', 'entered_in_error'])),
  constraint appointments_status_set_by_check check (status_set_by = any (array['staff', 'patient', 'booker', 'system'])),
  constraint appointments_time_check check ((status = 'waitlist' or rescheduled_from_id is not null or starts_at is not null or cancelled_at is not null or status = 'entered_in_error') and (starts_at is null) = (ends_at is null) and ends_at > starts_at)
);
create index appointments_calendar_idx on appointments using btree (organization_id, calendar_id);
create index appointments_location_idx on appointments using btree (organization_id, location_id);
create index appointments_open_idx on appointments using btree (organization_id, ends_at) where status = any (array['pending', 'confirmed', 'checked_in']);
create index appointments_patient_idx on appointments using btree (organization_id, patient_id, starts_at);
create index appointments_pending_idx on appointments using btree (organization_id, starts_at) where status = 'pending';
create index appointments_profile_idx on appointments using btree (patient_profile_id);
create index appointments_rescheduled_from_idx on appointments using btree (organization_id, rescheduled_from_id);
create index appointments_rescheduled_to_idx on appointments using btree (organization_id, rescheduled_to_id);
create index appointments_series_idx on appointments using btree (organization_id, series_id) where series_id is not null;
create index appointments_service_idx on appointments using btree (organization_id, service_id, starts_at);
create index appointments_specialist_idx on appointments using btree (organization_id, specialist_id, starts_at);
create index appointments_starts_idx on appointments using btree (organization_id, starts_at);
create index appointments_unlinked_idx on appointments using btree (organization_id, starts_at) where patient_id is null and booker is not null;
create index appointments_waitlist_idx on appointments using btree (organization_id, created_at) where status = 'waitlist';
alter table appointments enable row level security;
alter table appointments force row level security;
create policy appointments_delete on appointments for delete
  using (organization_id = (select current_app_org_id()) and (select current_app_is_service()) and (select current_app_has_permission('appointments', 'manage')));
create policy appointments_insert on appointments for insert
  with check (organization_id = (select current_app_org_id()) and ((select current_app_has_permission('appointments', 'manage')) or (select current_app_is_service()) and (patient_profile_id = any ((select current_app_profile_ids())::uuid[]))));
create policy appointments_select on appointments for select
  using (organization_id = (select current_app_org_id()) and ((select current_app_has_permission('appointments', 'view_org')) or (select current_app_is_service()) and patient_id is null and ((booker ->> 'email')::citext) = (select current_app_email())) or (patient_profile_id = any ((select current_app_profile_ids())::uuid[])));
create policy appointments_update on appointments for update
  using (organization_id = (select current_app_org_id()) and ((select current_app_has_permission('appointments', 'manage')) or (select current_app_is_service()) and ((patient_profile_id = any ((select current_app_profile_ids())::uuid[])) or patient_id is null and ((booker ->> 'email')::citext) = (select current_app_email()))))
  with check (organization_id = (select current_app_org_id()) and ((select current_app_has_permission('appointments', 'manage')) or (select current_app_is_service()) and ((patient_profile_id = any ((select current_app_profile_ids())::uuid[])) or patient_id is null and ((booker ->> 'email')::citext) = (select current_app_email()))));
create trigger appointments_bump_version before update on appointments for each row execute function bump_version();
create trigger appointments_drop_deleted_fields before insert or update of custom_fields on appointments for each row when (new.custom_fields <> '{}'::jsonb) execute function appointments_drop_deleted_fields();
create trigger appointments_link_files after update of patient_profile_id on appointments for each row when (old.patient_profile_id is null and new.patient_profile_id is not null) execute function appointments_link_files();
create trigger appointments_raise_sequence before update of status, starts_at, ends_at, service_id, location_id on appointments for each row when (old.status = 'pending' and new.status = 'confirmed' or old.status = 'confirmed' and new.status = 'pending' or old.status = 'cancelled' and new.status <> 'cancelled' or old.status = 'waitlist' and (new.status = any (array['pending', 'confirmed'])) or old.starts_at is not null and (old.starts_at is distinct from new.starts_at or old.ends_at is distinct from new.ends_at or old.service_id is distinct from new.service_id or old.location_id is distinct from new.location_id)) execute function appointments_raise_sequence();
create trigger appointments_refuse_restricted before insert on appointments for each row when (new.patient_profile_id is not null) execute function refuse_restricted();
create trigger appointments_refuse_restricted_time before update of status on appointments for each row when (new.patient_profile_id is not null and (old.status = 'waitlist' and (new.status = any (array['pending', 'confirmed'])) or (old.status = any (array['cancelled', 'no_show'])) and (new.status = any (array['waitlist', 'pending', 'confirmed', 'checked_in'])))) execute function refuse_restricted();
create trigger appointments_updated_at before update on appointments for each row execute function set_updated_at();
grant select, insert, update (service_id, specialist_id, location_id, calendar_id, patient_profile_id, patient_id, starts_at, ends_at, time_zone, mode, status, title, notes, patient_note, meeting_url, price_cents, currency, booker, wanted, rescheduled_to_id, cancelled_at, cancelled_by, cancellation_reason, confirmed_at, checked_in_at, completed_at, overlap_allowed, missing_consents, slot_freed_at, version, updated_at, freed_slot, custom_fields, kept_on_day_off_at, skipped_starts_at, previous_status, status_set_at, status_set_by, before_booking) on appointments to tendon_app;
grant select, insert, update, delete on appointments to tendon_definer;
grant select, insert, update, delete on appointments to tendon_platform;
grant update (rescheduled_from_id), delete on appointments to tendon_worker;

create table attention_marks (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  key text not null,
  patient_profile_id uuid,
  state text not null,
  until timestamptz,
  marked_by_principal_id uuid default current_app_principal_id() not null,
  marked_at timestamptz not null,
  constraint attention_marks_pkey primary key (id),
  constraint attention_marks_key unique (organization_id, key),
  constraint attention_marks_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint attention_marks_patient_fkey foreign key (organization_id, patient_profile_id) references patients(organization_id, patient_profile_id),
  constraint attention_marks_key_check check (length(key) <= 200),
  constraint attention_marks_state_check check (state = any (array['done', 'snoozed', 'open'])),
  constraint attention_marks_until_check check ((state = 'snoozed') = (until is not null))
);
create index attention_marks_done_idx on attention_marks using btree (organization_id, marked_at) where state = 'done';
create index attention_marks_patient_idx on attention_marks using btree (organization_id, patient_profile_id);
alter table attention_marks enable row level security;
alter table attention_marks force row level security;
create policy attention_marks_delete on attention_marks for delete
  using (organization_id = (select current_app_org_id()) and (select current_app_is_service()));
create policy attention_marks_insert on attention_marks for insert
  with check (organization_id = (select current_app_org_id()) and (patient_profile_id is null or (select current_app_has_permission('patients', 'view_org')) or (select current_app_has_permission('appointments', 'view_org')) or (select current_app_has_permission('gdpr', 'export_data')) or (select current_app_has_permission('gdpr', 'erase_data'))));
create policy attention_marks_select on attention_marks for select
  using (organization_id = (select current_app_org_id()) and (patient_profile_id is null or (select current_app_has_permission('patients', 'view_org')) or (select current_app_has_permission('appointments', 'view_org')) or (select current_app_has_permission('gdpr', 'export_data')) or (select current_app_has_permission('gdpr', 'erase_data'))));
create policy attention_marks_update on attention_marks for update
  using (organization_id = (select current_app_org_id()) and (patient_profile_id is null or (select current_app_has_permission('patients', 'view_org')) or (select current_app_has_permission('appointments', 'view_org')) or (select current_app_has_permission('gdpr', 'export_data')) or (select current_app_has_permission('gdpr', 'erase_data'))))
  with check (organization_id = (select current_app_org_id()) and (patient_profile_id is null or (select current_app_has_permission('patients', 'view_org')) or (select current_app_has_permission('appointments', 'view_org')) or (select current_app_has_permission('gdpr', 'export_data')) or (select current_app_has_permission('gdpr', 'erase_data'))));
create trigger attention_marks_refuse_restricted before insert or update on attention_marks for each row when (new.patient_profile_id is not null) execute function refuse_restricted();
grant select, insert (organization_id, key, patient_profile_id, state, until, marked_at), update (patient_profile_id, state, until, marked_by_principal_id, marked_at) on attention_marks to tendon_app;
grant select, insert, update, delete on attention_marks to tendon_definer;
grant select, insert, update, delete on attention_marks to tendon_platform;
grant delete on attention_marks to tendon_worker;

create table audit_keys (
  id uuid not null,
  organization_id uuid default current_app_scope(),
  patient_profile_id uuid,
  wrapped_key bytea,
  created_at timestamptz default now() not null,
  destroyed_at timestamptz,
  constraint audit_keys_pkey primary key (id),
  constraint audit_keys_organization_id_key unique nulls not distinct (organization_id, id),
  constraint audit_keys_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint audit_keys_destroyed_check check ((wrapped_key is null) = (destroyed_at is not null))
);
create unique index audit_keys_subject_key on audit_keys using btree (organization_id, patient_profile_id) nulls not distinct where destroyed_at is null;
alter table audit_keys enable row level security;
alter table audit_keys force row level security;
create policy audit_keys_insert on audit_keys for insert
  with check (not organization_id is distinct from (select current_app_scope()) and (select current_app_org_id()) is not null);
create policy audit_keys_select on audit_keys for select
  using (not organization_id is distinct from (select current_app_scope()) and (select current_app_org_id()) is not null);
create trigger audit_keys_refuse_erased before insert on audit_keys for each row when (new.patient_profile_id is not null) execute function audit_keys_refuse_erased();
grant select, insert on audit_keys to tendon_app;
grant select, insert, update, delete on audit_keys to tendon_definer;
grant select, insert on audit_keys to tendon_platform;

create table audit_log (
  id uuid not null,
  organization_id uuid default current_app_scope(),
  occurred_at timestamptz default now() not null,
  actor_principal_id uuid,
  actor_type text not null,
  on_behalf_of uuid,
  action text not null,
  crud text not null,
  target_type text not null,
  target_id text,
  patient_profile_id uuid,
  outcome text default 'success' not null,
  request_id text,
  key_id uuid not null,
  personal bytea not null,
  trace_id uuid,
  constraint audit_log_pkey primary key (id),
  constraint audit_log_key_fkey foreign key (organization_id, key_id) references audit_keys(organization_id, id),
  constraint audit_log_key_id_fkey foreign key (key_id) references audit_keys(id),
  constraint audit_log_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint audit_log_actor_type_check check (actor_type = any (array['user', 'patient', 'service', 'system', 'superadmin'])),
  constraint audit_log_crud_check check (crud = any (array['C', 'R', 'U', 'D', 'E'])),
  constraint audit_log_outcome_check check (outcome = any (array['success', 'failure']))
);
create index audit_log_action_idx on audit_log using btree (organization_id, action, occurred_at desc);
create index audit_log_actor_idx on audit_log using btree (organization_id, actor_principal_id, occurred_at desc);
create index audit_log_occurred_idx on audit_log using btree (occurred_at, id);
create index audit_log_organization_occurred_idx on audit_log using btree (organization_id, occurred_at desc, id desc);
create index audit_log_profile_idx on audit_log using btree (patient_profile_id, occurred_at desc) where patient_profile_id is not null;
create index audit_log_target_idx on audit_log using btree (organization_id, target_id, occurred_at desc);
alter table audit_log enable row level security;
alter table audit_log force row level security;
create policy audit_log_insert on audit_log for insert
  with check (not organization_id is distinct from (select current_app_scope()) and (select current_app_org_id()) is not null);
create policy audit_log_select on audit_log for select
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('audit_log', 'view_org')));
grant select, insert (id, organization_id, actor_principal_id, actor_type, on_behalf_of, action, crud, target_type, target_id, patient_profile_id, outcome, request_id, key_id, personal, trace_id) on audit_log to tendon_app;
grant select, insert on audit_log to tendon_definer;
grant select, insert (id, organization_id, actor_principal_id, actor_type, on_behalf_of, action, crud, target_type, target_id, patient_profile_id, outcome, request_id, key_id, personal, trace_id) on audit_log to tendon_platform;

create table audit_seal_entries (
  entry_id uuid not null,
  seal_id bigint not null,
  "position" integer not null,
  digest bytea not null,
  constraint audit_seal_entries_pkey primary key (entry_id),
  constraint audit_seal_entries_position_key unique (seal_id, "position"),
  constraint audit_seal_entries_entry_id_fkey foreign key (entry_id) references audit_log(id),
  constraint audit_seal_entries_seal_id_fkey foreign key (seal_id) references audit_seals(id)
);
alter table audit_seal_entries enable row level security;
alter table audit_seal_entries force row level security;
create policy audit_seal_entries_select on audit_seal_entries for select
  using ((exists ( select 1
   from audit_log a
  where a.id = audit_seal_entries.entry_id)));
grant select on audit_seal_entries to tendon_app;
grant select, insert on audit_seal_entries to tendon_definer;
grant select on audit_seal_entries to tendon_platform;

create table audit_seals (
  id bigint not null,
  prev_hash bytea,
  hash bytea not null,
  entry_count integer not null,
  sealed_at timestamptz default now() not null,
  constraint audit_seals_pkey primary key (id)
);
alter table audit_seals enable row level security;
alter table audit_seals force row level security;
create policy audit_seals_select on audit_seals for select
  using (select current_app_has_permission('audit_log', 'view_org'));
grant select on audit_seals to tendon_app;
grant select, insert on audit_seals to tendon_definer;
grant select on audit_seals to tendon_platform;

create table automation_executions (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  rule_id uuid not null,
  rule_version integer not null,
  event_id uuid not null,
  event text not null,
  data jsonb,
  status text default 'queued' not null,
  skip_reason text,
  patient_profile_id uuid,
  retried_from_id uuid,
  started_at timestamptz,
  finished_at timestamptz,
  progressed_at timestamptz default now() not null,
  created_at timestamptz default now() not null,
  cause_rule_ids uuid[] default '{}'::uuid[] not null,
  constraint automation_executions_pkey primary key (id),
  constraint automation_executions_organization_id_key unique (organization_id, id),
  constraint automation_executions_patient_profile_fkey foreign key (organization_id, patient_profile_id) references patient_profiles(organization_id, id) on delete set null (patient_profile_id),
  constraint automation_executions_version_fkey foreign key (organization_id, rule_id, rule_version) references automation_rule_versions(organization_id, rule_id, version) on delete cascade,
  constraint automation_executions_skip_reason_check check (skip_reason = any (array['conditions', 'loop', 'quota', 'patient_restricted', 'appointment_cancelled', 'late'])),
  constraint automation_executions_skipped_check check ((status <> 'skipped' or skip_reason is not null) and (skip_reason is null or (status = any (array['queued', 'skipped', 'canceled', 'timed_out'])))),
  constraint automation_executions_status_check check (status = any (array['queued', 'running', 'paused', 'succeeded', 'failed', 'skipped', 'canceled', 'timed_out']))
);
create unique index automation_executions_event_key on automation_executions using btree (rule_id, event_id) where retried_from_id is null;
create index automation_executions_list_idx on automation_executions using btree (organization_id, created_at desc, id desc);
create index automation_executions_patient_profile_idx on automation_executions using btree (organization_id, patient_profile_id) where patient_profile_id is not null;
create index automation_executions_quota_idx on automation_executions using btree (organization_id, created_at) where skip_reason is null;
create index automation_executions_retried_idx on automation_executions using btree (organization_id, retried_from_id) where retried_from_id is not null;
create index automation_executions_rule_open_idx on automation_executions using btree (organization_id, rule_id, created_at) where status = any (array['queued', 'running', 'paused']);
create index automation_executions_rule_quota_idx on automation_executions using btree (organization_id, rule_id, created_at) where skip_reason = 'quota';
create index automation_executions_unfinished_idx on automation_executions using btree (progressed_at) where status = any (array['queued', 'running', 'paused']);
create index automation_executions_version_idx on automation_executions using btree (organization_id, rule_id, rule_version);
alter table automation_executions enable row level security;
alter table automation_executions force row level security;
create policy automation_executions_insert on automation_executions for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('automations', 'manage')));
create policy automation_executions_select on automation_executions for select
  using (organization_id = (select current_app_org_id()) and ((select current_app_has_permission('automations', 'view_org')) or (select current_app_has_permission('automations', 'manage'))));
create policy automation_executions_update on automation_executions for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('automations', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('automations', 'manage')));
grant select, insert, update (status, skip_reason, started_at, finished_at, progressed_at) on automation_executions to tendon_app;
grant select, insert, update, delete on automation_executions to tendon_definer;
grant select, insert, update, delete on automation_executions to tendon_platform;
grant update (data, patient_profile_id) on automation_executions to tendon_worker;

create table automation_rule_versions (
  organization_id uuid default current_app_scope() not null,
  rule_id uuid not null,
  version integer not null,
  definition jsonb not null,
  created_at timestamptz default now() not null,
  constraint automation_rule_versions_pkey primary key (organization_id, rule_id, version),
  constraint automation_rule_versions_rule_fkey foreign key (organization_id, rule_id) references automation_rules(organization_id, id) on delete cascade
);
alter table automation_rule_versions enable row level security;
alter table automation_rule_versions force row level security;
create policy automation_rule_versions_insert on automation_rule_versions for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('automations', 'manage')));
create policy automation_rule_versions_select on automation_rule_versions for select
  using (organization_id = (select current_app_org_id()) and ((select current_app_has_permission('automations', 'view_org')) or (select current_app_has_permission('automations', 'manage'))));
grant select, insert on automation_rule_versions to tendon_app;
grant select, insert, update, delete on automation_rule_versions to tendon_definer;
grant select, insert, update, delete on automation_rule_versions to tendon_platform;

create table automation_rules (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  name text not null,
  is_active boolean default true not null,
  version integer default 1 not null,
  trigger_event text not null,
  conditions jsonb not null,
  actions jsonb not null,
  delay_minutes integer default 0 not null,
  created_by_principal_id uuid default current_app_principal_id(),
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  trigger_filter jsonb,
  switched_on_at timestamptz,
  constraint automation_rules_pkey primary key (id),
  constraint automation_rules_organization_id_key unique (organization_id, id),
  constraint automation_rules_organization_id_fkey foreign key (organization_id) references organizations(id)
);
create index automation_rules_list_idx on automation_rules using btree (organization_id, created_at desc, id desc);
create index automation_rules_trigger_idx on automation_rules using btree (organization_id, trigger_event) where is_active;
alter table automation_rules enable row level security;
alter table automation_rules force row level security;
create policy automation_rules_delete on automation_rules for delete
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('automations', 'manage')));
create policy automation_rules_insert on automation_rules for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('automations', 'manage')));
create policy automation_rules_select on automation_rules for select
  using (organization_id = (select current_app_org_id()) and ((select current_app_has_permission('automations', 'view_org')) or (select current_app_has_permission('automations', 'manage'))));
create policy automation_rules_update on automation_rules for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('automations', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('automations', 'manage')));
create trigger automation_rules_updated_at before update on automation_rules for each row execute function set_updated_at();
grant select, insert, update (name, is_active, version, trigger_event, conditions, actions, delay_minutes, trigger_filter, switched_on_at), delete on automation_rules to tendon_app;
grant select, insert, update, delete on automation_rules to tendon_definer;
grant select, insert, update, delete on automation_rules to tendon_platform;

create table automation_steps (
  organization_id uuid default current_app_scope() not null,
  execution_id uuid not null,
  index integer not null,
  type text not null,
  status text not null,
  attempts integer default 0 not null,
  error text,
  started_at timestamptz default now() not null,
  finished_at timestamptz,
  constraint automation_steps_pkey primary key (organization_id, execution_id, index),
  constraint automation_steps_execution_fkey foreign key (organization_id, execution_id) references automation_executions(organization_id, id) on delete cascade,
  constraint automation_steps_status_check check (status = any (array['running', 'waiting', 'succeeded', 'failed', 'skipped']))
);
alter table automation_steps enable row level security;
alter table automation_steps force row level security;
create policy automation_steps_insert on automation_steps for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('automations', 'manage')));
create policy automation_steps_select on automation_steps for select
  using (organization_id = (select current_app_org_id()) and ((select current_app_has_permission('automations', 'view_org')) or (select current_app_has_permission('automations', 'manage'))));
create policy automation_steps_update on automation_steps for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('automations', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('automations', 'manage')));
grant select, insert, update (status, attempts, error, finished_at) on automation_steps to tendon_app;
grant select, insert, update, delete on automation_steps to tendon_definer;
grant select, insert, update, delete on automation_steps to tendon_platform;

create table booking_links (
  token_hash bytea not null,
  organization_id uuid default current_app_scope() not null,
  appointment_id uuid not null,
  created_at timestamptz default now() not null,
  constraint booking_links_pkey primary key (token_hash),
  constraint booking_links_appointment_fkey foreign key (organization_id, appointment_id) references appointments(organization_id, id) on delete cascade,
  constraint booking_links_organization_id_fkey foreign key (organization_id) references organizations(id)
);
create index booking_links_appointment_idx on booking_links using btree (organization_id, appointment_id);
alter table booking_links enable row level security;
alter table booking_links force row level security;
create policy booking_links_delete on booking_links for delete
  using (organization_id = (select current_app_org_id()) and (select current_app_is_service()) and (exists ( select 1
   from appointments a
  where a.organization_id = booking_links.organization_id and a.id = booking_links.appointment_id)));
create policy booking_links_insert on booking_links for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_is_service()) and (exists ( select 1
   from appointments a
  where a.organization_id = booking_links.organization_id and a.id = booking_links.appointment_id)));
create policy booking_links_select on booking_links for select
  using (organization_id = (select current_app_org_id()) and (select current_app_is_service()) and (exists ( select 1
   from appointments a
  where a.organization_id = booking_links.organization_id and a.id = booking_links.appointment_id)));
create policy booking_links_update on booking_links for update
  using (organization_id = (select current_app_org_id()) and (select current_app_is_service()) and (exists ( select 1
   from appointments a
  where a.organization_id = booking_links.organization_id and a.id = booking_links.appointment_id)))
  with check (organization_id = (select current_app_org_id()) and (select current_app_is_service()) and (exists ( select 1
   from appointments a
  where a.organization_id = booking_links.organization_id and a.id = booking_links.appointment_id)));
grant select (token_hash, organization_id, appointment_id), insert (token_hash, organization_id, appointment_id), update (appointment_id) on booking_links to tendon_app;
grant select, insert, update, delete on booking_links to tendon_definer;
grant select, insert, update, delete on booking_links to tendon_platform;
grant delete on booking_links to tendon_worker;

create table break_glass_grants (
  id uuid default uuidv7() not null,
  principal_id uuid not null,
  organization_id uuid not null,
  patient_id uuid,
  reason text not null,
  created_at timestamptz default now() not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  constraint break_glass_grants_pkey primary key (id),
  constraint break_glass_grants_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint break_glass_grants_patient_fkey foreign key (organization_id, patient_id) references patients(organization_id, id),
  constraint break_glass_grants_principal_id_fkey foreign key (principal_id) references humans(id),
  constraint break_glass_grants_length_check check (expires_at <= (created_at + '01:00:00'::interval)),
  constraint break_glass_grants_reason_check check (length(trim(both from reason)) >= 20)
);
create index break_glass_grants_organization_idx on break_glass_grants using btree (organization_id, created_at desc);
create index break_glass_grants_principal_idx on break_glass_grants using btree (principal_id, organization_id, expires_at);
alter table break_glass_grants enable row level security;
alter table break_glass_grants force row level security;
create policy break_glass_grants_select on break_glass_grants for select
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('audit_log', 'view_org')));
create policy break_glass_grants_update on break_glass_grants for update
  using (organization_id = (select current_app_org_id()) and (select current_app_is_service()))
  with check (organization_id = (select current_app_org_id()) and (select current_app_is_service()));
grant select on break_glass_grants to tendon_app;
grant select, insert, update, delete on break_glass_grants to tendon_definer;
grant select, insert, update (ended_at) on break_glass_grants to tendon_platform;
grant update (reason) on break_glass_grants to tendon_worker;

create table busy_times (
  organization_id uuid default current_app_scope() not null,
  specialist_id uuid not null,
  integration_id uuid not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  constraint busy_times_pkey primary key (integration_id, starts_at, ends_at),
  constraint busy_times_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint busy_times_specialist_fkey foreign key (organization_id, specialist_id) references specialists(organization_id, id),
  constraint busy_times_order_check check (ends_at > starts_at)
);
create index busy_times_specialist_idx on busy_times using btree (organization_id, specialist_id, starts_at);
alter table busy_times enable row level security;
alter table busy_times force row level security;
create policy busy_times_delete on busy_times for delete
  using (organization_id = (select current_app_org_id()) and (select current_app_is_service()) and (select current_app_has_permission('calendars', 'manage')));
create policy busy_times_insert on busy_times for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_is_service()) and (select current_app_has_permission('calendars', 'manage')));
create policy busy_times_select on busy_times for select
  using (organization_id = (select current_app_org_id()) and (select current_app_is_service()) and (select current_app_has_permission('calendars', 'view_org')));
grant select on busy_times to tendon_app;
grant select, insert, update, delete on busy_times to tendon_definer;
grant select, insert, update, delete on busy_times to tendon_platform;
grant insert (organization_id, specialist_id, integration_id, starts_at, ends_at), delete on busy_times to tendon_worker;

create table calendar_feeds (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  specialist_id uuid,
  patient_profile_id uuid,
  token_hash bytea not null,
  principal_id uuid default current_app_principal_id() not null,
  created_at timestamptz default now() not null,
  constraint calendar_feeds_pkey primary key (id),
  constraint calendar_feeds_patient_key unique (organization_id, patient_profile_id),
  constraint calendar_feeds_specialist_key unique (organization_id, specialist_id),
  constraint calendar_feeds_token_key unique (token_hash),
  constraint calendar_feeds_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint calendar_feeds_patient_fkey foreign key (organization_id, patient_profile_id) references patients(organization_id, patient_profile_id),
  constraint calendar_feeds_specialist_fkey foreign key (organization_id, specialist_id) references specialists(organization_id, id),
  constraint calendar_feeds_owner_check check ((specialist_id is null) <> (patient_profile_id is null))
);
alter table calendar_feeds enable row level security;
alter table calendar_feeds force row level security;
create policy calendar_feeds_delete on calendar_feeds for delete
  using (organization_id = (select current_app_org_id()) and (select current_app_is_service()) and ((select current_app_has_permission('appointments', 'view_org')) or (patient_profile_id = any ((select current_app_profile_ids())::uuid[]))));
create policy calendar_feeds_insert on calendar_feeds for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_is_service()) and ((select current_app_has_permission('appointments', 'view_org')) or (patient_profile_id = any ((select current_app_profile_ids())::uuid[]))));
create policy calendar_feeds_select on calendar_feeds for select
  using (organization_id = (select current_app_org_id()) and ((select current_app_has_permission('appointments', 'view_org')) or (select current_app_is_service()) and (patient_profile_id = any ((select current_app_profile_ids())::uuid[]))));
create policy calendar_feeds_update on calendar_feeds for update
  using (organization_id = (select current_app_org_id()) and (select current_app_is_service()) and ((select current_app_has_permission('appointments', 'view_org')) or (patient_profile_id = any ((select current_app_profile_ids())::uuid[]))))
  with check (organization_id = (select current_app_org_id()) and (select current_app_is_service()) and ((select current_app_has_permission('appointments', 'view_org')) or (patient_profile_id = any ((select current_app_profile_ids())::uuid[]))));
create trigger calendar_feeds_refuse_restricted before insert on calendar_feeds for each row when (new.patient_profile_id is not null) execute function refuse_restricted();
grant select, insert (organization_id, specialist_id, patient_profile_id, token_hash), update (token_hash, principal_id, created_at), delete on calendar_feeds to tendon_app;
grant select, insert, update, delete on calendar_feeds to tendon_definer;
grant select, insert, update, delete on calendar_feeds to tendon_platform;

create table calendar_overrides (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  calendar_id uuid not null,
  date date not null,
  date_to date,
  windows jsonb default '[]'::jsonb not null,
  service_id uuid,
  reason text,
  created_at timestamptz default now() not null,
  constraint calendar_overrides_pkey primary key (id),
  constraint calendar_overrides_calendar_fkey foreign key (organization_id, calendar_id) references calendars(organization_id, id) on delete cascade,
  constraint calendar_overrides_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint calendar_overrides_service_fkey foreign key (organization_id, service_id) references services(organization_id, id),
  constraint calendar_overrides_dates_check check (date_to is null or date_to >= date and date_to <= (date + 366)),
  constraint calendar_overrides_windows_check check (jsonb_typeof(windows) = 'array')
);
create index calendar_overrides_calendar_idx on calendar_overrides using btree (organization_id, calendar_id, date);
create index calendar_overrides_service_idx on calendar_overrides using btree (organization_id, service_id);
alter table calendar_overrides enable row level security;
alter table calendar_overrides force row level security;
create policy calendar_overrides_delete on calendar_overrides for delete
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('calendars', 'manage')));
create policy calendar_overrides_insert on calendar_overrides for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('calendars', 'manage')));
create policy calendar_overrides_select on calendar_overrides for select
  using (organization_id = (select current_app_org_id()) and ((select current_app_has_permission('calendars', 'view_org')) or (select current_app_has_permission('calendars', 'manage'))));
grant select, insert, delete on calendar_overrides to tendon_app;
grant select, insert, update, delete on calendar_overrides to tendon_definer;
grant select, insert, update, delete on calendar_overrides to tendon_platform;

create table calendar_services (
  organization_id uuid default current_app_scope() not null,
  calendar_id uuid not null,
  service_id uuid not null,
  constraint calendar_services_pkey primary key (calendar_id, service_id),
  constraint calendar_services_calendar_fkey foreign key (organization_id, calendar_id) references calendars(organization_id, id) on delete cascade,
  constraint calendar_services_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint calendar_services_service_fkey foreign key (organization_id, service_id) references services(organization_id, id)
);
create index calendar_services_calendar_idx on calendar_services using btree (organization_id, calendar_id);
create index calendar_services_service_idx on calendar_services using btree (organization_id, service_id);
alter table calendar_services enable row level security;
alter table calendar_services force row level security;
create policy calendar_services_delete on calendar_services for delete
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('calendars', 'manage')));
create policy calendar_services_insert on calendar_services for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('calendars', 'manage')));
create policy calendar_services_select on calendar_services for select
  using (organization_id = (select current_app_org_id()) and ((select current_app_has_permission('calendars', 'view_org')) or (select current_app_has_permission('calendars', 'manage'))));
grant select, insert, delete on calendar_services to tendon_app;
grant select, insert, update, delete on calendar_services to tendon_definer;
grant select, insert, update, delete on calendar_services to tendon_platform;

create table calendars (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  specialist_id uuid not null,
  name text not null,
  location_id uuid,
  is_active boolean default true not null,
  weekly_hours jsonb default '[]'::jsonb not null,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  version integer default 1 not null,
  constraint calendars_pkey primary key (id),
  constraint calendars_organization_id_key unique (organization_id, id),
  constraint calendars_location_fkey foreign key (organization_id, location_id) references locations(organization_id, id),
  constraint calendars_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint calendars_specialist_fkey foreign key (organization_id, specialist_id) references specialists(organization_id, id),
  constraint calendars_weekly_hours_check check (jsonb_typeof(weekly_hours) = 'array')
);
create index calendars_location_idx on calendars using btree (organization_id, location_id);
create index calendars_specialist_idx on calendars using btree (organization_id, specialist_id);
alter table calendars enable row level security;
alter table calendars force row level security;
create policy calendars_delete on calendars for delete
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('calendars', 'manage')));
create policy calendars_insert on calendars for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('calendars', 'manage')));
create policy calendars_select on calendars for select
  using (organization_id = (select current_app_org_id()) and ((select current_app_has_permission('calendars', 'view_org')) or (select current_app_has_permission('calendars', 'manage'))));
create policy calendars_update on calendars for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('calendars', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('calendars', 'manage')));
create trigger calendars_bump_version before update on calendars for each row execute function bump_version();
create trigger calendars_updated_at before update on calendars for each row execute function set_updated_at();
grant select, insert, update (name, location_id, is_active, weekly_hours, updated_at), delete on calendars to tendon_app;
grant select, insert, update, delete on calendars to tendon_definer;
grant select, insert, update, delete on calendars to tendon_platform;

create table clinic_images (
  id uuid default gen_random_uuid() not null,
  organization_id uuid default current_app_scope() not null,
  purpose text not null,
  specialist_id uuid,
  object_key text not null,
  name text not null,
  mime text not null,
  size bigint not null,
  width integer not null,
  height integer not null,
  sha256 bytea not null,
  created_by_principal_id uuid default current_app_principal_id(),
  created_at timestamptz default now() not null,
  constraint clinic_images_pkey primary key (id),
  constraint clinic_images_object_key_key unique (object_key),
  constraint clinic_images_organization_id_key unique (organization_id, id),
  constraint clinic_images_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint clinic_images_specialist_fkey foreign key (organization_id, specialist_id) references specialists(organization_id, id),
  constraint clinic_images_height_check check (height > 0),
  constraint clinic_images_mime_check check (mime = any (array['image/png', 'image/jpeg'])),
  constraint clinic_images_purpose_check check (purpose = any (array['logo', 'avatar', 'signature', 'template'])),
  constraint clinic_images_size_check check (size > 0),
  constraint clinic_images_specialist_check check ((purpose = any (array['avatar', 'signature'])) = (specialist_id is not null)),
  constraint clinic_images_width_check check (width > 0)
);
create index clinic_images_created_idx on clinic_images using btree (organization_id, created_at desc, id desc);
create unique index clinic_images_logo_key on clinic_images using btree (organization_id) where purpose = 'logo';
create unique index clinic_images_specialist_key on clinic_images using btree (organization_id, specialist_id, purpose) where specialist_id is not null;
alter table clinic_images enable row level security;
alter table clinic_images force row level security;
create policy clinic_images_delete on clinic_images for delete
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'update_settings')));
create policy clinic_images_insert on clinic_images for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'update_settings')));
create policy clinic_images_select on clinic_images for select
  using (organization_id = (select current_app_org_id()) and ((select current_app_holds_any('{organizations.update_settings,documents.create}'[])) or purpose <> 'signature' and (select current_app_holds_any('{pdf_templates.manage,specialists.view_org}'[]))));
create trigger clinic_images_release_object after delete on clinic_images for each row execute function release_object('object_key');
create trigger clinic_images_set_urls after insert or delete on clinic_images for each row execute function clinic_images_set_urls();
grant select, insert (organization_id, purpose, specialist_id, object_key, name, mime, size, width, height, sha256), delete on clinic_images to tendon_app;
grant select, insert, update, delete on clinic_images to tendon_definer;
grant select, insert, update, delete on clinic_images to tendon_platform;

create table closures (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  date date not null,
  date_to date,
  location_id uuid,
  name text not null,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  version integer default 1 not null,
  constraint closures_pkey primary key (id),
  constraint closures_location_fkey foreign key (organization_id, location_id) references locations(organization_id, id),
  constraint closures_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint closures_dates_check check (date_to is null or date_to >= date and date_to <= (date + 366))
);
create index closures_date_idx on closures using btree (organization_id, date);
create index closures_location_idx on closures using btree (organization_id, location_id);
alter table closures enable row level security;
alter table closures force row level security;
create policy closures_delete on closures for delete
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('calendars', 'manage')));
create policy closures_insert on closures for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('calendars', 'manage')));
create policy closures_select on closures for select
  using (organization_id = (select current_app_org_id()) and ((select current_app_has_permission('calendars', 'view_org')) or (select current_app_has_permission('calendars', 'manage'))));
create policy closures_update on closures for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('calendars', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('calendars', 'manage')));
create trigger closures_bump_version before update on closures for each row execute function bump_version();
create trigger closures_updated_at before update on closures for each row execute function set_updated_at();
grant select, insert, update (date, date_to, location_id, name, updated_at), delete on closures to tendon_app;
grant select, insert, update, delete on closures to tendon_definer;
grant select, insert, update, delete on closures to tendon_platform;

create table consent_purpose_versions (
  id uuid default uuidv7() not null,
  purpose_code text not null,
  organization_id uuid default current_app_scope(),
  version integer not null,
  body_translations jsonb not null,
  published_at timestamptz default now() not null,
  published_by_principal_id uuid,
  constraint consent_purpose_versions_pkey primary key (id),
  constraint consent_purpose_versions_version_key unique nulls not distinct (purpose_code, organization_id, version),
  constraint consent_purpose_versions_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint consent_purpose_versions_purpose_fkey foreign key (purpose_code) references consent_purposes(code),
  constraint consent_purpose_versions_version_check check (version > 0)
);
alter table consent_purpose_versions enable row level security;
alter table consent_purpose_versions force row level security;
create policy consent_purpose_versions_insert on consent_purpose_versions for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_privacy_notice')));
create policy consent_purpose_versions_select on consent_purpose_versions for select
  using (organization_id = (select current_app_org_id()) or organization_id is null);
create trigger consent_purpose_versions_check_scope before insert on consent_purpose_versions for each row execute function consent_purpose_versions_check_scope();
grant select, insert on consent_purpose_versions to tendon_app;
grant select, insert, update, delete on consent_purpose_versions to tendon_definer;
grant select, insert on consent_purpose_versions to tendon_platform;

create table consent_purposes (
  code text not null,
  scope text not null,
  name text not null,
  description text not null,
  legal_basis text not null,
  withdrawable boolean generated always as ((legal_basis = 'consent')) stored not null,
  created_at timestamptz default now() not null,
  translations jsonb default '{}'::jsonb not null,
  constraint consent_purposes_pkey primary key (code),
  constraint consent_purposes_legal_basis_check check (legal_basis = any (array['contract', 'legitimate_interest', 'consent', 'legal_obligation', 'vital_interest'])),
  constraint consent_purposes_scope_check check (scope = any (array['platform', 'org']))
);
-- no row-level security
grant select on consent_purposes to tendon_app;
grant select, insert, update, delete on consent_purposes to tendon_definer;
grant select on consent_purposes to tendon_platform;

create table consents (
  id uuid default uuidv7() not null,
  organization_id uuid,
  patient_profile_id uuid not null,
  purpose_code text not null,
  purpose_version integer not null,
  source text not null,
  source_form_id uuid,
  granted_at timestamptz default clock_timestamp() not null,
  granted_by_principal_id uuid,
  granted_via_ip text,
  withdrawn_at timestamptz,
  withdrawn_by_principal_id uuid,
  withdrawal_reason text,
  ended_as text,
  created_at timestamptz default now() not null,
  constraint consents_pkey primary key (id),
  constraint consents_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint consents_patient_fkey foreign key (organization_id, patient_profile_id) references patients(organization_id, patient_profile_id),
  constraint consents_patient_profile_id_fkey foreign key (patient_profile_id) references patient_profiles(id),
  constraint consents_purpose_fkey foreign key (purpose_code) references consent_purposes(code),
  constraint consents_source_form_fkey foreign key (organization_id, source_form_id) references forms(organization_id, id),
  constraint consents_ended_as_check check (ended_as = any (array['withdrawn', 'superseded', 'left', 'erased'])),
  constraint consents_ended_check check ((withdrawn_at is null) = (ended_as is null)),
  constraint consents_form_check check ((source = 'form') = (source_form_id is not null)),
  constraint consents_source_check check (source = any (array['signup_checkbox', 'self_toggle', 'form', 'staff_action', 'api']))
);
create unique index consents_active_key on consents using btree (patient_profile_id, organization_id, purpose_code) nulls not distinct where withdrawn_at is null;
create index consents_organization_idx on consents using btree (organization_id, patient_profile_id);
create index consents_profile_idx on consents using btree (patient_profile_id, organization_id, purpose_code, granted_at);
create index consents_withdrawn_idx on consents using btree (withdrawn_at) where withdrawn_at is not null and (purpose_code = any (array['telerehab', 'biometric_capture']));
alter table consents enable row level security;
alter table consents force row level security;
create policy consents_insert on consents for insert
  with check (organization_id = (select current_app_org_id()) and ((source = any (array['staff_action', 'form'])) and (select current_app_holds_any('{consents.manage,patients.onboard}'[])) or source = 'form' and (select current_app_has_permission('forms', 'sign'))) or (patient_profile_id = any ((select current_app_profile_ids())::uuid[])) and (source = any (array['signup_checkbox', 'self_toggle', 'form'])));
create policy consents_select on consents for select
  using (organization_id = (select current_app_org_id()) and (select current_app_holds_any('{consents.view_org,consents.manage,patients.onboard,forms.sign}'[])) or (patient_profile_id = any ((select current_app_profile_ids())::uuid[])));
create policy consents_update on consents for update
  using (withdrawn_at is null and (organization_id = (select current_app_org_id()) and (select current_app_has_permission('consents', 'manage')) or (patient_profile_id = any ((select current_app_profile_ids())::uuid[]))))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('consents', 'manage')) and ((ended_as = any (array['withdrawn', 'superseded'])) or ended_as = 'left' and (select current_app_is_service())) or (patient_profile_id = any ((select current_app_profile_ids())::uuid[])) and (ended_as = any (array['withdrawn', 'superseded'])));
create trigger consents_check_form before insert on consents for each row when (new.source = 'form' or new.source_form_id is not null) execute function consents_check_form();
create trigger consents_check_purpose before insert or update on consents for each row execute function consents_check_purpose();
create trigger consents_leave_clinic after update of withdrawn_at on consents for each row when (old.withdrawn_at is null and new.ended_as = 'left' and (new.purpose_code = any (array['org_terms', 'org_privacy_notice']))) execute function consents_leave_clinic();
create trigger consents_publish_event after insert or update of withdrawn_at on consents for each row execute function consents_publish_event();
grant select, insert (id, organization_id, patient_profile_id, purpose_code, purpose_version, source, source_form_id, granted_by_principal_id, granted_via_ip), update (withdrawn_at, withdrawn_by_principal_id, withdrawal_reason, ended_as) on consents to tendon_app;
grant select, insert, update on consents to tendon_definer;
grant select, insert, update on consents to tendon_platform;

create table custom_field_values (
  organization_id uuid default current_app_scope() not null,
  custom_field_id uuid not null,
  entity_id uuid not null,
  patient_profile_id uuid,
  value jsonb not null,
  updated_by_principal_id uuid default current_app_principal_id(),
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  constraint custom_field_values_pkey primary key (custom_field_id, entity_id),
  constraint custom_field_values_field_fkey foreign key (organization_id, custom_field_id) references custom_fields(organization_id, id),
  constraint custom_field_values_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint custom_field_values_patient_fkey foreign key (organization_id, patient_profile_id) references patients(organization_id, patient_profile_id)
);
create index custom_field_values_entity_idx on custom_field_values using btree (organization_id, entity_id);
create index custom_field_values_profile_idx on custom_field_values using btree (organization_id, patient_profile_id);
alter table custom_field_values enable row level security;
alter table custom_field_values force row level security;
create policy custom_field_values_delete on custom_field_values for delete
  using (organization_id = (select current_app_org_id()) and (
case
    when patient_profile_id is null then (select current_app_holds_any('{specialists.manage,custom_fields.manage}'[]))
    else (select current_app_holds_any('{patients.update,forms.fill_own,forms.fill_org}'[]))
end or (patient_profile_id = any ((select current_app_profile_ids())::uuid[])) and (exists ( select 1
   from custom_fields f
  where f.id = custom_field_values.custom_field_id and not f.is_private))));
create policy custom_field_values_insert on custom_field_values for insert
  with check (organization_id = (select current_app_org_id()) and (
case
    when patient_profile_id is null then (select current_app_holds_any('{specialists.manage,custom_fields.manage}'[]))
    else (select current_app_holds_any('{patients.update,forms.fill_own,forms.fill_org}'[]))
end or (patient_profile_id = any ((select current_app_profile_ids())::uuid[])) and (exists ( select 1
   from custom_fields f
  where f.id = custom_field_values.custom_field_id and not f.is_private))));
create policy custom_field_values_select on custom_field_values for select
  using (organization_id = (select current_app_org_id()) and (
case
    when patient_profile_id is null then (select current_app_holds_any('{custom_fields.view,custom_fields.manage,specialists.view_org,specialists.manage}'[]))
    else (select current_app_holds_any('{patients.view_org,patients.update,forms.create,forms.fill_own,forms.fill_org}'[]))
end or (patient_profile_id = any ((select current_app_profile_ids())::uuid[])) and (exists ( select 1
   from custom_fields f
  where f.id = custom_field_values.custom_field_id and not f.is_private))));
create policy custom_field_values_update on custom_field_values for update
  using (organization_id = (select current_app_org_id()) and (
case
    when patient_profile_id is null then (select current_app_holds_any('{specialists.manage,custom_fields.manage}'[]))
    else (select current_app_holds_any('{patients.update,forms.fill_own,forms.fill_org}'[]))
end or (patient_profile_id = any ((select current_app_profile_ids())::uuid[])) and (exists ( select 1
   from custom_fields f
  where f.id = custom_field_values.custom_field_id and not f.is_private))))
  with check (organization_id = (select current_app_org_id()));
create trigger custom_field_values_check_entity before insert on custom_field_values for each row execute function custom_field_values_check_entity();
create trigger custom_field_values_refuse_restricted before insert or update on custom_field_values for each row when (new.patient_profile_id is not null) execute function refuse_restricted();
create trigger custom_field_values_updated_at before update on custom_field_values for each row execute function set_updated_at();
grant select, insert (organization_id, custom_field_id, entity_id, value), update (value, updated_by_principal_id, updated_at), delete on custom_field_values to tendon_app;
grant select, insert, update, delete on custom_field_values to tendon_definer;
grant select, insert, update, delete on custom_field_values to tendon_platform;

create table custom_field_versions (
  organization_id uuid default current_app_scope() not null,
  custom_field_id uuid not null,
  version integer not null,
  fields_snapshot jsonb not null,
  published_at timestamptz default now() not null,
  published_by_principal_id uuid default current_app_principal_id(),
  constraint custom_field_versions_pkey primary key (custom_field_id, version),
  constraint custom_field_versions_field_fkey foreign key (organization_id, custom_field_id) references custom_fields(organization_id, id),
  constraint custom_field_versions_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint custom_field_versions_version_check check (version > 0)
);
alter table custom_field_versions enable row level security;
alter table custom_field_versions force row level security;
create policy custom_field_versions_select on custom_field_versions for select
  using (organization_id = (select current_app_org_id()) and (select current_app_holds_any('{custom_fields.view,custom_fields.manage}'[])));
grant select on custom_field_versions to tendon_app;
grant select, insert, update, delete on custom_field_versions to tendon_definer;
grant select on custom_field_versions to tendon_platform;

create table custom_fields (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  entity_type text not null,
  key text not null,
  label text not null,
  field_type text not null,
  options text[],
  description text,
  is_private boolean default false not null,
  sort_order integer default 0 not null,
  system_key text,
  version integer default 1 not null,
  draft jsonb,
  created_by_principal_id uuid default current_app_principal_id(),
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  deleted_at timestamptz,
  revision integer default 1 not null,
  constraint custom_fields_pkey primary key (id),
  constraint custom_fields_organization_id_key unique (organization_id, id),
  constraint custom_fields_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint custom_fields_entity_type_check check (entity_type = any (array['patient', 'specialist', 'appointment', 'organization'])),
  constraint custom_fields_field_type_check check (field_type = any (array['text', 'textarea', 'select', 'date', 'checkbox', 'radio', 'number', 'email', 'phone'])),
  constraint custom_fields_options_check check ((field_type = any (array['select', 'radio', 'checkbox'])) = (options is not null) and (options is null or cardinality(options) > 0)),
  constraint custom_fields_version_check check (version > 0)
);
create unique index custom_fields_key_key on custom_fields using btree (organization_id, entity_type, key) where deleted_at is null;
create unique index custom_fields_system_key_key on custom_fields using btree (organization_id, entity_type, system_key) where deleted_at is null and system_key is not null;
alter table custom_fields enable row level security;
alter table custom_fields force row level security;
create policy custom_fields_insert on custom_fields for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('custom_fields', 'manage')));
create policy custom_fields_select on custom_fields for select
  using (organization_id = (select current_app_org_id()) and (deleted_at is null or (select current_app_has_permission('data', 'view_deleted'))) and ((select current_app_holds_any('{custom_fields.view,custom_fields.manage,patients.view_org,specialists.view_org,specialists.manage,form_templates.manage,forms.create,forms.fill_own,forms.fill_org,segments.view,segments.manage}'[])) or entity_type = 'patient' and not is_private and (select current_app_profile_ids()) <> '{}'::uuid[]));
create policy custom_fields_update on custom_fields for update
  using (organization_id = (select current_app_org_id()) and system_key is null and (deleted_at is null or (select current_app_is_service()) and (select current_app_has_permission('data', 'view_deleted'))) and (select current_app_has_permission('custom_fields', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('custom_fields', 'manage')));
create trigger custom_fields_bump_revision before update on custom_fields for each row execute function bump_revision();
create trigger custom_fields_check_limit before insert on custom_fields for each row when (new.system_key is null) execute function custom_fields_check_limit();
create trigger custom_fields_check_limit_on_restore before update of deleted_at on custom_fields for each row when (old.deleted_at is not null and new.deleted_at is null) execute function custom_fields_check_limit();
create trigger custom_fields_record_first_version after insert on custom_fields for each row execute function custom_fields_record_version();
create trigger custom_fields_record_next_version after update on custom_fields for each row when (old.version <> new.version or old.label is distinct from new.label or old.options is distinct from new.options or old.description is distinct from new.description or old.is_private is distinct from new.is_private or old.sort_order is distinct from new.sort_order) execute function custom_fields_record_version();
create trigger custom_fields_refuse_unless_service before update of deleted_at on custom_fields for each row execute function refuse_unless_service();
create trigger custom_fields_updated_at before update on custom_fields for each row execute function set_updated_at();
grant select, insert (organization_id, entity_type, key, label, field_type, options, description, is_private, sort_order), update (label, options, description, is_private, sort_order, version, draft, updated_at, deleted_at) on custom_fields to tendon_app;
grant select, insert, update, delete on custom_fields to tendon_definer;
grant select, insert, update, delete on custom_fields to tendon_platform;

create table exercise_bundle_files (
  id uuid default uuidv7() not null,
  exercise_id uuid not null,
  organization_id uuid default current_app_scope(),
  name text not null,
  object_key text not null,
  sha256 text not null,
  bytes bigint not null,
  seconds double precision,
  width integer,
  height integer,
  added_version integer not null,
  removed_version integer,
  created_at timestamptz default now() not null,
  constraint exercise_bundle_files_pkey primary key (id),
  constraint exercise_bundle_files_bundle_fkey foreign key (exercise_id) references exercise_bundles(exercise_id),
  constraint exercise_bundle_files_organization_id_fkey foreign key (organization_id) references organizations(id)
);
create unique index exercise_bundle_files_name_key on exercise_bundle_files using btree (exercise_id, name) where removed_version is null;
create index exercise_bundle_files_object_idx on exercise_bundle_files using btree (object_key);
alter table exercise_bundle_files enable row level security;
alter table exercise_bundle_files force row level security;
create policy exercise_bundle_files_insert on exercise_bundle_files for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('exercises', 'manage_org')));
create policy exercise_bundle_files_select on exercise_bundle_files for select
  using ((organization_id = (select current_app_org_id()) or organization_id is null) and ((select current_app_has_permission('exercises', 'view_published')) or (select current_app_has_permission('exercises', 'manage_org'))));
create policy exercise_bundle_files_update on exercise_bundle_files for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('exercises', 'manage_org')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('exercises', 'manage_org')));
create trigger exercise_bundle_files_release after delete or update of object_key on exercise_bundle_files for each row execute function release_object('object_key');
create trigger exercise_bundle_files_set_organization before insert on exercise_bundle_files for each row execute function exercise_parts_set_organization();
grant select, insert (exercise_id, organization_id, name, object_key, sha256, bytes, seconds, width, height, added_version), update (removed_version) on exercise_bundle_files to tendon_app;
grant select, insert, update, delete on exercise_bundle_files to tendon_definer;
grant select, insert, update, delete on exercise_bundle_files to tendon_platform;

create table exercise_bundles (
  exercise_id uuid not null,
  organization_id uuid default current_app_scope(),
  asset_version integer default 1 not null,
  manifest jsonb not null,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  constraint exercise_bundles_pkey primary key (exercise_id),
  constraint exercise_bundles_exercise_fkey foreign key (exercise_id) references exercises(id),
  constraint exercise_bundles_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint exercise_bundles_asset_version_check check (asset_version > 0)
);
alter table exercise_bundles enable row level security;
alter table exercise_bundles force row level security;
create policy exercise_bundles_insert on exercise_bundles for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('exercises', 'manage_org')));
create policy exercise_bundles_select on exercise_bundles for select
  using ((organization_id = (select current_app_org_id()) or organization_id is null) and ((select current_app_has_permission('exercises', 'view_published')) or (select current_app_has_permission('exercises', 'manage_org'))));
create policy exercise_bundles_update on exercise_bundles for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('exercises', 'manage_org')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('exercises', 'manage_org')));
create trigger exercise_bundles_request_films after insert or update of asset_version on exercise_bundles for each row execute function exercise_bundles_request_films();
create trigger exercise_bundles_set_organization before insert on exercise_bundles for each row execute function exercise_parts_set_organization();
create trigger exercise_bundles_updated_at before update on exercise_bundles for each row execute function set_updated_at();
grant select, insert (exercise_id, organization_id, manifest), update (asset_version, manifest, updated_at) on exercise_bundles to tendon_app;
grant select, insert, update, delete on exercise_bundles to tendon_definer;
grant select, insert, update, delete on exercise_bundles to tendon_platform;

create table exercise_contraindications (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope(),
  exercise_id uuid not null,
  condition_id uuid not null,
  severity text not null,
  description text,
  clinical_basis text,
  tagged_by_principal_id uuid default current_app_principal_id(),
  tagged_at timestamptz default now() not null,
  translations jsonb default '{}'::jsonb not null,
  stages text[],
  until_cleared_for text,
  source text,
  constraint exercise_contraindications_pkey primary key (id),
  constraint exercise_contraindications_condition_key unique (exercise_id, condition_id),
  constraint exercise_contraindications_condition_fkey foreign key (condition_id) references taxonomy_tags(id),
  constraint exercise_contraindications_exercise_fkey foreign key (exercise_id) references exercises(id),
  constraint exercise_contraindications_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint exercise_contraindications_severity_check check (severity = any (array['contraindicated', 'relative', 'precaution'])),
  constraint exercise_contraindications_stages_check check (stages is null or stages <@ array['acute', 'subacute', 'strength', 'return_to_activity', 'maintenance'] and cardinality(stages) > 0 and until_cleared_for is null),
  constraint exercise_contraindications_until_cleared_for_check check (until_cleared_for = any (array['movement', 'stretching', 'load', 'full_load']))
);
create index exercise_contraindications_condition_idx on exercise_contraindications using btree (condition_id);
alter table exercise_contraindications enable row level security;
alter table exercise_contraindications force row level security;
create policy exercise_contraindications_delete on exercise_contraindications for delete
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('exercises', 'manage_org')));
create policy exercise_contraindications_insert on exercise_contraindications for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('exercises', 'manage_org')));
create policy exercise_contraindications_select on exercise_contraindications for select
  using ((organization_id = (select current_app_org_id()) or organization_id is null) and ((select current_app_has_permission('exercises', 'view_published')) or (select current_app_has_permission('exercises', 'manage_org'))));
create trigger exercise_contraindications_check_condition before insert on exercise_contraindications for each row execute function exercise_contraindications_check_condition();
create trigger exercise_contraindications_refuse_clone_unless_service before insert on exercise_contraindications for each row when (new.tagged_by_principal_id is distinct from current_app_principal_id() or new.tagged_at <> now()) execute function refuse_unless_service();
grant select, insert (organization_id, exercise_id, condition_id, severity, description, clinical_basis, tagged_by_principal_id, tagged_at, translations, stages, until_cleared_for, source), delete on exercise_contraindications to tendon_app;
grant select, insert, update, delete on exercise_contraindications to tendon_definer;
grant select, insert, update, delete on exercise_contraindications to tendon_platform;

create table exercise_instructions (
  id integer generated always as identity not null,
  organization_id uuid default current_app_scope(),
  exercise_id uuid not null,
  sort_order integer not null,
  title text,
  content text not null,
  image_url text,
  image_object_key text,
  instruction_type text not null,
  translations jsonb default '{}'::jsonb not null,
  created_at timestamptz default now() not null,
  version integer default 1 not null,
  constraint exercise_instructions_pkey primary key (id),
  constraint exercise_instructions_exercise_fkey foreign key (exercise_id) references exercises(id),
  constraint exercise_instructions_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint exercise_instructions_instruction_type_check check (instruction_type = any (array['preparation', 'step', 'form_cue', 'safety']))
);
create index exercise_instructions_image_object_idx on exercise_instructions using btree (image_object_key) where image_object_key is not null;
create index exercise_instructions_order_idx on exercise_instructions using btree (exercise_id, sort_order, id);
alter table exercise_instructions enable row level security;
alter table exercise_instructions force row level security;
create policy exercise_instructions_delete on exercise_instructions for delete
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('exercises', 'manage_org')));
create policy exercise_instructions_insert on exercise_instructions for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('exercises', 'manage_org')));
create policy exercise_instructions_select on exercise_instructions for select
  using ((organization_id = (select current_app_org_id()) or organization_id is null) and ((select current_app_has_permission('exercises', 'view_published')) or (select current_app_has_permission('exercises', 'manage_org'))));
create policy exercise_instructions_update on exercise_instructions for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('exercises', 'manage_org')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('exercises', 'manage_org')));
create trigger exercise_instructions_bump_version before update on exercise_instructions for each row execute function bump_version();
create trigger exercise_instructions_refuse_clone_unless_service before insert on exercise_instructions for each row when (num_nonnulls(new.image_url, new.image_object_key) > 0) execute function refuse_unless_service();
create trigger exercise_instructions_release_image after delete or update of image_object_key on exercise_instructions for each row execute function release_object('image_object_key');
create trigger exercise_instructions_set_organization before insert on exercise_instructions for each row execute function exercise_parts_set_organization();
grant select, insert (organization_id, exercise_id, sort_order, title, content, image_url, image_object_key, instruction_type, translations), update (sort_order, title, content, image_url, image_object_key, instruction_type, translations), delete on exercise_instructions to tendon_app;
grant select, insert, update, delete on exercise_instructions to tendon_definer;
grant select, insert, update, delete on exercise_instructions to tendon_platform;

create table exercise_pose_configs (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope(),
  exercise_id uuid not null,
  version integer not null,
  tracking_enabled boolean default true not null,
  engine_code text default 'blazepose-33' not null,
  status text default 'active' not null,
  pinned_asset_version text,
  config jsonb not null,
  created_by_principal_id uuid default current_app_principal_id(),
  created_at timestamptz default now() not null,
  constraint exercise_pose_configs_pkey primary key (id),
  constraint exercise_pose_configs_version_key unique (exercise_id, version),
  constraint exercise_pose_configs_exercise_fkey foreign key (exercise_id) references exercises(id),
  constraint exercise_pose_configs_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint exercise_pose_configs_status_check check (status = any (array['draft', 'active'])),
  constraint exercise_pose_configs_version_check check (version > 0)
);
alter table exercise_pose_configs enable row level security;
alter table exercise_pose_configs force row level security;
create policy exercise_pose_configs_insert on exercise_pose_configs for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('exercises', 'manage_org')));
create policy exercise_pose_configs_select on exercise_pose_configs for select
  using ((organization_id = (select current_app_org_id()) or organization_id is null) and ((select current_app_has_permission('exercises', 'view_published')) or (select current_app_has_permission('exercises', 'manage_org'))));
create trigger exercise_pose_configs_set_organization before insert on exercise_pose_configs for each row execute function exercise_parts_set_organization();
grant select, insert (organization_id, exercise_id, version, tracking_enabled, engine_code, status, pinned_asset_version, config) on exercise_pose_configs to tendon_app;
grant select, insert, update, delete on exercise_pose_configs to tendon_definer;
grant select, insert, update, delete on exercise_pose_configs to tendon_platform;

create table exercise_prerequisites (
  exercise_id uuid not null,
  organization_id uuid default current_app_scope(),
  prerequisite_exercise_id uuid not null,
  clinical_basis text,
  tagged_by_principal_id uuid default current_app_principal_id(),
  tagged_at timestamptz default now() not null,
  translations jsonb default '{}'::jsonb not null,
  constraint exercise_prerequisites_pkey primary key (exercise_id, prerequisite_exercise_id),
  constraint exercise_prerequisites_exercise_fkey foreign key (exercise_id) references exercises(id),
  constraint exercise_prerequisites_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint exercise_prerequisites_prerequisite_fkey foreign key (prerequisite_exercise_id) references exercises(id)
);
create index exercise_prerequisites_prerequisite_idx on exercise_prerequisites using btree (prerequisite_exercise_id);
alter table exercise_prerequisites enable row level security;
alter table exercise_prerequisites force row level security;
create policy exercise_prerequisites_delete on exercise_prerequisites for delete
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('exercises', 'manage_org')));
create policy exercise_prerequisites_insert on exercise_prerequisites for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('exercises', 'manage_org')));
create policy exercise_prerequisites_select on exercise_prerequisites for select
  using ((organization_id = (select current_app_org_id()) or organization_id is null) and ((select current_app_has_permission('exercises', 'view_published')) or (select current_app_has_permission('exercises', 'manage_org'))));
create trigger exercise_prerequisites_check_prerequisite before insert on exercise_prerequisites for each row execute function exercise_prerequisites_check_prerequisite();
grant select, insert (exercise_id, organization_id, prerequisite_exercise_id, clinical_basis, translations), delete on exercise_prerequisites to tendon_app;
grant select, insert, update, delete on exercise_prerequisites to tendon_definer;
grant select, insert, update, delete on exercise_prerequisites to tendon_platform;

create table exercise_tags (
  exercise_id uuid not null,
  organization_id uuid default current_app_scope(),
  axis text not null,
  tag_id uuid not null,
  clinical_basis text,
  tagged_by_principal_id uuid default current_app_principal_id(),
  tagged_at timestamptz default now() not null,
  constraint exercise_tags_pkey primary key (exercise_id, tag_id),
  constraint exercise_tags_exercise_fkey foreign key (exercise_id) references exercises(id),
  constraint exercise_tags_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint exercise_tags_tag_fkey foreign key (tag_id, axis) references taxonomy_tags(id, axis) on delete cascade
);
create index exercise_tags_tag_idx on exercise_tags using btree (tag_id, exercise_id);
alter table exercise_tags enable row level security;
alter table exercise_tags force row level security;
create policy exercise_tags_delete on exercise_tags for delete
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('exercises', 'manage_org')));
create policy exercise_tags_insert on exercise_tags for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('exercises', 'manage_org')));
create policy exercise_tags_select on exercise_tags for select
  using ((organization_id = (select current_app_org_id()) or organization_id is null) and ((select current_app_has_permission('exercises', 'view_published')) or (select current_app_has_permission('exercises', 'manage_org'))));
create trigger exercise_tags_check_tag before insert on exercise_tags for each row execute function exercise_tags_check_tag();
create trigger exercise_tags_refuse_clone_unless_service before insert on exercise_tags for each row when (new.tagged_by_principal_id is distinct from current_app_principal_id() or new.tagged_at <> now()) execute function refuse_unless_service();
grant select, insert (exercise_id, organization_id, axis, tag_id, clinical_basis, tagged_by_principal_id, tagged_at), delete on exercise_tags to tendon_app;
grant select, insert, update, delete on exercise_tags to tendon_definer;
grant select, insert, update, delete on exercise_tags to tendon_platform;

create table exercise_video_uploads (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope(),
  exercise_id uuid not null,
  principal_id uuid default current_app_principal_id() not null,
  length bigint not null,
  received bigint default 0 not null,
  object_keys text[] default '{}'[] not null,
  metadata jsonb not null,
  expires_at timestamptz not null,
  finished_at timestamptz,
  created_at timestamptz default now() not null,
  constraint exercise_video_uploads_pkey primary key (id),
  constraint exercise_video_uploads_exercise_fkey foreign key (exercise_id) references exercises(id) on delete cascade,
  constraint exercise_video_uploads_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint exercise_video_uploads_length_check check (length > 0),
  constraint exercise_video_uploads_received_check check (received >= 0 and received <= length)
);
create index exercise_video_uploads_exercise_idx on exercise_video_uploads using btree (exercise_id);
create index exercise_video_uploads_expires_idx on exercise_video_uploads using btree (expires_at);
create index exercise_video_uploads_organization_idx on exercise_video_uploads using btree (organization_id);
create unique index exercise_video_uploads_unfinished_key on exercise_video_uploads using btree (exercise_id, principal_id) where finished_at is null;
alter table exercise_video_uploads enable row level security;
alter table exercise_video_uploads force row level security;
create policy exercise_video_uploads_delete on exercise_video_uploads for delete
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('exercises', 'manage_org')) and (principal_id = (select current_app_principal_id()) or (select current_app_is_service())));
create policy exercise_video_uploads_insert on exercise_video_uploads for insert
  with check (organization_id = (select current_app_org_id()) and principal_id = (select current_app_principal_id()) and (select current_app_has_permission('exercises', 'manage_org')));
create policy exercise_video_uploads_select on exercise_video_uploads for select
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('exercises', 'manage_org')) and (principal_id = (select current_app_principal_id()) or (select current_app_is_service())));
create policy exercise_video_uploads_update on exercise_video_uploads for update
  using (organization_id = (select current_app_org_id()) and principal_id = (select current_app_principal_id()) and (select current_app_has_permission('exercises', 'manage_org')))
  with check (organization_id = (select current_app_org_id()) and principal_id = (select current_app_principal_id()) and (select current_app_has_permission('exercises', 'manage_org')));
create trigger exercise_video_uploads_set_organization before insert on exercise_video_uploads for each row execute function exercise_parts_set_organization();
create trigger exercise_video_uploads_settle after insert or delete or update of finished_at, object_keys on exercise_video_uploads for each row execute function exercise_video_uploads_settle();
grant select, insert (id, organization_id, exercise_id, principal_id, length, metadata, expires_at), update (received, object_keys, finished_at), delete on exercise_video_uploads to tendon_app;
grant select, insert, update, delete on exercise_video_uploads to tendon_definer;
grant select, insert, update, delete on exercise_video_uploads to tendon_platform;

create table exercises (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope(),
  name text not null,
  slug text not null,
  description text,
  instructions_summary text,
  difficulty text,
  estimated_duration_seconds integer,
  kind text default 'reps_based' not null,
  translations jsonb default '{}'::jsonb not null,
  status text default 'draft' not null,
  video_url text,
  video_provider text,
  video_thumbnail_url text,
  video_duration_seconds double precision,
  video_object_key text,
  cloned_from_id uuid,
  created_by_user_id uuid default current_app_principal_id(),
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  deleted_at timestamptz,
  search_text text generated always as (fold_text(normalize(((((name || ' ') || coalesce(description, '')) || translated_text(translations, 'name')) || translated_text(translations, 'description'))))) stored not null,
  default_dose jsonb,
  progression text,
  regression text,
  source text,
  version integer default 1 not null,
  video_host_reference text,
  constraint exercises_pkey primary key (id),
  constraint exercises_cloned_from_fkey foreign key (cloned_from_id) references exercises(id),
  constraint exercises_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint exercises_difficulty_check check (difficulty = any (array['beginner', 'intermediate', 'advanced'])),
  constraint exercises_estimated_duration_seconds_check check (estimated_duration_seconds > 0),
  constraint exercises_kind_check check (kind = any (array['reps_based', 'duration_based', 'static'])),
  constraint exercises_status_check check (status = any (array['draft', 'published', 'archived'])),
  constraint exercises_video_duration_seconds_check check (video_duration_seconds >= 0::double precision)
);
create index exercises_cloned_from_idx on exercises using btree (cloned_from_id);
create index exercises_created_idx on exercises using btree (organization_id, created_at desc, id desc);
create unique index exercises_slug_key on exercises using btree (organization_id, slug) nulls not distinct where deleted_at is null;
create index exercises_video_host_idx on exercises using btree (video_host_reference) where video_host_reference is not null;
create index exercises_video_object_idx on exercises using btree (video_object_key) where video_object_key is not null;
alter table exercises enable row level security;
alter table exercises force row level security;
create policy exercises_insert on exercises for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('exercises', 'manage_org')));
create policy exercises_select on exercises for select
  using ((organization_id = (select current_app_org_id()) or organization_id is null) and (deleted_at is null or (select current_app_has_permission('data', 'view_deleted'))) and ((select current_app_has_permission('exercises', 'manage_org')) or status = 'published' and (select current_app_has_permission('exercises', 'view_published'))));
create policy exercises_update on exercises for update
  using (organization_id = (select current_app_org_id()) and (deleted_at is null or (select current_app_is_service()) and (select current_app_has_permission('data', 'view_deleted'))) and (select current_app_has_permission('exercises', 'manage_org')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('exercises', 'manage_org')));
create trigger exercises_bump_version before update on exercises for each row execute function bump_version();
create trigger exercises_refuse_clone_unless_service before insert on exercises for each row when (num_nonnulls(new.cloned_from_id, new.video_url, new.video_object_key) > 0) execute function refuse_unless_service();
create trigger exercises_refuse_unless_service before update of deleted_at on exercises for each row execute function refuse_unless_service();
create trigger exercises_release_video after update of video_object_key on exercises for each row execute function exercises_release_video();
create trigger exercises_updated_at before update on exercises for each row execute function set_updated_at();
grant select, insert (organization_id, name, slug, description, instructions_summary, difficulty, estimated_duration_seconds, kind, translations, video_url, video_provider, video_thumbnail_url, video_duration_seconds, video_object_key, cloned_from_id, default_dose, progression, regression, source), update (name, slug, description, instructions_summary, difficulty, estimated_duration_seconds, kind, translations, status, video_url, video_provider, video_thumbnail_url, video_duration_seconds, video_object_key, updated_at, deleted_at, default_dose, progression, regression, source) on exercises to tendon_app;
grant select, insert, update, delete on exercises to tendon_definer;
grant select, insert, update, delete on exercises to tendon_platform;

create table form_files (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  form_id uuid not null,
  field_key text not null,
  object_key text not null,
  name text not null,
  size bigint not null,
  mime text not null,
  sha256 bytea not null,
  patient_profile_id uuid not null,
  uploaded_by_principal_id uuid default current_app_principal_id(),
  uploaded_at timestamptz default now() not null,
  constraint form_files_pkey primary key (id),
  constraint form_files_field_key unique (form_id, field_key),
  constraint form_files_object_key_key unique (object_key),
  constraint form_files_form_fkey foreign key (organization_id, form_id, patient_profile_id) references forms(organization_id, id, patient_profile_id) on delete cascade,
  constraint form_files_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint form_files_patient_fkey foreign key (organization_id, patient_profile_id) references patients(organization_id, patient_profile_id),
  constraint form_files_size_check check (size >= 0)
);
create index form_files_patient_idx on form_files using btree (organization_id, patient_profile_id);
alter table form_files enable row level security;
alter table form_files force row level security;
create policy form_files_delete on form_files for delete
  using (organization_id = (select current_app_org_id()) and ((select current_app_has_permission('forms', 'fill_org')) or (select current_app_has_permission('forms', 'fill_own')) and (exists ( select 1
   from forms f
  where f.id = form_files.form_id and f.created_by_principal_id = (select current_app_principal_id()))) or (patient_profile_id = any ((select current_app_profile_ids())::uuid[]))));
create policy form_files_insert on form_files for insert
  with check (organization_id = (select current_app_org_id()) and ((select current_app_has_permission('forms', 'fill_org')) or (select current_app_has_permission('forms', 'fill_own')) and (exists ( select 1
   from forms f
  where f.id = form_files.form_id and f.created_by_principal_id = (select current_app_principal_id()))) or (patient_profile_id = any ((select current_app_profile_ids())::uuid[]))));
create policy form_files_select on form_files for select
  using (organization_id = (select current_app_org_id()) and ((select current_app_has_permission('forms', 'view_org')) or (patient_profile_id = any ((select current_app_profile_ids())::uuid[]))));
create policy form_files_update on form_files for update
  using (organization_id = (select current_app_org_id()) and ((select current_app_has_permission('forms', 'fill_org')) or (select current_app_has_permission('forms', 'fill_own')) and (exists ( select 1
   from forms f
  where f.id = form_files.form_id and f.created_by_principal_id = (select current_app_principal_id()))) or (patient_profile_id = any ((select current_app_profile_ids())::uuid[]))))
  with check (organization_id = (select current_app_org_id()));
create trigger form_files_refuse_restricted before insert or update of object_key on form_files for each row execute function refuse_restricted();
create trigger form_files_refuse_signed before insert or delete or update on form_files for each row execute function form_files_refuse_signed();
create trigger form_files_release_object after delete or update of object_key on form_files for each row execute function release_object('object_key');
grant select, insert (organization_id, form_id, field_key, object_key, name, size, mime, sha256, patient_profile_id), update (object_key, name, size, mime, sha256, uploaded_by_principal_id, uploaded_at), delete on form_files to tendon_app;
grant select, insert, update, delete on form_files to tendon_definer;
grant select, insert, update, delete on form_files to tendon_platform;

create table form_template_versions (
  organization_id uuid default current_app_scope() not null,
  form_template_id uuid not null,
  version integer not null,
  title text not null,
  description text,
  type text not null,
  fields jsonb not null,
  translations jsonb not null,
  consent_purposes text[] not null,
  published_at timestamptz default now() not null,
  published_by_principal_id uuid default current_app_principal_id(),
  signed_by text default 'staff' not null,
  constraint form_template_versions_pkey primary key (form_template_id, version),
  constraint form_template_versions_organization_id_key unique (organization_id, form_template_id, version),
  constraint form_template_versions_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint form_template_versions_template_fkey foreign key (organization_id, form_template_id) references form_templates(organization_id, id),
  constraint form_template_versions_signed_by_check check (signed_by = any (array['staff', 'patient'])),
  constraint form_template_versions_version_check check (version > 0)
);
alter table form_template_versions enable row level security;
alter table form_template_versions force row level security;
create policy form_template_versions_insert on form_template_versions for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('form_templates', 'manage')));
create policy form_template_versions_select on form_template_versions for select
  using (organization_id = (select current_app_org_id()) and ((select current_app_has_permission('form_templates', 'manage')) or (select current_app_has_permission('forms', 'create')) or (select current_app_has_permission('forms', 'view_org'))));
grant select, insert (organization_id, form_template_id, version, title, description, type, fields, translations, consent_purposes, signed_by) on form_template_versions to tendon_app;
grant select, insert, update, delete on form_template_versions to tendon_definer;
grant select, insert on form_template_versions to tendon_platform;

create table form_templates (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  title text not null,
  description text,
  type text not null,
  status text default 'draft' not null,
  version integer default 0 not null,
  fields jsonb not null,
  translations jsonb default '{}'::jsonb not null,
  consent_purposes text[] default '{}'[] not null,
  published_at timestamptz,
  published_by_principal_id uuid,
  created_by_principal_id uuid default current_app_principal_id(),
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  deleted_at timestamptz,
  revision integer default 1 not null,
  signed_by text default 'staff' not null,
  constraint form_templates_pkey primary key (id),
  constraint form_templates_organization_id_key unique (organization_id, id),
  constraint form_templates_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint form_templates_signed_by_check check (signed_by = any (array['staff', 'patient'])),
  constraint form_templates_status_check check (status = any (array['draft', 'published', 'archived'])),
  constraint form_templates_type_check check (type = any (array['survey', 'intake', 'assessment', 'consent', 'feedback', 'clinical_note'])),
  constraint form_templates_version_check check (version >= 0)
);
create index form_templates_created_idx on form_templates using btree (organization_id, created_at desc, id desc);
alter table form_templates enable row level security;
alter table form_templates force row level security;
create policy form_templates_insert on form_templates for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('form_templates', 'manage')));
create policy form_templates_select on form_templates for select
  using (organization_id = (select current_app_org_id()) and ((select current_app_has_permission('form_templates', 'manage')) or (select current_app_has_permission('forms', 'create')) or (select current_app_has_permission('forms', 'view_org'))));
create policy form_templates_update on form_templates for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('form_templates', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('form_templates', 'manage')));
create trigger form_templates_bump_revision before update on form_templates for each row execute function bump_revision();
create trigger form_templates_updated_at before update on form_templates for each row execute function set_updated_at();
grant select, insert (organization_id, title, description, type, fields, translations, consent_purposes, signed_by), update (title, description, type, status, version, fields, translations, consent_purposes, published_at, published_by_principal_id, updated_at, deleted_at, signed_by) on form_templates to tendon_app;
grant select, insert, update, delete on form_templates to tendon_definer;
grant select, insert, update, delete on form_templates to tendon_platform;

create table forms (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  form_template_id uuid not null,
  template_version integer not null,
  patient_profile_id uuid not null,
  appointment_id uuid,
  amends_form_id uuid,
  title text not null,
  type text not null,
  status text default 'pending' not null,
  fields jsonb not null,
  translations jsonb default '{}'::jsonb not null,
  "values" jsonb default '{}'::jsonb not null,
  consent_purposes jsonb default '[]'::jsonb not null,
  completed_at timestamptz,
  signed_at timestamptz,
  signed_by_principal_id uuid,
  seal bytea,
  created_by_principal_id uuid default current_app_principal_id(),
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  version integer default 1 not null,
  signed_by text default 'staff' not null,
  constraint forms_pkey primary key (id),
  constraint forms_organization_id_key unique (organization_id, id),
  constraint forms_patient_key unique (organization_id, id, patient_profile_id),
  constraint forms_amends_fkey foreign key (organization_id, amends_form_id) references forms(organization_id, id),
  constraint forms_appointment_fkey foreign key (organization_id, appointment_id) references appointments(organization_id, id) on delete set null (appointment_id),
  constraint forms_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint forms_patient_fkey foreign key (organization_id, patient_profile_id) references patients(organization_id, patient_profile_id),
  constraint forms_template_fkey foreign key (organization_id, form_template_id, template_version) references form_template_versions(organization_id, form_template_id, version),
  constraint forms_signed_by_check check (signed_by = any (array['staff', 'patient'])),
  constraint forms_signed_complete_check check ((status = 'signed') = (signed_at is not null and signed_by_principal_id is not null and seal is not null) and (status = any (array['completed', 'signed'])) = (completed_at is not null)),
  constraint forms_status_check check (status = any (array['pending', 'in_progress', 'completed', 'signed']))
);
create index forms_amends_idx on forms using btree (organization_id, amends_form_id, signed_at desc) where amends_form_id is not null;
create index forms_appointment_idx on forms using btree (organization_id, appointment_id) where appointment_id is not null;
create index forms_created_idx on forms using btree (organization_id, created_at desc, id desc);
create index forms_open_idx on forms using btree (organization_id, patient_profile_id) where status = any (array['pending', 'in_progress']);
create index forms_patient_idx on forms using btree (organization_id, patient_profile_id, created_at desc);
create index forms_profile_id_idx on forms using btree (patient_profile_id);
create index forms_template_idx on forms using btree (organization_id, form_template_id, patient_profile_id, updated_at desc);
create index forms_to_sign_idx on forms using btree (organization_id, completed_at) where status = 'completed' and signed_by = 'staff';
alter table forms enable row level security;
alter table forms force row level security;
create policy forms_delete on forms for delete
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('forms', 'delete')));
create policy forms_insert on forms for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('forms', 'create')));
create policy forms_select on forms for select
  using (organization_id = (select current_app_org_id()) and ((select current_app_has_permission('forms', 'view_org')) or (patient_profile_id = any ((select current_app_profile_ids())::uuid[]))));
create policy forms_update on forms for update
  using (organization_id = (select current_app_org_id()) and ((select current_app_has_permission('forms', 'fill_org')) or (select current_app_has_permission('forms', 'fill_own')) and created_by_principal_id = (select current_app_principal_id()) or (patient_profile_id = any ((select current_app_profile_ids())::uuid[]))))
  with check (organization_id = (select current_app_org_id()) and (status <> 'signed' and signed_at is null and signed_by_principal_id is null and seal is null or status = 'signed' and (select current_app_is_service()) and signed_by_principal_id = (select current_app_principal_id()) and
case signed_by
    when 'patient' then patient_profile_id = any ((select current_app_profile_ids())::uuid[])
    else (select current_app_has_permission('forms', 'sign'))
end));
create trigger forms_bump_version before update on forms for each row execute function bump_version();
create trigger forms_refuse_restricted before insert or update of status, "values", completed_at, signed_at on forms for each row execute function refuse_restricted();
create trigger forms_refuse_signed before delete or update on forms for each row when (old.signed_at is not null) execute function forms_refuse_signed();
create trigger forms_updated_at before update on forms for each row execute function set_updated_at();
grant select, insert (organization_id, form_template_id, template_version, patient_profile_id, appointment_id, amends_form_id, title, type, fields, translations, values, consent_purposes, signed_by), update (appointment_id, status, values, completed_at, signed_at, signed_by_principal_id, seal, updated_at), delete on forms to tendon_app;
grant select, insert, update, delete on forms to tendon_definer;
grant select, insert, update, delete on forms to tendon_platform;

create table function_files (
  name text not null,
  checksum text not null,
  is_current boolean not null,
  applied_at timestamptz default now() not null,
  constraint function_files_pkey primary key (name, checksum)
);
-- no row-level security
grant select on function_files to tendon_definer;

create table holds (
  id uuid default gen_random_uuid() not null,
  organization_id uuid default current_app_scope() not null,
  service_id uuid not null,
  specialist_id uuid not null,
  location_id uuid,
  calendar_id uuid,
  mode text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  status text default 'active' not null,
  expires_at timestamptz not null,
  client_index bytea,
  created_by_principal_id uuid default current_app_principal_id(),
  created_at timestamptz default now() not null,
  moves_calendar_uid uuid,
  constraint holds_pkey primary key (id),
  constraint holds_organization_id_key unique (organization_id, id),
  constraint holds_calendar_fkey foreign key (organization_id, calendar_id) references calendars(organization_id, id) on delete set null (calendar_id),
  constraint holds_location_fkey foreign key (organization_id, location_id) references locations(organization_id, id),
  constraint holds_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint holds_service_fkey foreign key (organization_id, service_id) references services(organization_id, id),
  constraint holds_specialist_fkey foreign key (organization_id, specialist_id) references specialists(organization_id, id),
  constraint holds_mode_check check (mode = any (array['in_person', 'video', 'phone'])),
  constraint holds_status_check check (status = any (array['active', 'converted', 'released', 'expired']))
);
create index holds_calendar_idx on holds using btree (organization_id, calendar_id);
create index holds_client_idx on holds using btree (organization_id, client_index, expires_at) where status = 'active';
create index holds_expires_idx on holds using btree (expires_at) where status = 'active';
create index holds_location_idx on holds using btree (organization_id, location_id);
create index holds_service_idx on holds using btree (organization_id, service_id);
create index holds_specialist_idx on holds using btree (organization_id, specialist_id);
alter table holds enable row level security;
alter table holds force row level security;
create policy holds_select on holds for select
  using (organization_id = (select current_app_org_id()) and (select current_app_is_service()));
create policy holds_update on holds for update
  using (organization_id = (select current_app_org_id()) and (select current_app_is_service()))
  with check (organization_id = (select current_app_org_id()) and (select current_app_is_service()));
grant select (id, organization_id, service_id, specialist_id, location_id, calendar_id, mode, starts_at, ends_at, status, expires_at, client_index, created_at, moves_calendar_uid), update (status) on holds to tendon_app;
grant select, insert, update, delete on holds to tendon_definer;
grant select, insert, update, delete on holds to tendon_platform;

create table humans (
  id uuid not null,
  kind text default 'human' not null,
  email citext,
  email_verified boolean default false not null,
  name text,
  preferred_language text,
  current_organization_id uuid,
  linked_at timestamptz,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  constraint humans_pkey primary key (id),
  constraint humans_current_organization_id_fkey foreign key (current_organization_id) references organizations(id),
  constraint humans_principal_fkey foreign key (id, kind) references principals(id, kind),
  constraint humans_kind_check check (kind = 'human')
);
create unique index humans_email_key on humans using btree (email) where email_verified or linked_at is null;
alter table humans enable row level security;
alter table humans force row level security;
create policy humans_select on humans for select
  using (id = (select current_app_principal_id()) or (exists ( select 1
   from organization_memberships m
  where m.organization_id = (select current_app_org_id()) and m.principal_id = humans.id and m.joined_at is not null)) or (select current_app_is_service()) and (exists ( select 1
   from patient_profiles f
  where f.organization_id = (select current_app_org_id()) and f.human_id = humans.id)));
create policy humans_update on humans for update
  using (id = (select current_app_principal_id()))
  with check (id = (select current_app_principal_id()));
create trigger humans_notify_rights_delete after delete on humans for each row execute function notify_rights_change('id');
create trigger humans_notify_rights_update after update on humans for each row when (old.id is distinct from new.id or old.kind is distinct from new.kind or old.name is distinct from new.name or old.email::text is distinct from new.email::text or old.email_verified is distinct from new.email_verified or old.preferred_language is distinct from new.preferred_language or old.current_organization_id is distinct from new.current_organization_id) execute function notify_rights_change('id');
create trigger humans_updated_at before update on humans for each row execute function set_updated_at();
grant select, update (name, preferred_language, updated_at) on humans to tendon_app;
grant select, insert, update, delete on humans to tendon_definer;
grant select, insert, update, delete on humans to tendon_platform;

create table idempotency_keys (
  organization_id uuid default current_app_scope(),
  path text not null,
  key text not null,
  principal_id uuid not null,
  fingerprint bytea not null,
  status integer,
  response bytea,
  created_at timestamptz default now() not null,
  constraint idempotency_keys_key unique nulls not distinct (organization_id, path, key),
  constraint idempotency_keys_organization_id_fkey foreign key (organization_id) references organizations(id)
);
create index idempotency_keys_created_at_idx on idempotency_keys using btree (created_at);
alter table idempotency_keys enable row level security;
alter table idempotency_keys force row level security;
create policy idempotency_keys_delete on idempotency_keys for delete
  using (not organization_id is distinct from (select current_app_scope()) and (select current_app_org_id()) is not null);
create policy idempotency_keys_insert on idempotency_keys for insert
  with check (not organization_id is distinct from (select current_app_scope()) and (select current_app_org_id()) is not null);
create policy idempotency_keys_select on idempotency_keys for select
  using (not organization_id is distinct from (select current_app_scope()) and (select current_app_org_id()) is not null);
create policy idempotency_keys_update on idempotency_keys for update
  using (not organization_id is distinct from (select current_app_scope()) and (select current_app_org_id()) is not null)
  with check (not organization_id is distinct from (select current_app_scope()) and (select current_app_org_id()) is not null);
grant select, insert, update (status, response), delete on idempotency_keys to tendon_app;
grant select, insert, update, delete on idempotency_keys to tendon_definer;
grant select, insert, update, delete on idempotency_keys to tendon_platform;

create table identities (
  issuer text not null,
  subject text not null,
  human_id uuid not null,
  created_at timestamptz default now() not null,
  constraint identities_pkey primary key (issuer, subject),
  constraint identities_human_id_fkey foreign key (human_id) references humans(id)
);
create index identities_human_id_idx on identities using btree (human_id);
alter table identities enable row level security;
alter table identities force row level security;
create trigger identities_notify_rights_delete after delete on identities for each row execute function notify_rights_change('human_id');
create trigger identities_notify_rights_update after update on identities for each row when (old.issuer is distinct from new.issuer or old.subject is distinct from new.subject or old.human_id is distinct from new.human_id) execute function notify_rights_change('human_id');
grant select, insert, update, delete on identities to tendon_definer;

create table impersonations (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  patient_id uuid not null,
  principal_id uuid not null,
  hash bytea not null,
  created_at timestamptz default now() not null,
  expires_at timestamptz not null,
  constraint impersonations_pkey primary key (id),
  constraint impersonations_hash_key unique (hash),
  constraint impersonations_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint impersonations_patient_fkey foreign key (organization_id, patient_id) references patients(organization_id, id),
  constraint impersonations_length_check check (expires_at <= (created_at + '00:15:00'::interval))
);
create index impersonations_patient_idx on impersonations using btree (organization_id, patient_id);
alter table impersonations enable row level security;
alter table impersonations force row level security;
create policy impersonations_delete on impersonations for delete
  using (organization_id = (select current_app_org_id()) and (select current_app_is_service()));
create policy impersonations_insert on impersonations for insert
  with check (organization_id = (select current_app_org_id()) and principal_id = (select current_app_principal_id()) and (select current_app_has_permission('patients', 'impersonate')));
create policy impersonations_select on impersonations for select
  using (organization_id = (select current_app_org_id()) and (select current_app_is_service()));
grant insert on impersonations to tendon_app;
grant select, insert, update, delete on impersonations to tendon_definer;
grant select, insert on impersonations to tendon_platform;
grant select (organization_id, patient_id), delete on impersonations to tendon_worker;

create table integration_events (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  integration_id uuid not null,
  from_status text,
  to_status text not null,
  reason text not null,
  actor_principal_id uuid default current_app_principal_id(),
  occurred_at timestamptz default clock_timestamp() not null,
  constraint integration_events_pkey primary key (id),
  constraint integration_events_integration_fkey foreign key (organization_id, integration_id) references organization_integrations(organization_id, id) on delete cascade
);
create index integration_events_list_idx on integration_events using btree (organization_id, integration_id, occurred_at desc, id desc);
alter table integration_events enable row level security;
alter table integration_events force row level security;
create policy integration_events_insert on integration_events for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_integrations')));
create policy integration_events_select on integration_events for select
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_integrations')));
grant select, insert on integration_events to tendon_app;
grant select, insert, update, delete on integration_events to tendon_definer;
grant select, insert, update, delete on integration_events to tendon_platform;

create table integration_messages (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  integration_id uuid not null,
  body_encrypted bytea not null,
  received_at timestamptz default now() not null,
  webhook_id_index bytea,
  constraint integration_messages_pkey primary key (id),
  constraint integration_messages_organization_id_key unique (organization_id, id),
  constraint integration_messages_integration_fkey foreign key (organization_id, integration_id) references organization_integrations(organization_id, id) on delete cascade
);
create index integration_messages_integration_idx on integration_messages using btree (organization_id, integration_id);
create index integration_messages_received_idx on integration_messages using btree (received_at);
create unique index integration_messages_webhook_id_index_key on integration_messages using btree (organization_id, integration_id, webhook_id_index) where webhook_id_index is not null;
alter table integration_messages enable row level security;
alter table integration_messages force row level security;
create policy integration_messages_insert on integration_messages for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_integrations')));
create policy integration_messages_select on integration_messages for select
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_integrations')));
grant select, insert on integration_messages to tendon_app;
grant select, insert, update, delete on integration_messages to tendon_definer;
grant select, insert, update, delete on integration_messages to tendon_platform;

create table integration_services (
  slug text not null,
  name text not null,
  description text not null,
  auth_type text not null,
  provider text,
  config_schema jsonb not null,
  credentials_schema jsonb not null,
  scopes text[] default '{}'[] not null,
  capabilities text[] default '{}'[] not null,
  constraint integration_services_pkey primary key (slug),
  constraint integration_services_auth_type_check check (auth_type = any (array['api_key', 'webhook_in_only', 'oauth2'])),
  constraint integration_services_provider_check check ((auth_type = 'oauth2') = (provider is not null))
);
-- no row-level security
grant select on integration_services to tendon_app;
grant select, insert, update, delete on integration_services to tendon_definer;
grant select, insert, update, delete on integration_services to tendon_platform;

create table library_views (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  run_id uuid not null,
  patient_profile_id uuid not null,
  media_id text not null,
  viewed_at timestamptz not null,
  duration_seconds double precision,
  created_at timestamptz default now() not null,
  constraint library_views_pkey primary key (id),
  constraint library_views_view_key unique (run_id, media_id, viewed_at),
  constraint library_views_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint library_views_run_fkey foreign key (organization_id, run_id, patient_profile_id) references run_manifests(organization_id, run_id, patient_profile_id) on delete cascade
);
create index library_views_created_idx on library_views using brin (created_at);
create index library_views_profile_id_idx on library_views using btree (patient_profile_id);
create index library_views_run_idx on library_views using btree (organization_id, run_id);
alter table library_views enable row level security;
alter table library_views force row level security;
create policy library_views_delete on library_views for delete
  using (organization_id = (select current_app_org_id()) and ((select current_app_is_service()) or CURRENT_USER = 'tendon_telemetry'::name));
create policy library_views_insert on library_views for insert
  with check (organization_id = (select current_app_org_id()));
create policy library_views_select on library_views for select
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('session_runs', 'view_org')) or (patient_profile_id = any ((select current_app_profile_ids())::uuid[])));
create policy library_views_update on library_views for update
  using (organization_id = (select current_app_org_id()))
  with check (organization_id = (select current_app_org_id()));
grant select on library_views to tendon_app;
grant select, insert, update, delete on library_views to tendon_definer;
grant select, insert, update, delete on library_views to tendon_platform;
grant select, insert, delete on library_views to tendon_telemetry;
grant delete on library_views to tendon_worker;

create table locations (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  name text not null,
  address jsonb,
  phone text,
  email text,
  time_zone text,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  deleted_at timestamptz,
  version integer default 1 not null,
  constraint locations_pkey primary key (id),
  constraint locations_organization_id_key unique (organization_id, id),
  constraint locations_organization_id_fkey foreign key (organization_id) references organizations(id)
);
create unique index locations_name_key on locations using btree (organization_id, lower(name)) where deleted_at is null;
alter table locations enable row level security;
alter table locations force row level security;
create policy locations_insert on locations for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('locations', 'manage')));
create policy locations_select on locations for select
  using (organization_id = (select current_app_org_id()) and (deleted_at is null or (select current_app_has_permission('data', 'view_deleted'))));
create policy locations_update on locations for update
  using (organization_id = (select current_app_org_id()) and (deleted_at is null or (select current_app_is_service()) and (select current_app_has_permission('data', 'view_deleted'))) and (select current_app_has_permission('locations', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('locations', 'manage')));
create trigger locations_bump_version before update on locations for each row execute function bump_version();
create trigger locations_refuse_unless_service before update of deleted_at on locations for each row execute function refuse_unless_service();
create trigger locations_updated_at before update on locations for each row execute function set_updated_at();
grant select, insert, update (name, address, phone, email, time_zone, updated_at, deleted_at) on locations to tendon_app;
grant select, insert, update, delete on locations to tendon_definer;
grant select, insert, update, delete on locations to tendon_platform;

create table mail_outbox (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope(),
  to_address text not null,
  template text not null,
  language text not null,
  data jsonb not null,
  created_at timestamptz default now() not null,
  sent_at timestamptz,
  kind text default 'account' not null,
  patient_profile_id uuid,
  status text default 'queued' not null,
  attempts integer default 0 not null,
  next_attempt_at timestamptz default now() not null,
  locked_until timestamptz,
  provider text,
  provider_message_id text,
  last_error text,
  dedupe_key text,
  appointment_reminder_id uuid,
  constraint mail_outbox_pkey primary key (id),
  constraint mail_outbox_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint mail_outbox_patient_profile_fkey foreign key (organization_id, patient_profile_id) references patient_profiles(organization_id, id) on delete set null (patient_profile_id),
  constraint mail_outbox_kind_check check (kind = any (array['care', 'account', 'marketing'])),
  constraint mail_outbox_status_check check (status = any (array['queued', 'sending', 'sent', 'failed', 'suppressed']))
);
create unique index mail_outbox_dedupe_key on mail_outbox using btree (organization_id, dedupe_key) nulls not distinct where dedupe_key is not null;
create index mail_outbox_due_idx on mail_outbox using btree (next_attempt_at, id) where status = any (array['queued', 'sending']);
create index mail_outbox_failed_idx on mail_outbox using btree (organization_id, next_attempt_at) where status = 'failed';
create index mail_outbox_organization_idx on mail_outbox using btree (organization_id, created_at desc, id desc);
create index mail_outbox_patient_profile_idx on mail_outbox using btree (organization_id, patient_profile_id) where patient_profile_id is not null;
create index mail_outbox_provider_message_idx on mail_outbox using btree (provider_message_id) where provider_message_id is not null;
create index mail_outbox_recipient_idx on mail_outbox using btree (lower(to_address), created_at);
create index mail_outbox_uid_idx on mail_outbox using btree (organization_id, (data ->> 'uid')) where data ? 'uid';
create index mail_outbox_uncleared_idx on mail_outbox using btree (created_at) where data <> '{}'::jsonb or to_address <> 'erased';
alter table mail_outbox enable row level security;
alter table mail_outbox force row level security;
create policy mail_outbox_delete on mail_outbox for delete
  using (organization_id = (select current_app_org_id()) and (select current_app_is_service()) and (select current_app_has_permission('mails', 'manage')));
create policy mail_outbox_insert on mail_outbox for insert
  with check (not organization_id is distinct from (select current_app_scope()) and (select current_app_org_id()) is not null);
create policy mail_outbox_select on mail_outbox for select
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('mails', 'view_org')));
create policy mail_outbox_update on mail_outbox for update
  using (organization_id = (select current_app_org_id()) and (select current_app_is_service()) and (select current_app_has_permission('mails', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_is_service()) and (select current_app_has_permission('mails', 'manage')));
grant select, insert, update (status, attempts, locked_until) on mail_outbox to tendon_app;
grant select, insert, update, delete on mail_outbox to tendon_definer;
grant select, insert, update, delete on mail_outbox to tendon_platform;
grant update (patient_profile_id), delete on mail_outbox to tendon_worker;

create table mail_suppressions (
  address_index bytea not null,
  reason text not null,
  created_at timestamptz default now() not null,
  constraint mail_suppressions_pkey primary key (address_index),
  constraint mail_suppressions_reason_check check (reason = any (array['bounce', 'complaint', 'manual']))
);
alter table mail_suppressions enable row level security;
alter table mail_suppressions force row level security;
grant select, insert, update, delete on mail_suppressions to tendon_definer;
grant select, insert, update, delete on mail_suppressions to tendon_platform;

create table media_buffering_events (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  run_id uuid not null,
  patient_profile_id uuid not null,
  ordinal integer not null,
  media_id text not null,
  reason text not null,
  started_at timestamptz not null,
  position_seconds double precision,
  duration_ms bigint not null,
  created_at timestamptz default now() not null,
  constraint media_buffering_events_pkey primary key (id),
  constraint media_buffering_events_ordinal_key unique (run_id, ordinal),
  constraint media_buffering_events_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint media_buffering_events_run_fkey foreign key (organization_id, run_id, patient_profile_id) references run_manifests(organization_id, run_id, patient_profile_id) on delete cascade,
  constraint media_buffering_events_reason_check check (reason = any (array['initial', 'seek', 'network']))
);
create index media_buffering_events_created_idx on media_buffering_events using brin (created_at);
create index media_buffering_events_profile_id_idx on media_buffering_events using btree (patient_profile_id);
create index media_buffering_events_run_idx on media_buffering_events using btree (organization_id, run_id);
alter table media_buffering_events enable row level security;
alter table media_buffering_events force row level security;
create policy media_buffering_events_delete on media_buffering_events for delete
  using (organization_id = (select current_app_org_id()) and ((select current_app_is_service()) or CURRENT_USER = 'tendon_telemetry'::name));
create policy media_buffering_events_insert on media_buffering_events for insert
  with check (organization_id = (select current_app_org_id()));
create policy media_buffering_events_select on media_buffering_events for select
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('session_runs', 'view_org')) or (patient_profile_id = any ((select current_app_profile_ids())::uuid[])));
create policy media_buffering_events_update on media_buffering_events for update
  using (organization_id = (select current_app_org_id()))
  with check (organization_id = (select current_app_org_id()));
grant select on media_buffering_events to tendon_app;
grant select, insert, update, delete on media_buffering_events to tendon_definer;
grant select, insert, update, delete on media_buffering_events to tendon_platform;
grant select, insert, delete on media_buffering_events to tendon_telemetry;
grant delete on media_buffering_events to tendon_worker;

create table media_item_metrics (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  run_id uuid not null,
  patient_profile_id uuid not null,
  media_id text not null,
  watched_pct integer not null,
  start_data jsonb,
  started_at timestamptz,
  ended_at timestamptz,
  startup_ms integer,
  rebuffer_count integer not null,
  rebuffer_ms bigint not null,
  rebuffer_pct double precision,
  watch_seconds double precision not null,
  unique_seconds double precision not null,
  quality_switches integer not null,
  dropped_frames bigint not null,
  total_frames bigint not null,
  dropped_frame_pct double precision,
  hidden_ms bigint not null,
  created_at timestamptz default now() not null,
  constraint media_item_metrics_pkey primary key (id),
  constraint media_item_metrics_media_key unique (run_id, media_id),
  constraint media_item_metrics_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint media_item_metrics_run_fkey foreign key (organization_id, run_id, patient_profile_id) references run_manifests(organization_id, run_id, patient_profile_id) on delete cascade
);
create index media_item_metrics_created_idx on media_item_metrics using brin (created_at);
create index media_item_metrics_profile_id_idx on media_item_metrics using btree (patient_profile_id);
create index media_item_metrics_run_idx on media_item_metrics using btree (organization_id, run_id);
alter table media_item_metrics enable row level security;
alter table media_item_metrics force row level security;
create policy media_item_metrics_delete on media_item_metrics for delete
  using (organization_id = (select current_app_org_id()) and ((select current_app_is_service()) or CURRENT_USER = 'tendon_telemetry'::name));
create policy media_item_metrics_insert on media_item_metrics for insert
  with check (organization_id = (select current_app_org_id()));
create policy media_item_metrics_select on media_item_metrics for select
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('session_runs', 'view_org')) or (patient_profile_id = any ((select current_app_profile_ids())::uuid[])));
create policy media_item_metrics_update on media_item_metrics for update
  using (organization_id = (select current_app_org_id()))
  with check (organization_id = (select current_app_org_id()));
grant select on media_item_metrics to tendon_app;
grant select, insert, update, delete on media_item_metrics to tendon_definer;
grant select, insert, update, delete on media_item_metrics to tendon_platform;
grant select, insert, delete on media_item_metrics to tendon_telemetry;
grant delete on media_item_metrics to tendon_worker;

create table media_session_metrics (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  run_id uuid not null,
  patient_profile_id uuid not null,
  version integer not null,
  is_complete boolean not null,
  end_reason text,
  event_count integer not null,
  started_at timestamptz,
  ended_at timestamptz,
  startup_ms integer,
  rebuffer_count integer not null,
  rebuffer_ms bigint not null,
  rebuffer_pct double precision,
  watch_seconds double precision not null,
  unique_seconds double precision not null,
  quality_switches integer not null,
  dropped_frames bigint not null,
  total_frames bigint not null,
  dropped_frame_pct double precision,
  hidden_ms bigint not null,
  created_at timestamptz default now() not null,
  constraint media_session_metrics_pkey primary key (id),
  constraint media_session_metrics_run_key unique (run_id),
  constraint media_session_metrics_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint media_session_metrics_run_fkey foreign key (organization_id, run_id, patient_profile_id) references run_manifests(organization_id, run_id, patient_profile_id) on delete cascade
);
create index media_session_metrics_created_idx on media_session_metrics using brin (created_at);
create index media_session_metrics_incomplete_idx on media_session_metrics using btree (organization_id, created_at) where not is_complete;
create index media_session_metrics_profile_id_idx on media_session_metrics using btree (patient_profile_id);
create index media_session_metrics_run_idx on media_session_metrics using btree (organization_id, run_id);
alter table media_session_metrics enable row level security;
alter table media_session_metrics force row level security;
create policy media_session_metrics_delete on media_session_metrics for delete
  using (organization_id = (select current_app_org_id()) and ((select current_app_is_service()) or CURRENT_USER = 'tendon_telemetry'::name));
create policy media_session_metrics_insert on media_session_metrics for insert
  with check (organization_id = (select current_app_org_id()));
create policy media_session_metrics_select on media_session_metrics for select
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('session_runs', 'view_org')) or (patient_profile_id = any ((select current_app_profile_ids())::uuid[])));
create policy media_session_metrics_update on media_session_metrics for update
  using (organization_id = (select current_app_org_id()))
  with check (organization_id = (select current_app_org_id()));
grant select on media_session_metrics to tendon_app;
grant select, insert, update, delete on media_session_metrics to tendon_definer;
grant select, insert, update, delete on media_session_metrics to tendon_platform;
grant select, insert, delete on media_session_metrics to tendon_telemetry;
grant delete on media_session_metrics to tendon_worker;

create table migrations (
  name text not null,
  checksum text not null,
  applied_at timestamptz default now() not null,
  constraint migrations_pkey primary key (name)
);
-- no row-level security
grant select on migrations to tendon_definer;

create table oauth_states (
  state_hash bytea not null,
  organization_id uuid default current_app_scope() not null,
  integration_id uuid not null,
  principal_id uuid not null,
  cookie_hash bytea not null,
  verifier_encrypted bytea not null,
  redirect_uri text not null,
  return_path text not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  constraint oauth_states_pkey primary key (state_hash),
  constraint oauth_states_integration_fkey foreign key (organization_id, integration_id) references organization_integrations(organization_id, id) on delete cascade
);
create index oauth_states_expires_idx on oauth_states using btree (expires_at);
create index oauth_states_integration_idx on oauth_states using btree (organization_id, integration_id);
alter table oauth_states enable row level security;
alter table oauth_states force row level security;
create policy oauth_states_insert on oauth_states for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_integrations')));
grant insert on oauth_states to tendon_app;
grant select, insert, update, delete on oauth_states to tendon_definer;
grant select, insert, update, delete on oauth_states to tendon_platform;

create table organization_domains (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  domain text not null,
  status text default 'pending' not null,
  challenge text not null,
  verified_at timestamptz,
  last_checked_at timestamptz,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  record_missing_since timestamptz,
  constraint organization_domains_pkey primary key (id),
  constraint organization_domains_domain_key unique (organization_id, domain),
  constraint organization_domains_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint organization_domains_domain_check check (domain = lower(domain)),
  constraint organization_domains_status_check check (status = any (array['pending', 'verified', 'failed'])),
  constraint organization_domains_verified_check check ((status = 'verified') = (verified_at is not null))
);
create unique index organization_domains_verified_key on organization_domains using btree (domain) where status = 'verified';
alter table organization_domains enable row level security;
alter table organization_domains force row level security;
create policy organization_domains_delete on organization_domains for delete
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_domains')));
create policy organization_domains_insert on organization_domains for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_domains')));
create policy organization_domains_select on organization_domains for select
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_domains')));
create policy organization_domains_update on organization_domains for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_domains')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_domains')));
create trigger organization_domains_updated_at before update on organization_domains for each row execute function set_updated_at();
grant select, insert, update (status, verified_at, last_checked_at, updated_at, record_missing_since), delete on organization_domains to tendon_app;
grant select, insert, update, delete on organization_domains to tendon_definer;
grant select, insert, update, delete on organization_domains to tendon_platform;

create table organization_integrations (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  service_slug text not null,
  status text not null,
  title text not null,
  config jsonb default '{}'::jsonb not null,
  credentials_encrypted bytea,
  version integer default 1 not null,
  external_account_id text,
  external_account_label text,
  scopes text[] default '{}'[] not null,
  token_expires_at timestamptz,
  token_locked_until timestamptz,
  inbound_token_hash bytea,
  connected_at timestamptz,
  last_health_check_at timestamptz,
  last_error_code text,
  last_error_at timestamptz,
  failure_count integer default 0 not null,
  created_by_principal_id uuid default current_app_principal_id(),
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  constraint organization_integrations_pkey primary key (id),
  constraint organization_integrations_organization_id_key unique (organization_id, id),
  constraint organization_integrations_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint organization_integrations_service_slug_fkey foreign key (service_slug) references integration_services(slug),
  constraint organization_integrations_revoked_check check (status <> 'revoked' or credentials_encrypted is null and inbound_token_hash is null),
  constraint organization_integrations_status_check check (status = any (array['pending', 'connected', 'expired', 'revoked', 'error']))
);
create index organization_integrations_health_idx on organization_integrations using btree (last_health_check_at) where status = any (array['connected', 'error']);
create unique index organization_integrations_inbound_token_key on organization_integrations using btree (inbound_token_hash) where inbound_token_hash is not null;
create index organization_integrations_list_idx on organization_integrations using btree (organization_id, created_at desc, id desc);
create index organization_integrations_pending_idx on organization_integrations using btree (created_at) where status = 'pending';
create unique index organization_integrations_title_key on organization_integrations using btree (organization_id, lower(title)) where status <> 'revoked';
create index organization_integrations_token_idx on organization_integrations using btree (token_expires_at) where status = 'connected' and token_expires_at is not null;
alter table organization_integrations enable row level security;
alter table organization_integrations force row level security;
create policy organization_integrations_insert on organization_integrations for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_integrations')));
create policy organization_integrations_select on organization_integrations for select
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_integrations')));
create policy organization_integrations_update on organization_integrations for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_integrations')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_integrations')));
create trigger organization_integrations_forget_busy_times after update of status on organization_integrations for each row when (new.status = 'revoked') execute function forget_busy_times();
create trigger organization_integrations_updated_at before update on organization_integrations for each row execute function set_updated_at();
grant select, insert, update (status, title, config, credentials_encrypted, version, external_account_id, external_account_label, scopes, token_expires_at, token_locked_until, inbound_token_hash, connected_at, last_health_check_at, last_error_code, last_error_at, failure_count) on organization_integrations to tendon_app;
grant select, insert, update, delete on organization_integrations to tendon_definer;
grant select, insert, update, delete on organization_integrations to tendon_platform;

create table organization_memberships (
  organization_id uuid default current_app_scope() not null,
  principal_id uuid not null,
  role_id uuid not null,
  invited_email citext,
  invited_name text,
  joined_at timestamptz,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  invited_at timestamptz default now(),
  constraint organization_memberships_pkey primary key (organization_id, principal_id),
  constraint organization_memberships_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint organization_memberships_principal_id_fkey foreign key (principal_id) references principals(id),
  constraint organization_memberships_role_fkey foreign key (organization_id, role_id) references roles(organization_id, id)
);
create index organization_memberships_principal_id_idx on organization_memberships using btree (principal_id);
create index organization_memberships_role_id_idx on organization_memberships using btree (role_id);
alter table organization_memberships enable row level security;
alter table organization_memberships force row level security;
create policy organization_memberships_delete on organization_memberships for delete
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_members')));
create policy organization_memberships_insert on organization_memberships for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_members')) and current_app_holds_role(role_id));
create policy organization_memberships_select on organization_memberships for select
  using (organization_id = (select current_app_org_id()) and (principal_id = (select current_app_principal_id()) or (select current_app_has_permission('organizations', 'view_directory')) or (select current_app_has_permission('organizations', 'manage_members'))));
create policy organization_memberships_update on organization_memberships for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_members')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_members')) and current_app_holds_role(role_id));
create trigger organization_memberships_check_principal before insert or update of principal_id, organization_id on organization_memberships for each row execute function memberships_check_principal();
create trigger organization_memberships_notify_rights after insert or delete on organization_memberships for each row execute function notify_rights_change('principal_id');
create trigger organization_memberships_notify_rights_update after update on organization_memberships for each row when (old.organization_id is distinct from new.organization_id or old.principal_id is distinct from new.principal_id or old.role_id is distinct from new.role_id or old.joined_at is distinct from new.joined_at or old.created_at is distinct from new.created_at) execute function notify_rights_change('principal_id');
create trigger organization_memberships_protect_last_manager after delete or update of role_id, principal_id on organization_memberships for each row execute function organizations_protect_last_manager();
create trigger organization_memberships_updated_at before update on organization_memberships for each row execute function set_updated_at();
grant select, insert, update (role_id, updated_at, invited_at), delete on organization_memberships to tendon_app;
grant select, insert, update, delete on organization_memberships to tendon_definer;
grant select, insert, update, delete on organization_memberships to tendon_platform;

create table organization_settings (
  organization_id uuid default current_app_scope() not null,
  brand_color text,
  version integer default 2 not null,
  updated_at timestamptz default now() not null,
  reminder_offsets_minutes integer[] default '{1440,120}'::integer[] not null,
  feed_shows_details boolean default false not null,
  emergency_number text default '112' not null,
  waitlist_offers text default 'off' not null,
  date_format text default 'dmy' not null,
  clock_format text default '24h' not null,
  week_start text default 'monday' not null,
  constraint organization_settings_pkey primary key (organization_id),
  constraint organization_settings_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint organization_settings_brand_color_check check (brand_color ~ '^#[0-9a-f]{6}$'),
  constraint organization_settings_clock_format_check check (clock_format = any (array['24h', '12h'])),
  constraint organization_settings_date_format_check check (date_format = any (array['dmy', 'mdy', 'ymd'])),
  constraint organization_settings_emergency_number_check check (emergency_number ~ '^[0-9]{2,15}$'),
  constraint organization_settings_offsets_check check (cardinality(reminder_offsets_minutes) <= 5 and (10 <= all (reminder_offsets_minutes)) and (43200 >= all (reminder_offsets_minutes))),
  constraint organization_settings_waitlist_offers_check check (waitlist_offers = any (array['off', 'auto'])),
  constraint organization_settings_week_start_check check (week_start = any (array['monday', 'saturday', 'sunday']))
);
alter table organization_settings enable row level security;
alter table organization_settings force row level security;
create policy organization_settings_insert on organization_settings for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'update_settings')));
create policy organization_settings_select on organization_settings for select
  using (organization_id = (select current_app_org_id()));
create policy organization_settings_update on organization_settings for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'update_settings')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'update_settings')));
create trigger organization_settings_bump_version before update on organization_settings for each row execute function bump_version();
create trigger organization_settings_updated_at before update on organization_settings for each row execute function set_updated_at();
grant select, insert (organization_id, brand_color, reminder_offsets_minutes, feed_shows_details, emergency_number, waitlist_offers, date_format, clock_format, week_start), update (brand_color, updated_at, reminder_offsets_minutes, feed_shows_details, emergency_number, waitlist_offers, date_format, clock_format, week_start) on organization_settings to tendon_app;
grant select, insert, update, delete on organization_settings to tendon_definer;
grant select, insert, update, delete on organization_settings to tendon_platform;

create table organization_usage (
  organization_id uuid default current_app_scope() not null,
  name text not null,
  current integer default 0 not null,
  constraint organization_usage_pkey primary key (organization_id, name),
  constraint organization_usage_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint organization_usage_current_check check (current >= 0),
  constraint organization_usage_name_check check (name = any (array['max_specialists', 'max_unfinished_upload_mb']))
);
alter table organization_usage enable row level security;
alter table organization_usage force row level security;
create policy organization_usage_select on organization_usage for select
  using (organization_id = (select current_app_org_id()));
grant select on organization_usage to tendon_app;
grant select, insert, update, delete on organization_usage to tendon_definer;
grant select, insert, update, delete on organization_usage to tendon_platform;

create table organizations (
  id uuid default uuidv7() not null,
  name text not null,
  slug text not null,
  language_code text default 'en' not null,
  time_zone text default 'Europe/Bucharest' not null,
  legal_name text,
  contact_email text,
  phone text,
  website text,
  address jsonb,
  plan text default 'free' not null,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  version integer default 1 not null,
  constraint organizations_pkey primary key (id),
  constraint organizations_slug_key unique (slug),
  constraint organizations_plan_fkey foreign key (plan) references plans(code)
);
alter table organizations enable row level security;
alter table organizations force row level security;
create policy organizations_select on organizations for select
  using (id = (select current_app_org_id()));
create policy organizations_update on organizations for update
  using (id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'update')))
  with check (id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'update')));
create trigger organizations_add_system_fields after insert on organizations for each row execute function organizations_add_system_fields();
create trigger organizations_bump_version before update on organizations for each row execute function bump_version();
create trigger organizations_notify_rights_delete after delete on organizations for each row execute function notify_rights_change('id');
create trigger organizations_notify_rights_update after update on organizations for each row when (old.id is distinct from new.id or old.language_code is distinct from new.language_code) execute function notify_rights_change('id');
create trigger organizations_updated_at before update on organizations for each row execute function set_updated_at();
grant select, update (name, slug, language_code, time_zone, legal_name, contact_email, phone, website, address, updated_at) on organizations to tendon_app;
grant select, insert, update, delete on organizations to tendon_definer;
grant select, insert, update, delete on organizations to tendon_platform;

create table outbox_events (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope(),
  type text not null,
  payload jsonb not null,
  occurred_at timestamptz default now() not null,
  dispatched_at timestamptz,
  attempts integer default 0 not null,
  next_attempt_at timestamptz default now() not null,
  last_error text,
  automation_rule_ids uuid[] default current_app_automation_rule_ids() not null,
  constraint outbox_events_pkey primary key (id),
  constraint outbox_events_organization_id_fkey foreign key (organization_id) references organizations(id)
);
create index outbox_events_waiting_idx on outbox_events using btree (next_attempt_at, id) where dispatched_at is null;
alter table outbox_events enable row level security;
alter table outbox_events force row level security;
create policy outbox_events_insert on outbox_events for insert
  with check (not organization_id is distinct from (select current_app_scope()) and (select current_app_org_id()) is not null);
create policy outbox_events_select on outbox_events for select
  using (organization_id = (select current_app_org_id()) and (select current_app_is_service()) and (select current_app_has_permission('automations', 'manage')));
grant select (id, organization_id, type, payload, occurred_at, automation_rule_ids), insert on outbox_events to tendon_app;
grant select, insert, update, delete on outbox_events to tendon_definer;
grant select, insert, update, delete on outbox_events to tendon_platform;

create table pain_reports (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  session_run_id uuid not null,
  patient_profile_id uuid not null,
  session_exercise_id uuid,
  severity integer not null,
  action text not null,
  note text,
  client_event_id uuid,
  created_at timestamptz default now() not null,
  occurred_at timestamptz,
  warning_signs text[] default '{}'[] not null,
  constraint pain_reports_pkey primary key (id),
  constraint pain_reports_client_event_key unique (session_run_id, client_event_id),
  constraint pain_reports_exercise_fkey foreign key (organization_id, session_exercise_id) references session_exercises(organization_id, id),
  constraint pain_reports_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint pain_reports_run_fkey foreign key (organization_id, session_run_id, patient_profile_id) references session_runs(organization_id, id, patient_profile_id),
  constraint pain_reports_action_check check (action = any (array['continue', 'rest', 'skip_exercise', 'end_session'])),
  constraint pain_reports_severity_check check (severity >= 0 and severity <= 10),
  constraint pain_reports_warning_signs_check check (warning_signs <@ array['chest_pain', 'breathless', 'faint_or_dizzy', 'sudden_weakness_or_numbness', 'bladder_or_bowel', 'calf_swelling', 'fall'])
);
create index pain_reports_created_idx on pain_reports using btree (organization_id, created_at);
create index pain_reports_exercise_idx on pain_reports using btree (organization_id, session_exercise_id);
create index pain_reports_profile_id_idx on pain_reports using btree (patient_profile_id);
create index pain_reports_run_idx on pain_reports using btree (session_run_id, created_at);
create index pain_reports_strong_idx on pain_reports using btree (organization_id, created_at) where severity >= 4 or cardinality(warning_signs) > 0;
alter table pain_reports enable row level security;
alter table pain_reports force row level security;
create policy pain_reports_insert on pain_reports for insert
  with check (organization_id = (select current_app_org_id()) and (patient_profile_id = any ((select current_app_profile_ids())::uuid[])));
create policy pain_reports_select on pain_reports for select
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('session_runs', 'view_org')) or (patient_profile_id = any ((select current_app_profile_ids())::uuid[])));
create policy pain_reports_update on pain_reports for update
  using (organization_id = (select current_app_org_id()) and (select current_app_is_service()))
  with check (organization_id = (select current_app_org_id()) and (select current_app_is_service()));
create trigger pain_reports_check_patient before insert on pain_reports for each row execute function check_session_run_patient();
grant select, insert (organization_id, session_run_id, patient_profile_id, session_exercise_id, severity, action, note, client_event_id, occurred_at, warning_signs) on pain_reports to tendon_app;
grant select, insert, update, delete on pain_reports to tendon_definer;
grant select, insert, update, delete on pain_reports to tendon_platform;
grant update (note) on pain_reports to tendon_worker;

create table patient_conditions (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  patient_profile_id uuid not null,
  condition_id uuid not null,
  since date,
  note text,
  created_by_principal_id uuid default current_app_principal_id(),
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  status text default 'active' not null,
  stage text,
  cleared_for text[] default '{}'[] not null,
  cleared_at timestamptz,
  cleared_by_principal_id uuid,
  version integer default 1 not null,
  constraint patient_conditions_pkey primary key (id),
  constraint patient_conditions_condition_key unique (organization_id, patient_profile_id, condition_id),
  constraint patient_conditions_condition_fkey foreign key (condition_id) references taxonomy_tags(id),
  constraint patient_conditions_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint patient_conditions_patient_fkey foreign key (organization_id, patient_profile_id) references patients(organization_id, patient_profile_id),
  constraint patient_conditions_cleared_for_check check (cleared_for <@ array['movement', 'stretching', 'load', 'full_load']),
  constraint patient_conditions_stage_check check (stage = any (array['acute', 'subacute', 'strength', 'return_to_activity', 'maintenance'])),
  constraint patient_conditions_status_check check (status = any (array['active', 'resolved', 'history']))
);
create index patient_conditions_condition_idx on patient_conditions using btree (condition_id);
alter table patient_conditions enable row level security;
alter table patient_conditions force row level security;
create policy patient_conditions_delete on patient_conditions for delete
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('treatment_plans', 'manage')));
create policy patient_conditions_insert on patient_conditions for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('treatment_plans', 'manage')));
create policy patient_conditions_select on patient_conditions for select
  using (organization_id = (select current_app_org_id()) and ((select current_app_has_permission('patients', 'view_org')) or (patient_profile_id = any ((select current_app_profile_ids())::uuid[]))));
create policy patient_conditions_update on patient_conditions for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('treatment_plans', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('treatment_plans', 'manage')));
create trigger patient_conditions_bump_version before update on patient_conditions for each row execute function bump_version();
create trigger patient_conditions_check_condition before insert on patient_conditions for each row execute function patient_conditions_check_condition();
create trigger patient_conditions_refuse_restricted before insert or update on patient_conditions for each row execute function refuse_restricted();
create trigger patient_conditions_set_clearance before insert or update on patient_conditions for each row execute function patient_conditions_set_clearance();
create trigger patient_conditions_updated_at before update on patient_conditions for each row execute function set_updated_at();
grant select, insert (organization_id, patient_profile_id, condition_id, since, note, status, stage, cleared_for), update (since, note, updated_at, status, stage, cleared_for), delete on patient_conditions to tendon_app;
grant select, insert, update, delete on patient_conditions to tendon_definer;
grant select, insert, update, delete on patient_conditions to tendon_platform;

create table patient_profiles (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  human_id uuid,
  invited_email citext,
  invited_at timestamptz,
  claimed_at timestamptz,
  national_id_encrypted bytea,
  national_id_index bytea,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  constraint patient_profiles_pkey primary key (id),
  constraint patient_profiles_national_id_key unique (organization_id, national_id_index),
  constraint patient_profiles_organization_id_key unique (organization_id, id),
  constraint patient_profiles_human_id_fkey foreign key (human_id) references humans(id),
  constraint patient_profiles_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint patient_profiles_claimed_check check (human_id is null or claimed_at is not null)
);
create index patient_profiles_human_id_idx on patient_profiles using btree (human_id);
create index patient_profiles_invited_email_idx on patient_profiles using btree (invited_email) where human_id is null;
alter table patient_profiles enable row level security;
alter table patient_profiles force row level security;
create policy patient_profiles_insert on patient_profiles for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('patients', 'onboard')));
create policy patient_profiles_select on patient_profiles for select
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('patients', 'view_org')) or (id = any ((select current_app_profile_ids())::uuid[])));
create policy patient_profiles_update on patient_profiles for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('patients', 'update')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('patients', 'update')));
create trigger patient_profiles_clear_current_organization after update of human_id on patient_profiles for each row when (old.human_id is not null and new.human_id is null) execute function patient_profiles_clear_current_organization();
create trigger patient_profiles_notify_rights_delete after delete on patient_profiles for each row when (old.human_id is not null) execute function notify_rights_change('human_id');
create trigger patient_profiles_notify_rights_insert after insert on patient_profiles for each row when (new.human_id is not null) execute function notify_rights_change('human_id');
create trigger patient_profiles_notify_rights_update after update on patient_profiles for each row when (old.id is distinct from new.id or old.human_id is distinct from new.human_id or old.created_at is distinct from new.created_at) execute function notify_rights_change('human_id');
create trigger patient_profiles_refuse_restricted before update of national_id_encrypted on patient_profiles for each row when (new.national_id_encrypted is not null) execute function patient_profiles_refuse_restricted();
create trigger patient_profiles_unlink_claimed after update of human_id on patient_profiles for each row when (new.human_id is not null and old.human_id is distinct from new.human_id) execute function patient_profiles_unlink_claimed();
create trigger patient_profiles_updated_at before update on patient_profiles for each row execute function set_updated_at();
grant select, insert (id, organization_id, national_id_encrypted, national_id_index), update (invited_email, invited_at, national_id_encrypted, national_id_index, updated_at) on patient_profiles to tendon_app;
grant select, insert, update, delete on patient_profiles to tendon_definer;
grant select, insert, update, delete on patient_profiles to tendon_platform;
grant update (human_id, claimed_at) on patient_profiles to tendon_worker;

create table patients (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  patient_profile_id uuid not null,
  first_name text not null,
  last_name text not null,
  email citext,
  phone text,
  birth_date date,
  sex text,
  language_code text,
  address jsonb,
  notes text,
  created_by_principal_id uuid default current_app_principal_id(),
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  restricted_at timestamptz,
  erased_at timestamptz,
  deleted_at timestamptz,
  search_text text generated always as (fold_text(((((((((first_name || ' ') || last_name) || ' ') || coalesce((email)::text, '')) || ' ') || coalesce(phone, '')) || ' ') || regexp_replace(coalesce(phone, ''), '[^0-9]', '', 'g')))) stored,
  version integer default 1 not null,
  deleted_by_principal_id uuid,
  merged_into_id uuid,
  lead_specialist_id uuid,
  constraint patients_pkey primary key (id),
  constraint patients_organization_id_key unique (organization_id, id),
  constraint patients_profile_key unique (organization_id, patient_profile_id),
  constraint patients_lead_specialist_fkey foreign key (organization_id, lead_specialist_id) references specialists(organization_id, id),
  constraint patients_merged_into_fkey foreign key (organization_id, merged_into_id) references patients(organization_id, id),
  constraint patients_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint patients_profile_fkey foreign key (organization_id, patient_profile_id) references patient_profiles(organization_id, id),
  constraint patients_merged_into_check check (merged_into_id <> id),
  constraint patients_sex_check check (sex = any (array['female', 'male', 'other', 'unknown']))
);
create index patients_created_idx on patients using btree (organization_id, created_at desc, id desc);
create index patients_email_idx on patients using btree (organization_id, email) where deleted_at is null and email is not null;
create index patients_lead_specialist_idx on patients using btree (organization_id, lead_specialist_id) where lead_specialist_id is not null;
create index patients_merged_into_idx on patients using btree (organization_id, merged_into_id) where merged_into_id is not null;
create index patients_name_idx on patients using btree (organization_id, last_name, first_name);
create index patients_profile_id_idx on patients using btree (patient_profile_id);
create index patients_search_clinic_idx on patients using gin (organization_id, search_text gin_trgm_ops);
alter table patients enable row level security;
alter table patients force row level security;
create policy patients_insert on patients for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('patients', 'onboard')));
create policy patients_select on patients for select
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('patients', 'view_org')) and (deleted_at is null or (select current_app_has_permission('data', 'view_deleted'))) or (patient_profile_id = any ((select current_app_profile_ids())::uuid[])));
create policy patients_update on patients for update
  using (organization_id = (select current_app_org_id()) and (deleted_at is null or (select current_app_is_service())) and ((select current_app_has_permission('patients', 'update')) or (select current_app_is_service()) and (patient_profile_id = any ((select current_app_profile_ids())::uuid[]))))
  with check (organization_id = (select current_app_org_id()) and ((select current_app_has_permission('patients', 'update')) and (deleted_at is null or (select current_app_has_permission('patients', 'delete'))) or (select current_app_is_service()) and (patient_profile_id = any ((select current_app_profile_ids())::uuid[]))));
create trigger patients_bump_version before update on patients for each row execute function bump_version();
create trigger patients_notify_rights after insert or delete on patients for each row execute function patients_notify_rights_change();
create trigger patients_notify_rights_update after update on patients for each row when (old.id is distinct from new.id or old.organization_id is distinct from new.organization_id or old.patient_profile_id is distinct from new.patient_profile_id or old.deleted_at is distinct from new.deleted_at) execute function patients_notify_rights_change();
create trigger patients_refuse_restricted before update of first_name, last_name, email, phone, birth_date, sex, language_code, address, notes, lead_specialist_id on patients for each row when (old.restricted_at is not null and new.erased_at is null) execute function refuse_restricted();
create trigger patients_refuse_unless_service before update of deleted_at, deleted_by_principal_id, restricted_at, merged_into_id, erased_at on patients for each row execute function refuse_unless_service();
create trigger patients_release_profile after update of deleted_at on patients for each row when (old.deleted_at is null and new.deleted_at is not null) execute function patients_release_profile();
create trigger patients_unlink_erased after update of erased_at on patients for each row when (old.erased_at is null and new.erased_at is not null) execute function patients_unlink_erased();
create trigger patients_updated_at before update on patients for each row execute function set_updated_at();
grant select, insert (organization_id, patient_profile_id, first_name, last_name, email, phone, birth_date, sex, language_code, address, notes, lead_specialist_id), update (first_name, last_name, email, phone, birth_date, sex, language_code, address, notes, updated_at, restricted_at, deleted_at, deleted_by_principal_id, merged_into_id, lead_specialist_id) on patients to tendon_app;
grant select, insert, update, delete on patients to tendon_definer;
grant select, insert, update, delete on patients to tendon_platform;
grant update (erased_at, merged_into_id) on patients to tendon_worker;

create table pdf_template_versions (
  organization_id uuid default current_app_scope() not null,
  pdf_template_id uuid not null,
  version integer not null,
  name text not null,
  kind text not null,
  language text not null,
  blocks jsonb not null,
  published_at timestamptz default now() not null,
  published_by_principal_id uuid default current_app_principal_id(),
  constraint pdf_template_versions_pkey primary key (pdf_template_id, version),
  constraint pdf_template_versions_organization_id_key unique (organization_id, pdf_template_id, version),
  constraint pdf_template_versions_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint pdf_template_versions_template_fkey foreign key (organization_id, pdf_template_id) references pdf_templates(organization_id, id),
  constraint pdf_template_versions_version_check check (version > 0)
);
alter table pdf_template_versions enable row level security;
alter table pdf_template_versions force row level security;
create policy pdf_template_versions_insert on pdf_template_versions for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('pdf_templates', 'manage')));
create policy pdf_template_versions_select on pdf_template_versions for select
  using (organization_id = (select current_app_org_id()) and ((select current_app_has_permission('pdf_templates', 'manage')) or (select current_app_has_permission('documents', 'create'))));
grant select, insert (organization_id, pdf_template_id, version, name, kind, language, blocks) on pdf_template_versions to tendon_app;
grant select, insert, update, delete on pdf_template_versions to tendon_definer;
grant select, insert, update, delete on pdf_template_versions to tendon_platform;

create table pdf_templates (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  name text not null,
  kind text not null,
  language text not null,
  blocks jsonb not null,
  status text default 'draft' not null,
  version integer default 0 not null,
  published_at timestamptz,
  published_by_principal_id uuid,
  created_by_principal_id uuid default current_app_principal_id(),
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  revision integer default 1 not null,
  deleted_at timestamptz,
  constraint pdf_templates_pkey primary key (id),
  constraint pdf_templates_organization_id_key unique (organization_id, id),
  constraint pdf_templates_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint pdf_templates_kind_check check (kind = any (array['form', 'appointment_letter', 'treatment_plan', 'attendance_certificate'])),
  constraint pdf_templates_language_check check (language = any (array['en', 'ro'])),
  constraint pdf_templates_status_check check (status = any (array['draft', 'published', 'archived'])),
  constraint pdf_templates_version_check check (version >= 0)
);
create index pdf_templates_created_idx on pdf_templates using btree (organization_id, created_at desc, id desc);
create index pdf_templates_kind_idx on pdf_templates using btree (organization_id, kind, language, published_at desc);
alter table pdf_templates enable row level security;
alter table pdf_templates force row level security;
create policy pdf_templates_insert on pdf_templates for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('pdf_templates', 'manage')));
create policy pdf_templates_select on pdf_templates for select
  using (organization_id = (select current_app_org_id()) and ((select current_app_has_permission('pdf_templates', 'manage')) or (select current_app_has_permission('documents', 'create'))));
create policy pdf_templates_update on pdf_templates for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('pdf_templates', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('pdf_templates', 'manage')));
create trigger pdf_templates_bump_revision before update on pdf_templates for each row execute function bump_revision();
create trigger pdf_templates_updated_at before update on pdf_templates for each row execute function set_updated_at();
grant select, insert (organization_id, name, kind, language, blocks), update (name, language, blocks, status, version, published_at, published_by_principal_id, updated_at, deleted_at) on pdf_templates to tendon_app;
grant select, insert, update, delete on pdf_templates to tendon_definer;
grant select, insert, update, delete on pdf_templates to tendon_platform;

create table permissions (
  code text not null,
  resource text not null,
  action text not null,
  description text not null,
  constraint permissions_pkey primary key (code),
  constraint permissions_code_check check (code = ((resource || '.') || action))
);
-- no row-level security
grant select on permissions to tendon_app;
grant select, insert, update, delete on permissions to tendon_definer;
grant select on permissions to tendon_platform;

create table plan_sessions (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  program_id uuid,
  treatment_plan_id uuid,
  patient_profile_id uuid,
  "position" integer not null,
  title text not null,
  notes text,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  removed_at timestamptz,
  constraint plan_sessions_pkey primary key (id),
  constraint plan_sessions_organization_id_key unique (organization_id, id),
  constraint plan_sessions_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint plan_sessions_plan_fkey foreign key (organization_id, treatment_plan_id, patient_profile_id) references treatment_plans(organization_id, id, patient_profile_id),
  constraint plan_sessions_program_fkey foreign key (organization_id, program_id) references programs(organization_id, id),
  constraint plan_sessions_owner_check check (num_nonnulls(program_id, treatment_plan_id) = 1 and (treatment_plan_id is null) = (patient_profile_id is null)),
  constraint plan_sessions_position_check check ("position" > 0)
);
create index plan_sessions_plan_idx on plan_sessions using btree (organization_id, treatment_plan_id, "position");
create index plan_sessions_profile_id_idx on plan_sessions using btree (patient_profile_id);
create index plan_sessions_program_idx on plan_sessions using btree (organization_id, program_id, "position");
alter table plan_sessions enable row level security;
alter table plan_sessions force row level security;
create policy plan_sessions_delete on plan_sessions for delete
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('treatment_plans', 'manage')));
create policy plan_sessions_insert on plan_sessions for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('treatment_plans', 'manage')));
create policy plan_sessions_select on plan_sessions for select
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('treatment_plans', 'view_org')) or (patient_profile_id = any ((select current_app_profile_ids())::uuid[])) and (exists ( select 1
   from treatment_plans p
  where p.id = plan_sessions.treatment_plan_id)));
create policy plan_sessions_update on plan_sessions for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('treatment_plans', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('treatment_plans', 'manage')));
create trigger plan_sessions_refuse_restricted before insert or update on plan_sessions for each row when (new.patient_profile_id is not null) execute function refuse_restricted();
create trigger plan_sessions_updated_at before update on plan_sessions for each row execute function set_updated_at();
grant select, insert (organization_id, program_id, treatment_plan_id, patient_profile_id, position, title, notes), update (position, title, notes, updated_at, removed_at), delete on plan_sessions to tendon_app;
grant select, insert, update, delete on plan_sessions to tendon_definer;
grant select, insert, update, delete on plan_sessions to tendon_platform;

create table plans (
  code text not null,
  name text not null,
  max_specialists integer,
  requests_per_minute integer,
  pose_per_second integer,
  media_per_second integer,
  max_unfinished_upload_mb integer,
  constraint plans_pkey primary key (code),
  constraint plans_max_specialists_check check (max_specialists >= 0),
  constraint plans_max_unfinished_upload_mb_check check (max_unfinished_upload_mb > 0),
  constraint plans_media_per_second_check check (media_per_second > 0),
  constraint plans_pose_per_second_check check (pose_per_second > 0),
  constraint plans_requests_per_minute_check check (requests_per_minute > 0)
);
-- no row-level security
grant select on plans to tendon_app;
grant select, insert, update, delete on plans to tendon_definer;
grant select on plans to tendon_platform;

create table platform_memberships (
  principal_id uuid not null,
  role text default 'superadmin' not null,
  granted_by_principal_id uuid,
  granted_at timestamptz default now() not null,
  constraint platform_memberships_pkey primary key (principal_id),
  constraint platform_memberships_granted_by_principal_id_fkey foreign key (granted_by_principal_id) references humans(id),
  constraint platform_memberships_human_fkey foreign key (principal_id) references humans(id),
  constraint platform_memberships_role_check check (role = 'superadmin')
);
alter table platform_memberships enable row level security;
alter table platform_memberships force row level security;
create trigger platform_memberships_check_principal before insert or update of principal_id on platform_memberships for each row execute function memberships_check_principal();
create trigger platform_memberships_notify_rights after insert or delete or update on platform_memberships for each row execute function notify_rights_change('principal_id');
create trigger platform_memberships_protect_last after delete on platform_memberships for each row execute function platform_memberships_protect_last();
grant select, insert, update, delete on platform_memberships to tendon_definer;
grant select, insert, update, delete on platform_memberships to tendon_platform;

create table platform_service_providers (
  id uuid default uuidv7() not null,
  capability text not null,
  provider text not null,
  credentials_encrypted bytea,
  config jsonb default '{}'::jsonb not null,
  status text default 'active' not null,
  last_error text,
  last_error_at timestamptz,
  last_health_check_at timestamptz,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  version integer default 1 not null,
  constraint platform_service_providers_pkey primary key (id),
  constraint platform_service_providers_status_check check (status = any (array['active', 'error', 'inactive']))
);
create unique index platform_service_providers_capability_key on platform_service_providers using btree (capability) where status <> 'inactive';
alter table platform_service_providers enable row level security;
alter table platform_service_providers force row level security;
create trigger platform_service_providers_bump_version before update of credentials_encrypted, config, status on platform_service_providers for each row execute function bump_version();
grant select, insert, update, delete on platform_service_providers to tendon_definer;
grant select, insert, update, delete on platform_service_providers to tendon_platform;

create table pose_repetitions (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  run_id uuid not null,
  patient_profile_id uuid not null,
  media_id text not null,
  number integer not null,
  side text not null,
  start_ms bigint not null,
  peak_ms bigint not null,
  end_ms bigint not null,
  peak_degrees double precision not null,
  range_degrees double precision not null,
  tempo_seconds double precision not null,
  hold_seconds double precision not null,
  feedback text[] not null,
  created_at timestamptz default now() not null,
  reached_target boolean,
  constraint pose_repetitions_pkey primary key (id),
  constraint pose_repetitions_number_key unique (run_id, media_id, number),
  constraint pose_repetitions_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint pose_repetitions_run_fkey foreign key (organization_id, run_id, patient_profile_id) references run_manifests(organization_id, run_id, patient_profile_id) on delete cascade
);
create index pose_repetitions_created_idx on pose_repetitions using brin (created_at);
create index pose_repetitions_profile_id_idx on pose_repetitions using btree (patient_profile_id);
create index pose_repetitions_run_idx on pose_repetitions using btree (organization_id, run_id);
alter table pose_repetitions enable row level security;
alter table pose_repetitions force row level security;
create policy pose_repetitions_delete on pose_repetitions for delete
  using (organization_id = (select current_app_org_id()) and ((select current_app_is_service()) or CURRENT_USER = 'tendon_telemetry'::name));
create policy pose_repetitions_insert on pose_repetitions for insert
  with check (organization_id = (select current_app_org_id()));
create policy pose_repetitions_select on pose_repetitions for select
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('session_runs', 'view_org')) or (patient_profile_id = any ((select current_app_profile_ids())::uuid[])));
create policy pose_repetitions_update on pose_repetitions for update
  using (organization_id = (select current_app_org_id()))
  with check (organization_id = (select current_app_org_id()));
grant select on pose_repetitions to tendon_app;
grant select, insert, update, delete on pose_repetitions to tendon_definer;
grant select, insert, update, delete on pose_repetitions to tendon_platform;
grant select, insert, delete on pose_repetitions to tendon_telemetry;
grant delete on pose_repetitions to tendon_worker;

create table pose_session_metrics (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  run_id uuid not null,
  patient_profile_id uuid not null,
  media_id text not null,
  exercise_id uuid,
  measured boolean not null,
  reason text,
  confidence double precision not null,
  side text,
  repetitions integer,
  range_min_degrees double precision,
  range_max_degrees double precision,
  range_mean_degrees double precision,
  tempo_seconds double precision,
  symmetry double precision,
  hold_seconds double precision,
  created_at timestamptz default now() not null,
  repetitions_to_target integer,
  not_visible_ms bigint,
  constraint pose_session_metrics_pkey primary key (id),
  constraint pose_session_metrics_media_key unique (run_id, media_id),
  constraint pose_session_metrics_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint pose_session_metrics_run_fkey foreign key (organization_id, run_id, patient_profile_id) references run_manifests(organization_id, run_id, patient_profile_id) on delete cascade,
  constraint pose_session_metrics_reason_check check (measured = (reason is null)),
  constraint pose_session_metrics_to_target_check check (repetitions_to_target >= 0 and repetitions_to_target <= repetitions) not valid
);
create index pose_session_metrics_created_idx on pose_session_metrics using brin (created_at);
create index pose_session_metrics_profile_id_idx on pose_session_metrics using btree (patient_profile_id);
create index pose_session_metrics_run_idx on pose_session_metrics using btree (organization_id, run_id);
alter table pose_session_metrics enable row level security;
alter table pose_session_metrics force row level security;
create policy pose_session_metrics_delete on pose_session_metrics for delete
  using (organization_id = (select current_app_org_id()) and ((select current_app_is_service()) or CURRENT_USER = 'tendon_telemetry'::name));
create policy pose_session_metrics_insert on pose_session_metrics for insert
  with check (organization_id = (select current_app_org_id()));
create policy pose_session_metrics_select on pose_session_metrics for select
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('session_runs', 'view_org')) or (patient_profile_id = any ((select current_app_profile_ids())::uuid[])));
create policy pose_session_metrics_update on pose_session_metrics for update
  using (organization_id = (select current_app_org_id()))
  with check (organization_id = (select current_app_org_id()));
grant select on pose_session_metrics to tendon_app;
grant select, insert, update, delete on pose_session_metrics to tendon_definer;
grant select, insert, update, delete on pose_session_metrics to tendon_platform;
grant select, insert, delete on pose_session_metrics to tendon_telemetry;
grant delete on pose_session_metrics to tendon_worker;

create table principals (
  id uuid default gen_random_uuid() not null,
  kind text not null,
  organization_id uuid,
  created_at timestamptz default now() not null,
  constraint principals_pkey primary key (id),
  constraint principals_id_kind_key unique (id, kind),
  constraint principals_organization_id_key unique nulls not distinct (organization_id, id, kind),
  constraint principals_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint principals_kind_check check (kind = any (array['human', 'service'])),
  constraint principals_organization_check check ((kind = 'service') = (organization_id is not null))
);
alter table principals enable row level security;
alter table principals force row level security;
create policy principals_insert on principals for insert
  with check (organization_id = (select current_app_org_id()) and kind = 'service' and (select current_app_has_permission('organizations', 'manage_members')));
create policy principals_select on principals for select
  using (id = (select current_app_principal_id()) or organization_id = (select current_app_org_id()));
grant select, insert (kind, organization_id) on principals to tendon_app;
grant select, insert, update, delete on principals to tendon_definer;
grant select, insert, update, delete on principals to tendon_platform;

create table privacy_notice_templates (
  version integer not null,
  body_with_placeholders jsonb not null,
  placeholders jsonb not null,
  toggleable_sections jsonb not null,
  published_at timestamptz default now() not null,
  published_by_principal_id uuid,
  constraint privacy_notice_templates_pkey primary key (version),
  constraint privacy_notice_templates_version_check check (version > 0)
);
-- no row-level security
grant select on privacy_notice_templates to tendon_app;
grant select, insert, update, delete on privacy_notice_templates to tendon_definer;
grant select, insert on privacy_notice_templates to tendon_platform;

create table privacy_notices (
  organization_id uuid default current_app_scope() not null,
  draft_template_version integer not null,
  draft_placeholder_values jsonb default '{}'::jsonb not null,
  draft_included_sections jsonb default '[]'::jsonb not null,
  source_template_version integer,
  placeholder_values jsonb,
  included_sections jsonb,
  assembled_body jsonb,
  published_version integer,
  published_at timestamptz,
  published_by_principal_id uuid,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  version integer default 1 not null,
  constraint privacy_notices_pkey primary key (organization_id),
  constraint privacy_notices_draft_template_fkey foreign key (draft_template_version) references privacy_notice_templates(version),
  constraint privacy_notices_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint privacy_notices_template_fkey foreign key (source_template_version) references privacy_notice_templates(version),
  constraint privacy_notices_published_check check (num_nulls(source_template_version, placeholder_values, included_sections, assembled_body, published_version, published_at) = any (array[0, 6]))
);
alter table privacy_notices enable row level security;
alter table privacy_notices force row level security;
create policy privacy_notices_insert on privacy_notices for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_privacy_notice')));
create policy privacy_notices_select on privacy_notices for select
  using (organization_id = (select current_app_org_id()));
create policy privacy_notices_update on privacy_notices for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_privacy_notice')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_privacy_notice')));
create trigger privacy_notices_bump_version before update on privacy_notices for each row execute function bump_version();
create trigger privacy_notices_updated_at before update on privacy_notices for each row execute function set_updated_at();
grant select, insert, update (draft_template_version, draft_placeholder_values, draft_included_sections, source_template_version, placeholder_values, included_sections, assembled_body, published_version, published_at, published_by_principal_id, updated_at) on privacy_notices to tendon_app;
grant select, insert, update, delete on privacy_notices to tendon_definer;
grant select, insert, update, delete on privacy_notices to tendon_platform;

create table privacy_requests (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  kind text not null,
  patient_id uuid not null,
  patient_profile_id uuid not null,
  status text default 'accepted' not null,
  progress integer default 0 not null,
  reason text,
  result jsonb,
  object_key text,
  error text,
  requested_by_principal_id uuid,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  completed_at timestamptz,
  expires_at timestamptz,
  constraint privacy_requests_pkey primary key (id),
  constraint privacy_requests_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint privacy_requests_patient_fkey foreign key (organization_id, patient_id) references patients(organization_id, id),
  constraint privacy_requests_kind_check check (kind = any (array['export', 'erase'])),
  constraint privacy_requests_progress_check check (progress >= 0 and progress <= 100),
  constraint privacy_requests_status_check check (status = any (array['accepted', 'active', 'completed', 'error', 'cancelled']))
);
create unique index privacy_requests_active_key on privacy_requests using btree (organization_id, patient_id, kind) where status = any (array['accepted', 'active']);
create index privacy_requests_expires_idx on privacy_requests using btree (expires_at) where object_key is not null;
create index privacy_requests_object_idx on privacy_requests using btree (object_key) where object_key is not null;
create index privacy_requests_organization_idx on privacy_requests using btree (organization_id, created_at desc, id desc);
create index privacy_requests_patient_idx on privacy_requests using btree (organization_id, patient_id);
alter table privacy_requests enable row level security;
alter table privacy_requests force row level security;
create policy privacy_requests_insert on privacy_requests for insert
  with check (organization_id = (select current_app_org_id()) and (kind = 'export' and (select current_app_has_permission('gdpr', 'export_data')) or kind = 'erase' and (select current_app_has_permission('gdpr', 'erase_data'))));
create policy privacy_requests_select on privacy_requests for select
  using (organization_id = (select current_app_org_id()) and ((select current_app_has_permission('gdpr', 'export_data')) or (select current_app_has_permission('gdpr', 'erase_data'))));
create policy privacy_requests_update on privacy_requests for update
  using (organization_id = (select current_app_org_id()) and ((select current_app_has_permission('gdpr', 'export_data')) or (select current_app_has_permission('gdpr', 'erase_data'))))
  with check (organization_id = (select current_app_org_id()) and ((select current_app_has_permission('gdpr', 'export_data')) or (select current_app_has_permission('gdpr', 'erase_data'))));
create trigger privacy_requests_release_object after delete or update of object_key on privacy_requests for each row execute function release_object('object_key');
create trigger privacy_requests_updated_at before update on privacy_requests for each row execute function set_updated_at();
grant select, insert, update (status, progress, result, object_key, error, updated_at, completed_at, expires_at) on privacy_requests to tendon_app;
grant select, insert, update, delete on privacy_requests to tendon_definer;
grant select, insert, update, delete on privacy_requests to tendon_platform;
grant update (reason) on privacy_requests to tendon_worker;

create table products (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  sku text not null,
  name text not null,
  description text,
  price_cents bigint not null,
  currency text default 'RON' not null,
  vat_rate double precision,
  status text default 'active' not null,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  deleted_at timestamptz,
  version integer default 1 not null,
  constraint products_pkey primary key (id),
  constraint products_organization_id_key unique (organization_id, id),
  constraint products_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint products_price_cents_check check (price_cents >= 0),
  constraint products_status_check check (status = any (array['active', 'archived'])),
  constraint products_vat_rate_check check (vat_rate >= 0::double precision and vat_rate <= 100::double precision)
);
create index products_name_idx on products using btree (organization_id, name);
create unique index products_sku_key on products using btree (organization_id, lower(sku)) where deleted_at is null;
alter table products enable row level security;
alter table products force row level security;
create policy products_insert on products for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('services', 'manage')));
create policy products_select on products for select
  using (organization_id = (select current_app_org_id()) and ((select current_app_has_permission('services', 'view_org')) or (select current_app_has_permission('services', 'manage'))) and (deleted_at is null or (select current_app_has_permission('data', 'view_deleted'))));
create policy products_update on products for update
  using (organization_id = (select current_app_org_id()) and (deleted_at is null or (select current_app_is_service()) and (select current_app_has_permission('data', 'view_deleted'))) and (select current_app_has_permission('services', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('services', 'manage')));
create trigger products_bump_version before update on products for each row execute function bump_version();
create trigger products_refuse_unless_service before update of deleted_at on products for each row execute function refuse_unless_service();
create trigger products_updated_at before update on products for each row execute function set_updated_at();
grant select, insert, update (sku, name, description, price_cents, currency, vat_rate, status, updated_at, deleted_at) on products to tendon_app;
grant select, insert, update, delete on products to tendon_definer;
grant select, insert, update, delete on products to tendon_platform;

create table programs (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  name text not null,
  description text,
  status text default 'active' not null,
  version integer default 1 not null,
  created_by_principal_id uuid default current_app_principal_id(),
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  deleted_at timestamptz,
  constraint programs_pkey primary key (id),
  constraint programs_organization_id_key unique (organization_id, id),
  constraint programs_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint programs_status_check check (status = any (array['active', 'archived']))
);
create index programs_created_idx on programs using btree (organization_id, created_at desc, id desc);
create unique index programs_name_key on programs using btree (organization_id, lower(name)) where deleted_at is null;
alter table programs enable row level security;
alter table programs force row level security;
create policy programs_insert on programs for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('treatment_plans', 'manage')));
create policy programs_select on programs for select
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('treatment_plans', 'view_org')) and (deleted_at is null or (select current_app_has_permission('data', 'view_deleted'))));
create policy programs_update on programs for update
  using (organization_id = (select current_app_org_id()) and (deleted_at is null or (select current_app_is_service()) and (select current_app_has_permission('data', 'view_deleted'))) and (select current_app_has_permission('treatment_plans', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('treatment_plans', 'manage')));
create trigger programs_bump_version before update on programs for each row execute function bump_version();
create trigger programs_refuse_unless_service before update of deleted_at on programs for each row execute function refuse_unless_service();
create trigger programs_updated_at before update on programs for each row execute function set_updated_at();
grant select, insert (organization_id, name, description), update (name, description, status, updated_at, deleted_at) on programs to tendon_app;
grant select, insert, update, delete on programs to tendon_definer;
grant select, insert, update, delete on programs to tendon_platform;

create table renders (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  exercise_id uuid not null,
  asset_version integer not null,
  manifest jsonb not null,
  language text not null,
  sets jsonb not null,
  seed bigint not null,
  fingerprint text not null,
  status text default 'queued' not null,
  progress integer default 0 not null,
  duration_seconds double precision,
  captions text[] default '{}'[] not null,
  error_code text,
  error_message text,
  attempts integer default 0 not null,
  run_at timestamptz default now() not null,
  started_at timestamptz,
  worker_id uuid,
  heartbeat_at timestamptz,
  host_provider text,
  host_reference text,
  host_ready boolean default false not null,
  transcoding_at timestamptz,
  poll_at timestamptz,
  rebuilds integer default 0 not null,
  created_by_principal_id uuid default current_app_principal_id(),
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  stage text,
  requested_at timestamptz default now() not null,
  requests integer default 1 not null,
  abandoned_reference text,
  abandoned_references text[] default '{}'[] not null,
  waiting_for text,
  constraint renders_pkey primary key (id),
  constraint renders_fingerprint_key unique (organization_id, fingerprint),
  constraint renders_organization_id_key unique (organization_id, id),
  constraint renders_exercise_fkey foreign key (exercise_id) references exercises(id),
  constraint renders_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint renders_progress_check check (progress >= 0 and progress <= 100),
  constraint renders_stage_check check (stage = any (array['normalising', 'joining', 'checking', 'uploading', 'transcoding'])) not valid,
  constraint renders_status_check check (status = any (array['queued', 'rendering', 'uploading', 'transcoding', 'ready', 'failed', 'cancelled'])),
  constraint renders_waiting_for_check check (waiting_for = any (array['host', 'disk']))
);
create index renders_abandoned_idx on renders using btree (updated_at) where (status = any (array['failed', 'cancelled'])) and host_reference is not null;
create index renders_abandoned_reference_idx on renders using btree (updated_at) where abandoned_reference is not null;
create index renders_abandoned_references_idx on renders using btree (updated_at) where abandoned_references <> '{}'[];
create index renders_created_idx on renders using btree (organization_id, created_at desc, id desc);
create index renders_exercise_idx on renders using btree (exercise_id, asset_version);
create unique index renders_host_key on renders using btree (host_provider, host_reference) where host_reference is not null;
create index renders_poll_idx on renders using btree (poll_at) where status = 'transcoding';
create index renders_requested_idx on renders using btree (organization_id, requested_at);
create index renders_started_idx on renders using btree (organization_id, started_at);
create index renders_work_idx on renders using btree (run_at) where status = any (array['queued', 'rendering', 'uploading']);
alter table renders enable row level security;
alter table renders force row level security;
create policy renders_insert on renders for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('exercises', 'compose')));
create policy renders_select on renders for select
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('exercises', 'view_published')));
create policy renders_update on renders for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('exercises', 'compose')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('exercises', 'compose')));
create trigger renders_check_exercise before insert on renders for each row execute function renders_check_exercise();
create trigger renders_updated_at before update on renders for each row execute function set_updated_at();
grant select, insert (organization_id, exercise_id, asset_version, manifest, language, sets, seed, fingerprint), update (status, progress, duration_seconds, captions, error_code, error_message, attempts, run_at, started_at, worker_id, heartbeat_at, host_provider, host_reference, host_ready, transcoding_at, poll_at, rebuilds, updated_at, stage, requested_at, requests, abandoned_reference, abandoned_references, waiting_for) on renders to tendon_app;
grant select, insert, update, delete on renders to tendon_definer;
grant select, insert, update, delete on renders to tendon_platform;

create table replay_blobs (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  run_id uuid not null,
  patient_profile_id uuid not null,
  version integer not null,
  object_key text not null,
  bytes bigint not null,
  frame_count integer not null,
  batch_count integer not null,
  capture jsonb,
  superseded_at timestamptz,
  created_at timestamptz default now() not null,
  constraint replay_blobs_pkey primary key (id),
  constraint replay_blobs_object_key_key unique (object_key),
  constraint replay_blobs_version_key unique (run_id, version),
  constraint replay_blobs_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint replay_blobs_run_fkey foreign key (organization_id, run_id, patient_profile_id) references run_manifests(organization_id, run_id, patient_profile_id)
);
create index replay_blobs_created_idx on replay_blobs using brin (created_at);
create index replay_blobs_profile_id_idx on replay_blobs using btree (patient_profile_id);
create index replay_blobs_run_idx on replay_blobs using btree (organization_id, run_id);
alter table replay_blobs enable row level security;
alter table replay_blobs force row level security;
create policy replay_blobs_delete on replay_blobs for delete
  using (organization_id = (select current_app_org_id()) and ((select current_app_is_service()) or CURRENT_USER = 'tendon_telemetry'::name));
create policy replay_blobs_insert on replay_blobs for insert
  with check (organization_id = (select current_app_org_id()));
create policy replay_blobs_select on replay_blobs for select
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('session_runs', 'view_org')) or (patient_profile_id = any ((select current_app_profile_ids())::uuid[])));
create policy replay_blobs_update on replay_blobs for update
  using (organization_id = (select current_app_org_id()))
  with check (organization_id = (select current_app_org_id()));
create constraint trigger replay_blobs_release_object after delete or update of object_key on replay_blobs deferrable initially deferred for each row execute function release_object('object_key');
grant select on replay_blobs to tendon_app;
grant select, insert, update, delete on replay_blobs to tendon_definer;
grant select, insert, update, delete on replay_blobs to tendon_platform;
grant select, insert, update (superseded_at), delete on replay_blobs to tendon_telemetry;
grant delete on replay_blobs to tendon_worker;

create table role_permissions (
  role_id uuid not null,
  organization_id uuid default current_app_scope(),
  permission_code text not null,
  constraint role_permissions_pkey primary key (role_id, permission_code),
  constraint role_permissions_organization_fkey foreign key (organization_id, role_id) references roles(organization_id, id) on delete cascade,
  constraint role_permissions_permission_fkey foreign key (permission_code) references permissions(code),
  constraint role_permissions_role_fkey foreign key (role_id) references roles(id) on delete cascade
);
alter table role_permissions enable row level security;
alter table role_permissions force row level security;
create policy role_permissions_delete on role_permissions for delete
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_roles')));
create policy role_permissions_insert on role_permissions for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_roles')) and current_app_holds(permission_code));
create policy role_permissions_select on role_permissions for select
  using (organization_id = (select current_app_org_id()));
create trigger role_permissions_copy_to_clones after insert on role_permissions for each row when (new.organization_id is null) execute function role_permissions_copy_to_clones();
create trigger role_permissions_lock_role before insert on role_permissions for each row execute function role_permissions_lock_role();
create trigger role_permissions_notify_rights after insert or delete on role_permissions for each row execute function notify_rights_change('role_id');
create trigger role_permissions_notify_rights_update after update on role_permissions for each row when (old.role_id is distinct from new.role_id or old.permission_code is distinct from new.permission_code) execute function notify_rights_change('role_id');
create trigger role_permissions_protect_last_manager after delete on role_permissions for each row when (old.organization_id is not null and old.permission_code = 'organizations.manage_members') execute function organizations_protect_last_manager();
grant select, insert, delete on role_permissions to tendon_app;
grant select, insert, update, delete on role_permissions to tendon_definer;
grant select, insert, update, delete on role_permissions to tendon_platform;

create table roles (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope(),
  template_id uuid,
  code text not null,
  name text not null,
  description text,
  is_system boolean default false not null,
  customized_at timestamptz,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  version integer default 1 not null,
  constraint roles_pkey primary key (id),
  constraint roles_code_key unique nulls not distinct (organization_id, code),
  constraint roles_organization_id_key unique nulls not distinct (organization_id, id),
  constraint roles_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint roles_template_id_fkey foreign key (template_id) references roles(id),
  constraint roles_system_check check (is_system = (organization_id is null or template_id is not null))
);
create index roles_template_id_idx on roles using btree (template_id);
alter table roles enable row level security;
alter table roles force row level security;
create policy roles_delete on roles for delete
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_roles')));
create policy roles_insert on roles for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_roles')) and not is_system and template_id is null);
create policy roles_select on roles for select
  using (organization_id = (select current_app_org_id()));
create policy roles_update on roles for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_roles')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_roles')));
create trigger roles_bump_version before update on roles for each row execute function bump_version();
create trigger roles_notify_rights_delete after delete on roles for each row execute function notify_rights_change('id');
create trigger roles_notify_rights_update after update on roles for each row when (old.id is distinct from new.id or old.name is distinct from new.name) execute function notify_rights_change('id');
create trigger roles_protect_clones before delete or update on roles for each row execute function roles_protect_clones();
create trigger roles_updated_at before update on roles for each row execute function set_updated_at();
grant select, insert, update (code, name, description, customized_at, updated_at), delete on roles to tendon_app;
grant select, insert, update, delete on roles to tendon_definer;
grant select, insert, update, delete on roles to tendon_platform;

create table run_finalisations (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  run_id uuid not null,
  patient_profile_id uuid not null,
  recording_id uuid not null,
  version integer not null,
  reason text not null,
  events jsonb,
  claimed_at timestamptz default now() not null,
  flushed_at timestamptz,
  ended_at timestamptz,
  based_on integer,
  is_damaged boolean default false not null,
  constraint run_finalisations_pkey primary key (id),
  constraint run_finalisations_recording_key unique (recording_id),
  constraint run_finalisations_version_key unique (run_id, version),
  constraint run_finalisations_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint run_finalisations_run_fkey foreign key (organization_id, run_id, patient_profile_id) references run_manifests(organization_id, run_id, patient_profile_id) on delete cascade,
  constraint run_finalisations_reason_check check (reason = any (array['ended', 'silence']))
);
create index run_finalisations_events_idx on run_finalisations using btree (claimed_at) where events is not null;
create index run_finalisations_profile_id_idx on run_finalisations using btree (patient_profile_id);
create index run_finalisations_run_idx on run_finalisations using btree (organization_id, run_id);
alter table run_finalisations enable row level security;
alter table run_finalisations force row level security;
create policy run_finalisations_delete on run_finalisations for delete
  using (organization_id = (select current_app_org_id()) and ((select current_app_is_service()) or CURRENT_USER = 'tendon_telemetry'::name));
create policy run_finalisations_insert on run_finalisations for insert
  with check (organization_id = (select current_app_org_id()));
create policy run_finalisations_select on run_finalisations for select
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('session_runs', 'view_org')) or (patient_profile_id = any ((select current_app_profile_ids())::uuid[])));
create policy run_finalisations_update on run_finalisations for update
  using (organization_id = (select current_app_org_id()))
  with check (organization_id = (select current_app_org_id()));
grant select on run_finalisations to tendon_app;
grant select, insert, update, delete on run_finalisations to tendon_definer;
grant select, insert, update, delete on run_finalisations to tendon_platform;
grant select, insert, update (version, events, flushed_at, based_on, is_damaged), delete on run_finalisations to tendon_telemetry;
grant delete on run_finalisations to tendon_worker;

create table run_manifests (
  run_id uuid not null,
  organization_id uuid default current_app_scope() not null,
  patient_profile_id uuid not null,
  items jsonb not null,
  created_at timestamptz default now() not null,
  pose_per_second integer,
  media_per_second integer,
  constraint run_manifests_pkey primary key (run_id),
  constraint run_manifests_organization_id_key unique (organization_id, run_id, patient_profile_id),
  constraint run_manifests_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint run_manifests_patient_fkey foreign key (organization_id, patient_profile_id) references patients(organization_id, patient_profile_id),
  constraint run_manifests_items_check check (jsonb_typeof(items) = 'array'),
  constraint run_manifests_media_per_second_check check (media_per_second > 0) not valid,
  constraint run_manifests_pose_per_second_check check (pose_per_second > 0) not valid
);
create index run_manifests_profile_id_idx on run_manifests using btree (patient_profile_id);
alter table run_manifests enable row level security;
alter table run_manifests force row level security;
create policy run_manifests_delete on run_manifests for delete
  using (organization_id = (select current_app_org_id()) and (select current_app_is_service()));
create policy run_manifests_insert on run_manifests for insert
  with check (organization_id = (select current_app_org_id()) and (patient_profile_id = any ((select current_app_profile_ids())::uuid[])));
create policy run_manifests_select on run_manifests for select
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('session_runs', 'view_org')) or (patient_profile_id = any ((select current_app_profile_ids())::uuid[])));
create trigger run_manifests_refuse_restricted before insert on run_manifests for each row execute function refuse_restricted();
grant select, insert (run_id, organization_id, patient_profile_id, items, pose_per_second, media_per_second) on run_manifests to tendon_app;
grant select, insert, update, delete on run_manifests to tendon_definer;
grant select, insert, update, delete on run_manifests to tendon_platform;
grant select on run_manifests to tendon_telemetry;
grant delete on run_manifests to tendon_worker;

create table saved_views (
  organization_id uuid default current_app_scope() not null,
  principal_id uuid default current_app_principal_id() not null,
  list text not null,
  views jsonb not null,
  version integer default 2 not null,
  updated_at timestamptz default now() not null,
  constraint saved_views_pkey primary key (organization_id, principal_id, list),
  constraint saved_views_membership_fkey foreign key (organization_id, principal_id) references organization_memberships(organization_id, principal_id) on delete cascade,
  constraint saved_views_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint saved_views_list_check check (list ~ '^[a-z]+(-[a-z]+)*$' and length(list) <= 40),
  constraint saved_views_views_check check (jsonb_typeof(views) = 'array')
);
alter table saved_views enable row level security;
alter table saved_views force row level security;
create policy saved_views_insert on saved_views for insert
  with check (organization_id = (select current_app_org_id()) and principal_id = (select current_app_principal_id()));
create policy saved_views_select on saved_views for select
  using (organization_id = (select current_app_org_id()) and principal_id = (select current_app_principal_id()));
create policy saved_views_update on saved_views for update
  using (organization_id = (select current_app_org_id()) and principal_id = (select current_app_principal_id()))
  with check (organization_id = (select current_app_org_id()) and principal_id = (select current_app_principal_id()));
create trigger saved_views_bump_version before update on saved_views for each row execute function bump_version();
create trigger saved_views_updated_at before update on saved_views for each row execute function set_updated_at();
grant select, insert (organization_id, principal_id, list, views), update (views, updated_at) on saved_views to tendon_app;
grant select, insert, update, delete on saved_views to tendon_definer;
grant select, insert, update, delete on saved_views to tendon_platform;

create table segment_evaluations (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  segment_id uuid not null,
  status text default 'queued' not null,
  attempts integer default 0 not null,
  queued_at timestamptz default now() not null,
  started_at timestamptz,
  completed_at timestamptz,
  duration_ms integer,
  members_added integer,
  members_removed integer,
  failure jsonb,
  constraint segment_evaluations_pkey primary key (id),
  constraint segment_evaluations_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint segment_evaluations_segment_fkey foreign key (organization_id, segment_id) references segments(organization_id, id) on delete cascade,
  constraint segment_evaluations_status_check check (status = any (array['queued', 'running', 'completed', 'failed']))
);
create index segment_evaluations_open_idx on segment_evaluations using btree (organization_id, id) where status = any (array['queued', 'running']);
create index segment_evaluations_segment_idx on segment_evaluations using btree (segment_id, id desc);
create unique index segment_evaluations_waiting_key on segment_evaluations using btree (segment_id) where status = 'queued';
alter table segment_evaluations enable row level security;
alter table segment_evaluations force row level security;
create policy segment_evaluations_delete on segment_evaluations for delete
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('segments', 'evaluate')));
create policy segment_evaluations_insert on segment_evaluations for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('segments', 'manage')));
create policy segment_evaluations_select on segment_evaluations for select
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('segments', 'view')));
create policy segment_evaluations_update on segment_evaluations for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('segments', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('segments', 'manage')));
grant select, insert (organization_id, segment_id, status, started_at), update (status, attempts, queued_at, started_at, completed_at, duration_ms, members_added, members_removed, failure), delete on segment_evaluations to tendon_app;
grant select, insert, update, delete on segment_evaluations to tendon_definer;
grant select, insert, update, delete on segment_evaluations to tendon_platform;

create table segment_members (
  organization_id uuid default current_app_scope() not null,
  segment_id uuid not null,
  patient_id uuid not null,
  matched_at timestamptz not null,
  constraint segment_members_pkey primary key (segment_id, patient_id),
  constraint segment_members_patient_fkey foreign key (organization_id, patient_id) references patients(organization_id, id),
  constraint segment_members_segment_fkey foreign key (organization_id, segment_id) references segments(organization_id, id) on delete cascade
);
create index segment_members_matched_idx on segment_members using btree (segment_id, matched_at desc, patient_id desc);
create index segment_members_patient_idx on segment_members using btree (organization_id, patient_id);
alter table segment_members enable row level security;
alter table segment_members force row level security;
create policy segment_members_delete on segment_members for delete
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('segments', 'evaluate')));
create policy segment_members_insert on segment_members for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('segments', 'evaluate')));
create policy segment_members_select on segment_members for select
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('segments', 'view')) and (select current_app_has_permission('patients', 'view_org')));
grant select, insert, delete on segment_members to tendon_app;
grant select, insert, update, delete on segment_members to tendon_definer;
grant select, insert, update, delete on segment_members to tendon_platform;

create table segment_versions (
  organization_id uuid default current_app_scope() not null,
  segment_id uuid not null,
  version integer not null,
  match_mode text not null,
  rules jsonb not null,
  changed_by_principal_id uuid default current_app_principal_id(),
  created_at timestamptz default now() not null,
  constraint segment_versions_pkey primary key (segment_id, version),
  constraint segment_versions_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint segment_versions_segment_fkey foreign key (organization_id, segment_id) references segments(organization_id, id) on delete cascade,
  constraint segment_versions_version_check check (version > 0)
);
alter table segment_versions enable row level security;
alter table segment_versions force row level security;
create policy segment_versions_insert on segment_versions for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('segments', 'manage')));
create policy segment_versions_select on segment_versions for select
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('segments', 'view')));
grant select, insert (organization_id, segment_id, version, match_mode, rules) on segment_versions to tendon_app;
grant select, insert, update, delete on segment_versions to tendon_definer;
grant select, insert, update, delete on segment_versions to tendon_platform;

create table segments (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  name text not null,
  description text default '' not null,
  match_mode text not null,
  rules jsonb not null,
  version integer default 1 not null,
  follows_calendar boolean default false not null,
  fresh_asked_at timestamptz,
  created_by_principal_id uuid default current_app_principal_id(),
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  constraint segments_pkey primary key (id),
  constraint segments_organization_id_key unique (organization_id, id),
  constraint segments_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint segments_match_mode_check check (match_mode = any (array['all', 'any'])),
  constraint segments_name_check check (char_length(name) >= 1 and char_length(name) <= 255),
  constraint segments_version_check check (version > 0)
);
alter table segments enable row level security;
alter table segments force row level security;
create policy segments_delete on segments for delete
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('segments', 'manage')));
create policy segments_insert on segments for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('segments', 'manage')));
create policy segments_select on segments for select
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('segments', 'view')));
create policy segments_update on segments for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('segments', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('segments', 'manage')));
create trigger segments_bump_version before update of name, description, match_mode, rules on segments for each row execute function bump_version();
create trigger segments_check_limit before insert on segments for each row execute function segments_check_limit();
create trigger segments_updated_at before update of name, description, match_mode, rules, version on segments for each row execute function set_updated_at();
grant select, insert (organization_id, name, description, match_mode, rules, follows_calendar), update (name, description, match_mode, rules, follows_calendar, fresh_asked_at, updated_at), delete on segments to tendon_app;
grant select, insert, update, delete on segments to tendon_definer;
grant select, insert, update, delete on segments to tendon_platform;

create table service_accounts (
  id uuid not null,
  kind text default 'service' not null,
  organization_id uuid default current_app_scope() not null,
  name text not null,
  description text,
  created_by_principal_id uuid,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  version integer default 1 not null,
  constraint service_accounts_pkey primary key (id),
  constraint service_accounts_name_key unique (organization_id, name),
  constraint service_accounts_organization_id_key unique (organization_id, id),
  constraint service_accounts_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint service_accounts_principal_fkey foreign key (organization_id, id, kind) references principals(organization_id, id, kind),
  constraint service_accounts_kind_check check (kind = 'service')
);
alter table service_accounts enable row level security;
alter table service_accounts force row level security;
create policy service_accounts_delete on service_accounts for delete
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_members')));
create policy service_accounts_insert on service_accounts for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_members')));
create policy service_accounts_select on service_accounts for select
  using (organization_id = (select current_app_org_id()) and (id = (select current_app_principal_id()) or (select current_app_has_permission('organizations', 'view_directory')) or (select current_app_has_permission('organizations', 'manage_members'))));
create policy service_accounts_update on service_accounts for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_members')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'manage_members')));
create trigger service_accounts_bump_version before update on service_accounts for each row execute function bump_version();
create trigger service_accounts_updated_at before update on service_accounts for each row execute function set_updated_at();
grant select, insert, update (name, description, updated_at), delete on service_accounts to tendon_app;
grant select, insert, update, delete on service_accounts to tendon_definer;
grant select, insert, update, delete on service_accounts to tendon_platform;

create table service_locations (
  organization_id uuid default current_app_scope() not null,
  service_id uuid not null,
  location_id uuid not null,
  constraint service_locations_pkey primary key (service_id, location_id),
  constraint service_locations_location_fkey foreign key (organization_id, location_id) references locations(organization_id, id),
  constraint service_locations_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint service_locations_service_fkey foreign key (organization_id, service_id) references services(organization_id, id) on delete cascade
);
create index service_locations_location_idx on service_locations using btree (organization_id, location_id);
create index service_locations_service_idx on service_locations using btree (organization_id, service_id);
alter table service_locations enable row level security;
alter table service_locations force row level security;
create policy service_locations_delete on service_locations for delete
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('services', 'manage')));
create policy service_locations_insert on service_locations for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('services', 'manage')));
create policy service_locations_select on service_locations for select
  using (organization_id = (select current_app_org_id()) and ((select current_app_has_permission('services', 'view_org')) or (select current_app_has_permission('services', 'manage'))));
grant select, insert, delete on service_locations to tendon_app;
grant select, insert, update, delete on service_locations to tendon_definer;
grant select, insert, update, delete on service_locations to tendon_platform;

create table service_plan_items (
  organization_id uuid default current_app_scope() not null,
  service_plan_id uuid not null,
  service_id uuid not null,
  quantity integer not null,
  "position" integer not null,
  constraint service_plan_items_pkey primary key (service_plan_id, service_id),
  constraint service_plan_items_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint service_plan_items_plan_fkey foreign key (organization_id, service_plan_id) references service_plans(organization_id, id) on delete cascade,
  constraint service_plan_items_service_fkey foreign key (organization_id, service_id) references services(organization_id, id),
  constraint service_plan_items_quantity_check check (quantity >= 1 and quantity <= 1000)
);
create index service_plan_items_plan_idx on service_plan_items using btree (organization_id, service_plan_id);
create index service_plan_items_service_idx on service_plan_items using btree (organization_id, service_id);
alter table service_plan_items enable row level security;
alter table service_plan_items force row level security;
create policy service_plan_items_delete on service_plan_items for delete
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('services', 'manage')));
create policy service_plan_items_insert on service_plan_items for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('services', 'manage')));
create policy service_plan_items_select on service_plan_items for select
  using (organization_id = (select current_app_org_id()) and ((select current_app_has_permission('services', 'view_org')) or (select current_app_has_permission('services', 'manage'))));
grant select, insert, delete on service_plan_items to tendon_app;
grant select, insert, update, delete on service_plan_items to tendon_definer;
grant select, insert, update, delete on service_plan_items to tendon_platform;

create table service_plan_products (
  organization_id uuid default current_app_scope() not null,
  service_plan_id uuid not null,
  product_id uuid not null,
  quantity integer default 1 not null,
  created_at timestamptz default now() not null,
  constraint service_plan_products_pkey primary key (service_plan_id, product_id),
  constraint service_plan_products_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint service_plan_products_plan_fkey foreign key (organization_id, service_plan_id) references service_plans(organization_id, id) on delete cascade,
  constraint service_plan_products_product_fkey foreign key (organization_id, product_id) references products(organization_id, id),
  constraint service_plan_products_quantity_check check (quantity >= 1 and quantity <= 1000)
);
create index service_plan_products_plan_idx on service_plan_products using btree (organization_id, service_plan_id);
create index service_plan_products_product_idx on service_plan_products using btree (organization_id, product_id);
alter table service_plan_products enable row level security;
alter table service_plan_products force row level security;
create policy service_plan_products_delete on service_plan_products for delete
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('services', 'manage')));
create policy service_plan_products_insert on service_plan_products for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('services', 'manage')));
create policy service_plan_products_select on service_plan_products for select
  using (organization_id = (select current_app_org_id()) and ((select current_app_has_permission('services', 'view_org')) or (select current_app_has_permission('services', 'manage'))));
grant select, insert, delete on service_plan_products to tendon_app;
grant select, insert, update, delete on service_plan_products to tendon_definer;
grant select, insert, update, delete on service_plan_products to tendon_platform;

create table service_plans (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  name text not null,
  description text,
  valid_days integer,
  billing text default 'one_time' not null,
  price_cents bigint not null,
  currency text default 'RON' not null,
  status text default 'draft' not null,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  deleted_at timestamptz,
  version integer default 1 not null,
  constraint service_plans_pkey primary key (id),
  constraint service_plans_organization_id_key unique (organization_id, id),
  constraint service_plans_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint service_plans_billing_check check (billing = any (array['one_time', 'monthly'])),
  constraint service_plans_price_cents_check check (price_cents >= 0),
  constraint service_plans_status_check check (status = any (array['draft', 'active', 'archived'])),
  constraint service_plans_valid_days_check check (valid_days > 0)
);
create index service_plans_name_idx on service_plans using btree (organization_id, name);
alter table service_plans enable row level security;
alter table service_plans force row level security;
create policy service_plans_insert on service_plans for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('services', 'manage')));
create policy service_plans_select on service_plans for select
  using (organization_id = (select current_app_org_id()) and ((select current_app_has_permission('services', 'view_org')) or (select current_app_has_permission('services', 'manage'))) and (deleted_at is null or (select current_app_has_permission('data', 'view_deleted'))));
create policy service_plans_update on service_plans for update
  using (organization_id = (select current_app_org_id()) and (deleted_at is null or (select current_app_is_service()) and (select current_app_has_permission('data', 'view_deleted'))) and (select current_app_has_permission('services', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('services', 'manage')));
create trigger service_plans_bump_version before update on service_plans for each row execute function bump_version();
create trigger service_plans_refuse_unless_service before update of deleted_at on service_plans for each row execute function refuse_unless_service();
create trigger service_plans_updated_at before update on service_plans for each row execute function set_updated_at();
grant select, insert, update (name, description, valid_days, billing, price_cents, currency, status, updated_at, deleted_at) on service_plans to tendon_app;
grant select, insert, update, delete on service_plans to tendon_definer;
grant select, insert, update, delete on service_plans to tendon_platform;

create table service_specialists (
  organization_id uuid default current_app_scope() not null,
  service_id uuid not null,
  specialist_id uuid not null,
  constraint service_specialists_pkey primary key (service_id, specialist_id),
  constraint service_specialists_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint service_specialists_service_fkey foreign key (organization_id, service_id) references services(organization_id, id) on delete cascade,
  constraint service_specialists_specialist_fkey foreign key (organization_id, specialist_id) references specialists(organization_id, id)
);
create index service_specialists_service_idx on service_specialists using btree (organization_id, service_id);
create index service_specialists_specialist_idx on service_specialists using btree (organization_id, specialist_id);
alter table service_specialists enable row level security;
alter table service_specialists force row level security;
create policy service_specialists_delete on service_specialists for delete
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('services', 'manage')));
create policy service_specialists_insert on service_specialists for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('services', 'manage')));
create policy service_specialists_select on service_specialists for select
  using (organization_id = (select current_app_org_id()) and ((select current_app_has_permission('services', 'view_org')) or (select current_app_has_permission('services', 'manage'))));
grant select, insert, delete on service_specialists to tendon_app;
grant select, insert, update, delete on service_specialists to tendon_definer;
grant select, insert, update, delete on service_specialists to tendon_platform;

create table services (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  name text not null,
  slug text not null,
  description text,
  translations jsonb default '{}'::jsonb not null,
  duration_minutes integer not null,
  buffer_before_minutes integer default 0 not null,
  buffer_after_minutes integer default 0 not null,
  slot_interval_minutes integer default 60 not null,
  min_notice_minutes integer default 120 not null,
  max_days_ahead integer default 60 not null,
  modes text[] default '{in_person}'[] not null,
  specialty_id uuid,
  requires_confirmation boolean default false not null,
  cancel_notice_minutes integer default 1440 not null,
  reschedule_notice_minutes integer default 1440 not null,
  max_per_day integer,
  is_public boolean default true not null,
  status text default 'active' not null,
  color text,
  intake_form_template_id uuid,
  price_cents bigint,
  currency text default 'RON' not null,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  deleted_at timestamptz,
  version integer default 1 not null,
  reminder_offsets_minutes integer[],
  constraint services_pkey primary key (id),
  constraint services_organization_id_key unique (organization_id, id),
  constraint services_intake_form_template_fkey foreign key (organization_id, intake_form_template_id) references form_templates(organization_id, id),
  constraint services_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint services_specialty_fkey foreign key (organization_id, specialty_id) references specialties(organization_id, id) on delete set null (specialty_id),
  constraint services_buffer_after_minutes_check check (buffer_after_minutes >= 0 and buffer_after_minutes <= 240),
  constraint services_buffer_before_minutes_check check (buffer_before_minutes >= 0 and buffer_before_minutes <= 240),
  constraint services_cancel_notice_minutes_check check (cancel_notice_minutes >= 0),
  constraint services_duration_minutes_check check (duration_minutes >= 5 and duration_minutes <= 480),
  constraint services_max_days_ahead_check check (max_days_ahead > 0),
  constraint services_max_per_day_check check (max_per_day > 0),
  constraint services_min_notice_minutes_check check (min_notice_minutes >= 0),
  constraint services_modes_check check (cardinality(modes) > 0 and modes <@ '{in_person,video,phone}'[]),
  constraint services_price_cents_check check (price_cents >= 0),
  constraint services_reminder_offsets_check check (cardinality(reminder_offsets_minutes) <= 5 and (10 <= all (reminder_offsets_minutes)) and (43200 >= all (reminder_offsets_minutes))),
  constraint services_reschedule_notice_minutes_check check (reschedule_notice_minutes >= 0),
  constraint services_slot_interval_minutes_check check (slot_interval_minutes >= 5 and slot_interval_minutes <= 1440),
  constraint services_status_check check (status = any (array['active', 'archived']))
);
create index services_intake_form_template_idx on services using btree (organization_id, intake_form_template_id);
create index services_name_idx on services using btree (organization_id, name);
create unique index services_slug_key on services using btree (organization_id, slug) where deleted_at is null;
create index services_specialty_idx on services using btree (organization_id, specialty_id);
alter table services enable row level security;
alter table services force row level security;
create policy services_insert on services for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('services', 'manage')));
create policy services_select on services for select
  using (organization_id = (select current_app_org_id()) and ((select current_app_has_permission('services', 'view_org')) or (select current_app_has_permission('services', 'manage'))) and (deleted_at is null or (select current_app_has_permission('data', 'view_deleted'))));
create policy services_update on services for update
  using (organization_id = (select current_app_org_id()) and (deleted_at is null or (select current_app_is_service()) and (select current_app_has_permission('data', 'view_deleted'))) and (select current_app_has_permission('services', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('services', 'manage')));
create trigger services_bump_version before update on services for each row execute function bump_version();
create trigger services_refuse_unless_service before update of deleted_at on services for each row execute function refuse_unless_service();
create trigger services_updated_at before update on services for each row execute function set_updated_at();
grant select, insert, update (name, slug, description, translations, duration_minutes, buffer_before_minutes, buffer_after_minutes, slot_interval_minutes, min_notice_minutes, max_days_ahead, modes, specialty_id, requires_confirmation, cancel_notice_minutes, reschedule_notice_minutes, max_per_day, is_public, status, color, intake_form_template_id, price_cents, currency, updated_at, deleted_at, reminder_offsets_minutes) on services to tendon_app;
grant select, insert, update, delete on services to tendon_definer;
grant select, insert, update, delete on services to tendon_platform;

create table session_exercises (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  plan_session_id uuid not null,
  patient_profile_id uuid,
  exercise_id uuid not null,
  "position" integer not null,
  sets integer default 1 not null,
  reps integer,
  hold_seconds integer,
  rest_seconds integer default 0 not null,
  side text,
  notes text,
  override_reason text,
  safety jsonb default '[]'::jsonb not null,
  created_by_principal_id uuid default current_app_principal_id(),
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  removed_at timestamptz,
  film_render_id uuid,
  film_due_at timestamptz,
  constraint session_exercises_pkey primary key (id),
  constraint session_exercises_organization_id_key unique (organization_id, id),
  constraint session_exercises_exercise_fkey foreign key (exercise_id) references exercises(id),
  constraint session_exercises_film_fkey foreign key (organization_id, film_render_id) references renders(organization_id, id) not valid,
  constraint session_exercises_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint session_exercises_session_fkey foreign key (organization_id, plan_session_id) references plan_sessions(organization_id, id),
  constraint session_exercises_hold_seconds_check check (hold_seconds >= 1 and hold_seconds <= 3600),
  constraint session_exercises_position_check check ("position" > 0),
  constraint session_exercises_reps_check check (reps >= 1 and reps <= 500),
  constraint session_exercises_rest_seconds_check check (rest_seconds >= 0 and rest_seconds <= 3600),
  constraint session_exercises_sets_check check (sets >= 1 and sets <= 50),
  constraint session_exercises_side_check check (side = any (array['left', 'right', 'both']))
);
create index session_exercises_exercise_idx on session_exercises using btree (exercise_id) where removed_at is null;
create index session_exercises_film_due_idx on session_exercises using btree (film_due_at) where film_due_at is not null;
create index session_exercises_film_idx on session_exercises using btree (organization_id, film_render_id) where film_render_id is not null;
create index session_exercises_profile_id_idx on session_exercises using btree (patient_profile_id);
create index session_exercises_session_idx on session_exercises using btree (organization_id, plan_session_id, "position");
alter table session_exercises enable row level security;
alter table session_exercises force row level security;
create policy session_exercises_delete on session_exercises for delete
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('treatment_plans', 'manage')));
create policy session_exercises_insert on session_exercises for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('treatment_plans', 'manage')));
create policy session_exercises_select on session_exercises for select
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('treatment_plans', 'view_org')) or (patient_profile_id = any ((select current_app_profile_ids())::uuid[])) and (exists ( select 1
   from plan_sessions s
  where s.id = session_exercises.plan_session_id)));
create policy session_exercises_update on session_exercises for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('treatment_plans', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('treatment_plans', 'manage')));
create trigger session_exercises_check_exercise before insert on session_exercises for each row execute function session_exercises_check_exercise();
create trigger session_exercises_refuse_restricted before insert or update on session_exercises for each row when (new.patient_profile_id is not null) execute function refuse_restricted();
create trigger session_exercises_request_film before insert or update of sets, reps, side on session_exercises for each row when (new.patient_profile_id is not null) execute function session_exercises_request_film();
create trigger session_exercises_updated_at before update on session_exercises for each row execute function set_updated_at();
grant select, insert (organization_id, plan_session_id, exercise_id, position, sets, reps, hold_seconds, rest_seconds, side, notes, override_reason, safety), update (position, sets, reps, hold_seconds, rest_seconds, side, notes, override_reason, safety, updated_at, removed_at), delete on session_exercises to tendon_app;
grant select, insert, update, delete on session_exercises to tendon_definer;
grant select, insert, update, delete on session_exercises to tendon_platform;

create table session_feedback (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  session_run_id uuid not null,
  patient_profile_id uuid not null,
  perceived_exertion integer not null,
  pain integer not null,
  comment text,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  constraint session_feedback_pkey primary key (id),
  constraint session_feedback_run_key unique (session_run_id),
  constraint session_feedback_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint session_feedback_run_fkey foreign key (organization_id, session_run_id, patient_profile_id) references session_runs(organization_id, id, patient_profile_id),
  constraint session_feedback_pain_check check (pain >= 0 and pain <= 10),
  constraint session_feedback_perceived_exertion_check check (perceived_exertion >= 0 and perceived_exertion <= 10)
);
create index session_feedback_profile_id_idx on session_feedback using btree (patient_profile_id);
create index session_feedback_strong_idx on session_feedback using btree (organization_id, created_at) where pain >= 4;
alter table session_feedback enable row level security;
alter table session_feedback force row level security;
create policy session_feedback_insert on session_feedback for insert
  with check (organization_id = (select current_app_org_id()) and (patient_profile_id = any ((select current_app_profile_ids())::uuid[])));
create policy session_feedback_select on session_feedback for select
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('session_runs', 'view_org')) or (patient_profile_id = any ((select current_app_profile_ids())::uuid[])));
create policy session_feedback_update on session_feedback for update
  using (organization_id = (select current_app_org_id()) and ((select current_app_is_service()) and (select current_app_has_permission('gdpr', 'erase_data')) or (patient_profile_id = any ((select current_app_profile_ids())::uuid[]))))
  with check (organization_id = (select current_app_org_id()) and ((select current_app_is_service()) and (select current_app_has_permission('gdpr', 'erase_data')) or (patient_profile_id = any ((select current_app_profile_ids())::uuid[]))));
create trigger session_feedback_check_patient before insert on session_feedback for each row execute function check_session_run_patient();
create trigger session_feedback_refuse_restricted before insert on session_feedback for each row execute function refuse_restricted();
create trigger session_feedback_updated_at before update on session_feedback for each row execute function set_updated_at();
grant select, insert (organization_id, session_run_id, patient_profile_id, perceived_exertion, pain, comment), update (perceived_exertion, pain, comment, updated_at) on session_feedback to tendon_app;
grant select, insert, update, delete on session_feedback to tendon_definer;
grant select, insert, update, delete on session_feedback to tendon_platform;

create table session_run_events (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  session_run_id uuid not null,
  patient_profile_id uuid not null,
  session_exercise_id uuid not null,
  type text not null,
  client_event_id uuid,
  data jsonb default '{}'::jsonb not null,
  occurred_at timestamptz default now() not null,
  created_at timestamptz default now() not null,
  constraint session_run_events_pkey primary key (id),
  constraint session_run_events_client_event_key unique (session_run_id, client_event_id),
  constraint session_run_events_exercise_fkey foreign key (organization_id, session_exercise_id) references session_exercises(organization_id, id),
  constraint session_run_events_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint session_run_events_run_fkey foreign key (organization_id, session_run_id, patient_profile_id) references session_runs(organization_id, id, patient_profile_id),
  constraint session_run_events_type_check check (type = any (array['started', 'completed', 'skipped', 'abandoned', 'paused_for_pain']))
);
create unique index session_run_events_ended_key on session_run_events using btree (session_run_id, session_exercise_id) where type = any (array['completed', 'skipped', 'abandoned']);
create index session_run_events_exercise_idx on session_run_events using btree (organization_id, session_exercise_id);
create index session_run_events_profile_id_idx on session_run_events using btree (patient_profile_id);
create index session_run_events_run_idx on session_run_events using btree (session_run_id, created_at);
alter table session_run_events enable row level security;
alter table session_run_events force row level security;
create policy session_run_events_insert on session_run_events for insert
  with check (organization_id = (select current_app_org_id()) and ((select current_app_is_service()) and (select current_app_has_permission('session_runs', 'view_org')) or (patient_profile_id = any ((select current_app_profile_ids())::uuid[]))));
create policy session_run_events_select on session_run_events for select
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('session_runs', 'view_org')) or (patient_profile_id = any ((select current_app_profile_ids())::uuid[])));
create trigger session_run_events_check_patient before insert on session_run_events for each row when (new.client_event_id is not null) execute function check_session_run_patient();
create trigger session_run_events_refuse_restricted before insert on session_run_events for each row when (new.client_event_id is not null) execute function refuse_restricted();
grant select, insert (organization_id, session_run_id, patient_profile_id, session_exercise_id, type, client_event_id, data, occurred_at) on session_run_events to tendon_app;
grant select, insert, update, delete on session_run_events to tendon_definer;
grant select, insert, update, delete on session_run_events to tendon_platform;

create table session_runs (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  patient_profile_id uuid not null,
  treatment_plan_id uuid not null,
  session_exercise_ids uuid[] not null,
  plan_session_id uuid not null,
  status text default 'in_progress' not null,
  started_at timestamptz default now() not null,
  last_event_at timestamptz default now() not null,
  ended_at timestamptz,
  prescription jsonb not null,
  constraint session_runs_pkey primary key (id),
  constraint session_runs_patient_key unique (organization_id, id, patient_profile_id),
  constraint session_runs_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint session_runs_patient_fkey foreign key (organization_id, patient_profile_id) references patients(organization_id, patient_profile_id),
  constraint session_runs_plan_fkey foreign key (organization_id, treatment_plan_id, patient_profile_id) references treatment_plans(organization_id, id, patient_profile_id),
  constraint session_runs_session_fkey foreign key (organization_id, plan_session_id) references plan_sessions(organization_id, id),
  constraint session_runs_ended_check check ((status = 'in_progress') = (ended_at is null)),
  constraint session_runs_exercises_check check (cardinality(session_exercise_ids) > 0),
  constraint session_runs_status_check check (status = any (array['in_progress', 'ended_naturally', 'ended_explicit', 'ended_auto']))
);
create unique index session_runs_in_progress_key on session_runs using btree (plan_session_id, patient_profile_id) where status = 'in_progress';
create index session_runs_patient_idx on session_runs using btree (organization_id, patient_profile_id, started_at desc);
create index session_runs_plan_idx on session_runs using btree (organization_id, treatment_plan_id);
create index session_runs_profile_id_idx on session_runs using btree (patient_profile_id);
create index session_runs_session_idx on session_runs using btree (organization_id, plan_session_id);
create index session_runs_stale_idx on session_runs using btree (last_event_at) where status = 'in_progress';
create index session_runs_started_idx on session_runs using btree (organization_id, started_at desc, id desc);
alter table session_runs enable row level security;
alter table session_runs force row level security;
create policy session_runs_insert on session_runs for insert
  with check (organization_id = (select current_app_org_id()) and (patient_profile_id = any ((select current_app_profile_ids())::uuid[])));
create policy session_runs_select on session_runs for select
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('session_runs', 'view_org')) or (patient_profile_id = any ((select current_app_profile_ids())::uuid[])));
create policy session_runs_update on session_runs for update
  using (organization_id = (select current_app_org_id()) and ((select current_app_is_service()) and (select current_app_has_permission('session_runs', 'view_org')) or (patient_profile_id = any ((select current_app_profile_ids())::uuid[]))))
  with check (organization_id = (select current_app_org_id()) and ((select current_app_is_service()) and (select current_app_has_permission('session_runs', 'view_org')) or (patient_profile_id = any ((select current_app_profile_ids())::uuid[]))));
create trigger session_runs_check_plan before insert on session_runs for each row execute function session_runs_check_plan();
create trigger session_runs_refuse_restricted before insert on session_runs for each row execute function refuse_restricted();
grant select, insert (organization_id, plan_session_id), update (status, last_event_at, ended_at) on session_runs to tendon_app;
grant select, insert, update, delete on session_runs to tendon_definer;
grant select, insert, update, delete on session_runs to tendon_platform;

create table specialist_specialties (
  organization_id uuid default current_app_scope() not null,
  specialist_id uuid not null,
  specialty_id uuid not null,
  constraint specialist_specialties_pkey primary key (specialist_id, specialty_id),
  constraint specialist_specialties_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint specialist_specialties_specialist_fkey foreign key (organization_id, specialist_id) references specialists(organization_id, id),
  constraint specialist_specialties_specialty_fkey foreign key (organization_id, specialty_id) references specialties(organization_id, id) on delete cascade
);
create index specialist_specialties_specialty_idx on specialist_specialties using btree (organization_id, specialty_id);
alter table specialist_specialties enable row level security;
alter table specialist_specialties force row level security;
create policy specialist_specialties_delete on specialist_specialties for delete
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('specialists', 'manage')));
create policy specialist_specialties_insert on specialist_specialties for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('specialists', 'manage')));
create policy specialist_specialties_select on specialist_specialties for select
  using (organization_id = (select current_app_org_id()) and ((select current_app_has_permission('specialists', 'view_org')) or (select current_app_has_permission('specialists', 'manage'))));
grant select, insert, delete on specialist_specialties to tendon_app;
grant select, insert, update, delete on specialist_specialties to tendon_definer;
grant select, insert, update, delete on specialist_specialties to tendon_platform;

create table specialists (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  human_id uuid,
  name text not null,
  title text,
  description text,
  slug text not null,
  signature_url text,
  avatar_url text,
  scheduling_timezone text not null,
  scheduling_active boolean default true not null,
  crm_name text,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  deleted_at timestamptz,
  version integer default 1 not null,
  meeting_url text,
  registration_number text,
  constraint specialists_pkey primary key (id),
  constraint specialists_organization_id_key unique (organization_id, id),
  constraint specialists_human_id_fkey foreign key (human_id) references humans(id),
  constraint specialists_member_fkey foreign key (organization_id, human_id) references organization_memberships(organization_id, principal_id) on update cascade on delete set null (human_id),
  constraint specialists_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint specialists_meeting_url_check check (meeting_url ~ '^https://' and length(meeting_url) <= 2048)
);
create index specialists_human_id_idx on specialists using btree (human_id);
create unique index specialists_human_key on specialists using btree (organization_id, human_id) where deleted_at is null;
create index specialists_member_idx on specialists using btree (organization_id, human_id);
create unique index specialists_slug_key on specialists using btree (organization_id, slug) where deleted_at is null;
alter table specialists enable row level security;
alter table specialists force row level security;
create policy specialists_insert on specialists for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('specialists', 'manage')));
create policy specialists_select on specialists for select
  using (organization_id = (select current_app_org_id()) and ((select current_app_has_permission('specialists', 'manage')) or (select current_app_has_permission('specialists', 'view_org')) and (deleted_at is null or (select current_app_has_permission('data', 'view_deleted')))));
create policy specialists_update on specialists for update
  using (organization_id = (select current_app_org_id()) and (deleted_at is null or (select current_app_is_service()) and (select current_app_has_permission('data', 'view_deleted'))) and (select current_app_has_permission('specialists', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('specialists', 'manage')));
create trigger specialists_bump_version before update on specialists for each row execute function bump_version();
create trigger specialists_change_usage before insert on specialists for each row when (new.deleted_at is null and new.organization_id is not null) execute function specialists_change_usage();
create trigger specialists_change_usage_on_delete before update of deleted_at on specialists for each row when ((old.deleted_at is null) <> (new.deleted_at is null)) execute function specialists_change_usage();
create trigger specialists_updated_at before update on specialists for each row execute function set_updated_at();
grant select, insert (organization_id, human_id, name, title, description, slug, scheduling_timezone, scheduling_active, crm_name, meeting_url, registration_number), update (human_id, name, title, description, slug, scheduling_timezone, scheduling_active, crm_name, updated_at, deleted_at, meeting_url, registration_number) on specialists to tendon_app;
grant select, insert, update, delete on specialists to tendon_definer;
grant select, insert, update, delete on specialists to tendon_platform;

create table specialties (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  title text not null,
  slug text not null,
  description text,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  version integer default 1 not null,
  constraint specialties_pkey primary key (id),
  constraint specialties_organization_id_key unique (organization_id, id),
  constraint specialties_slug_key unique (organization_id, slug),
  constraint specialties_organization_id_fkey foreign key (organization_id) references organizations(id)
);
alter table specialties enable row level security;
alter table specialties force row level security;
create policy specialties_delete on specialties for delete
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('specialists', 'manage')));
create policy specialties_insert on specialties for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('specialists', 'manage')));
create policy specialties_select on specialties for select
  using (organization_id = (select current_app_org_id()) and ((select current_app_has_permission('specialists', 'view_org')) or (select current_app_has_permission('specialists', 'manage'))));
create policy specialties_update on specialties for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('specialists', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('specialists', 'manage')));
create trigger specialties_bump_version before update on specialties for each row execute function bump_version();
create trigger specialties_updated_at before update on specialties for each row execute function set_updated_at();
grant select, insert (organization_id, title, slug, description), update (title, slug, description, updated_at), delete on specialties to tendon_app;
grant select, insert, update, delete on specialties to tendon_definer;
grant select, insert, update, delete on specialties to tendon_platform;

create table taxonomy_tags (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope(),
  axis text not null,
  slug text not null,
  name text not null,
  description text,
  sort_order integer default 0 not null,
  translations jsonb default '{}'::jsonb not null,
  parent_id uuid,
  body_area text,
  icon_url text,
  icd10_code text,
  body_region_id uuid,
  status text generated always as (
case
    when (deprecated_at is null) then 'active'
    else 'deprecated'
end) stored not null,
  deprecated_at timestamptz,
  replaced_by_id uuid,
  created_by_principal_id uuid default current_app_principal_id(),
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  search_text text generated always as (fold_text(normalize((name || translated_text(translations, 'name'))))) stored not null,
  version integer default 1 not null,
  constraint taxonomy_tags_pkey primary key (id),
  constraint taxonomy_tags_axis_key unique (id, axis),
  constraint taxonomy_tags_slug_key unique nulls not distinct (axis, organization_id, slug),
  constraint taxonomy_tags_body_region_fkey foreign key (body_region_id) references taxonomy_tags(id) on delete set null,
  constraint taxonomy_tags_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint taxonomy_tags_parent_fkey foreign key (parent_id) references taxonomy_tags(id) on delete set null,
  constraint taxonomy_tags_replaced_by_fkey foreign key (replaced_by_id) references taxonomy_tags(id) on delete set null,
  constraint taxonomy_tags_axis_check check (axis = any (array['category', 'body_region', 'equipment', 'movement_pattern', 'recovery_phase', 'condition', 'skill_prerequisite'])),
  constraint taxonomy_tags_body_area_check check (body_area = any (array['upper_body', 'lower_body', 'core', 'full_body'])),
  constraint taxonomy_tags_columns_check check ((parent_id is null or (axis = any (array['category', 'condition']))) and (body_area is not null) = (axis = 'body_region') and (icon_url is null or axis = 'equipment') and (coalesce(icd10_code, body_region_id::text) is null or axis = 'condition')),
  constraint taxonomy_tags_icd10_code_check check (icd10_code ~ '^[A-Z][0-9][0-9A-Z](\.[0-9A-Z]{1,4})?$'),
  constraint taxonomy_tags_platform_only_check check (organization_id is null or (axis = any (array['category', 'equipment', 'condition']))),
  constraint taxonomy_tags_replaced_check check (replaced_by_id is null or deprecated_at is not null)
);
create index taxonomy_tags_body_region_idx on taxonomy_tags using btree (body_region_id);
create index taxonomy_tags_parent_idx on taxonomy_tags using btree (parent_id);
create index taxonomy_tags_replaced_by_idx on taxonomy_tags using btree (replaced_by_id);
alter table taxonomy_tags enable row level security;
alter table taxonomy_tags force row level security;
create policy taxonomy_tags_delete on taxonomy_tags for delete
  using (organization_id = (select current_app_org_id()) and (axis = any (array['category', 'equipment'])) and (select current_app_has_permission('catalog', 'tags:write_private')));
create policy taxonomy_tags_insert on taxonomy_tags for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('catalog', 'tags:write_private')));
create policy taxonomy_tags_select on taxonomy_tags for select
  using (organization_id = (select current_app_org_id()) or organization_id is null);
create policy taxonomy_tags_update on taxonomy_tags for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('catalog', 'tags:write_private')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('catalog', 'tags:write_private')));
create trigger taxonomy_tags_bump_version before update on taxonomy_tags for each row execute function bump_version();
create trigger taxonomy_tags_check_references before insert or update of parent_id, body_region_id, replaced_by_id on taxonomy_tags for each row execute function taxonomy_tags_check_references();
create trigger taxonomy_tags_updated_at before update on taxonomy_tags for each row execute function set_updated_at();
grant select, insert (organization_id, axis, slug, name, description, sort_order, translations, parent_id, icon_url, icd10_code, body_region_id), update (description, sort_order, translations, parent_id, icon_url, body_region_id, deprecated_at, replaced_by_id, updated_at), delete on taxonomy_tags to tendon_app;
grant select, insert, update, delete on taxonomy_tags to tendon_definer;
grant select, insert, update (description, sort_order, translations, parent_id, body_area, icon_url, body_region_id, deprecated_at, replaced_by_id, updated_at), delete on taxonomy_tags to tendon_platform;

create table time_claims (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  specialist_id uuid not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  during tstzrange generated always as (tstzrange(starts_at, ends_at)) stored,
  kind text not null,
  hold_id uuid,
  appointment_id uuid,
  expires_at timestamptz,
  constraint time_claims_pkey primary key (id),
  constraint time_claims_free_excl exclude using gist (organization_id with =, specialist_id with =, during with &&),
  constraint time_claims_appointment_fkey foreign key (organization_id, appointment_id) references appointments(organization_id, id) on delete cascade,
  constraint time_claims_hold_fkey foreign key (organization_id, hold_id) references holds(organization_id, id) on delete cascade,
  constraint time_claims_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint time_claims_specialist_fkey foreign key (organization_id, specialist_id) references specialists(organization_id, id),
  constraint time_claims_expiry_check check ((kind = 'hold') = (expires_at is not null)),
  constraint time_claims_kind_check check (kind = any (array['hold', 'appointment'])),
  constraint time_claims_length_check check (ends_at > starts_at and (ends_at - starts_at) <= '24:00:00'::interval)
);
create unique index time_claims_appointment_key on time_claims using btree (organization_id, appointment_id) where appointment_id is not null;
create unique index time_claims_hold_key on time_claims using btree (organization_id, hold_id) where hold_id is not null;
create index time_claims_read_idx on time_claims using btree (organization_id, specialist_id, starts_at) include (ends_at, kind, expires_at);
alter table time_claims enable row level security;
alter table time_claims force row level security;
create policy time_claims_select on time_claims for select
  using (organization_id = (select current_app_org_id()) and (select current_app_is_service()) and (select current_app_has_permission('appointments', 'view_org')));
grant select (organization_id, specialist_id, starts_at, ends_at, kind, expires_at) on time_claims to tendon_app;
grant select, insert, update, delete on time_claims to tendon_definer;
grant select, insert, update, delete on time_claims to tendon_platform;

create table treatment_plans (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  patient_profile_id uuid not null,
  program_id uuid,
  title text not null,
  description text,
  status text default 'draft' not null,
  version integer default 1 not null,
  starts_on date,
  ends_on date,
  activated_at timestamptz,
  completed_at timestamptz,
  archived_at timestamptz,
  created_by_principal_id uuid default current_app_principal_id(),
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  constraint treatment_plans_pkey primary key (id),
  constraint treatment_plans_organization_id_key unique (organization_id, id),
  constraint treatment_plans_patient_key unique (organization_id, id, patient_profile_id),
  constraint treatment_plans_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint treatment_plans_patient_fkey foreign key (organization_id, patient_profile_id) references patients(organization_id, patient_profile_id),
  constraint treatment_plans_program_fkey foreign key (organization_id, program_id) references programs(organization_id, id),
  constraint treatment_plans_dates_check check (ends_on >= starts_on),
  constraint treatment_plans_status_check check (status = any (array['draft', 'active', 'completed', 'archived']))
);
create index treatment_plans_active_idx on treatment_plans using btree (organization_id, ends_on) where status = 'active';
create index treatment_plans_created_idx on treatment_plans using btree (organization_id, created_at desc, id desc);
create index treatment_plans_patient_idx on treatment_plans using btree (organization_id, patient_profile_id, created_at desc);
create index treatment_plans_profile_id_idx on treatment_plans using btree (patient_profile_id);
create index treatment_plans_program_idx on treatment_plans using btree (organization_id, program_id);
alter table treatment_plans enable row level security;
alter table treatment_plans force row level security;
create policy treatment_plans_delete on treatment_plans for delete
  using (organization_id = (select current_app_org_id()) and status = 'draft' and (select current_app_has_permission('treatment_plans', 'manage')));
create policy treatment_plans_insert on treatment_plans for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('treatment_plans', 'manage')));
create policy treatment_plans_select on treatment_plans for select
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('treatment_plans', 'view_org')) or (patient_profile_id = any ((select current_app_profile_ids())::uuid[])) and status <> 'draft');
create policy treatment_plans_update on treatment_plans for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('treatment_plans', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('treatment_plans', 'manage')));
create trigger treatment_plans_bump_version before update on treatment_plans for each row execute function bump_version();
create trigger treatment_plans_refuse_restricted before insert or update on treatment_plans for each row execute function refuse_restricted();
create trigger treatment_plans_request_films after update of status on treatment_plans for each row when (new.status = 'active' and old.status <> 'active') execute function treatment_plans_request_films();
create trigger treatment_plans_updated_at before update on treatment_plans for each row execute function set_updated_at();
grant select, insert (organization_id, patient_profile_id, program_id, title, description, starts_on, ends_on), update (title, description, status, starts_on, ends_on, activated_at, completed_at, archived_at, updated_at), delete on treatment_plans to tendon_app;
grant select, insert, update, delete on treatment_plans to tendon_definer;
grant select, insert, update, delete on treatment_plans to tendon_platform;

create table unclaimed_objects (
  object_key text not null,
  organization_id uuid default current_app_scope(),
  delete_after timestamptz not null,
  constraint unclaimed_objects_pkey primary key (object_key),
  constraint unclaimed_objects_organization_id_fkey foreign key (organization_id) references organizations(id)
);
create index unclaimed_objects_due_idx on unclaimed_objects using btree (delete_after);
alter table unclaimed_objects enable row level security;
alter table unclaimed_objects force row level security;
create policy unclaimed_objects_delete on unclaimed_objects for delete
  using (not organization_id is distinct from (select current_app_scope()) and (select current_app_org_id()) is not null);
create policy unclaimed_objects_insert on unclaimed_objects for insert
  with check (not organization_id is distinct from (select current_app_scope()) and (select current_app_org_id()) is not null);
create policy unclaimed_objects_select on unclaimed_objects for select
  using (not organization_id is distinct from (select current_app_scope()) and (select current_app_org_id()) is not null);
create policy unclaimed_objects_update on unclaimed_objects for update
  using (not organization_id is distinct from (select current_app_scope()) and (select current_app_org_id()) is not null)
  with check (not organization_id is distinct from (select current_app_scope()) and (select current_app_org_id()) is not null);
grant select, insert (object_key, organization_id, delete_after), update (delete_after), delete on unclaimed_objects to tendon_app;
grant select, insert, update, delete on unclaimed_objects to tendon_definer;
grant select, insert, update, delete on unclaimed_objects to tendon_platform;

create table waitlist_offers (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  appointment_id uuid not null,
  patient_profile_id uuid,
  specialist_id uuid not null,
  location_id uuid,
  calendar_id uuid,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  hold_id uuid,
  status text default 'open' not null,
  reason text,
  offered_by text not null,
  token_hash bytea,
  mail_at timestamptz,
  expires_at timestamptz,
  answered_at timestamptz,
  created_by_principal_id uuid default current_app_principal_id(),
  created_at timestamptz default now() not null,
  constraint waitlist_offers_pkey primary key (id),
  constraint waitlist_offers_organization_id_key unique (organization_id, id),
  constraint waitlist_offers_token_key unique (token_hash),
  constraint waitlist_offers_appointment_fkey foreign key (organization_id, appointment_id) references appointments(organization_id, id) on delete cascade,
  constraint waitlist_offers_calendar_fkey foreign key (organization_id, calendar_id) references calendars(organization_id, id) on delete set null (calendar_id),
  constraint waitlist_offers_hold_fkey foreign key (organization_id, hold_id) references holds(organization_id, id) on delete set null (hold_id),
  constraint waitlist_offers_location_fkey foreign key (organization_id, location_id) references locations(organization_id, id),
  constraint waitlist_offers_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint waitlist_offers_patient_fkey foreign key (organization_id, patient_profile_id) references patients(organization_id, patient_profile_id),
  constraint waitlist_offers_specialist_fkey foreign key (organization_id, specialist_id) references specialists(organization_id, id),
  constraint waitlist_offers_offered_by_check check (offered_by = any (array['staff', 'auto'])),
  constraint waitlist_offers_open_check check (status <> 'open' or expires_at is not null and mail_at is not null and patient_profile_id is not null),
  constraint waitlist_offers_reason_check check (reason = any (array['restricted', 'erased', 'no_address', 'patient_busy'])),
  constraint waitlist_offers_skipped_check check ((status = 'skipped') = (reason is not null)),
  constraint waitlist_offers_status_check check (status = any (array['open', 'accepted', 'declined', 'expired', 'ended', 'skipped']))
);
create index waitlist_offers_appointment_idx on waitlist_offers using btree (organization_id, appointment_id);
create index waitlist_offers_calendar_idx on waitlist_offers using btree (organization_id, calendar_id);
create index waitlist_offers_hold_idx on waitlist_offers using btree (organization_id, hold_id);
create index waitlist_offers_location_idx on waitlist_offers using btree (organization_id, location_id);
create unique index waitlist_offers_open_person_key on waitlist_offers using btree (organization_id, patient_profile_id) where status = 'open';
create unique index waitlist_offers_open_time_key on waitlist_offers using btree (organization_id, specialist_id, starts_at) where status = 'open';
create index waitlist_offers_patient_idx on waitlist_offers using btree (organization_id, patient_profile_id);
create index waitlist_offers_specialist_idx on waitlist_offers using btree (organization_id, specialist_id, starts_at);
alter table waitlist_offers enable row level security;
alter table waitlist_offers force row level security;
create policy waitlist_offers_delete on waitlist_offers for delete
  using (organization_id = (select current_app_org_id()) and (select current_app_is_service()));
create policy waitlist_offers_insert on waitlist_offers for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('appointments', 'manage')));
create policy waitlist_offers_select on waitlist_offers for select
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('appointments', 'view_org')));
create policy waitlist_offers_update on waitlist_offers for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('appointments', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('appointments', 'manage')));
create trigger waitlist_offers_refuse_restricted before insert on waitlist_offers for each row when (new.status = 'open') execute function refuse_restricted();
create trigger waitlist_offers_release_time after delete on waitlist_offers for each row when (old.status = 'open') execute function waitlist_offers_release_time();
grant select, insert, update (status, reason, token_hash, mail_at, answered_at) on waitlist_offers to tendon_app;
grant select, insert, update, delete on waitlist_offers to tendon_definer;
grant select, insert, update, delete on waitlist_offers to tendon_platform;
grant delete on waitlist_offers to tendon_worker;

create table web_sessions (
  id uuid default uuidv7() not null,
  id_hash bytea not null,
  app text not null,
  issuer text not null,
  subject text not null,
  provider_session text,
  ip inet,
  user_agent text,
  created_at timestamptz default now() not null,
  seen_at timestamptz default now() not null,
  idle_limit interval not null,
  expires_at timestamptz not null,
  constraint web_sessions_pkey primary key (id),
  constraint web_sessions_id_hash_key unique (id_hash),
  constraint web_sessions_identity_fkey foreign key (issuer, subject) references identities(issuer, subject) on delete cascade,
  constraint web_sessions_app_check check (app = any (array['console', 'portal', 'platform']))
);
create index web_sessions_expires_at_idx on web_sessions using btree (expires_at);
create index web_sessions_identity_idx on web_sessions using btree (issuer, subject);
create index web_sessions_provider_session_idx on web_sessions using btree (issuer, provider_session) where provider_session is not null;
alter table web_sessions enable row level security;
alter table web_sessions force row level security;
create trigger web_sessions_notify_rights_delete after delete on web_sessions for each row when (least(old.expires_at, old.seen_at + old.idle_limit) > now()) execute function notify_rights_change('id');
create trigger web_sessions_notify_rights_update after update on web_sessions for each row when (new.seen_at < old.seen_at or old.id is distinct from new.id or old.id_hash is distinct from new.id_hash or old.app is distinct from new.app or old.issuer is distinct from new.issuer or old.subject is distinct from new.subject or old.idle_limit is distinct from new.idle_limit or old.expires_at is distinct from new.expires_at) execute function notify_rights_change('id');
grant select, insert, update, delete on web_sessions to tendon_definer;

create table webhook_attempts (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  delivery_id uuid not null,
  attempt_number integer not null,
  trigger text not null,
  requested_at timestamptz not null,
  duration_ms integer not null,
  response_status integer,
  response_body text,
  error text,
  constraint webhook_attempts_pkey primary key (id),
  constraint webhook_attempts_number_key unique (delivery_id, attempt_number),
  constraint webhook_attempts_delivery_fkey foreign key (organization_id, delivery_id) references webhook_deliveries(organization_id, id) on delete cascade,
  constraint webhook_attempts_trigger_check check (trigger = any (array['scheduled', 'manual']))
);
create index webhook_attempts_delivery_idx on webhook_attempts using btree (organization_id, delivery_id);
alter table webhook_attempts enable row level security;
alter table webhook_attempts force row level security;
create policy webhook_attempts_select on webhook_attempts for select
  using (organization_id = (select current_app_org_id()) and ((select current_app_has_permission('webhooks', 'view_org')) or (select current_app_has_permission('webhooks', 'manage'))));
grant select on webhook_attempts to tendon_app;
grant select, insert, update, delete on webhook_attempts to tendon_definer;
grant select, insert, update, delete on webhook_attempts to tendon_platform;

create table webhook_deliveries (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  subscription_id uuid not null,
  event_id uuid not null,
  status text default 'pending' not null,
  attempt_count integer default 0 not null,
  retry_count integer default 0 not null,
  trigger text default 'scheduled' not null,
  next_attempt_at timestamptz,
  discard_reason text,
  created_at timestamptz default now() not null,
  delivered_at timestamptz,
  constraint webhook_deliveries_pkey primary key (id),
  constraint webhook_deliveries_event_key unique (event_id, subscription_id),
  constraint webhook_deliveries_organization_id_key unique (organization_id, id),
  constraint webhook_deliveries_event_fkey foreign key (organization_id, event_id) references webhook_events(organization_id, id) on delete cascade,
  constraint webhook_deliveries_subscription_fkey foreign key (organization_id, subscription_id) references webhook_subscriptions(organization_id, id) on delete cascade,
  constraint webhook_deliveries_discard_reason_check check (discard_reason = any (array['patient_restricted', 'patient_erased', 'subscription_inactive'])),
  constraint webhook_deliveries_discarded_check check ((status = 'discarded') = (discard_reason is not null)),
  constraint webhook_deliveries_due_check check ((status = any (array['pending', 'delivering', 'retrying'])) = (next_attempt_at is not null)),
  constraint webhook_deliveries_status_check check (status = any (array['pending', 'delivering', 'retrying', 'delivered', 'failed', 'discarded'])),
  constraint webhook_deliveries_trigger_check check (trigger = any (array['scheduled', 'manual']))
);
create index webhook_deliveries_created_idx on webhook_deliveries using btree (created_at);
create index webhook_deliveries_due_idx on webhook_deliveries using btree (subscription_id, next_attempt_at, id) where status = any (array['pending', 'delivering', 'retrying']);
create index webhook_deliveries_event_idx on webhook_deliveries using btree (organization_id, event_id);
create index webhook_deliveries_log_idx on webhook_deliveries using btree (organization_id, subscription_id, created_at desc, id desc);
alter table webhook_deliveries enable row level security;
alter table webhook_deliveries force row level security;
create policy webhook_deliveries_insert on webhook_deliveries for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('webhooks', 'manage')));
create policy webhook_deliveries_select on webhook_deliveries for select
  using (organization_id = (select current_app_org_id()) and ((select current_app_has_permission('webhooks', 'view_org')) or (select current_app_has_permission('webhooks', 'manage'))));
create policy webhook_deliveries_update on webhook_deliveries for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('webhooks', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('webhooks', 'manage')));
grant select, insert, update (status, retry_count, trigger, next_attempt_at, discard_reason) on webhook_deliveries to tendon_app;
grant select, insert, update, delete on webhook_deliveries to tendon_definer;
grant select, insert, update, delete on webhook_deliveries to tendon_platform;

create table webhook_events (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  event text not null,
  body bytea,
  patient_profile_id uuid,
  occurred_at timestamptz default now() not null,
  created_at timestamptz default now() not null,
  automation_rule_ids uuid[] default current_app_automation_rule_ids() not null,
  constraint webhook_events_pkey primary key (id),
  constraint webhook_events_organization_id_key unique (organization_id, id),
  constraint webhook_events_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint webhook_events_patient_profile_fkey foreign key (organization_id, patient_profile_id) references patient_profiles(organization_id, id) on delete set null (patient_profile_id)
);
create index webhook_events_created_idx on webhook_events using btree (created_at);
create index webhook_events_organization_idx on webhook_events using btree (organization_id, occurred_at);
create index webhook_events_patient_profile_idx on webhook_events using btree (organization_id, patient_profile_id) where patient_profile_id is not null;
alter table webhook_events enable row level security;
alter table webhook_events force row level security;
create policy webhook_events_insert on webhook_events for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('webhooks', 'manage')));
create policy webhook_events_select on webhook_events for select
  using (organization_id = (select current_app_org_id()) and ((select current_app_has_permission('webhooks', 'view_org')) or (select current_app_has_permission('webhooks', 'manage'))));
create policy webhook_events_update on webhook_events for update
  using (organization_id = (select current_app_org_id()) and (select current_app_is_service()))
  with check (organization_id = (select current_app_org_id()) and (select current_app_is_service()));
grant select, insert on webhook_events to tendon_app;
grant select, insert, update, delete on webhook_events to tendon_definer;
grant select, insert, update, delete on webhook_events to tendon_platform;
grant update (body) on webhook_events to tendon_worker;

create table webhook_subscriptions (
  id uuid default uuidv7() not null,
  organization_id uuid default current_app_scope() not null,
  url text not null,
  description text default '' not null,
  events text[] not null,
  is_active boolean default true not null,
  disabled_reason text,
  secret_encrypted bytea not null,
  secret_hint text not null,
  previous_secret_encrypted bytea,
  previous_secret_expires_at timestamptz,
  rate_limit_per_second integer,
  rate_window_started_at timestamptz,
  rate_window_count integer default 0 not null,
  consecutive_failures integer default 0 not null,
  first_failure_at timestamptz,
  last_failure_at timestamptz,
  last_success_at timestamptz,
  created_by_principal_id uuid default current_app_principal_id(),
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  version integer default 1 not null,
  constraint webhook_subscriptions_pkey primary key (id),
  constraint webhook_subscriptions_organization_id_key unique (organization_id, id),
  constraint webhook_subscriptions_organization_id_fkey foreign key (organization_id) references organizations(id),
  constraint webhook_subscriptions_active_check check (is_active = (disabled_reason is null)),
  constraint webhook_subscriptions_disabled_reason_check check (disabled_reason = any (array['manual', 'gone', 'failing'])),
  constraint webhook_subscriptions_events_check check (cardinality(events) >= 1 and cardinality(events) <= 100),
  constraint webhook_subscriptions_rate_check check (rate_limit_per_second >= 1 and rate_limit_per_second <= 1000)
);
create index webhook_subscriptions_failing_idx on webhook_subscriptions using btree (first_failure_at) where is_active and first_failure_at is not null;
create index webhook_subscriptions_list_idx on webhook_subscriptions using btree (organization_id, created_at desc, id desc);
create index webhook_subscriptions_previous_secret_idx on webhook_subscriptions using btree (previous_secret_expires_at) where previous_secret_encrypted is not null;
alter table webhook_subscriptions enable row level security;
alter table webhook_subscriptions force row level security;
create policy webhook_subscriptions_delete on webhook_subscriptions for delete
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('webhooks', 'manage')));
create policy webhook_subscriptions_insert on webhook_subscriptions for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('webhooks', 'manage')));
create policy webhook_subscriptions_select on webhook_subscriptions for select
  using (organization_id = (select current_app_org_id()) and ((select current_app_has_permission('webhooks', 'view_org')) or (select current_app_has_permission('webhooks', 'manage'))));
create policy webhook_subscriptions_update on webhook_subscriptions for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('webhooks', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('webhooks', 'manage')));
create trigger webhook_subscriptions_bump_version before update of url, description, events, is_active, rate_limit_per_second, secret_encrypted on webhook_subscriptions for each row execute function bump_version();
create trigger webhook_subscriptions_updated_at before update of url, description, events, is_active, rate_limit_per_second, secret_encrypted on webhook_subscriptions for each row execute function set_updated_at();
grant select, insert, update (url, description, events, is_active, disabled_reason, secret_encrypted, secret_hint, previous_secret_encrypted, previous_secret_expires_at, rate_limit_per_second, consecutive_failures, first_failure_at, last_failure_at), delete on webhook_subscriptions to tendon_app;
grant select, insert, update, delete on webhook_subscriptions to tendon_definer;
grant select, insert, update, delete on webhook_subscriptions to tendon_platform;

-- Views

create materialized view exercise_outcomes as
 select r.organization_id,
    r.id as run_id,
    e.id as session_exercise_id,
    e.exercise_id,
    p.program_id,
    r.started_at,
    r.patient_profile_id,
        case
            when a.erased_at is null and (f.human_id is not null or a.deleted_at is null) then coalesce(f.human_id, f.id)
            else null::uuid
        end as person_id,
    v.type as outcome,
    x.sets * x.reps as prescribed_repetitions,
    m.measured,
    m.repetitions,
    m.range_mean_degrees
   from session_runs r
     cross join lateral jsonb_to_recordset(r.prescription) x(id uuid, sets integer, reps integer)
     join session_exercises e on e.organization_id = r.organization_id and e.id = x.id
     join treatment_plans p on p.organization_id = r.organization_id and p.id = r.treatment_plan_id
     join patients a on a.organization_id = r.organization_id and a.patient_profile_id = r.patient_profile_id
     join patient_profiles f on f.id = r.patient_profile_id
     left join session_run_events v on v.session_run_id = r.id and v.session_exercise_id = e.id and (v.type = any (array['completed', 'skipped', 'abandoned']))
     left join pose_session_metrics m on m.organization_id = r.organization_id and m.run_id = r.id and m.media_id = e.id::text
  where r.status <> 'in_progress';
alter materialized view exercise_outcomes owner to tendon_definer;

create view members with (security_invoker=true) as
 select m.principal_id,
    m.principal_id as user_id,
        case
            when s.id is null then 'human'
            else 'service'
        end as type,
    coalesce(s.name,
        case
            when m.joined_at is null then m.invited_name
            else h.name
        end) as name,
    coalesce(h.email, m.invited_email)::text as email,
    coalesce(h.email_verified, false) as email_verified,
        case
            when s.id is null and m.joined_at is null then 'invited'
            else 'active'
        end as status,
    m.role_id,
    jsonb_build_object('id', r.id, 'code', r.code, 'name', r.name) as role,
    m.created_at,
    m.updated_at
   from organization_memberships m
     join roles r on r.organization_id = m.organization_id and r.id = m.role_id
     left join humans h on h.id = m.principal_id
     left join service_accounts s on s.id = m.principal_id;
alter view members owner to tendon_owner;
grant select on members to tendon_app;
grant select, insert, update, delete on members to tendon_definer;
grant select, insert, update, delete on members to tendon_platform;

-- Functions

create or replace function add_job(p_name text, p_payload jsonb, p_key text, p_run_at timestamptz, p_max_attempts integer)
  returns void
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
declare
  v_added bigint;
begin
  loop
    select id into v_added from graphile_worker.add_job(
      identifier => p_name,
      payload => (jsonb_build_object('organization_id', current_app_scope(), 'payload', p_payload)
        || case when current_app_automation_rule_ids() = '{}' then '{}'
          else jsonb_build_object('automation_rule_ids', current_app_automation_rule_ids()) end)::json,
      job_key => coalesce(current_app_scope()::text, 'platform') || ' ' || p_name || ' ' || p_key,
      run_at => p_run_at,
      max_attempts => p_max_attempts);
    exit when v_added is not null;
  end loop;
end
$$;
alter function add_job(text,jsonb,text,timestamp with time zone,integer) owner to tendon_worker;
grant execute on function add_job(text,jsonb,text,timestamp with time zone,integer) to tendon_app;
grant execute on function add_job(text,jsonb,text,timestamp with time zone,integer) to tendon_definer;
grant execute on function add_job(text,jsonb,text,timestamp with time zone,integer) to tendon_platform;

create or replace function add_system_fields(p_organization uuid)
  returns void
  language sql
  security definer
  set search_path to 'public'
  as $$
  insert into custom_fields (organization_id, entity_type, key, label, field_type, is_private, sort_order, system_key)
  select o.id, 'patient', f.key, case o.language_code when 'ro' then f.ro else f.en end, f.field_type,
    f.system_key = 'national_identification_number', f.sort_order, f.system_key
  from organizations o, (values
    ('national_id', 'text', 'national_identification_number', -60, 'National identification number', 'Cod numeric personal'),
    ('occupation', 'text', 'occupation', -50, 'Occupation', 'Ocupație'),
    ('emergency_contact', 'text', 'emergency_contact', -40, 'Emergency contact', 'Persoană de contact în caz de urgență'),
    ('emergency_phone', 'phone', 'emergency_phone', -30, 'Phone of the emergency contact', 'Telefonul persoanei de contact'),
    ('referring_doctor', 'text', 'referring_doctor', -20, 'Referring doctor', 'Medic trimițător'),
    ('allergies', 'textarea', 'allergies', -10, 'Allergies', 'Alergii')
  ) as f (key, field_type, system_key, sort_order, en, ro)
  where o.id = p_organization
  on conflict do nothing
$$;
alter function add_system_fields(uuid) owner to tendon_definer;

create or replace function applied_files()
  returns table(kind text, name text, checksum text, is_current boolean)
  language sql
  stable security definer
  set search_path to 'public'
  as $$
  select 'migration', m.name, m.checksum, true from migrations m
  union all
  select 'functions', f.name, f.checksum, f.is_current from function_files f
$$;
alter function applied_files() owner to tendon_definer;
grant execute on function applied_files() to tendon_app;
grant execute on function applied_files() to tendon_telemetry;
grant execute on function applied_files() to tendon_worker;

create or replace function appointment_custom_fields(p_values jsonb, p_private boolean)
  returns jsonb
  language plpgsql
  stable security definer
  set search_path to 'public'
  as $$
begin
  return (select coalesce(jsonb_object_agg(f.key, v.value), '{}')
    from jsonb_each(p_values) v join custom_fields f on f.id = v.key::uuid
    where f.organization_id = current_app_org_id() and f.entity_type = 'appointment' and f.deleted_at is null
      and (p_private or not f.is_private));
end
$$;
alter function appointment_custom_fields(jsonb,boolean) owner to tendon_definer;
grant execute on function appointment_custom_fields(jsonb,boolean) to tendon_app;
grant execute on function appointment_custom_fields(jsonb,boolean) to tendon_worker;

create or replace function appointment_mail_data(p_organization uuid, p_id uuid)
  returns jsonb
  language sql
  stable
  set search_path to 'public'
  as $$
  select jsonb_build_object('status', case when a.status = 'entered_in_error' then 'cancelled' else a.status end,
    'starts_at', iso_time(a.starts_at), 'ends_at', iso_time(a.ends_at), 'time_zone', a.time_zone, 'service_name', s.name,
    'service_names', (select coalesce(jsonb_object_agg(language, one ->> 'name'), '{}')
      from jsonb_each(s.translations) t (language, one) where one ->> 'name' is not null),
    'specialist_name', (select p.name from specialists p where p.organization_id = a.organization_id and p.id = a.specialist_id),
    'location_name', (select l.name from locations l where l.organization_id = a.organization_id and l.id = a.location_id),
    'uid', a.calendar_uid,
    'sequence', a.calendar_sequence + case when a.status in ('cancelled', 'entered_in_error') then 1 else 0 end, 'url', null)
  from appointments a join services s on s.organization_id = a.organization_id and s.id = a.service_id
  where a.organization_id = p_organization and a.id = p_id
$$;
alter function appointment_mail_data(uuid,uuid) owner to tendon_definer;
grant execute on function appointment_mail_data(uuid,uuid) to tendon_app;

create or replace function appointment_service(p_id uuid)
  returns jsonb
  language plpgsql
  stable security definer
  set search_path to 'public'
  as $$
begin
  return (select jsonb_build_object('id', id, 'name', name, 'translations', translations) from services where organization_id = current_app_org_id() and id = p_id);
end
$$;
alter function appointment_service(uuid) owner to tendon_definer;
grant execute on function appointment_service(uuid) to tendon_app;

create or replace function appointment_specialist(p_id uuid)
  returns jsonb
  language plpgsql
  stable security definer
  set search_path to 'public'
  as $$
begin
  return (select jsonb_build_object('id', id, 'name', name, 'title', title, 'registration_number', registration_number)
    from specialists where organization_id = current_app_org_id() and id = p_id);
end
$$;
alter function appointment_specialist(uuid) owner to tendon_definer;
grant execute on function appointment_specialist(uuid) to tendon_app;

create or replace function appointments_drop_deleted_fields()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  new.custom_fields := new.custom_fields - coalesce((
    select array_agg(f.id::text) filter (where f.deleted_at is not null) from (
      select id, deleted_at from custom_fields where organization_id = new.organization_id
        and id in (select v::uuid from jsonb_object_keys(new.custom_fields) v) order by id for key share) f), '{}');
  return new;
end
$$;
alter function appointments_drop_deleted_fields() owner to tendon_definer;

create or replace function appointments_link_files()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  update appointment_files set patient_profile_id = new.patient_profile_id
    where organization_id = new.organization_id and appointment_id = new.id and patient_profile_id is null;
  update appointment_documents set patient_profile_id = new.patient_profile_id
    where organization_id = new.organization_id and appointment_id = new.id and patient_profile_id is null;
  update appointment_reminders set patient_profile_id = new.patient_profile_id
    where organization_id = new.organization_id and appointment_id = new.id and patient_profile_id is null;
  update mail_outbox set patient_profile_id = new.patient_profile_id
    where organization_id = new.organization_id and data ? 'uid' and data ->> 'uid' = new.calendar_uid::text
      and patient_profile_id is null;
  return null;
end
$$;
alter function appointments_link_files() owner to tendon_definer;

create or replace function appointments_of_forms(p_ids uuid[])
  returns setof jsonb
  language plpgsql
  stable security definer
  set search_path to 'public'
  as $$
declare
  v_clinic uuid := current_app_org_id();
begin
  return query select jsonb_build_object('id', a.id, 'patient_profile_id', a.patient_profile_id, 'status', a.status,
      'starts_at', to_char(a.starts_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'service', jsonb_build_object('id', s.id, 'name', s.name))
    from (select distinct unnest(p_ids)) i (id)
    cross join lateral (
      select * from appointments where organization_id = v_clinic and id = i.id and patient_profile_id is not null offset 0) a
    join services s on s.organization_id = a.organization_id and s.id = a.service_id;
end
$$;
alter function appointments_of_forms(uuid[]) owner to tendon_definer;
grant execute on function appointments_of_forms(uuid[]) to tendon_app;

create or replace function appointments_raise_sequence()
  returns trigger
  language plpgsql
  as $$
begin
  new.calendar_sequence := old.calendar_sequence + case when old.status in ('cancelled', 'waitlist') then 2 else 1 end;
  return new;
end
$$;
alter function appointments_raise_sequence() owner to tendon_owner;

create or replace function audit_digest(entry audit_log)
  returns bytea
  language sql
  stable
  as $$
  select sha256(convert_to((jsonb_build_array(
    entry.id, entry.organization_id, extract(epoch from entry.occurred_at), entry.actor_principal_id, entry.actor_type,
    entry.on_behalf_of, entry.action, entry.crud, entry.target_type, entry.target_id, entry.patient_profile_id,
    entry.outcome, entry.request_id, entry.key_id, encode(entry.personal, 'hex'))
    || case when entry.trace_id is null then '[]' else jsonb_build_array(entry.trace_id) end)::text, 'UTF8'))
$$;
alter function audit_digest(audit_log) owner to tendon_definer;
grant execute on function audit_digest(audit_log) to tendon_platform;

create or replace function audit_keys_refuse_erased()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  if exists (select 1 from patients where patient_profile_id = new.patient_profile_id and erased_at is not null) then
    return null;
  end if;
  return new;
end
$$;
alter function audit_keys_refuse_erased() owner to tendon_definer;

create or replace function audit_seal_hash(p_prev bytea, p_digests bytea[])
  returns bytea
  language sql
  immutable
  as $$
  select sha256(coalesce(p_prev, ''::bytea) || coalesce((select string_agg(d, ''::bytea order by n)
    from unnest(p_digests) with ordinality as u (d, n)), ''::bytea))
$$;
alter function audit_seal_hash(bytea,bytea[]) owner to tendon_definer;
grant execute on function audit_seal_hash(bytea,bytea[]) to tendon_platform;

create or replace function begin_as_patient(p_organization_id uuid)
  returns boolean
  language plpgsql
  as $$
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
alter function begin_as_patient(uuid) owner to tendon_owner;
grant execute on function begin_as_patient(uuid) to tendon_app;

create or replace function begin_erasure(p_request_id uuid)
  returns table(patient_id uuid, patient_profile_id uuid, requested_at timestamptz)
  language plpgsql
  security definer rows 1
  set search_path to 'public'
  as $$
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

create or replace function build_prescription(p_organization_id uuid, p_session_exercise_ids uuid[])
  returns jsonb
  language plpgsql
  stable security definer
  set search_path to 'public'
  as $$
begin
  return (select jsonb_agg(jsonb_build_object('id', e.id, 'sets', e.sets, 'reps', e.reps, 'hold_seconds', e.hold_seconds,
      'rest_seconds', e.rest_seconds, 'side', e.side, 'notes', e.notes) order by x.position)
    from unnest(p_session_exercise_ids) with ordinality x (id, position)
    join session_exercises e on e.organization_id = p_organization_id and e.id = x.id);
end
$$;
alter function build_prescription(uuid,uuid[]) owner to tendon_definer;
grant execute on function build_prescription(uuid,uuid[]) to tendon_owner;

create or replace function bump_revision()
  returns trigger
  language plpgsql
  as $$
begin
  new.revision := old.revision + 1;
  return new;
end
$$;
alter function bump_revision() owner to tendon_owner;

create or replace function bump_version()
  returns trigger
  language plpgsql
  as $$
begin
  new.version := old.version + 1;
  return new;
end
$$;
alter function bump_version() owner to tendon_owner;

create or replace function can_use_taxonomy_tag(p_id uuid, p_axis text, p_organization_id uuid)
  returns boolean
  language plpgsql
  stable security definer
  set search_path to 'public'
  as $$
begin
  return exists (select 1 from taxonomy_tags
      where id = p_id and axis = p_axis and (organization_id is null or organization_id = p_organization_id));
end
$$;
alter function can_use_taxonomy_tag(uuid,text,uuid) owner to tendon_definer;

create or replace function change_usage(p_organization_id uuid, p_name text, p_change integer)
  returns void
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
declare
  v_current integer;
begin
  insert into organization_usage (organization_id, name, current) values (p_organization_id, p_name, 0) on conflict do nothing;
  update organization_usage set current = current + p_change
    where organization_id = p_organization_id and name = p_name returning current into v_current;
  if p_change > 0 and v_current > plan_limit(p_organization_id, p_name) then
    raise exception 'limit % reached', p_name
      using errcode = 'check_violation', constraint = 'organization_usage_limit_check', column = p_name;
  end if;
end
$$;
alter function change_usage(uuid,text,integer) owner to tendon_definer;

create or replace function check_session_run_patient()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  perform 1 from patients
    where organization_id = new.organization_id and patient_profile_id = new.patient_profile_id and deleted_at is null for share;
  if not found then
    raise exception 'no such session run' using errcode = 'foreign_key_violation', constraint = tg_table_name || '_run_fkey';
  end if;
  return new;
end
$$;
alter function check_session_run_patient() owner to tendon_definer;

create or replace function claim_appointment(p_id uuid)
  returns boolean
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  return (select claim_time(a.organization_id, a.specialist_id, a.starts_at - make_interval(mins => s.buffer_before_minutes),
      a.ends_at + make_interval(mins => s.buffer_after_minutes), null, a.id, null)
    from appointments a join services s on s.organization_id = a.organization_id and s.id = a.service_id
    where a.organization_id = current_app_org_id() and a.id = p_id and current_app_has_permission('appointments', 'manage'));
end
$$;
alter function claim_appointment(uuid) owner to tendon_definer;
grant execute on function claim_appointment(uuid) to tendon_app;

create or replace function claim_due_films(p_now timestamptz, p_again_at timestamptz, p_limit integer)
  returns table(session_exercise_id uuid, film_organization_id uuid, exercise_id uuid, sets integer, reps integer, side text, language text)
  language sql
  security definer
  set search_path to 'public'
  as $$
  with due as (
    select e.id from session_exercises e
    where e.film_due_at <= p_now and not exists (select 1 from patients p where p.organization_id = e.organization_id
      and p.patient_profile_id = e.patient_profile_id and p.restricted_at is not null)
    order by e.film_due_at limit p_limit for update skip locked)
  update session_exercises e set film_due_at = p_again_at from due, organizations o, patient_profiles f
    left join humans h on h.id = f.human_id
  where e.id = due.id and o.id = e.organization_id and f.id = e.patient_profile_id
  returning e.id, e.organization_id, e.exercise_id, e.sets, e.reps, e.side, coalesce(h.preferred_language, o.language_code)
$$;
alter function claim_due_films(timestamp with time zone,timestamp with time zone,integer) owner to tendon_definer;
grant execute on function claim_due_films(timestamp with time zone,timestamp with time zone,integer) to tendon_worker;

create or replace function claim_idempotency_key(p_path text, p_key text, p_fingerprint bytea)
  returns setof idempotency_keys
  language plpgsql
  as $$
begin
  -- One condition for a clinic, one for the platform: "is not distinct from" would use no index.
  delete from idempotency_keys
    where (organization_id = (select current_app_scope()) or (select current_app_scope()) is null and organization_id is null)
      and path = p_path and key = p_key and created_at < now() - interval '24 hours';
  insert into idempotency_keys (path, key, principal_id, fingerprint)
    values (p_path, p_key, coalesce(current_app_principal_id(), '00000000-0000-0000-0000-000000000000'), p_fingerprint)
    on conflict on constraint idempotency_keys_key do nothing;
  if not found then
    return query select * from idempotency_keys
      where (organization_id = (select current_app_scope()) or (select current_app_scope()) is null and organization_id is null)
        and path = p_path and key = p_key;
  end if;
end
$$;
alter function claim_idempotency_key(text,text,bytea) owner to tendon_owner;
grant execute on function claim_idempotency_key(text,text,bytea) to tendon_app;
grant execute on function claim_idempotency_key(text,text,bytea) to tendon_platform;

create or replace function claim_offered_time(p_hold uuid, p_appointment uuid)
  returns boolean
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  update time_claims set kind = 'appointment', expires_at = null, appointment_id = p_appointment
    where organization_id = current_app_org_id() and hold_id = p_hold and kind = 'hold' and expires_at > clock_timestamp()
      and current_app_has_permission('appointments', 'manage');
  if not found then
    return false;
  end if;
  update holds set status = 'converted' where organization_id = current_app_org_id() and id = p_hold;
  return true;
end
$$;
alter function claim_offered_time(uuid,uuid) owner to tendon_definer;
grant execute on function claim_offered_time(uuid,uuid) to tendon_app;

create or replace function claim_outbox_events(p_limit integer)
  returns setof outbox_events
  language sql
  security definer
  set search_path to 'public'
  as $$
  select * from outbox_events where dispatched_at is null and next_attempt_at <= now()
  order by next_attempt_at, id limit p_limit for update skip locked
$$;
alter function claim_outbox_events(integer) owner to tendon_definer;
grant execute on function claim_outbox_events(integer) to tendon_worker;

create or replace function claim_profiles(p_email citext, p_human uuid)
  returns void
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  perform 1 from patients where id in (
    select r.id from patient_profiles f
    join patients o on o.organization_id = f.organization_id and o.patient_profile_id = f.id
    join patients r on r.organization_id = o.organization_id and (r.id = o.id or r.merged_into_id = o.id)
    where f.human_id is null and f.invited_email = p_email)
  order by id for no key update;
  update patient_profiles set human_id = p_human, claimed_at = now() where human_id is null and invited_email = p_email;
end
$$;
alter function claim_profiles(citext,uuid) owner to tendon_definer;

create or replace function claim_render(p_worker_id uuid, p_now timestamptz, p_per_organization integer)
  returns table(render_id uuid, render_organization_id uuid)
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('claim_render', 0));
  return query
    with running as (
      select organization_id, count(*) as count from renders
      where status in ('rendering', 'uploading') and heartbeat_at > p_now - interval '60 seconds' group by organization_id),
    next as (
      select r.id from renders r
      left join running on running.organization_id = r.organization_id
      where r.status in ('queued', 'rendering', 'uploading') and r.run_at <= p_now
        and (r.status = 'queued' or r.heartbeat_at is null or r.heartbeat_at <= p_now - interval '60 seconds')
        and (r.abandoned_references = '{}' and r.abandoned_reference is null or r.run_at <= p_now - interval '10 minutes')
        and coalesce(running.count, 0) < p_per_organization
      order by coalesce(running.count, 0),
        (select max(o.started_at) from renders o where o.organization_id = r.organization_id) nulls first, r.run_at, r.id
      limit 1 for update of r skip locked)
    update renders r set status = 'rendering', worker_id = p_worker_id, heartbeat_at = p_now, started_at = p_now,
      attempts = r.attempts + 1, progress = 0, stage = 'normalising', waiting_for = null
    from next where r.id = next.id
    returning r.id, r.organization_id;
end
$$;
alter function claim_render(uuid,timestamp with time zone,integer) owner to tendon_definer;
grant execute on function claim_render(uuid,timestamp with time zone,integer) to tendon_worker;

create or replace function claim_render_polls(p_now timestamptz, p_again_at timestamptz, p_limit integer)
  returns table(render_id uuid, render_organization_id uuid)
  language sql
  security definer
  set search_path to 'public'
  as $$
  with due as (
    select id from renders where status = 'transcoding' and poll_at <= p_now order by poll_at limit p_limit
    for update skip locked)
  update renders r set poll_at = p_again_at, waiting_for = null from due where r.id = due.id returning r.id, r.organization_id
$$;
alter function claim_render_polls(timestamp with time zone,timestamp with time zone,integer) owner to tendon_definer;
grant execute on function claim_render_polls(timestamp with time zone,timestamp with time zone,integer) to tendon_worker;

create or replace function claim_time(p_organization uuid, p_specialist uuid, p_starts timestamptz, p_ends timestamptz, p_hold uuid, p_appointment uuid, p_expires timestamptz)
  returns boolean
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  delete from time_claims
    where organization_id = p_organization and specialist_id = p_specialist and kind = 'hold'
      and during && tstzrange(p_starts, p_ends) and expires_at <= clock_timestamp();
  insert into time_claims (organization_id, specialist_id, starts_at, ends_at, kind, hold_id, appointment_id, expires_at)
    values (p_organization, p_specialist, p_starts, p_ends, case when p_expires is null then 'appointment' else 'hold' end,
      p_hold, p_appointment, p_expires)
    on conflict do nothing;
  return found;
end
$$;
alter function claim_time(uuid,uuid,timestamp with time zone,timestamp with time zone,uuid,uuid,timestamp with time zone) owner to tendon_definer;

create or replace function claim_token_refresh(p_id uuid, p_now timestamptz, p_lease interval, p_before timestamptz)
  returns boolean
  language sql
  security definer
  set search_path to 'public'
  as $$
  with claimed as (
    update organization_integrations set token_locked_until = p_now + p_lease
    where id = p_id and organization_id = current_app_org_id() and status in ('connected', 'error')
      and current_app_has_permission('organizations', 'manage_integrations')
      and token_expires_at <= p_before and (token_locked_until is null or token_locked_until <= p_now)
    returning 1
  ) select exists (select 1 from claimed)
$$;
alter function claim_token_refresh(uuid,timestamp with time zone,interval,timestamp with time zone) owner to tendon_definer;
grant execute on function claim_token_refresh(uuid,timestamp with time zone,interval,timestamp with time zone) to tendon_app;

create or replace function claim_unclaimed_objects(p_limit integer)
  returns setof text
  language sql
  security definer
  set search_path to 'public'
  as $$
  select object_key from unclaimed_objects where delete_after <= now() order by delete_after limit p_limit for update skip locked
$$;
alter function claim_unclaimed_objects(integer) owner to tendon_definer;
grant execute on function claim_unclaimed_objects(integer) to tendon_worker;

create or replace function clear_bookers()
  returns integer
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
declare
  v_count integer;
begin
  update appointments set booker = null, patient_note = null
    where patient_id is null and booker is not null and ends_at < now() - interval '30 days';
  get diagnostics v_count = row_count;
  delete from booking_links l using appointments a
    where a.organization_id = l.organization_id and a.id = l.appointment_id and a.ends_at < now() - interval '30 days';
  return v_count;
end
$$;
alter function clear_bookers() owner to tendon_definer;
grant execute on function clear_bookers() to tendon_worker;

create or replace function clear_old_mails(p_now timestamptz)
  returns void
  language sql
  security definer
  set search_path to 'public'
  as $$
  update mail_outbox set to_address = 'erased', data = '{}'
  where (data <> '{}' or to_address <> 'erased') and created_at < p_now - interval '30 days'
    and status in ('sent', 'failed', 'suppressed') and coalesce(sent_at, next_attempt_at) < p_now - interval '30 days'
$$;
alter function clear_old_mails(timestamp with time zone) owner to tendon_definer;
grant execute on function clear_old_mails(timestamp with time zone) to tendon_worker;

create or replace function clinic_break_glass_grants()
  returns table(id uuid, principal_id uuid, principal_name text, organization_id uuid, organization_name text, patient_id uuid, reason text, created_at timestamptz, expires_at timestamptz, ended_at timestamptz)
  language sql
  stable security definer
  set search_path to 'public'
  as $$
  select g.id, g.principal_id, coalesce(h.name, h.email::text), g.organization_id, o.name, g.patient_id, g.reason,
    g.created_at, g.expires_at, g.ended_at
  from break_glass_grants g join humans h on h.id = g.principal_id join organizations o on o.id = g.organization_id
  where g.organization_id = current_app_org_id() and current_app_has_permission('audit_log', 'view_org')
$$;
alter function clinic_break_glass_grants() owner to tendon_definer;
grant execute on function clinic_break_glass_grants() to tendon_app;

create or replace function clinic_images_set_urls()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
declare
  v_image clinic_images := coalesce(new, old);
  v_isnew boolean := tg_op = 'INSERT';
begin
  if v_image.purpose = 'avatar' then
    update specialists set avatar_url = case when v_isnew then '/v1/public/images/' || v_image.id end
      where organization_id = v_image.organization_id and id = v_image.specialist_id;
  elsif v_image.purpose = 'signature' then
    update specialists set signature_url = case when v_isnew then '/v1/specialists/' || v_image.specialist_id || '/signature' end
      where organization_id = v_image.organization_id and id = v_image.specialist_id;
  end if;
  return null;
end
$$;
alter function clinic_images_set_urls() owner to tendon_definer;

create or replace function clone_role_templates(p_organization_id uuid)
  returns void
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  perform 1 from roles where organization_id is null order by id for share;
  insert into roles (organization_id, template_id, code, name, description, is_system)
    select p_organization_id, id, code, name, description, true from roles where organization_id is null;
  insert into role_permissions (role_id, organization_id, permission_code)
    select c.id, c.organization_id, p.permission_code
    from roles c join role_permissions p on p.role_id = c.template_id where c.organization_id = p_organization_id;
end
$$;
alter function clone_role_templates(uuid) owner to tendon_definer;
grant execute on function clone_role_templates(uuid) to tendon_platform;

create or replace function cohort_outcomes(p_program_id uuid, p_from date, p_to date)
  returns table(patient_profile_id uuid, exercise_id uuid, exercise_name text, outcome text, prescribed_repetitions integer, measured boolean, repetitions integer, range_mean_degrees double precision)
  language sql
  stable security definer
  set search_path to 'public'
  as $$
  select c.patient_profile_id, c.exercise_id, translated_name(n.name, n.translations), c.outcome, c.prescribed_repetitions, c.measured, c.repetitions,
    c.range_mean_degrees
  from organizations o
  join exercise_outcomes c on c.organization_id = o.id and is_in_date_range(c.started_at, o.time_zone, p_from, p_to)
  join exercises n on n.id = c.exercise_id
  where o.id = current_app_org_id() and current_app_has_permission('stats', 'view_org')
    and (p_program_id is null or c.program_id = p_program_id)
$$;
alter function cohort_outcomes(uuid,date,date) owner to tendon_definer;
grant execute on function cohort_outcomes(uuid,date,date) to tendon_app;

create or replace function consent_purpose_versions_check_scope()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
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

create or replace function consents_check_form()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  if not exists (select 1 from forms where organization_id = new.organization_id and id = new.source_form_id
      and patient_profile_id = new.patient_profile_id and type = 'consent' and signed_at is not null)
  then
    raise exception 'no such form' using errcode = 'check_violation', constraint = 'consents_source_form_check';
  end if;
  update consents set withdrawn_at = clock_timestamp(), ended_as = 'superseded'
    where organization_id = new.organization_id and patient_profile_id = new.patient_profile_id
      and purpose_code = new.purpose_code and withdrawn_at is null;
  return new;
end
$$;
alter function consents_check_form() owner to tendon_definer;

create or replace function consents_check_purpose()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
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

create or replace function consents_leave_clinic()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
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

create or replace function consents_publish_event()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
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

create or replace function convert_claim(p_hold uuid, p_appointment uuid)
  returns boolean
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  update time_claims set kind = 'appointment', expires_at = null, appointment_id = p_appointment
    where organization_id = current_app_org_id() and hold_id = p_hold and kind = 'hold' and expires_at > clock_timestamp()
      and current_app_is_service() and may_write_appointment(p_appointment);
  return found;
end
$$;
alter function convert_claim(uuid,uuid) owner to tendon_definer;
grant execute on function convert_claim(uuid,uuid) to tendon_app;

create or replace function count_active_renders()
  returns table(status text, count integer, oldest_at timestamptz)
  language sql
  stable security definer
  set search_path to 'public'
  as $$
  select r.status, count(*)::integer, min(r.run_at) from renders r
  where r.status in ('queued', 'rendering', 'uploading', 'transcoding') group by r.status
$$;
alter function count_active_renders() owner to tendon_definer;
grant execute on function count_active_renders() to tendon_worker;

create or replace function count_booked(p_organization uuid, p_service uuid, p_specialist uuid, p_from timestamptz, p_to timestamptz, p_except uuid, p_moves uuid default null::uuid)
  returns integer
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('day of ' || p_service || p_specialist || iso_time(p_from), 0));
  return (select count(*) from appointments where organization_id = p_organization and service_id = p_service
      and specialist_id = p_specialist and starts_at >= p_from and starts_at < p_to and id is distinct from p_except
      and (status in ('pending', 'confirmed') and calendar_uid is distinct from p_moves
        or status in ('checked_in', 'completed', 'no_show')))
    + (select count(*) from holds h where organization_id = p_organization and service_id = p_service
      and specialist_id = p_specialist and starts_at >= p_from and starts_at < p_to
      and status = 'active' and expires_at > clock_timestamp()
      and (moves_calendar_uid is null or not exists (select 1 from appointments a
        where a.organization_id = p_organization and a.service_id = p_service and a.specialist_id = p_specialist
          and a.starts_at >= p_from and a.starts_at < p_to and a.calendar_uid = h.moves_calendar_uid
          and a.status in ('pending', 'confirmed'))));
end
$$;
alter function count_booked(uuid,uuid,uuid,timestamp with time zone,timestamp with time zone,uuid,uuid) owner to tendon_definer;

create or replace function count_day(p_service uuid, p_specialist uuid, p_from timestamptz, p_to timestamptz, p_except uuid)
  returns integer
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  return (select count_booked(current_app_org_id(), p_service, p_specialist, p_from, p_to, p_except) where current_app_is_service());
end
$$;
alter function count_day(uuid,uuid,timestamp with time zone,timestamp with time zone,uuid) owner to tendon_definer;
grant execute on function count_day(uuid,uuid,timestamp with time zone,timestamp with time zone,uuid) to tendon_app;

create or replace function create_web_session(p_hash bytea, p_app text, p_issuer text, p_subject text, p_provider_session text, p_ip inet, p_user_agent text, p_idle_limit interval, p_expires_at timestamptz)
  returns uuid
  language sql
  security definer
  set search_path to 'public'
  as $$
  insert into web_sessions (id_hash, app, issuer, subject, provider_session, ip, user_agent, idle_limit, expires_at)
  values (p_hash, p_app, p_issuer, p_subject, p_provider_session, p_ip, p_user_agent, p_idle_limit, p_expires_at)
  returning id
$$;
alter function create_web_session(bytea,text,text,text,text,inet,text,interval,timestamp with time zone) owner to tendon_definer;
grant execute on function create_web_session(bytea,text,text,text,text,inet,text,interval,timestamp with time zone) to tendon_app;

create or replace function current_app_automation_rule_ids()
  returns uuid[]
  language sql
  stable parallel safe
  as $$
  select coalesce(nullif(current_setting('app.automation_rule_ids', true), ''), '{}')::uuid[]
$$;
alter function current_app_automation_rule_ids() owner to tendon_owner;
grant execute on function current_app_automation_rule_ids() to tendon_app;
grant execute on function current_app_automation_rule_ids() to tendon_definer;
grant execute on function current_app_automation_rule_ids() to tendon_platform;
grant execute on function current_app_automation_rule_ids() to tendon_telemetry;
grant execute on function current_app_automation_rule_ids() to tendon_worker;

create or replace function current_app_email()
  returns citext
  language plpgsql
  stable security definer
  set search_path to 'public'
  as $$
begin
  return (select email from humans where id = current_app_principal_id() and email_verified);
end
$$;
alter function current_app_email() owner to tendon_definer;
grant execute on function current_app_email() to tendon_app;
grant execute on function current_app_email() to tendon_platform;
grant execute on function current_app_email() to tendon_telemetry;
grant execute on function current_app_email() to tendon_worker;

create or replace function current_app_has_permission(resource text, action text)
  returns boolean
  language sql
  stable parallel safe
  as $$
  select current_app_holds(resource || '.' || action)
$$;
alter function current_app_has_permission(text,text) owner to tendon_owner;
grant execute on function current_app_has_permission(text,text) to tendon_app;
grant execute on function current_app_has_permission(text,text) to tendon_definer;
grant execute on function current_app_has_permission(text,text) to tendon_platform;
grant execute on function current_app_has_permission(text,text) to tendon_telemetry;
grant execute on function current_app_has_permission(text,text) to tendon_worker;

create or replace function current_app_holds(permission_code text)
  returns boolean
  language sql
  stable parallel safe
  as $$
  select coalesce(
    current_setting('app.permissions', true) = '*'
      or position(',' || permission_code || ',' in current_setting('app.permissions', true)) > 0,
    false)
$$;
alter function current_app_holds(text) owner to tendon_owner;
grant execute on function current_app_holds(text) to tendon_app;
grant execute on function current_app_holds(text) to tendon_definer;
grant execute on function current_app_holds(text) to tendon_platform;
grant execute on function current_app_holds(text) to tendon_telemetry;
grant execute on function current_app_holds(text) to tendon_worker;

create or replace function current_app_holds_any(permission_codes text[])
  returns boolean
  language sql
  stable parallel safe
  as $$
  select coalesce(
    current_setting('app.permissions', true) = '*' and cardinality(permission_codes) > 0
      or string_to_array(current_setting('app.permissions', true), ',') && permission_codes,
    false)
$$;
alter function current_app_holds_any(text[]) owner to tendon_owner;
grant execute on function current_app_holds_any(text[]) to tendon_app;
grant execute on function current_app_holds_any(text[]) to tendon_definer;
grant execute on function current_app_holds_any(text[]) to tendon_platform;
grant execute on function current_app_holds_any(text[]) to tendon_worker;

create or replace function current_app_holds_role(p_role_id uuid)
  returns boolean
  language sql
  stable
  as $$
  select not exists (
    select 1 from role_permissions where role_id = p_role_id and not current_app_holds(permission_code))
$$;
alter function current_app_holds_role(uuid) owner to tendon_owner;
grant execute on function current_app_holds_role(uuid) to tendon_app;

create or replace function current_app_is_service()
  returns boolean
  language sql
  stable parallel safe
  as $$
  select coalesce(current_setting('app.service', true) = 'on', false)
$$;
alter function current_app_is_service() owner to tendon_owner;
grant execute on function current_app_is_service() to tendon_app;
grant execute on function current_app_is_service() to tendon_definer;
grant execute on function current_app_is_service() to tendon_platform;
grant execute on function current_app_is_service() to tendon_telemetry;
grant execute on function current_app_is_service() to tendon_worker;

create or replace function current_app_org_id()
  returns uuid
  language sql
  stable parallel safe
  as $$
  select nullif(current_setting('app.org_id', true), '')::uuid
$$;
alter function current_app_org_id() owner to tendon_owner;
grant execute on function current_app_org_id() to tendon_app;
grant execute on function current_app_org_id() to tendon_definer;
grant execute on function current_app_org_id() to tendon_platform;
grant execute on function current_app_org_id() to tendon_telemetry;
grant execute on function current_app_org_id() to tendon_worker;

create or replace function current_app_principal_id()
  returns uuid
  language sql
  stable parallel safe
  as $$
  select nullif(current_setting('app.principal_id', true), '')::uuid
$$;
alter function current_app_principal_id() owner to tendon_owner;
grant execute on function current_app_principal_id() to tendon_app;
grant execute on function current_app_principal_id() to tendon_definer;
grant execute on function current_app_principal_id() to tendon_platform;
grant execute on function current_app_principal_id() to tendon_telemetry;
grant execute on function current_app_principal_id() to tendon_worker;

create or replace function current_app_profile_ids()
  returns uuid[]
  language sql
  stable parallel safe
  as $$
  select coalesce(nullif(current_setting('app.profile_ids', true), ''), '{}')::uuid[]
$$;
alter function current_app_profile_ids() owner to tendon_owner;
grant execute on function current_app_profile_ids() to tendon_app;
grant execute on function current_app_profile_ids() to tendon_definer;
grant execute on function current_app_profile_ids() to tendon_platform;
grant execute on function current_app_profile_ids() to tendon_telemetry;
grant execute on function current_app_profile_ids() to tendon_worker;

create or replace function current_app_scope()
  returns uuid
  language sql
  stable parallel safe
  as $$
  select nullif(current_app_org_id(), '00000000-0000-0000-0000-000000000000')
$$;
alter function current_app_scope() owner to tendon_owner;
grant execute on function current_app_scope() to tendon_app;
grant execute on function current_app_scope() to tendon_definer;
grant execute on function current_app_scope() to tendon_platform;
grant execute on function current_app_scope() to tendon_telemetry;
grant execute on function current_app_scope() to tendon_worker;

create or replace function current_purpose_version(p_purpose text, p_organization_id uuid)
  returns consent_purpose_versions
  language plpgsql
  stable security definer
  set search_path to 'public'
  as $$
declare
  v_version consent_purpose_versions;
begin
  select * into v_version from consent_purpose_versions
    where purpose_code = p_purpose and (organization_id = p_organization_id or organization_id is null)
    order by organization_id nulls last, version desc limit 1;
  return v_version;
end
$$;
alter function current_purpose_version(text,uuid) owner to tendon_definer;

create or replace function custom_field_values_check_entity()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
declare
  v_field custom_fields;
  v_known boolean;
begin
  select * into v_field from custom_fields
    where organization_id = new.organization_id and id = new.custom_field_id for key share;
  if v_field.deleted_at is not null then
    return null;
  end if;
  if v_field.system_key = 'national_identification_number' then
    raise exception 'the number is kept encrypted' using errcode = 'check_violation', constraint = 'custom_field_values_number_check';
  end if;
  if v_field.entity_type = 'patient' then
    select patient_profile_id into new.patient_profile_id from patients
      where organization_id = new.organization_id and id = new.entity_id and deleted_at is null;
    v_known := found;
  elsif v_field.entity_type = 'specialist' then
    v_known := exists (select 1 from specialists
      where organization_id = new.organization_id and id = new.entity_id and deleted_at is null);
  elsif v_field.entity_type = 'organization' then
    v_known := new.entity_id = new.organization_id;
  else
    v_known := v_field.id is not null;  -- there are no appointments yet
  end if;
  if not v_known then
    raise exception 'no such record' using errcode = 'foreign_key_violation', constraint = 'custom_field_values_entity_fkey';
  end if;
  return new;
end
$$;
alter function custom_field_values_check_entity() owner to tendon_definer;

create or replace function custom_fields_check_limit()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('custom_fields ' || new.organization_id || new.entity_type, 0));
  if (select count(*) from custom_fields
      where organization_id = new.organization_id and entity_type = new.entity_type and deleted_at is null) >= 200 then
    raise exception 'too many fields' using errcode = 'check_violation', constraint = 'custom_fields_limit_check';
  end if;
  return new;
end
$$;
alter function custom_fields_check_limit() owner to tendon_definer;

create or replace function custom_fields_record_version()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  if tg_op = 'UPDATE' and new.version <> old.version + 1 then
    raise exception 'versions follow each other' using errcode = 'check_violation', constraint = 'custom_fields_version_check';
  end if;
  insert into custom_field_versions (organization_id, custom_field_id, version, fields_snapshot)
    values (new.organization_id, new.id, new.version, jsonb_build_object('key', new.key, 'label', new.label,
      'field_type', new.field_type, 'options', new.options, 'description', new.description, 'is_private', new.is_private,
      'sort_order', new.sort_order, 'system_key', new.system_key));
  return null;
end
$$;
alter function custom_fields_record_version() owner to tendon_definer;

create or replace function delete_expired_integration_rows(p_now timestamptz)
  returns void
  language sql
  security definer
  set search_path to 'public'
  as $$
  delete from organization_integrations where status = 'pending' and created_at < p_now - interval '30 minutes';
  delete from oauth_states where expires_at < p_now - interval '1 day';
  delete from integration_messages where received_at < p_now - interval '30 days';
$$;
alter function delete_expired_integration_rows(timestamp with time zone) owner to tendon_definer;
grant execute on function delete_expired_integration_rows(timestamp with time zone) to tendon_worker;

create or replace function delete_expired_rows()
  returns void
  language sql
  security definer
  set search_path to 'public'
  as $$
  delete from idempotency_keys where created_at < now() - interval '24 hours';
  delete from outbox_events where dispatched_at < now() - interval '30 days';
  delete from web_sessions where expires_at < now() or seen_at + idle_limit < now();
$$;
alter function delete_expired_rows() owner to tendon_definer;
grant execute on function delete_expired_rows() to tendon_worker;

create or replace function delete_expired_telemetry(p_now timestamptz, p_limit integer)
  returns integer
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
declare
  v_part record;
  v_rows integer;
  v_most integer := 0;
begin
  for v_part in select * from (values
    ('media_session_metrics', interval '2 years'), ('media_item_metrics', interval '2 years'),
    ('media_buffering_events', interval '2 years'), ('library_views', interval '2 years'),
    ('pose_session_metrics', interval '7 years'), ('pose_repetitions', interval '7 years'),
    ('replay_blobs', interval '6 months')) as kept (name, time)
  loop
    execute format('delete from %I where id in (select id from %1$I where created_at < $1 limit $2 for update skip locked)', v_part.name)
      using p_now - v_part.time, p_limit;
    get diagnostics v_rows = row_count;
    v_most := greatest(v_most, v_rows);
  end loop;
  -- The row stays: it records that the run was finalised.
  update run_finalisations set events = null
    where id in (select f.id from run_finalisations f
      where f.events is not null and f.claimed_at < p_now - interval '7 days'
        and (f.claimed_at < p_now - interval '2 years'
          or exists (select 1 from run_finalisations e where e.run_id = f.run_id and e.reason = 'ended'))
      limit p_limit for update skip locked);
  get diagnostics v_rows = row_count;
  return greatest(v_most, v_rows);
end
$$;
alter function delete_expired_telemetry(timestamp with time zone,integer) owner to tendon_definer;
grant execute on function delete_expired_telemetry(timestamp with time zone,integer) to tendon_worker;

create or replace function delete_expired_video_uploads(p_now timestamptz)
  returns void
  language sql
  security definer
  set search_path to 'public'
  as $$
  delete from exercise_video_uploads where expires_at <= p_now
$$;
alter function delete_expired_video_uploads(timestamp with time zone) owner to tendon_definer;
grant execute on function delete_expired_video_uploads(timestamp with time zone) to tendon_worker;

create or replace function delete_invitation_data(p_principal_id uuid, p_email citext)
  returns void
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  if p_principal_id is distinct from current_app_principal_id() and not current_app_has_permission('organizations', 'manage_members') then
    return;
  end if;
  delete from mail_outbox
    where organization_id = current_app_org_id() and template = 'member_invited' and to_address::citext = p_email
      and sent_at is null;
  begin
    delete from humans where id = p_principal_id and linked_at is null;
    if found then
      delete from principals where id = p_principal_id;
    end if;
  exception when foreign_key_violation then
    null;
  end;
end
$$;
alter function delete_invitation_data(uuid,citext) owner to tendon_definer;
grant execute on function delete_invitation_data(uuid,citext) to tendon_app;

create or replace function delete_old_automation_executions(p_now timestamptz)
  returns void
  language sql
  security definer
  set search_path to 'public'
  as $$
  delete from automation_executions where finished_at < p_now - interval '90 days'
$$;
alter function delete_old_automation_executions(timestamp with time zone) owner to tendon_definer;
grant execute on function delete_old_automation_executions(timestamp with time zone) to tendon_worker;

create or replace function delete_old_webhook_rows(p_now timestamptz)
  returns void
  language sql
  security definer
  set search_path to 'public'
  as $$
  delete from webhook_deliveries where created_at < p_now - interval '90 days'
    or (created_at < p_now - interval '30 days' and status in ('delivered', 'discarded'));
  delete from webhook_events e where e.created_at < p_now - interval '30 days'
    and not exists (select 1 from webhook_deliveries d where d.organization_id = e.organization_id and d.event_id = e.id);
  update webhook_subscriptions set previous_secret_encrypted = null, previous_secret_expires_at = null
    where previous_secret_encrypted is not null and previous_secret_expires_at <= p_now;
$$;
alter function delete_old_webhook_rows(timestamp with time zone) owner to tendon_definer;
grant execute on function delete_old_webhook_rows(timestamp with time zone) to tendon_worker;

create or replace function delete_unused_bundle_files(p_now timestamptz)
  returns integer
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
declare
  v_count integer;
begin
  delete from exercise_bundle_files f using exercise_bundles b
    where b.exercise_id = f.exercise_id and f.removed_version is not null and b.updated_at < p_now - interval '1 day'
      and not exists (select 1 from renders r where r.exercise_id = f.exercise_id
        and r.status in ('queued', 'rendering', 'uploading', 'transcoding')
        and r.asset_version >= f.added_version and r.asset_version < f.removed_version);
  get diagnostics v_count = row_count;
  return v_count;
end
$$;
alter function delete_unused_bundle_files(timestamp with time zone) owner to tendon_definer;
grant execute on function delete_unused_bundle_files(timestamp with time zone) to tendon_worker;

create or replace function delete_unused_render(p_id uuid)
  returns boolean
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  update session_exercises s set film_render_id = null from renders r
    where r.id = p_id and s.organization_id = r.organization_id and s.film_render_id = r.id and s.removed_at is not null;
  delete from renders r where r.id = p_id and r.status in ('ready', 'failed', 'cancelled')
    and r.abandoned_references = '{}' and r.abandoned_reference is null
    and not exists (select 1 from session_exercises s where s.organization_id = r.organization_id and s.film_render_id = r.id);
  return found;
end
$$;
alter function delete_unused_render(uuid) owner to tendon_definer;
grant execute on function delete_unused_render(uuid) to tendon_worker;

create or replace function end_as_patient()
  returns void
  language plpgsql
  as $$
begin
  perform set_config('app.org_id', current_setting('app.org_id_before'), true),
    set_config('app.permissions', current_setting('app.permissions_before'), true);
end
$$;
alter function end_as_patient() owner to tendon_owner;
grant execute on function end_as_patient() to tendon_app;

create or replace function end_my_web_sessions(p_id uuid)
  returns bigint
  language sql
  security definer
  set search_path to 'public'
  as $$
  with ended as (
    delete from web_sessions s using identities i
    where i.issuer = s.issuer and i.subject = s.subject and i.human_id = current_app_principal_id()
      and (p_id is null or s.id = p_id)
    returning 1)
  select count(*) from ended
$$;
alter function end_my_web_sessions(uuid) owner to tendon_definer;
grant execute on function end_my_web_sessions(uuid) to tendon_app;

create or replace function end_provider_sessions(p_issuer text, p_subject text, p_provider_session text)
  returns bigint
  language sql
  security definer
  set search_path to 'public'
  as $$
  with ended as (
    delete from web_sessions
    where issuer = p_issuer and (p_provider_session is null or provider_session = p_provider_session)
      and (p_subject is null or subject = p_subject) and coalesce(p_subject, p_provider_session) is not null
    returning 1)
  select count(*) from ended
$$;
alter function end_provider_sessions(text,text,text) owner to tendon_definer;
grant execute on function end_provider_sessions(text,text,text) to tendon_app;

create or replace function end_session_run(p_run_id uuid, p_status text)
  returns boolean
  language plpgsql
  set search_path to 'public'
  as $$
begin
  perform 1 from session_runs
    where organization_id = current_app_org_id() and id = p_run_id and status = 'in_progress' for no key update;
  if not found then
    return false;
  end if;
  if p_status <> 'ended_naturally' then
    insert into session_run_events (organization_id, session_run_id, patient_profile_id, session_exercise_id, type)
    select r.organization_id, r.id, r.patient_profile_id, e, 'abandoned'
    from session_runs r cross join unnest(r.session_exercise_ids) e
    where r.organization_id = current_app_org_id() and r.id = p_run_id
    on conflict (session_run_id, session_exercise_id) where type in ('completed', 'skipped', 'abandoned') do nothing;
  end if;
  update session_runs set status = p_status, ended_at = now(),
    last_event_at = case p_status when 'ended_auto' then last_event_at else now() end
    where organization_id = current_app_org_id() and id = p_run_id;
  return true;
end
$$;
alter function end_session_run(uuid,text) owner to tendon_owner;
grant execute on function end_session_run(uuid,text) to tendon_app;
grant execute on function end_session_run(uuid,text) to tendon_definer;

create or replace function end_web_session(p_hash bytea, p_app text)
  returns void
  language sql
  security definer
  set search_path to 'public'
  as $$
  delete from web_sessions where id_hash = p_hash and app = p_app
$$;
alter function end_web_session(bytea,text) owner to tendon_definer;
grant execute on function end_web_session(bytea,text) to tendon_app;

create or replace function erase_account()
  returns timestamptz
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
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

create or replace function erase_own_responses(p_request_id uuid)
  returns integer
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
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

create or replace function erase_patient_audit_keys(p_request_id uuid)
  returns integer
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
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

create or replace function erase_patient_consents(p_request_id uuid)
  returns integer
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
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

create or replace function erase_response(p_request_id uuid, p_organization_id uuid, p_path text, p_key text)
  returns void
  language sql
  security definer
  set search_path to 'public'
  as $$
  delete from idempotency_keys i using find_active_erasure(p_request_id) r
  where i.path = p_path and i.key = p_key
    and (i.organization_id = p_organization_id and i.organization_id = r.organization_id
      or p_organization_id is null and i.organization_id is null)
$$;
alter function erase_response(uuid,uuid,text,text) owner to tendon_definer;
grant execute on function erase_response(uuid,uuid,text,text) to tendon_worker;

create or replace function exercise_bundles_request_films()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  update session_exercises e set film_due_at = now() + interval '1 minute'
  from plan_sessions s
  join treatment_plans p on p.organization_id = s.organization_id and p.id = s.treatment_plan_id and p.status = 'active'
  where e.exercise_id = new.exercise_id and e.removed_at is null and e.film_render_id is null and e.film_due_at is null
    and s.organization_id = e.organization_id and s.id = e.plan_session_id
    and not exists (select 1 from patients r where r.organization_id = e.organization_id
      and r.patient_profile_id = e.patient_profile_id and r.restricted_at is not null);
  return null;
end
$$;
alter function exercise_bundles_request_films() owner to tendon_definer;

create or replace function exercise_contraindications_check_condition()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  select organization_id into new.organization_id from exercises where id = new.exercise_id;
  if not can_use_taxonomy_tag(new.condition_id, 'condition', new.organization_id) then
    raise exception 'no such condition' using errcode = 'foreign_key_violation',
      constraint = 'exercise_contraindications_condition_fkey';
  end if;
  return new;
end
$$;
alter function exercise_contraindications_check_condition() owner to tendon_definer;

create or replace function exercise_in_use(p_exercise_id uuid)
  returns boolean
  language sql
  stable security definer
  set search_path to 'public'
  as $$
  select exists (select 1 from session_exercises e
    join plan_sessions s on s.id = e.plan_session_id and s.removed_at is null
    join treatment_plans p on p.id = s.treatment_plan_id and p.status = 'active'
    join patients w on w.organization_id = p.organization_id and w.patient_profile_id = p.patient_profile_id
      and w.deleted_at is null
    where e.exercise_id = p_exercise_id and e.removed_at is null)
$$;
alter function exercise_in_use(uuid) owner to tendon_definer;
grant execute on function exercise_in_use(uuid) to tendon_app;
grant execute on function exercise_in_use(uuid) to tendon_platform;

create or replace function exercise_parts_set_organization()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  select organization_id into new.organization_id from exercises where id = new.exercise_id;
  return new;
end
$$;
alter function exercise_parts_set_organization() owner to tendon_definer;

create or replace function exercise_prerequisites_check_prerequisite()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  select organization_id into new.organization_id from exercises where id = new.exercise_id;
  if not exists (select 1 from exercises where id = new.prerequisite_exercise_id and deleted_at is null
      and (organization_id is null or organization_id = new.organization_id))
  then
    raise exception 'no such exercise' using errcode = 'foreign_key_violation',
      constraint = 'exercise_prerequisites_prerequisite_fkey';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('exercise_prerequisites ' || coalesce(new.organization_id::text, 'platform'), 0));
  if exists (
    with recursive needed (id) as (
      select new.prerequisite_exercise_id
      union
      select p.prerequisite_exercise_id from needed n
        join exercise_prerequisites p on p.exercise_id = n.id
        join exercises e on e.id = p.prerequisite_exercise_id and e.deleted_at is null)
    select 1 from needed where id = new.exercise_id)
  then
    raise exception 'a circle' using errcode = 'check_violation', constraint = 'exercise_prerequisites_cycle_check';
  end if;
  return new;
end
$$;
alter function exercise_prerequisites_check_prerequisite() owner to tendon_definer;

create or replace function exercise_tags_check_tag()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  select organization_id into new.organization_id from exercises where id = new.exercise_id;
  if not can_use_taxonomy_tag(new.tag_id, new.axis, new.organization_id) then
    raise exception 'no such value' using errcode = 'foreign_key_violation', constraint = 'exercise_tags_tag_fkey';
  end if;
  return new;
end
$$;
alter function exercise_tags_check_tag() owner to tendon_definer;

create or replace function exercise_video_uploads_settle()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
declare
  v_before integer := 0;
  v_after integer := 0;
  v_released text[] := '{}';
begin
  if tg_op <> 'INSERT' then
    v_before := case when old.finished_at is null then ceil(old.length / 1048576.0)::integer else 0 end;
    v_released := old.object_keys;
  end if;
  if tg_op <> 'DELETE' then
    v_after := case when new.finished_at is null then ceil(new.length / 1048576.0)::integer else 0 end;
    select coalesce(array_agg(key), '{}') into v_released from unnest(v_released) key where key <> all (new.object_keys);
  end if;
  if v_after <> v_before and coalesce(new.organization_id, old.organization_id) is not null then
    perform change_usage(coalesce(new.organization_id, old.organization_id), 'max_unfinished_upload_mb', v_after - v_before);
  end if;
  if v_released <> '{}' then
    insert into unclaimed_objects (object_key, organization_id, delete_after)
      select key, old.organization_id, now() from unnest(v_released) key
      on conflict (object_key) do update set delete_after = excluded.delete_after;
    perform add_job('delete_unclaimed_objects', '{}', null, null, null);
  end if;
  return null;
end
$$;
alter function exercise_video_uploads_settle() owner to tendon_definer;

create or replace function exercises_release_video()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  if old.video_object_key is null or old.video_object_key is not distinct from new.video_object_key then
    return null;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('video ' || old.video_object_key, 0));
  if not exists (select 1 from exercises where video_object_key = old.video_object_key) then
    perform add_job('delete_exercise_video', jsonb_build_object('reference', old.video_object_key), null, null, null);
  end if;
  return null;
end
$$;
alter function exercises_release_video() owner to tendon_definer;

create or replace function fail_outbox_event(p_id uuid, p_error text)
  returns void
  language sql
  security definer
  set search_path to 'public'
  as $$
  update outbox_events set attempts = attempts + 1, last_error = p_error,
    next_attempt_at = clock_timestamp() + least(interval '1 second' * 2 ^ least(attempts + 1, 12), interval '1 hour')
  where id = p_id
$$;
alter function fail_outbox_event(uuid,text) owner to tendon_definer;
grant execute on function fail_outbox_event(uuid,text) to tendon_worker;

create or replace function fail_stalled_privacy_requests(p_before timestamptz)
  returns void
  language sql
  security definer
  set search_path to 'public'
  as $$
  update privacy_requests set status = 'error', error = 'Stalled'
    where status in ('accepted', 'active') and result is null and updated_at < p_before
$$;
alter function fail_stalled_privacy_requests(timestamp with time zone) owner to tendon_definer;
grant execute on function fail_stalled_privacy_requests(timestamp with time zone) to tendon_worker;

create or replace function find_active_erasure(p_request_id uuid)
  returns setof privacy_requests
  language sql
  stable security definer rows 1
  set search_path to 'public'
  as $$
  select * from privacy_requests
  where id = p_request_id and organization_id = current_app_org_id() and kind = 'erase' and status = 'active' and result is null
$$;
alter function find_active_erasure(uuid) owner to tendon_definer;

create or replace function find_availability(p_organization uuid, p_service uuid, p_specialist uuid, p_location uuid, p_from timestamptz, p_to timestamptz, p_moves uuid default null::uuid)
  returns json
  language plpgsql
  stable
  set search_path to 'public'
  set plan_cache_mode to 'force_generic_plan'
  as $$
begin return (
  with service as (
    select * from services where organization_id = p_organization and id = p_service and deleted_at is null),
  open as (
    select c.*, p.scheduling_timezone from service v
    join calendars c on c.organization_id = v.organization_id and c.is_active
    join specialists p on p.organization_id = c.organization_id and p.id = c.specialist_id
      and p.deleted_at is null and p.scheduling_active
    where (p_specialist is null or c.specialist_id = p_specialist)
      and (p_location is null or c.location_id = p_location)
      and (c.location_id is null or not exists (select 1 from locations l
        where l.organization_id = c.organization_id and l.id = c.location_id and l.deleted_at is not null))
      and (not exists (select 1 from calendar_services s where s.organization_id = c.organization_id and s.calendar_id = c.id)
        or exists (select 1 from calendar_services s
          where s.organization_id = c.organization_id and s.calendar_id = c.id and s.service_id = v.id))
      and (not exists (select 1 from service_specialists s where s.organization_id = v.organization_id and s.service_id = v.id)
        or exists (select 1 from service_specialists s
          where s.organization_id = v.organization_id and s.service_id = v.id and s.specialist_id = c.specialist_id))
      and (c.location_id is null
        or not exists (select 1 from service_locations s where s.organization_id = v.organization_id and s.service_id = v.id)
        or exists (select 1 from service_locations s
          where s.organization_id = v.organization_id and s.service_id = v.id and s.location_id = c.location_id))),
  people as (select distinct specialist_id from open)
  select json_build_object(
    'service', (select json_build_object('id', id, 'duration_minutes', duration_minutes,
      'buffer_before_minutes', buffer_before_minutes, 'buffer_after_minutes', buffer_after_minutes,
      'slot_interval_minutes', slot_interval_minutes, 'min_notice_minutes', min_notice_minutes,
      'max_days_ahead', max_days_ahead, 'max_per_day', max_per_day, 'modes', modes, 'status', status, 'is_public', is_public,
      'requires_confirmation', requires_confirmation, 'price_cents', price_cents, 'currency', currency) from service),
    'calendars', (select coalesce(json_agg(json_build_object('id', o.id, 'specialist_id', o.specialist_id,
        'location_id', o.location_id, 'time_zone', o.scheduling_timezone, 'weekly_hours', o.weekly_hours,
        'overrides', (select coalesce(json_agg(json_build_object('date', v.date, 'date_to', v.date_to, 'windows', v.windows,
            'service_id', v.service_id) order by v.created_at, v.id), '[]')
          from calendar_overrides v where v.organization_id = o.organization_id and v.calendar_id = o.id
            and coalesce(v.date_to, v.date) >= (p_from - interval '2 days')::date
            and v.date <= (p_to + interval '2 days')::date))), '[]') from open o),
    'closures', (select coalesce(json_agg(json_build_object('date', date, 'date_to', date_to, 'location_id', location_id)), '[]')
      from closures where organization_id = p_organization and coalesce(date_to, date) >= (p_from - interval '2 days')::date
        and date <= (p_to + interval '2 days')::date),
    'taken', (select coalesce(json_object_agg(specialist_id, spans), '{}') from (
      select t.specialist_id, json_build_array(array_agg((date_part('epoch', t.starts_at) * 1000)::bigint),
          array_agg((date_part('epoch', t.ends_at) * 1000)::bigint)) as spans
      from (
        select c.specialist_id, c.starts_at, c.ends_at from time_claims c join people using (specialist_id)
        where c.organization_id = p_organization and c.starts_at < p_to + interval '1 day'
          and c.starts_at > p_from - interval '2 days' and c.ends_at > p_from - interval '1 day'
          and (c.kind = 'appointment' or c.expires_at > clock_timestamp())
        union all
        select b.specialist_id, b.starts_at, b.ends_at from busy_times b join people using (specialist_id)
        where b.organization_id = p_organization and b.starts_at < p_to + interval '1 day' and b.ends_at > p_from - interval '1 day'
      ) t group by t.specialist_id) s),
    'busy', (select coalesce(json_object_agg(specialist_id, spans), '{}') from (
      select b.specialist_id, json_build_array(array_agg((date_part('epoch', b.starts_at) * 1000)::bigint),
          array_agg((date_part('epoch', b.ends_at) * 1000)::bigint)) as spans
      from busy_times b join people using (specialist_id)
      where b.organization_id = p_organization and b.starts_at < p_to + interval '1 day' and b.ends_at > p_from - interval '1 day'
      group by b.specialist_id) s),
    'booked', (select coalesce(json_object_agg(specialist_id, starts), '{}') from (
      select b.specialist_id, array_agg((date_part('epoch', b.starts_at) * 1000)::bigint) as starts
      from (
        select a.specialist_id, a.starts_at from appointments a
        where a.organization_id = p_organization and a.service_id = p_service and (select max_per_day from service) is not null
          and (a.status in ('pending', 'confirmed') and a.calendar_uid is distinct from p_moves
            or a.status in ('checked_in', 'completed', 'no_show'))
          and a.starts_at between p_from - interval '2 days' and p_to + interval '2 days'
        union all
        select h.specialist_id, h.starts_at from holds h
        where h.organization_id = p_organization and h.service_id = p_service and (select max_per_day from service) is not null
          and h.status = 'active' and h.expires_at > clock_timestamp()
          and h.starts_at between p_from - interval '2 days' and p_to + interval '2 days'
          and (h.moves_calendar_uid is null or not exists (select 1 from appointments a join specialists p
              on p.organization_id = a.organization_id and p.id = a.specialist_id
            where a.organization_id = h.organization_id and a.service_id = h.service_id and a.specialist_id = h.specialist_id
              and a.calendar_uid = h.moves_calendar_uid and a.status in ('pending', 'confirmed')
              and (a.starts_at at time zone p.scheduling_timezone)::date = (h.starts_at at time zone p.scheduling_timezone)::date))
      ) b join people using (specialist_id)
      group by b.specialist_id) s)));
end
$$;
alter function find_availability(uuid,uuid,uuid,uuid,timestamp with time zone,timestamp with time zone,uuid) owner to tendon_definer;

create or replace function find_booking(p_token_hash bytea)
  returns jsonb
  language plpgsql
  stable security definer
  set search_path to 'public'
  as $$
begin
  return (select jsonb_build_object('reference', upper(right(replace(a.calendar_uid::text, '-', ''), 8)), 'appointment_id', a.id,
      'calendar_uid', a.calendar_uid, 'calendar_sequence', a.calendar_sequence,
      'organization_id', a.organization_id, 'organization', jsonb_build_object('name', o.name, 'slug', o.slug),
      'status', a.status, 'starts_at', iso_time(a.starts_at), 'ends_at', iso_time(a.ends_at), 'time_zone', a.time_zone,
      'mode', a.mode, 'service', jsonb_build_object('id', s.id, 'name', s.name, 'translations', s.translations),
      'specialist', (select jsonb_build_object('id', p.id, 'name', p.name) from specialists p
        where p.organization_id = a.organization_id and p.id = a.specialist_id),
      'location', (select jsonb_build_object('id', l.id, 'name', l.name, 'address', l.address, 'phone', l.phone) from locations l
        where l.organization_id = a.organization_id and l.id = a.location_id),
      'price_cents', a.price_cents, 'currency', a.currency,
      'cancel_until', iso_time(a.starts_at - make_interval(mins => s.cancel_notice_minutes)),
      'reschedule_until', iso_time(a.starts_at - make_interval(mins => s.reschedule_notice_minutes)))
    from booking_links b
    join appointments a on a.organization_id = b.organization_id and a.id = b.appointment_id
    join services s on s.organization_id = a.organization_id and s.id = a.service_id
    join organizations o on o.id = a.organization_id
    where b.token_hash = p_token_hash and a.status <> 'entered_in_error');
end
$$;
alter function find_booking(bytea) owner to tendon_definer;
grant execute on function find_booking(bytea) to tendon_app;

create or replace function find_branding(p_slug text)
  returns table(name text, slug text, language_code text, brand_color text, logo_id uuid, phone text, emergency_number text, date_format text, clock_format text, week_start text)
  language plpgsql
  stable security definer rows 1
  set search_path to 'public'
  as $$
#variable_conflict use_column
begin
  return query select o.name, o.slug, o.language_code, s.brand_color, i.id, o.phone, coalesce(s.emergency_number, '112'),
      s.date_format, s.clock_format, s.week_start
    from organizations o
    left join organization_settings s on s.organization_id = o.id
    left join clinic_images i on i.organization_id = o.id and i.purpose = 'logo'
    where o.slug = p_slug;
end
$$;
alter function find_branding(text) owner to tendon_definer;
grant execute on function find_branding(text) to tendon_app;

create or replace function find_caller(p_issuer text, p_subject text, p_header_org uuid, p_url_org uuid, p_patient_data boolean default false, p_patient_id uuid default null::uuid, p_app text default null::text)
  returns caller
  language plpgsql
  stable security definer
  set search_path to 'public'
  as $$
declare
  v caller;
  v_current uuid;
  v_orgs uuid[];
  v_patients uuid[];
  v_profiles uuid[];
  v_place integer;
begin
  select h.id, h.kind, h.name, h.email, h.email_verified, h.preferred_language, h.current_organization_id,
      coalesce(p_app, 'platform') = 'platform' and exists (select 1 from platform_memberships s where s.principal_id = h.id)
    into v.principal_id, v.kind, v.name, v.email, v.email_verified, v.preferred_language, v_current, v.is_superadmin
    from identities i join humans h on h.id = i.human_id
    where i.issuer = p_issuer and i.subject = p_subject;
  if v.principal_id is null then
    return null;
  end if;

  if v.is_superadmin then
    v.permissions := '*';
    if p_patient_data then
      select g.id into v.break_glass_id from break_glass_grants g
        where g.principal_id = v.principal_id and g.organization_id = coalesce(p_url_org, p_header_org)
          and (g.patient_id is null or g.patient_id = p_patient_id)
          and g.ended_at is null and g.expires_at > now()
        order by g.patient_id nulls last, g.expires_at desc limit 1;
    end if;
    if v.break_glass_id is not null then
      p_url_org := coalesce(p_url_org, p_header_org);
    end if;
    select id, language_code into v.organization_id, v.organization_language from organizations where id = p_url_org;
    return v;
  end if;

  -- Query only where there can be rows: most callers are staff without a patient record.
  if coalesce(p_header_org, v_current) is not null and p_app is distinct from 'portal' then
    select organization_id, role_id, joined_at is not null into v.organization_id, v.role_id, v.joined from organization_memberships
      where principal_id = v.principal_id and organization_id = coalesce(p_header_org, v_current);
  end if;
  if exists (select 1 from patient_profiles where human_id = v.principal_id) then
    select array_agg(f.id order by f.created_at, f.id),
        array_agg(p.organization_id order by f.created_at, f.id) filter (where p.id is not null),
        array_agg(p.id order by f.created_at, f.id) filter (where p.id is not null),
        array_agg(f.id order by f.created_at, f.id) filter (where p.id is not null)
      into v.profile_ids, v_orgs, v_patients, v_profiles
      from patient_profiles f left join patients p on p.patient_profile_id = f.id and p.deleted_at is null
      where f.human_id = v.principal_id;
  end if;

  -- Not a member there: use the patient record there, then the first membership, then the first clinic as a patient. An open
  -- invitation does not change the organization.
  if v.role_id is null and array_position(v_orgs, coalesce(p_header_org, v_current)) is not null then
    v.organization_id := coalesce(p_header_org, v_current);
  end if;
  if v.organization_id is null and p_header_org is null and p_app = 'portal' then
    v.organization_id := v_orgs[1];
  elsif v.organization_id is null and p_header_org is null then
    select organization_id, role_id, joined_at is not null into v.organization_id, v.role_id, v.joined from organization_memberships
      where principal_id = v.principal_id and (joined_at is not null or v_orgs is null)
      order by joined_at is null, created_at, organization_id limit 1;
    if v.organization_id is null then
      v.organization_id := v_orgs[1];
      select role_id, joined_at is not null into v.role_id, v.joined from organization_memberships
        where principal_id = v.principal_id and organization_id = v.organization_id;
    end if;
  end if;
  v_place := array_position(v_orgs, v.organization_id);
  v.patient_id := v_patients[v_place];
  v.patient_profile_id := v_profiles[v_place];
  if v.organization_id is not null then
    select o.language_code, role_permission_codes(v.role_id), (select r.name from roles r where r.id = v.role_id)
      into v.organization_language, v.permissions, v.role_name
      from organizations o where o.id = v.organization_id;
  end if;
  return v;
end
$$;
alter function find_caller(text,text,uuid,uuid,boolean,uuid,text) owner to tendon_definer;
grant execute on function find_caller(text,text,uuid,uuid,boolean,uuid,text) to tendon_app;

create or replace function find_capable_integration(p_organization_id uuid, p_capability text)
  returns table(id uuid, version integer, status text)
  language sql
  stable security definer
  set search_path to 'public'
  as $$
  select i.id, i.version, i.status from organization_integrations i
  join integration_services s on s.slug = i.service_slug
  where i.organization_id = p_organization_id and p_capability = any (s.capabilities)
    and i.status in ('connected', 'expired', 'error')
  order by i.created_at desc, i.id desc limit 1
$$;
alter function find_capable_integration(uuid,text) owner to tendon_definer;

create or replace function find_hold(p_id uuid)
  returns jsonb
  language plpgsql
  stable security definer
  set search_path to 'public'
  as $$
begin
  return (select hold_json(h) from holds h where h.id = p_id);
end
$$;
alter function find_hold(uuid) owner to tendon_definer;
grant execute on function find_hold(uuid) to tendon_app;

create or replace function find_hosted_render(p_provider text, p_reference text)
  returns table(render_id uuid, render_organization_id uuid)
  language sql
  stable security definer
  set search_path to 'public'
  as $$
  select id, organization_id from renders where host_provider = p_provider and host_reference = p_reference
$$;
alter function find_hosted_render(text,text) owner to tendon_definer;
grant execute on function find_hosted_render(text,text) to tendon_app;

create or replace function find_impersonated_caller(p_hash bytea)
  returns caller
  language plpgsql
  stable security definer
  set search_path to 'public'
  as $$
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

create or replace function find_inbound_integration(p_token_hash bytea)
  returns table(id uuid, organization_id uuid, config jsonb, credentials_encrypted bytea)
  language sql
  stable security definer
  set search_path to 'public'
  as $$
  select i.id, i.organization_id, i.config, i.credentials_encrypted from organization_integrations i
  where i.inbound_token_hash = p_token_hash and i.status in ('connected', 'error')
$$;
alter function find_inbound_integration(bytea) owner to tendon_definer;
grant execute on function find_inbound_integration(bytea) to tendon_app;

create or replace function find_mail_recipient(p_id uuid)
  returns table(organization_id uuid, organization_name text, patient_profile_id uuid, language text)
  language sql
  stable security definer
  set search_path to 'public'
  as $$
  select m.organization_id, o.name, m.patient_profile_id, m.language
  from mail_outbox m join organizations o on o.id = m.organization_id
  where m.id = p_id and m.kind = 'marketing' and m.patient_profile_id is not null
$$;
alter function find_mail_recipient(uuid) owner to tendon_definer;
grant execute on function find_mail_recipient(uuid) to tendon_app;

create or replace function find_offer_organization(p_token_hash bytea)
  returns uuid
  language sql
  stable security definer
  set search_path to 'public'
  as $$
  select organization_id from waitlist_offers where token_hash = p_token_hash
$$;
alter function find_offer_organization(bytea) owner to tendon_definer;
grant execute on function find_offer_organization(bytea) to tendon_app;

create or replace function find_or_create_human(p_email citext)
  returns uuid
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
declare
  v_id uuid;
begin
  perform pg_advisory_xact_lock(hashtextextended('email:' || lower(p_email::text), 0));
  select id into v_id from humans where email = p_email and (email_verified or linked_at is null);
  if v_id is null then
    insert into principals (kind) values ('human') returning id into v_id;
    insert into humans (id, email) values (v_id, p_email);
  end if;
  return v_id;
end
$$;
alter function find_or_create_human(citext) owner to tendon_definer;
grant execute on function find_or_create_human(citext) to tendon_app;
grant execute on function find_or_create_human(citext) to tendon_platform;

create or replace function find_platform_provider(p_capability text)
  returns table(id uuid, provider text, credentials_encrypted bytea, config jsonb, status text, updated_at timestamptz)
  language sql
  stable security definer
  set search_path to 'public'
  as $$
  select p.id, p.provider, p.credentials_encrypted, p.config, p.status, p.updated_at from platform_service_providers p
  where p.capability = p_capability and p.status in ('active', 'error')
$$;
alter function find_platform_provider(text) owner to tendon_definer;
grant execute on function find_platform_provider(text) to tendon_app;

create or replace function find_public_availability(p_slug text, p_service uuid, p_specialist uuid, p_location uuid, p_from timestamptz, p_to timestamptz, p_moves uuid)
  returns json
  language plpgsql
  stable security definer
  set search_path to 'public'
  as $$
begin
  return (select find_availability(o.id, s.id, p_specialist, p_location, p_from, p_to, p_moves)
    from organizations o join services s on s.organization_id = o.id and s.id = p_service
    where o.slug = p_slug and s.is_public and s.status = 'active' and s.deleted_at is null);
end
$$;
alter function find_public_availability(text,uuid,uuid,uuid,timestamp with time zone,timestamp with time zone,uuid) owner to tendon_definer;
grant execute on function find_public_availability(text,uuid,uuid,uuid,timestamp with time zone,timestamp with time zone,uuid) to tendon_app;

create or replace function find_public_image(p_id uuid)
  returns table(object_key text, mime text)
  language plpgsql
  stable security definer rows 1
  set search_path to 'public'
  as $$
#variable_conflict use_column
begin
  return query select i.object_key, i.mime from clinic_images i where i.id = p_id and i.purpose in ('logo', 'avatar');
end
$$;
alter function find_public_image(uuid) owner to tendon_definer;
grant execute on function find_public_image(uuid) to tendon_app;

create or replace function find_public_render(p_id uuid)
  returns table(status text, host_provider text, host_reference text)
  language sql
  stable security definer
  set search_path to 'public'
  as $$
  select status, host_provider, host_reference from renders where id = p_id
$$;
alter function find_public_render(uuid) owner to tendon_definer;
grant execute on function find_public_render(uuid) to tendon_app;

create or replace function find_same_patient(p_email citext, p_national_id_index bytea)
  returns table(id uuid, field text)
  language plpgsql
  stable security definer rows 1
  set search_path to 'public'
  as $$
declare
  v_clinic uuid := current_app_org_id();
begin
  if not current_app_has_permission('patients', 'view_org') then
    return;
  end if;
  field := 'national_id';
  select p.id into id
    from patient_profiles f join patients p on p.organization_id = f.organization_id and p.patient_profile_id = f.id
    where f.organization_id = v_clinic and f.national_id_index = p_national_id_index
      and p.deleted_at is null and p.erased_at is null;
  if id is null then
    field := 'email';
    select p.id into id from patients p
      where p.organization_id = v_clinic and p.email = p_email and p.deleted_at is null and p.erased_at is null
      order by p.created_at;
  end if;
  if id is not null then
    return next;
  end if;
end
$$;
alter function find_same_patient(citext,bytea) owner to tendon_definer;
grant execute on function find_same_patient(citext,bytea) to tendon_app;

create or replace function find_service_availability(p_service uuid, p_specialist uuid, p_location uuid, p_from timestamptz, p_to timestamptz)
  returns json
  language plpgsql
  stable security definer
  set search_path to 'public'
  as $$
begin
  return (select find_availability(current_app_org_id(), p_service, p_specialist, p_location, p_from, p_to)
    where current_app_is_service());
end
$$;
alter function find_service_availability(uuid,uuid,uuid,timestamp with time zone,timestamp with time zone) owner to tendon_definer;
grant execute on function find_service_availability(uuid,uuid,uuid,timestamp with time zone,timestamp with time zone) to tendon_app;

create or replace function find_service_caller(p_hash bytea)
  returns caller
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
declare
  v caller;
  v_key api_keys;
begin
  select * into v_key from api_keys
    where hash = p_hash and revoked_at is null and (expires_at is null or expires_at > now());
  if v_key.id is null then
    return null;
  end if;
  update api_keys set last_used_at = now()
    where id = v_key.id and (last_used_at is null or last_used_at < now() - interval '1 minute');
  select s.id, s.kind, s.name, false, false, o.id, o.language_code, m.role_id, r.name, true, role_permission_codes(m.role_id)
    into v.principal_id, v.kind, v.name, v.email_verified, v.is_superadmin, v.organization_id, v.organization_language,
      v.role_id, v.role_name, v.joined, v.permissions
    from service_accounts s
    join organizations o on o.id = s.organization_id
    left join organization_memberships m on m.principal_id = s.id and m.organization_id = s.organization_id
    left join roles r on r.id = m.role_id
    where s.id = v_key.service_account_id;
  return v;
end
$$;
alter function find_service_caller(bytea) owner to tendon_definer;
grant execute on function find_service_caller(bytea) to tendon_app;

create or replace function find_usage(p_kind text, p_id uuid)
  returns table(kind text, consequence text, uses bigint, items jsonb)
  language sql
  stable security definer
  set search_path to 'public'
  as $$
  with allowed as (
    select case p_kind when 'custom_field' then 'custom_fields.manage' when 'form_template' then 'form_templates.manage'
      when 'exercise' then 'exercises.manage_org' when 'tag' then 'catalog.tags:write_private'
      when 'pdf_template' then 'pdf_templates.manage' when 'program' then 'treatment_plans.manage' end as code),
  found (kind, consequence, organization_id, id, name, viewers) as (
    select 'custom_field_values', 'deleted', v.organization_id, v.entity_id, null::text, '{}'::text[]
      from custom_field_values v where p_kind = 'custom_field' and v.custom_field_id = p_id
    union all
    select 'appointments', 'deleted', a.organization_id, a.id, null, '{}'
      from custom_fields c join appointments a on a.organization_id = c.organization_id and a.custom_fields ? p_id::text
      where p_kind = 'custom_field' and c.id = p_id and c.entity_type = 'appointment'
    union all
    select 'form_templates', 'kept', t.organization_id, t.id, t.title, '{form_templates.manage,forms.create,forms.view_org}'
      from form_templates t where p_kind = 'custom_field' and t.deleted_at is null and position(p_id::text in t.fields::text) > 0
    union all
    select 'forms', 'kept', f.organization_id, f.id, null, '{}'
      from forms f where p_kind = 'form_template' and f.form_template_id = p_id
    union all
    select 'services', 'broken', s.organization_id, s.id, s.name, '{services.view_org,services.manage}'
      from services s where p_kind = 'form_template' and s.intake_form_template_id = p_id and s.deleted_at is null
    union all
    select 'segments', 'broken', s.organization_id, s.id, s.name, '{segments.view,segments.manage}'
      from segments s where p_kind in ('custom_field', 'form_template') and position(p_id::text in s.rules::text) > 0
    union all
    select 'automation_rules', 'broken', r.organization_id, r.id, r.name, '{automations.view_org,automations.manage}'
      from automation_rules r where p_kind in ('custom_field', 'form_template')
        and (position(p_id::text in r.conditions::text) > 0 or position(p_id::text in r.actions::text) > 0)
    union all
    select distinct 'treatment_plans', case when p.status = 'active' then 'blocks' else 'broken' end, p.organization_id, p.id, p.title,
        '{treatment_plans.view_org,treatment_plans.manage}'::text[]
      from session_exercises e
      join plan_sessions s on s.id = e.plan_session_id and s.removed_at is null
      join treatment_plans p on p.id = s.treatment_plan_id and p.status in ('draft', 'active')
      join patients w on w.organization_id = p.organization_id and w.patient_profile_id = p.patient_profile_id and w.deleted_at is null
      where p_kind = 'exercise' and e.exercise_id = p_id and e.removed_at is null
    union all
    select distinct 'programs', 'broken', g.organization_id, g.id, g.name, '{treatment_plans.view_org,treatment_plans.manage}'::text[]
      from session_exercises e
      join plan_sessions s on s.id = e.plan_session_id and s.removed_at is null
      join programs g on g.id = s.program_id and g.deleted_at is null
      where p_kind = 'exercise' and e.exercise_id = p_id and e.removed_at is null
    union all
    select 'treatment_plans', 'kept', p.organization_id, p.id, p.title, '{treatment_plans.view_org,treatment_plans.manage}'
      from treatment_plans p
      join patients w on w.organization_id = p.organization_id and w.patient_profile_id = p.patient_profile_id and w.deleted_at is null
      where p_kind = 'program' and p.program_id = p_id and p.status in ('draft', 'active')
    union all
    select 'documents', 'kept', d.organization_id, d.id, null, '{}'
      from appointment_documents d where p_kind = 'pdf_template' and d.pdf_template_id = p_id
    union all
    select 'exercises', 'unlinked', x.organization_id, x.id, x.name, '{exercises.view_published,exercises.manage_org}'
      from exercise_prerequisites r join exercises x on x.id = r.exercise_id and x.deleted_at is null
      where p_kind = 'exercise' and r.prerequisite_exercise_id = p_id
    union all
    select 'exercises', 'unlinked', x.organization_id, x.id, x.name, '{exercises.view_published,exercises.manage_org}'
      from exercise_tags t join exercises x on x.id = t.exercise_id and x.deleted_at is null
      where p_kind = 'tag' and t.tag_id = p_id
    union all
    select 'tags', 'unlinked', t.organization_id, t.id, t.name, '{exercises.view_published,exercises.manage_org}'
      from taxonomy_tags t where p_kind = 'tag' and (t.parent_id = p_id or t.body_region_id = p_id)),
  numbered as (
    select f.*, row_number() over (partition by f.kind, f.consequence order by f.name, f.id) as place
    from found f, allowed a
    where current_app_holds(a.code) and (f.organization_id = current_app_org_id() or current_app_scope() is null))
  select n.kind, n.consequence, count(*),
    coalesce(jsonb_agg(jsonb_build_object('id', n.id, 'name', n.name) order by n.place)
      filter (where n.place <= 5 and n.name is not null and n.organization_id = current_app_org_id() and current_app_holds_any(n.viewers)), '[]')
  from numbered n
  group by n.kind, n.consequence
  order by n.consequence <> 'blocks', n.kind, n.consequence
$$;
alter function find_usage(text,uuid) owner to tendon_definer;
grant execute on function find_usage(text,uuid) to tendon_app;
grant execute on function find_usage(text,uuid) to tendon_platform;

create or replace function find_web_session(p_hash bytea, p_app text)
  returns table(id uuid, issuer text, subject text, is_stale boolean, ends_in_ms double precision)
  language plpgsql
  stable security definer rows 1
  set search_path to 'public'
  as $$
#variable_conflict use_column
begin
  return query select s.id, s.issuer, s.subject, s.seen_at < now() - interval '1 minute',
      extract(epoch from least(s.expires_at, s.seen_at + s.idle_limit) - now())::double precision * 1000
    from web_sessions s
    where s.id_hash = p_hash and s.app = p_app and s.expires_at > now() and s.seen_at + s.idle_limit > now();
end
$$;
alter function find_web_session(bytea,text) owner to tendon_definer;
grant execute on function find_web_session(bytea,text) to tendon_app;

create or replace function finish_outbox_events(p_ids uuid[])
  returns void
  language sql
  security definer
  set search_path to 'public'
  as $$
  update outbox_events set dispatched_at = now(), last_error = null where id = any (p_ids)
$$;
alter function finish_outbox_events(uuid[]) owner to tendon_definer;
grant execute on function finish_outbox_events(uuid[]) to tendon_worker;

create or replace function fold_segment_text(p_text text)
  returns text
  language sql
  immutable parallel safe
  as $$
  select case when octet_length(p_text) = char_length(p_text) then lower(p_text collate "C")
    else lower(regexp_replace(normalize(p_text, nfd), '[\u0300-\u036f]', '', 'g') collate "und-x-icu") collate "C" end
$$;
alter function fold_segment_text(text) owner to tendon_owner;
grant execute on function fold_segment_text(text) to tendon_app;
grant execute on function fold_segment_text(text) to tendon_definer;
grant execute on function fold_segment_text(text) to tendon_platform;
grant execute on function fold_segment_text(text) to tendon_worker;

create or replace function fold_text(p_text text)
  returns text
  language sql
  immutable parallel safe strict
  as $$
  select lower(public.unaccent('public.unaccent'::regdictionary, p_text))
$$;
alter function fold_text(text) owner to tendon_owner;
grant execute on function fold_text(text) to tendon_app;
grant execute on function fold_text(text) to tendon_definer;
grant execute on function fold_text(text) to tendon_platform;
grant execute on function fold_text(text) to tendon_worker;

create or replace function forget_busy_times()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  delete from busy_times where organization_id = new.organization_id and integration_id = new.id;
  return null;
end
$$;
alter function forget_busy_times() owner to tendon_definer;

create or replace function form_files_refuse_signed()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
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
alter function form_files_refuse_signed() owner to tendon_definer;

create or replace function forms_refuse_signed()
  returns trigger
  language plpgsql
  as $$
begin
  raise exception 'the form is signed' using errcode = 'check_violation', constraint = 'forms_signed_check';
end
$$;
alter function forms_refuse_signed() owner to tendon_owner;

create or replace function free_appointment(p_organization uuid, p_id uuid)
  returns void
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  delete from time_claims where organization_id = p_organization and appointment_id = p_id;
  if found then
    perform mark_waitlist(p_organization, p_id);
  end if;
end
$$;
alter function free_appointment(uuid,uuid) owner to tendon_definer;

create or replace function free_hold(p_id uuid)
  returns void
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  delete from time_claims c using holds h
  where c.organization_id = current_app_org_id() and c.hold_id = p_id and c.kind = 'hold' and current_app_is_service()
    and h.organization_id = c.organization_id and h.id = c.hold_id and h.status = 'released';
end
$$;
alter function free_hold(uuid) owner to tendon_definer;
grant execute on function free_hold(uuid) to tendon_app;

create or replace function free_time(p_id uuid)
  returns void
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  perform free_appointment(current_app_org_id(), p_id)
    where (may_write_appointment(p_id) or current_app_has_permission('appointments', 'delete'))
      and exists (select 1 from appointments where organization_id = current_app_org_id() and id = p_id
        and status in ('cancelled', 'no_show', 'entered_in_error', 'waitlist'));
end
$$;
alter function free_time(uuid) owner to tendon_definer;
grant execute on function free_time(uuid) to tendon_app;

create or replace function has_consent(p_profile_id uuid, p_organization_id uuid, p_purpose text)
  returns boolean
  language plpgsql
  stable security definer
  set search_path to 'public'
  as $$
begin
  return exists (select 1 from consents
      where patient_profile_id = p_profile_id and organization_id is not distinct from p_organization_id
        and purpose_code = p_purpose and withdrawn_at is null);
end
$$;
alter function has_consent(uuid,uuid,text) owner to tendon_definer;
grant execute on function has_consent(uuid,uuid,text) to tendon_app;
grant execute on function has_consent(uuid,uuid,text) to tendon_platform;
grant execute on function has_consent(uuid,uuid,text) to tendon_worker;

create or replace function hold_json(p_hold holds)
  returns jsonb
  language plpgsql
  stable
  set search_path to 'public'
  as $$
begin
  return jsonb_build_object('id', p_hold.id, 'service_id', p_hold.service_id, 'specialist_id', p_hold.specialist_id,
    'location_id', p_hold.location_id, 'mode', p_hold.mode, 'starts_at', iso_time(p_hold.starts_at),
    'ends_at', iso_time(p_hold.ends_at), 'status',
    case when p_hold.status = 'active' and p_hold.expires_at <= clock_timestamp() then 'expired' else p_hold.status end,
    'expires_at', iso_time(p_hold.expires_at), 'created_at', iso_time(p_hold.created_at));
end
$$;
alter function hold_json(holds) owner to tendon_definer;

create or replace function hold_offered_time(p_service uuid, p_specialist uuid, p_location uuid, p_calendar uuid, p_mode text, p_starts timestamptz, p_life interval)
  returns jsonb
  language sql
  security definer
  set search_path to 'public'
  as $$
  select take_hold(current_app_org_id(), p_service, p_specialist, p_location, p_calendar, p_mode, p_starts, p_life, null, null, null)
  where current_app_has_permission('appointments', 'manage')
$$;
alter function hold_offered_time(uuid,uuid,uuid,uuid,text,timestamp with time zone,interval) owner to tendon_definer;
grant execute on function hold_offered_time(uuid,uuid,uuid,uuid,text,timestamp with time zone,interval) to tendon_app;

create or replace function hold_organization(p_id uuid)
  returns uuid
  language plpgsql
  stable security definer
  set search_path to 'public'
  as $$
begin
  return (select organization_id from holds where id = p_id);
end
$$;
alter function hold_organization(uuid) owner to tendon_definer;
grant execute on function hold_organization(uuid) to tendon_app;

create or replace function hold_time(p_service uuid, p_specialist uuid, p_location uuid, p_calendar uuid, p_mode text, p_starts timestamptz, p_minutes integer, p_client bytea, p_max_per_client integer, p_max_per_clinic integer, p_max_per_day integer, p_day_starts timestamptz, p_day_ends timestamptz, p_moves uuid)
  returns jsonb
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  return (select take_hold(current_app_org_id(), p_service, p_specialist, p_location, p_calendar, p_mode, p_starts,
      make_interval(mins => p_minutes), p_client, p_max_per_client, p_max_per_clinic, p_max_per_day, p_day_starts, p_day_ends,
      p_moves)
    where current_app_is_service());
end
$$;
alter function hold_time(uuid,uuid,uuid,uuid,text,timestamp with time zone,integer,bytea,integer,integer,integer,timestamp with time zone,timestamp with time zone,uuid) owner to tendon_definer;
grant execute on function hold_time(uuid,uuid,uuid,uuid,text,timestamp with time zone,integer,bytea,integer,integer,integer,timestamp with time zone,timestamp with time zone,uuid) to tendon_app;

create or replace function is_appointment_of_erased(p_id text)
  returns boolean
  language sql
  stable security definer
  set search_path to 'public'
  as $$
  select not exists (select 1 from appointments a
      where a.organization_id = current_app_org_id() and a.id = p_id::uuid)
    or exists (select 1 from appointments a join patients p on p.organization_id = a.organization_id and p.id = a.patient_id
      where a.organization_id = current_app_org_id() and a.id = p_id::uuid and p.erased_at is not null)
$$;
alter function is_appointment_of_erased(text) owner to tendon_definer;
grant execute on function is_appointment_of_erased(text) to tendon_app;
grant execute on function is_appointment_of_erased(text) to tendon_platform;

create or replace function is_exercise_video_used(p_reference text)
  returns boolean
  language sql
  stable security definer
  set search_path to 'public'
  as $$
  select exists (select 1 from exercises where video_object_key = p_reference)
$$;
alter function is_exercise_video_used(text) owner to tendon_definer;
grant execute on function is_exercise_video_used(text) to tendon_worker;

create or replace function is_in_date_range(p_time timestamptz, p_zone text, p_from date, p_to date)
  returns boolean
  language sql
  stable parallel safe
  as $$
  select p_time >= (p_from - 1)::timestamp at time zone p_zone and p_time < (p_to + 2)::timestamp at time zone p_zone
    and (p_time at time zone p_zone)::date between p_from and p_to
$$;
alter function is_in_date_range(timestamp with time zone,text,date,date) owner to tendon_owner;
grant execute on function is_in_date_range(timestamp with time zone,text,date,date) to tendon_app;
grant execute on function is_in_date_range(timestamp with time zone,text,date,date) to tendon_definer;

create or replace function iso_time(p_time timestamptz)
  returns text
  language plpgsql
  immutable
  as $$
begin
  return to_char(p_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
end
$$;
alter function iso_time(timestamp with time zone) owner to tendon_definer;
grant execute on function iso_time(timestamp with time zone) to tendon_app;

create or replace function join_organization(p_principal_id uuid, p_organization_id uuid)
  returns void
  language sql
  security definer
  set search_path to 'public'
  as $$
  update organization_memberships set joined_at = now()
  where principal_id = p_principal_id and organization_id = p_organization_id and joined_at is null
$$;
alter function join_organization(uuid,uuid) owner to tendon_definer;
grant execute on function join_organization(uuid,uuid) to tendon_app;

create or replace function last_change(p_target_id text)
  returns table(principal_id uuid, name text, changed_at timestamptz)
  language plpgsql
  stable security definer rows 1
  set search_path to 'public'
  as $$
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
grant execute on function last_change(text) to tendon_app;
grant execute on function last_change(text) to tendon_platform;

create or replace function lease_mails(p_limit integer, p_per_clinic integer, p_busy uuid[], p_now timestamptz, p_lease interval)
  returns setof uuid
  language sql
  security definer
  set search_path to 'public'
  as $$
  with busy as (select b.id, count(*) as mails from unnest(p_busy) as b (id) group by b.id)
  update mail_outbox m set status = 'sending', attempts = m.attempts + 1, locked_until = p_now + p_lease
  from (
    select o.id from mail_outbox o
    where o.id in (
        select c.id from (
          select d.id, d.organization_id, d.next_attempt_at,
            row_number() over (partition by d.organization_id order by d.next_attempt_at, d.id) as place
          from (
            select q.id, q.organization_id, q.next_attempt_at from mail_outbox q
            where q.status in ('queued', 'sending') and q.next_attempt_at <= p_now
              and (q.locked_until is null or q.locked_until <= p_now)
              and not exists (select 1 from busy where busy.id = q.organization_id and busy.mails >= p_per_clinic)
            order by q.next_attempt_at, q.id limit 10 * p_limit
          ) d
        ) c left join busy on busy.id = c.organization_id
        where c.organization_id is null or c.place + coalesce(busy.mails, 0) <= p_per_clinic
        order by c.next_attempt_at, c.id limit 2 * p_limit)
      and o.status in ('queued', 'sending') and (o.locked_until is null or o.locked_until <= p_now)
    order by o.next_attempt_at, o.id limit p_limit for update skip locked
  ) due where m.id = due.id returning m.id
$$;
alter function lease_mails(integer,integer,uuid[],timestamp with time zone,interval) owner to tendon_definer;
grant execute on function lease_mails(integer,integer,uuid[],timestamp with time zone,interval) to tendon_worker;

create or replace function lease_webhook_deliveries(p_limit integer, p_now timestamptz, p_lease interval)
  returns table(id uuid, organization_id uuid, subscription_id uuid, event_id uuid, attempt integer, retry_count integer, url text, body bytea, secret_encrypted bytea, previous_secret_encrypted bytea, discard_reason text, automation_rule_ids uuid[])
  language sql
  security definer
  set search_path to 'public'
  as $$
  with recursive waiting as (
    (select d.subscription_id from webhook_deliveries d where d.status in ('pending', 'delivering', 'retrying')
      order by d.subscription_id limit 1)
    union all
    select (select d.subscription_id from webhook_deliveries d where d.status in ('pending', 'delivering', 'retrying')
      and d.subscription_id > w.subscription_id order by d.subscription_id limit 1)
    from waiting w where w.subscription_id is not null
  ),
  endpoint as (
    select s.id, s.organization_id, b.busy, greatest(0, least(
      case when s.consecutive_failures >= 10 then 1 else 4 end - b.busy,
      case when s.rate_limit_per_second is null then 4
        when s.rate_window_started_at > p_now - interval '1 second' then s.rate_limit_per_second - s.rate_window_count
        else s.rate_limit_per_second end)) as room
    from webhook_subscriptions s
    cross join lateral (
      select count(*) as busy from webhook_deliveries d
      where d.subscription_id = s.id and d.status = 'delivering' and d.next_attempt_at > p_now
    ) b
    where s.is_active and s.id in (select w.subscription_id from waiting w)
    for no key update of s skip locked
  ),
  candidate as (
    select d.*, e.organization_id from endpoint e cross join lateral (
      select w.id, w.subscription_id, w.next_attempt_at from webhook_deliveries w
      where w.subscription_id = e.id and w.status in ('pending', 'delivering', 'retrying') and w.next_attempt_at <= p_now
      order by w.next_attempt_at, w.id limit e.room for update skip locked
    ) d
  ),
  ranked as (
    select c.*, row_number() over (partition by c.organization_id order by c.next_attempt_at, c.id)
      + (select sum(e.busy) from endpoint e where e.organization_id = c.organization_id) as place
    from candidate c
  ),
  due as (
    select r.id, r.subscription_id from ranked r where r.place <= 32 order by r.place, r.next_attempt_at, r.id limit p_limit
  ),
  counted as (
    update webhook_subscriptions s set
      rate_window_count = n.taken
        + case when s.rate_window_started_at > p_now - interval '1 second' then s.rate_window_count else 0 end,
      rate_window_started_at =
        case when s.rate_window_started_at > p_now - interval '1 second' then s.rate_window_started_at else p_now end
    from (select due.subscription_id, count(*)::integer as taken from due group by 1) n
    where s.id = n.subscription_id and s.rate_limit_per_second is not null
  )
  update webhook_deliveries d set status = 'delivering', attempt_count = d.attempt_count + 1, next_attempt_at = p_now + p_lease
  from due join webhook_subscriptions s on s.id = due.subscription_id, webhook_events e
  where d.id = due.id and e.id = d.event_id
  returning d.id, d.organization_id, d.subscription_id, d.event_id, d.attempt_count, d.retry_count, s.url, e.body, s.secret_encrypted,
    case when s.previous_secret_expires_at > p_now then s.previous_secret_encrypted end,
    case when e.body is null then 'patient_erased' else (
      select case when p.erased_at is not null then 'patient_erased' when p.restricted_at is not null then 'patient_restricted' end
      from patients p where p.organization_id = e.organization_id and p.patient_profile_id = e.patient_profile_id) end,
    e.automation_rule_ids
$$;
alter function lease_webhook_deliveries(integer,timestamp with time zone,interval) owner to tendon_definer;
grant execute on function lease_webhook_deliveries(integer,timestamp with time zone,interval) to tendon_worker;

create or replace function leave_clinic(p_organization_id uuid, p_reason text)
  returns table(patient_id uuid, patient_profile_id uuid, left_at timestamptz)
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
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
alter function leave_clinic(uuid,text) owner to tendon_definer;
grant execute on function leave_clinic(uuid,text) to tendon_app;

create or replace function leave_membership(p_organization_id uuid)
  returns boolean
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
declare
  v_email citext;
begin
  delete from organization_memberships where principal_id = current_app_principal_id() and organization_id = p_organization_id
    returning invited_email into v_email;
  if not found then
    return false;
  end if;
  perform delete_invitation_data(current_app_principal_id(), v_email);
  return true;
end
$$;
alter function leave_membership(uuid) owner to tendon_definer;
grant execute on function leave_membership(uuid) to tendon_app;

create or replace function linked_patients(p_patient_id uuid)
  returns table(patient_id uuid, patient_profile_id uuid, name text, erased_at timestamptz, deleted_at timestamptz, created_at timestamptz, is_main boolean)
  language plpgsql
  stable security definer
  set search_path to 'public'
  as $$
#variable_conflict use_column
declare
  v_clinic uuid := current_app_org_id();
  v_main uuid;
begin
  select coalesce(merged_into_id, id) into v_main from patients
    where organization_id = v_clinic and id = p_patient_id
      and (current_app_holds_any('{patients.view_org,patients.merge,gdpr.export_data,gdpr.erase_data,gdpr.restrict_processing}')
        or patient_profile_id = any (current_app_profile_ids()));
  return query select o.id, o.patient_profile_id, o.first_name || ' ' || o.last_name, o.erased_at, o.deleted_at, o.created_at,
      o.merged_into_id is null
    from patients o
    where o.organization_id = v_clinic and (o.id = v_main or o.merged_into_id = v_main) and o.id <> p_patient_id
    order by o.created_at, o.id;
end
$$;
alter function linked_patients(uuid) owner to tendon_definer;
grant execute on function linked_patients(uuid) to tendon_app;

create or replace function linked_profile_ids(p_profile_id uuid)
  returns uuid[]
  language plpgsql
  stable security definer
  set search_path to 'public'
  as $$
declare
  v_clinic uuid := current_app_org_id();
  v_main uuid;
begin
  select coalesce(merged_into_id, id) into v_main from patients
    where organization_id = v_clinic and patient_profile_id = p_profile_id;
  return array_append(array(
    select patient_profile_id from patients
    where organization_id = v_clinic and (id = v_main or merged_into_id = v_main) and deleted_at is null
      and patient_profile_id <> p_profile_id), p_profile_id);
end
$$;
alter function linked_profile_ids(uuid) owner to tendon_definer;
grant execute on function linked_profile_ids(uuid) to tendon_app;
grant execute on function linked_profile_ids(uuid) to tendon_worker;

create or replace function list_abandoned_host_videos(p_limit integer)
  returns table(render_id uuid, render_organization_id uuid, host_reference text)
  language sql
  stable security definer
  set search_path to 'public'
  as $$
  select id, organization_id, reference from (
    select r.id, r.organization_id, r.host_reference as reference, r.updated_at from renders r
    where r.status in ('failed', 'cancelled') and r.host_reference is not null
    union all
    select r.id, r.organization_id, a.reference, r.updated_at from renders r, unnest(r.abandoned_references) as a (reference)
    where r.abandoned_references <> '{}'
    union all
    select r.id, r.organization_id, r.abandoned_reference, r.updated_at from renders r
    where r.abandoned_reference is not null and r.abandoned_reference is distinct from r.host_reference) videos
  order by updated_at limit p_limit
$$;
alter function list_abandoned_host_videos(integer) owner to tendon_definer;
grant execute on function list_abandoned_host_videos(integer) to tendon_worker;

create or replace function list_connected_calendars_after(p_after uuid, p_limit integer)
  returns table(id uuid, organization_id uuid, specialist_id uuid)
  language sql
  stable security definer
  set search_path to 'public'
  as $$
  select i.id, i.organization_id, s.id from organization_integrations i
  join specialists s on s.organization_id = i.organization_id and s.id::text = i.config ->> 'specialist_id' and s.deleted_at is null
  where i.service_slug = 'google_calendar' and i.status = 'connected' and (p_after is null or i.id > p_after)
  order by i.id limit p_limit
$$;
alter function list_connected_calendars_after(uuid,integer) owner to tendon_definer;
grant execute on function list_connected_calendars_after(uuid,integer) to tendon_worker;

create or replace function list_dead_webhooks(p_failing interval, p_limit integer)
  returns table(id uuid, organization_id uuid)
  language sql
  stable security definer
  set search_path to 'public'
  as $$
  select s.id, s.organization_id from webhook_subscriptions s
  where s.is_active and s.first_failure_at is not null and s.first_failure_at <= s.last_failure_at - p_failing
  order by s.first_failure_at limit p_limit
$$;
alter function list_dead_webhooks(interval,integer) owner to tendon_definer;
grant execute on function list_dead_webhooks(interval,integer) to tendon_worker;

create or replace function list_domains_to_check(p_before timestamptz, p_limit integer)
  returns table(organization_id uuid, domain_id uuid)
  language sql
  stable security definer
  set search_path to 'public'
  as $$
  select d.organization_id, d.id from organization_domains d
  where d.status = 'verified' and coalesce(d.last_checked_at, d.verified_at) < p_before
  order by coalesce(d.last_checked_at, d.verified_at) limit p_limit
$$;
alter function list_domains_to_check(timestamp with time zone,integer) owner to tendon_definer;
grant execute on function list_domains_to_check(timestamp with time zone,integer) to tendon_worker;

create or replace function list_integrations_to_check(p_before timestamptz, p_limit integer)
  returns table(id uuid, organization_id uuid)
  language sql
  stable security definer
  set search_path to 'public'
  as $$
  select i.id, i.organization_id from organization_integrations i
  where i.status in ('connected', 'error') and (i.last_health_check_at is null or i.last_health_check_at < p_before)
  order by i.last_health_check_at nulls first limit p_limit
$$;
alter function list_integrations_to_check(timestamp with time zone,integer) owner to tendon_definer;
grant execute on function list_integrations_to_check(timestamp with time zone,integer) to tendon_worker;

create or replace function list_mail_branding(p_organizations uuid[])
  returns table(organization_id uuid, brand_color text, logo_id uuid)
  language sql
  stable security definer
  set search_path to 'public'
  as $$
  select o.id, s.brand_color, i.id
  from organizations o
  left join organization_settings s on s.organization_id = o.id
  left join clinic_images i on i.organization_id = o.id and i.purpose = 'logo'
  where o.id = any (p_organizations) and num_nonnulls(s.brand_color, i.id) > 0
$$;
alter function list_mail_branding(uuid[]) owner to tendon_definer;
grant execute on function list_mail_branding(uuid[]) to tendon_worker;

create or replace function list_mail_suppressions(p_indexes bytea[])
  returns table(address_index bytea, reason text)
  language sql
  stable security definer
  set search_path to 'public'
  as $$
  select s.address_index, s.reason from mail_suppressions s where s.address_index = any (p_indexes)
$$;
alter function list_mail_suppressions(bytea[]) owner to tendon_definer;
grant execute on function list_mail_suppressions(bytea[]) to tendon_app;

create or replace function list_offer_recipients(p_ids uuid[])
  returns table(appointment_id uuid, to_address text, language text, is_restricted boolean, is_erased boolean)
  language sql
  stable security definer
  set search_path to 'public'
  as $$
  select a.id, case when p.deleted_at is null then coalesce(h.email::text, p.email::text) end,
    coalesce(h.preferred_language, p.language_code, o.language_code), p.restricted_at is not null, p.erased_at is not null
  from appointments a join organizations o on o.id = a.organization_id
  join patients p on p.organization_id = a.organization_id and p.id = a.patient_id
  left join patient_profiles f on f.organization_id = p.organization_id and f.id = p.patient_profile_id
  left join humans h on h.id = f.human_id and h.email_verified
  where a.organization_id = current_app_org_id() and a.id = any (p_ids)
    and current_app_has_permission('appointments', 'manage')
$$;
alter function list_offer_recipients(uuid[]) owner to tendon_definer;
grant execute on function list_offer_recipients(uuid[]) to tendon_app;

create or replace function list_outdated_segments(p_now timestamptz)
  returns table(organization_id uuid, segment_id uuid)
  language sql
  stable security definer
  set search_path to 'public'
  as $$
  select s.organization_id, s.id from segments s join organizations o on o.id = s.organization_id
  where s.follows_calendar
    and not exists (select 1 from segment_evaluations e where e.segment_id = s.id and e.status in ('queued', 'running'))
    and (p_now at time zone o.time_zone)::date is distinct from (
      select (e.started_at at time zone o.time_zone)::date from segment_evaluations e
      where e.segment_id = s.id and (e.status = 'completed' or e.status = 'failed' and e.attempts > 10)
      order by e.id desc limit 1)
$$;
alter function list_outdated_segments(timestamp with time zone) owner to tendon_definer;
grant execute on function list_outdated_segments(timestamp with time zone) to tendon_worker;

create or replace function list_plan_exercises(p_session_exercise_ids uuid[])
  returns table(session_exercise_id uuid, exercise_id uuid)
  language plpgsql
  stable security definer
  set search_path to 'public'
  as $$
#variable_conflict use_column
begin
  return query select e.id, e.exercise_id from session_exercises e
    join plan_sessions s on s.organization_id = e.organization_id and s.id = e.plan_session_id
    left join treatment_plans p on p.organization_id = s.organization_id and p.id = s.treatment_plan_id
    where e.id = any (p_session_exercise_ids)
      and ((e.organization_id = current_app_org_id() and current_app_has_permission('treatment_plans', 'view_org'))
        or (e.patient_profile_id = any (current_app_profile_ids()) and p.status <> 'draft'));
end
$$;
alter function list_plan_exercises(uuid[]) owner to tendon_definer;

create or replace function list_platform_providers_to_check(p_before timestamptz)
  returns table(capability text)
  language sql
  stable security definer
  set search_path to 'public'
  as $$
  select p.capability from platform_service_providers p
  where p.status in ('active', 'error') and (p.last_health_check_at is null or p.last_health_check_at < p_before)
$$;
alter function list_platform_providers_to_check(timestamp with time zone) owner to tendon_definer;
grant execute on function list_platform_providers_to_check(timestamp with time zone) to tendon_worker;

create or replace function list_platform_responses(p_request_id uuid)
  returns setof idempotency_keys
  language sql
  stable security definer
  set search_path to 'public'
  as $$
  select i.* from idempotency_keys i
  where i.organization_id is null and exists (select 1 from find_active_erasure(p_request_id))
$$;
alter function list_platform_responses(uuid) owner to tendon_definer;
grant execute on function list_platform_responses(uuid) to tendon_worker;

create or replace function list_ready_films(p_session_exercise_ids uuid[])
  returns table(session_exercise_id uuid, host_provider text, host_reference text, duration_seconds double precision)
  language plpgsql
  stable security definer
  set search_path to 'public'
  as $$
#variable_conflict use_column
begin
  return query select s.id, r.host_provider, r.host_reference, r.duration_seconds
    from session_exercises s
    join renders r on r.organization_id = s.organization_id and r.id = s.film_render_id
    where s.id = any (p_session_exercise_ids) and r.status = 'ready'
      and (s.organization_id = current_app_org_id() or s.patient_profile_id = any (current_app_profile_ids()::uuid[]));
end
$$;
alter function list_ready_films(uuid[]) owner to tendon_definer;
grant execute on function list_ready_films(uuid[]) to tendon_app;

create or replace function list_run_withdrawals(p_since timestamptz)
  returns table(run_id uuid, purpose_code text, withdrawn_at timestamptz, granted_again_at timestamptz)
  language sql
  stable security definer
  set search_path to 'public'
  as $$
  with runs as (
    select distinct m.run_id, m.organization_id, m.patient_profile_id, m.created_at
    from consents w
    join run_manifests m on m.organization_id = w.organization_id and m.patient_profile_id = w.patient_profile_id
    where w.withdrawn_at > p_since and w.purpose_code in ('telerehab', 'biometric_capture') and w.ended_as <> 'superseded'
      and w.withdrawn_at > m.created_at and m.created_at > p_since - interval '1 day')
  select r.run_id, c.purpose_code, c.withdrawn_at,
    (select min(g.granted_at) from consents g where g.patient_profile_id = c.patient_profile_id
      and g.organization_id = c.organization_id and g.purpose_code = c.purpose_code and g.granted_at >= c.withdrawn_at)
  from runs r
  join consents c on c.organization_id = r.organization_id and c.patient_profile_id = r.patient_profile_id
  where c.purpose_code in ('telerehab', 'biometric_capture') and c.ended_as <> 'superseded' and c.withdrawn_at > r.created_at
$$;
alter function list_run_withdrawals(timestamp with time zone) owner to tendon_definer;
grant execute on function list_run_withdrawals(timestamp with time zone) to tendon_telemetry;

create or replace function list_stalled_automation_executions(p_before timestamptz, p_limit integer)
  returns table(id uuid, organization_id uuid)
  language sql
  stable security definer
  set search_path to 'public'
  as $$
  select e.id, e.organization_id from automation_executions e
  join automation_rules r on r.organization_id = e.organization_id and r.id = e.rule_id
  where e.status in ('queued', 'running', 'paused') and e.progressed_at < p_before
    and case when r.is_active then coalesce(r.switched_on_at < p_before, true) else e.progressed_at < p_before - interval '30 days' end
  order by e.progressed_at limit p_limit
$$;
alter function list_stalled_automation_executions(timestamp with time zone,integer) owner to tendon_definer;
grant execute on function list_stalled_automation_executions(timestamp with time zone,integer) to tendon_worker;

create or replace function list_tokens_to_refresh(p_before timestamptz, p_limit integer)
  returns table(id uuid, organization_id uuid)
  language sql
  stable security definer
  set search_path to 'public'
  as $$
  select i.id, i.organization_id from organization_integrations i
  where i.status = 'connected' and i.token_expires_at is not null and i.token_expires_at <= p_before
  order by i.token_expires_at limit p_limit
$$;
alter function list_tokens_to_refresh(timestamp with time zone,integer) owner to tendon_definer;
grant execute on function list_tokens_to_refresh(timestamp with time zone,integer) to tendon_worker;

create or replace function list_unused_renders(p_now timestamptz, p_limit integer)
  returns table(render_id uuid, render_organization_id uuid, host_reference text)
  language sql
  stable security definer
  set search_path to 'public'
  as $$
  select r.id, r.organization_id, r.host_reference from renders r
  where r.status in ('ready', 'failed', 'cancelled') and r.updated_at < p_now - interval '1 day'
    and r.abandoned_references = '{}' and r.abandoned_reference is null
    and not exists (select 1 from session_exercises s
      where s.organization_id = r.organization_id and s.film_render_id = r.id and s.removed_at is null)
    and (r.status <> 'ready'
      or exists (select 1 from exercises e where e.id = r.exercise_id and e.deleted_at is not null)
      or not exists (select 1 from exercise_bundles b where b.exercise_id = r.exercise_id and b.asset_version = r.asset_version))
  order by r.updated_at limit p_limit
$$;
alter function list_unused_renders(timestamp with time zone,integer) owner to tendon_definer;
grant execute on function list_unused_renders(timestamp with time zone,integer) to tendon_worker;

create or replace function list_waiting_evaluations(p_before timestamptz)
  returns table(organization_id uuid)
  language sql
  stable security definer
  set search_path to 'public'
  as $$
  select distinct e.organization_id from segment_evaluations e
  where e.status in ('queued', 'running') and coalesce(e.started_at, e.queued_at) < p_before
    and not exists (select 1 from segment_evaluations w
      where w.organization_id = e.organization_id and w.status = 'running' and w.started_at >= p_before)
$$;
alter function list_waiting_evaluations(timestamp with time zone) owner to tendon_definer;
grant execute on function list_waiting_evaluations(timestamp with time zone) to tendon_worker;

create or replace function lock_exercise_to_clone(p_id uuid)
  returns boolean
  language sql
  security definer
  set search_path to 'public'
  as $$
  with locked as (
    select 1 from exercises
    where id = p_id and deleted_at is null and current_app_has_permission('exercises', 'manage_org')
      and (organization_id is null or organization_id = current_app_scope())
    for share)
  select exists (select from locked)
$$;
alter function lock_exercise_to_clone(uuid) owner to tendon_definer;
grant execute on function lock_exercise_to_clone(uuid) to tendon_app;
grant execute on function lock_exercise_to_clone(uuid) to tendon_platform;

create or replace function lock_exercises(p_ids uuid[])
  returns setof uuid
  language sql
  security definer
  set search_path to 'public'
  as $$
  select id from exercises
  where id = any (p_ids) and deleted_at is null and status = 'published'
    and (organization_id is null or organization_id = current_app_org_id())
    and current_app_has_permission('treatment_plans', 'manage')
  order by id for share
$$;
alter function lock_exercises(uuid[]) owner to tendon_definer;
grant execute on function lock_exercises(uuid[]) to tendon_app;

create or replace function lock_invitation(p_principal_id uuid)
  returns void
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('email:' || lower(email::text), 0)) from humans
    where id = p_principal_id and linked_at is null and email is not null;
end
$$;
alter function lock_invitation(uuid) owner to tendon_definer;
grant execute on function lock_invitation(uuid) to tendon_app;

create or replace function lock_my_account()
  returns boolean
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('identity:' || issuer || ' ' || subject, 0)) from (
    select issuer, subject from identities where human_id = current_app_principal_id() order by issuer, subject) i;
  return exists (select 1 from identities where human_id = current_app_principal_id());
end
$$;
alter function lock_my_account() owner to tendon_definer;
grant execute on function lock_my_account() to tendon_app;

create or replace function mail_backlog()
  returns table(waiting bigint, oldest_seconds double precision)
  language sql
  stable security definer
  set search_path to 'public'
  as $$
  select count(*), coalesce(extract(epoch from now() - min(next_attempt_at)), 0) from mail_outbox
  where status in ('queued', 'sending') and next_attempt_at <= now() and (locked_until is null or locked_until <= now())
$$;
alter function mail_backlog() owner to tendon_definer;
grant execute on function mail_backlog() to tendon_worker;

create or replace function mark_and_lease_webhook_deliveries(p_outcomes jsonb, p_limit integer, p_now timestamptz, p_lease interval)
  returns table(id uuid, organization_id uuid, subscription_id uuid, event_id uuid, attempt integer, retry_count integer, url text, body bytea, secret_encrypted bytea, previous_secret_encrypted bytea, discard_reason text, automation_rule_ids uuid[])
  language plpgsql
  as $$
begin
  if p_outcomes <> '[]' then
    perform mark_webhook_attempts(p_outcomes);
  end if;
  return query select * from lease_webhook_deliveries(p_limit, p_now, p_lease);
end
$$;
alter function mark_and_lease_webhook_deliveries(jsonb,integer,timestamp with time zone,interval) owner to tendon_owner;
grant execute on function mark_and_lease_webhook_deliveries(jsonb,integer,timestamp with time zone,interval) to tendon_worker;

create or replace function mark_expired_holds()
  returns integer
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
declare
  v_count integer;
  v_old uuid[];
begin
  delete from time_claims where id in (select id from time_claims
    where kind = 'hold' and expires_at <= clock_timestamp() for update skip locked);
  update holds set status = 'expired' where id in (select id from holds
    where status = 'active' and expires_at <= clock_timestamp() for update skip locked);
  get diagnostics v_count = row_count;
  v_old := array(select id from holds h where created_at < now() - interval '30 days'
    and not exists (select 1 from time_claims c where c.organization_id = h.organization_id and c.hold_id = h.id)
    for update skip locked);
  -- Not left to the foreign key, which would wait for an offer that a request has locked.
  update waitlist_offers set hold_id = null where id in (select id from waitlist_offers
    where hold_id = any (v_old) for update skip locked);
  delete from holds h where id = any (v_old)
    and not exists (select 1 from waitlist_offers o where o.organization_id = h.organization_id and o.hold_id = h.id);
  return v_count;
end
$$;
alter function mark_expired_holds() owner to tendon_definer;
grant execute on function mark_expired_holds() to tendon_worker;

create or replace function mark_mail(p_id uuid, p_attempt integer, p_status text, p_provider text, p_provider_message_id text, p_error text, p_at timestamptz, p_reminder_status text, p_reminder_reason text)
  returns void
  language sql
  security definer
  set search_path to 'public'
  as $$
  with marked as (
    update mail_outbox set status = p_status, locked_until = null,
      provider = coalesce(p_provider, provider), provider_message_id = coalesce(p_provider_message_id, provider_message_id),
      last_error = p_error,
      sent_at = case when p_status = 'sent' then p_at else sent_at end,
      next_attempt_at = case when p_status = 'queued' then p_at else next_attempt_at end
    where id = p_id and status <> 'sent' and (p_status = 'sent' or attempts = p_attempt)
      and (current_app_scope() is null or organization_id = current_app_scope())
      and current_app_has_permission('mails', 'manage')
    returning organization_id, appointment_reminder_id
  )
  update appointment_reminders r set status = p_reminder_status, reason = p_reminder_reason from marked m
  where r.organization_id = m.organization_id and r.id = m.appointment_reminder_id and r.status <> 'sent'
$$;
alter function mark_mail(uuid,integer,text,text,text,text,timestamp with time zone,text,text) owner to tendon_definer;
grant execute on function mark_mail(uuid,integer,text,text,text,text,timestamp with time zone,text,text) to tendon_app;

create or replace function mark_waitlist(p_organization uuid, p_freed uuid)
  returns void
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  perform mark_waitlist_entries(p_organization, p_freed, false);
end
$$;
alter function mark_waitlist(uuid,uuid) owner to tendon_definer;

create or replace function mark_waitlist_again()
  returns void
  language sql
  security definer
  set search_path to 'public'
  as $$
  select mark_waitlist_entries(a.organization_id, a.id, true)
  from (select distinct organization_id from appointments where status = 'waitlist' and slot_freed_at is null) w
  join appointments a on a.organization_id = w.organization_id and a.starts_at > now()
    and a.status in ('cancelled', 'entered_in_error') and a.updated_at > now() - interval '1 hour'
  where not exists (select 1 from time_claims c
    where c.organization_id = a.organization_id and c.specialist_id = a.specialist_id and c.kind = 'appointment'
      and c.during && tstzrange(a.starts_at, a.ends_at))
  order by a.updated_at
$$;
alter function mark_waitlist_again() owner to tendon_definer;
grant execute on function mark_waitlist_again() to tendon_worker;

create or replace function mark_waitlist_entries(p_organization uuid, p_freed uuid, p_again boolean)
  returns void
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  with freed as (
    select a.id, a.specialist_id, a.starts_at, a.ends_at from appointments a
    where a.organization_id = p_organization and a.id = p_freed and a.starts_at > now() and a.specialist_id is not null),
  matching as (
    select w.id from appointments w cross join freed f
    join services s on s.organization_id = w.organization_id and s.id = w.service_id
    where w.organization_id = p_organization and w.status = 'waitlist' and w.id <> f.id and (w.slot_freed_at is null or not p_again)
      and make_interval(mins => s.duration_minutes) <= f.ends_at - f.starts_at
      and (not exists (select 1 from service_specialists l where l.organization_id = s.organization_id and l.service_id = s.id)
        or exists (select 1 from service_specialists l
          where l.organization_id = s.organization_id and l.service_id = s.id and l.specialist_id = f.specialist_id))
      and (w.wanted -> 'specialist_ids' is null or w.wanted -> 'specialist_ids' = '[]'
        or w.wanted -> 'specialist_ids' ? f.specialist_id::text)
      and (w.specialist_id is null or w.wanted -> 'specialist_ids' is not null or w.specialist_id = f.specialist_id)
      and (w.wanted -> 'windows' is null or w.wanted -> 'windows' = '[]'
        or exists (select 1 from jsonb_array_elements(w.wanted -> 'windows') o
          where (o ->> 'from')::timestamptz <= f.starts_at
            and (o ->> 'to')::timestamptz >= f.starts_at + make_interval(mins => s.duration_minutes)))
    order by w.id for update of w skip locked),
  marked as (
    update appointments w set slot_freed_at = now(), freed_slot = (
      select jsonb_build_object('specialist_id', f.specialist_id, 'starts_at', iso_time(f.starts_at), 'ends_at', iso_time(f.ends_at))
      from freed f)
    from matching m where w.organization_id = p_organization and w.id = m.id
    returning w.id, w.patient_id, w.patient_profile_id)
  insert into outbox_events (organization_id, type, payload)
  select p_organization, 'appointment.updated', jsonb_build_object('appointment_id', id, 'patient_id', patient_id,
    'patient_profile_id', patient_profile_id)
  from marked;
end
$$;
alter function mark_waitlist_entries(uuid,uuid,boolean) owner to tendon_definer;

create or replace function mark_webhook_attempts(p_outcomes jsonb)
  returns void
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  perform 1 from webhook_subscriptions s
    where s.id in (select (o ->> 'subscription_id')::uuid from jsonb_array_elements(p_outcomes) o)
    order by s.id for no key update;
  with outcome as materialized (
    select o.*, d.organization_id, d.trigger, e.event = 'webhook.test' as is_test from jsonb_to_recordset(p_outcomes) as o (
      id uuid, subscription_id uuid, attempt integer, status text, next_attempt_at timestamptz, discard_reason text,
      requested_at timestamptz, duration_ms integer, response_status integer, response_body text, error text)
    join webhook_deliveries d on d.id = o.id and d.subscription_id = o.subscription_id
    join webhook_events e on e.id = d.event_id
    where (current_app_scope() is null or d.organization_id = current_app_scope())
      and current_app_has_permission('webhooks', 'manage')
  ),
  tried as (
    insert into webhook_attempts (organization_id, delivery_id, attempt_number, trigger, requested_at, duration_ms,
      response_status, response_body, error)
    select o.organization_id, o.id, o.attempt, o.trigger, o.requested_at, o.duration_ms, o.response_status, o.response_body, o.error
    from outcome o where o.status <> 'discarded'
    on conflict (delivery_id, attempt_number) do nothing
  ),
  marked as (
    update webhook_deliveries d set status = o.status, next_attempt_at = o.next_attempt_at, discard_reason = o.discard_reason,
      retry_count = d.retry_count + 1, trigger = 'scheduled',
      delivered_at = case when o.status = 'delivered' then o.requested_at else d.delivered_at end
    from outcome o where d.id = o.id and d.status <> 'delivered'
      and (o.status = 'delivered' or (d.attempt_count = o.attempt and d.status <> 'discarded'))
  )
  update webhook_subscriptions s set
    last_success_at = coalesce(n.succeeded_at, s.last_success_at),
    consecutive_failures = case when n.succeeded_at is not null then 0 else s.consecutive_failures + n.failures end,
    first_failure_at = case when n.succeeded_at is not null then null else coalesce(s.first_failure_at, n.failed_at) end,
    last_failure_at = coalesce(n.failed_at, s.last_failure_at)
  from (
    select o.subscription_id, max(o.requested_at) filter (where o.status = 'delivered') as succeeded_at,
      max(o.requested_at) filter (where o.status <> 'delivered') as failed_at,
      (count(*) filter (where o.status <> 'delivered'))::integer as failures
    from outcome o where o.status <> 'discarded' and (o.status = 'delivered' or not o.is_test) group by o.subscription_id
  ) n where s.id = n.subscription_id;
end
$$;
alter function mark_webhook_attempts(jsonb) owner to tendon_definer;
grant execute on function mark_webhook_attempts(jsonb) to tendon_app;

create or replace function may_write_appointment(p_id uuid)
  returns boolean
  language plpgsql
  stable security definer
  set search_path to 'public'
  as $$
begin
  return exists (select 1 from appointments where organization_id = current_app_org_id() and id = p_id
      and (current_app_has_permission('appointments', 'manage')
        or current_app_is_service() and patient_profile_id = any (current_app_profile_ids())));
end
$$;
alter function may_write_appointment(uuid) owner to tendon_definer;

create or replace function memberships_check_principal()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
declare
  v_principal principals;
begin
  select * into v_principal from principals where id = new.principal_id for no key update;
  if tg_table_name = 'platform_memberships' then
    if exists (select 1 from organization_memberships where principal_id = new.principal_id) then
      raise exception 'a member of an organization cannot become superadmin'
        using errcode = 'check_violation', constraint = 'platform_memberships_member_check';
    end if;
    return new;
  end if;
  if v_principal.kind = 'service' and v_principal.organization_id is distinct from new.organization_id then
    raise exception 'a service account belongs to its own organization'
      using errcode = 'check_violation', constraint = 'organization_memberships_service_check';
  end if;
  if exists (select 1 from platform_memberships where principal_id = new.principal_id) then
    raise exception 'a superadmin has no organization memberships'
      using errcode = 'check_violation', constraint = 'organization_memberships_superadmin_check';
  end if;
  return new;
end
$$;
alter function memberships_check_principal() owner to tendon_definer;

create or replace function mirror_platform_provider(p_capability text, p_provider text, p_config jsonb)
  returns void
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  update platform_service_providers set provider = p_provider, config = p_config, updated_at = now()
    where capability = p_capability and status <> 'inactive' and (provider, config) is distinct from (p_provider, p_config);
  insert into platform_service_providers (capability, provider, config) values (p_capability, p_provider, p_config)
    on conflict (capability) where status <> 'inactive' do nothing;
end
$$;
alter function mirror_platform_provider(text,text,jsonb) owner to tendon_definer;
grant execute on function mirror_platform_provider(text,text,jsonb) to tendon_worker;

create or replace function missing_texts(p_human_id uuid, p_language text)
  returns table(organization_id uuid, organization_name text, purpose_code text, purpose_name text, required_version integer, body text, profile_ids uuid[])
  language plpgsql
  stable security definer
  set search_path to 'public'
  as $$
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
alter function missing_texts(uuid,text) owner to tendon_definer;
grant execute on function missing_texts(uuid,text) to tendon_app;

create or replace function my_accepted_texts()
  returns table(consent_id uuid, body_translations jsonb, published_at timestamptz)
  language sql
  stable security definer
  set search_path to 'public'
  as $$
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

create or replace function my_access_log(p_organization_id uuid)
  returns table(id uuid, organization_id uuid, occurred_at timestamptz)
  language sql
  stable security definer
  set search_path to 'public'
  as $$
  select a.id, a.organization_id, a.occurred_at from audit_log a
  where a.patient_profile_id = any (current_app_profile_ids()) and a.outcome = 'success'
    and (p_organization_id is null or a.organization_id = p_organization_id)
    and not (a.crud = 'R' and a.trace_id is not null and exists (
      select 1 from audit_log t where t.id = a.trace_id and t.patient_profile_id = a.patient_profile_id))
$$;
alter function my_access_log(uuid) owner to tendon_definer;
grant execute on function my_access_log(uuid) to tendon_app;

create or replace function my_access_log_entries(p_ids uuid[])
  returns table(id uuid, organization_id uuid, organization_name text, occurred_at timestamptz, actor_principal_id uuid, actor_type text, on_behalf_of uuid, action text, crud text, key_id uuid, personal bytea, wrapped_key bytea)
  language sql
  stable security definer
  set search_path to 'public'
  as $$
  select a.id, a.organization_id, o.name, a.occurred_at, a.actor_principal_id, a.actor_type, a.on_behalf_of, a.action, a.crud,
    a.key_id, a.personal, k.wrapped_key
  from audit_log a join audit_keys k on k.id = a.key_id left join organizations o on o.id = a.organization_id
  where a.id = any (p_ids) and a.patient_profile_id = any (current_app_profile_ids())
$$;
alter function my_access_log_entries(uuid[]) owner to tendon_definer;
grant execute on function my_access_log_entries(uuid[]) to tendon_app;

create or replace function my_appointment_name(p_table text, p_organization uuid, p_id uuid)
  returns jsonb
  language plpgsql
  stable security definer
  set search_path to 'public'
  as $$
begin
  return (select jsonb_build_object('id', id, 'name', name) from specialists
    where p_table = 'specialists' and organization_id = p_organization and id = p_id
      and exists (select 1 from appointments a where a.organization_id = p_organization and a.specialist_id = p_id
        and a.patient_profile_id = any (current_app_profile_ids()))
    union all
    select jsonb_build_object('id', id, 'name', name, 'address', address, 'phone', phone) from locations
    where p_table = 'locations' and organization_id = p_organization and id = p_id
      and exists (select 1 from appointments a where a.organization_id = p_organization and a.location_id = p_id
        and a.patient_profile_id = any (current_app_profile_ids())));
end
$$;
alter function my_appointment_name(text,uuid,uuid) owner to tendon_definer;
grant execute on function my_appointment_name(text,uuid,uuid) to tendon_app;

create or replace function my_appointment_service(p_organization uuid, p_id uuid)
  returns jsonb
  language plpgsql
  stable security definer
  set search_path to 'public'
  as $$
begin
  return (select jsonb_build_object('id', id, 'name', name, 'cancel_notice_minutes', cancel_notice_minutes,
      'reschedule_notice_minutes', reschedule_notice_minutes)
    from services where organization_id = p_organization and id = p_id
      and exists (select 1 from appointments a where a.organization_id = p_organization and a.service_id = p_id
        and a.patient_profile_id = any (current_app_profile_ids())));
end
$$;
alter function my_appointment_service(uuid,uuid) owner to tendon_definer;
grant execute on function my_appointment_service(uuid,uuid) to tendon_app;

create or replace function my_booked_ids()
  returns uuid[]
  language sql
  stable security definer
  set search_path to 'public'
  as $$
  select array(select id from appointments
    where organization_id = current_app_org_id() and patient_id is null
      and (booker ->> 'email')::citext = (select current_app_email())
      and exists (select 1 from patient_profiles where organization_id = current_app_org_id()
        and human_id = current_app_principal_id())
    order by id)
$$;
alter function my_booked_ids() owner to tendon_definer;
grant execute on function my_booked_ids() to tendon_app;

create or replace function my_clinic_names()
  returns table(organization_id uuid, name text)
  language sql
  stable security definer
  set search_path to 'public'
  as $$
  select distinct o.id, o.name from patient_profiles f join organizations o on o.id = f.organization_id
  where f.id = any (current_app_profile_ids())
$$;
alter function my_clinic_names() owner to tendon_definer;
grant execute on function my_clinic_names() to tendon_app;

create or replace function my_exports()
  returns setof privacy_requests
  language sql
  stable security definer
  set search_path to 'public'
  as $$
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

create or replace function my_meeting_url(p_organization uuid, p_id uuid)
  returns text
  language plpgsql
  stable security definer
  set search_path to 'public'
  as $$
begin
  return (select coalesce(a.meeting_url, (select s.meeting_url from specialists s
      where a.mode = 'video' and s.organization_id = a.organization_id and s.id = a.specialist_id))
    from appointments a
    where a.organization_id = p_organization and a.id = p_id and a.patient_profile_id = any (current_app_profile_ids()));
end
$$;
alter function my_meeting_url(uuid,uuid) owner to tendon_definer;
grant execute on function my_meeting_url(uuid,uuid) to tendon_app;

create or replace function my_memberships()
  returns table(organization_id uuid, organization_name text, organization_slug text, language_code text, time_zone text, date_format text, clock_format text, week_start text, role_id uuid, role_code text, role_name text, specialist_id uuid, created_at timestamptz)
  language plpgsql
  stable security definer
  set search_path to 'public'
  as $$
#variable_conflict use_column
begin
  return query select o.id, o.name, o.slug, o.language_code, o.time_zone, t.date_format, t.clock_format, t.week_start,
      r.id, r.code, r.name, s.id, m.created_at
    from organization_memberships m
    join organizations o on o.id = m.organization_id
    join roles r on r.id = m.role_id
    left join organization_settings t on t.organization_id = m.organization_id
    left join specialists s on s.organization_id = m.organization_id and s.human_id = m.principal_id and s.deleted_at is null
    where m.principal_id = current_app_principal_id()
    order by m.created_at, o.id;
end
$$;
alter function my_memberships() owner to tendon_definer;
grant execute on function my_memberships() to tendon_app;

create or replace function my_next_visit(p_now timestamptz)
  returns table(organization_id uuid, id uuid, starts_at timestamptz, ends_at timestamptz, time_zone text, mode text, status text, service_name text, specialist_name text, location_name text, location_address jsonb, meeting_url text)
  language plpgsql
  stable security definer
  set search_path to 'public'
  as $$
#variable_conflict use_column
begin
  return query select a.organization_id, a.id, a.starts_at, a.ends_at, a.time_zone, a.mode, a.status, s.name, d.name, l.name, l.address,
      a.meeting_url
    from appointments a
    join patients p on p.organization_id = a.organization_id and p.patient_profile_id = a.patient_profile_id
    join services s on s.organization_id = a.organization_id and s.id = a.service_id
    left join specialists d on d.organization_id = a.organization_id and d.id = a.specialist_id
    left join locations l on l.organization_id = a.organization_id and l.id = a.location_id
    where a.patient_profile_id = any (current_app_profile_ids()) and p.deleted_at is null and a.ends_at > p_now
      and a.status in ('pending', 'confirmed', 'checked_in')
    order by a.starts_at, a.id limit 1;
end
$$;
alter function my_next_visit(timestamp with time zone) owner to tendon_definer;
grant execute on function my_next_visit(timestamp with time zone) to tendon_app;

create or replace function my_open_forms()
  returns table(organization_id uuid, id uuid, title text, type text, status text, appointment_id uuid, created_at timestamptz)
  language plpgsql
  stable security definer
  set search_path to 'public'
  as $$
#variable_conflict use_column
begin
  return query select f.organization_id, f.id, translated_title(f.title, f.translations), f.type, f.status, f.appointment_id, f.created_at
    from forms f join patients p on p.organization_id = f.organization_id and p.patient_profile_id = f.patient_profile_id
    where f.patient_profile_id = any (current_app_profile_ids()) and f.status in ('pending', 'in_progress')
      and p.deleted_at is null
    order by f.created_at, f.id limit 100;
end
$$;
alter function my_open_forms() owner to tendon_definer;
grant execute on function my_open_forms() to tendon_app;

create or replace function my_organizations()
  returns setof organizations
  language plpgsql
  stable security definer
  set search_path to 'public'
  as $$
begin
  return query select o.* from organizations o
    join organization_memberships m on m.organization_id = o.id
    where m.principal_id = current_app_principal_id();
end
$$;
alter function my_organizations() owner to tendon_definer;
grant execute on function my_organizations() to tendon_app;

create or replace function my_patient_records()
  returns table(organization_id uuid, organization_name text, organization_slug text, language_code text, time_zone text, date_format text, clock_format text, week_start text, patient_id uuid, patient_profile_id uuid, created_at timestamptz)
  language plpgsql
  stable security definer
  set search_path to 'public'
  as $$
#variable_conflict use_column
begin
  return query select o.id, o.name, o.slug, o.language_code, o.time_zone, t.date_format, t.clock_format, t.week_start,
      p.id, p.patient_profile_id, p.created_at
    from patients p join organizations o on o.id = p.organization_id
    left join organization_settings t on t.organization_id = o.id
    where p.patient_profile_id = any (current_app_profile_ids()) and p.deleted_at is null
    order by p.created_at, p.id;
end
$$;
alter function my_patient_records() owner to tendon_definer;
grant execute on function my_patient_records() to tendon_app;

create or replace function my_unlinked_bookings()
  returns setof jsonb
  language plpgsql
  stable security definer
  set search_path to 'public'
  as $$
begin
  return query select jsonb_build_object('id', a.id, 'organization_id', a.organization_id, 'starts_at', iso_time(a.starts_at),
      'ends_at', iso_time(a.ends_at), 'time_zone', a.time_zone, 'mode', a.mode, 'status', a.status,
      'service', jsonb_build_object('id', s.id, 'name', s.name))
    from appointments a join services s on s.organization_id = a.organization_id and s.id = a.service_id
    where a.organization_id = current_app_org_id() and a.patient_id is null and a.source = 'public'
      and a.status in ('pending', 'confirmed', 'checked_in', 'completed') and a.booker ->> 'dismissed_by' is null
      and (a.booker ->> 'email')::citext = (select current_app_email())
      and exists (select 1 from patients p where p.organization_id = a.organization_id and p.deleted_at is null
        and p.patient_profile_id = any (current_app_profile_ids()))
    order by a.starts_at desc, a.id limit 50;
end
$$;
alter function my_unlinked_bookings() owner to tendon_definer;
grant execute on function my_unlinked_bookings() to tendon_app;

create or replace function my_web_sessions()
  returns table(id uuid, app text, ip text, user_agent text, created_at timestamptz, seen_at timestamptz, expires_at timestamptz)
  language sql
  stable security definer rows 10
  set search_path to 'public'
  as $$
  select s.id, s.app, host(s.ip), s.user_agent, s.created_at, s.seen_at, least(s.expires_at, s.seen_at + s.idle_limit)
  from web_sessions s join identities i on i.issuer = s.issuer and i.subject = s.subject
  where i.human_id = current_app_principal_id() and s.expires_at > now() and s.seen_at + s.idle_limit > now()
  order by s.seen_at desc, s.id
$$;
alter function my_web_sessions() owner to tendon_definer;
grant execute on function my_web_sessions() to tendon_app;

create or replace function notify_rights_change()
  returns trigger
  language plpgsql
  as $$
declare
  v_id text;
begin
  for v_id in
    select distinct c.id from (values (to_jsonb(old) ->> tg_argv[0]), (to_jsonb(new) ->> tg_argv[0])) c (id) where c.id is not null
  loop
    raise info 'rights changed' using detail = v_id;
    perform pg_notify('rights', v_id);
  end loop;
  return null;
end
$$;
alter function notify_rights_change() owner to tendon_owner;

create or replace function organizations_add_system_fields()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  perform add_system_fields(new.id);
  return null;
end
$$;
alter function organizations_add_system_fields() owner to tendon_definer;

create or replace function organizations_protect_last_manager()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  perform 1 from organizations where id = old.organization_id for no key update;
  if exists (select 1 from organization_memberships m
      join humans h on h.id = m.principal_id
      join role_permissions p on p.role_id = m.role_id and p.permission_code = 'organizations.manage_members'
      where m.organization_id = old.organization_id and m.joined_at is not null)
  then
    return null;
  end if;
  -- Members who were no managers, or never accepted their invitation, can be removed. A deleted role has no members:
  -- organization_memberships_role_fkey guarantees it.
  if tg_table_name = 'organization_memberships' then
    if not (old.joined_at is not null and exists (select 1 from humans where id = old.principal_id) and exists (
      select 1 from role_permissions where role_id = old.role_id and permission_code = 'organizations.manage_members'))
    then
      return null;
    end if;
  elsif not exists (select 1 from roles r
    join organization_memberships m on m.role_id = r.id join humans h on h.id = m.principal_id
    where r.id = old.role_id and m.joined_at is not null)
  then
    return null;
  end if;
  raise exception 'the last manager of an organization stays'
    using errcode = 'check_violation', constraint = 'organizations_last_manager_check';
end
$$;
alter function organizations_protect_last_manager() owner to tendon_definer;

create or replace function outbox_backlog()
  returns table(waiting bigint, oldest_seconds double precision)
  language sql
  stable security definer
  set search_path to 'public'
  as $$
  select count(*), coalesce(extract(epoch from now() - min(occurred_at)), 0)
  from outbox_events where dispatched_at is null
$$;
alter function outbox_backlog() owner to tendon_definer;
grant execute on function outbox_backlog() to tendon_worker;

create or replace function patient_conditions_check_condition()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  if not can_use_taxonomy_tag(new.condition_id, 'condition', new.organization_id) then
    raise exception 'no such condition' using errcode = 'foreign_key_violation', constraint = 'patient_conditions_condition_fkey';
  end if;
  return new;
end
$$;
alter function patient_conditions_check_condition() owner to tendon_definer;

create or replace function patient_conditions_set_clearance()
  returns trigger
  language plpgsql
  set search_path to 'public'
  as $$
begin
  if tg_op = 'UPDATE' and new.cleared_for = old.cleared_for then
    return new;
  end if;
  new.cleared_at := case when cardinality(new.cleared_for) > 0 then now() end;
  new.cleared_by_principal_id := case when cardinality(new.cleared_for) > 0 then current_app_principal_id() end;
  return new;
end
$$;
alter function patient_conditions_set_clearance() owner to tendon_owner;
grant execute on function patient_conditions_set_clearance() to tendon_app;
grant execute on function patient_conditions_set_clearance() to tendon_definer;
grant execute on function patient_conditions_set_clearance() to tendon_platform;

create or replace function patient_profiles_clear_current_organization()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  update humans h set current_organization_id = null
    where h.id = old.human_id and h.current_organization_id = old.organization_id
      and not exists (select 1 from organization_memberships m
        where m.organization_id = old.organization_id and m.principal_id = h.id)
      and not exists (select 1 from patient_profiles f where f.organization_id = old.organization_id and f.human_id = h.id);
  return null;
end
$$;
alter function patient_profiles_clear_current_organization() owner to tendon_definer;

create or replace function patient_profiles_refuse_restricted()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
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

create or replace function patient_profiles_unlink_claimed()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
declare
  v_patient patients;
begin
  select * into v_patient from patients where organization_id = new.organization_id and patient_profile_id = new.id;
  if not exists (select 1 from patients o join patient_profiles f on f.organization_id = o.organization_id and f.id = o.patient_profile_id
      where o.organization_id = new.organization_id and o.id <> v_patient.id and f.human_id <> new.human_id
        and (o.id = v_patient.merged_into_id or o.merged_into_id = v_patient.id or o.merged_into_id = v_patient.merged_into_id))
  then
    return null;
  end if;
  with separated as (
    update patients set merged_into_id = null
    where organization_id = new.organization_id and merged_into_id is not null and (id = v_patient.id or merged_into_id = v_patient.id)
    returning id, patient_profile_id)
  insert into outbox_events (organization_id, type, payload)
    select new.organization_id, 'patient.unmerged', jsonb_build_object('patient_id', id, 'patient_profile_id', patient_profile_id)
    from separated;
  return null;
end
$$;
alter function patient_profiles_unlink_claimed() owner to tendon_definer;

create or replace function patients_notify_rights_change()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
declare
  v_id text;
begin
  for v_id in
    select distinct f.human_id from patient_profiles f
    where f.id in (old.patient_profile_id, new.patient_profile_id) and f.human_id is not null
  loop
    raise info 'rights changed' using detail = v_id;
    perform pg_notify('rights', v_id);
  end loop;
  return null;
end
$$;
alter function patients_notify_rights_change() owner to tendon_definer;

create or replace function patients_release_profile()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  update patient_profiles set national_id_index = null, invited_email = null, invited_at = null
    where organization_id = new.organization_id and id = new.patient_profile_id;
  return null;
end
$$;
alter function patients_release_profile() owner to tendon_definer;

create or replace function patients_unlink_erased()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  update patients set merged_into_id = null
    where organization_id = new.organization_id and merged_into_id is not null and (id = new.id or merged_into_id = new.id);
  return null;
end
$$;
alter function patients_unlink_erased() owner to tendon_definer;

create or replace function plan_last_run_at(p_treatment_plan_id uuid)
  returns timestamptz
  language plpgsql
  stable security definer
  set search_path to 'public'
  as $$
begin
  -- "offset 0" makes the planner use the index on treatment_plan_id. For max() alone, a cached plan may read all runs of
  -- the clinic, newest first.
  return (select max(started_at) from (
      select started_at from session_runs
      where organization_id = current_app_org_id() and treatment_plan_id = p_treatment_plan_id
        and current_app_has_permission('treatment_plans', 'view_org') offset 0) r);
end
$$;
alter function plan_last_run_at(uuid) owner to tendon_definer;
grant execute on function plan_last_run_at(uuid) to tendon_app;

create or replace function plan_limit(p_organization_id uuid, p_name text)
  returns integer
  language plpgsql
  stable security definer
  set search_path to 'public'
  as $$
begin
  return (select case p_name
      when 'max_specialists' then p.max_specialists
      when 'max_unfinished_upload_mb' then p.max_unfinished_upload_mb
    end
    from organizations o join plans p on p.code = o.plan where o.id = p_organization_id);
end
$$;
alter function plan_limit(uuid,text) owner to tendon_definer;

create or replace function planned_exercises(p_session_exercise_ids uuid[])
  returns table(session_exercise_id uuid, id uuid, name text, slug text, kind text, difficulty text, available boolean, description text, instructions_summary text, translations jsonb, video_url text, video_provider text, video_thumbnail_url text, video_duration_seconds double precision, pose_config jsonb)
  language plpgsql
  stable security definer
  set search_path to 'public'
  as $$
#variable_conflict use_column
begin
  return query select p.session_exercise_id, e.id, e.name, e.slug, e.kind, e.difficulty, e.deleted_at is null and e.status = 'published',
      e.description, e.instructions_summary, e.translations, e.video_url, e.video_provider, e.video_thumbnail_url,
      e.video_duration_seconds, c.pose_config
    from list_plan_exercises(p_session_exercise_ids) p
    join exercises e on e.id = p.exercise_id
    left join lateral (
      select jsonb_build_object('id', v.id, 'version', v.version, 'tracking_enabled', v.tracking_enabled,
        'engine_code', v.engine_code, 'config', v.config) as pose_config
      from exercise_pose_configs v where v.exercise_id = e.id and v.status = 'active' order by v.version desc limit 1) c on true;
end
$$;
alter function planned_exercises(uuid[]) owner to tendon_definer;
grant execute on function planned_exercises(uuid[]) to tendon_app;

create or replace function planned_instructions(p_session_exercise_ids uuid[])
  returns table(exercise_id uuid, id integer, sort_order integer, title text, content text, image_url text, instruction_type text, translations jsonb)
  language plpgsql
  stable security definer
  set search_path to 'public'
  as $$
#variable_conflict use_column
begin
  return query select i.exercise_id, i.id, i.sort_order, i.title, i.content, i.image_url, i.instruction_type, i.translations
    from exercise_instructions i
    where i.exercise_id in (select p.exercise_id from list_plan_exercises(p_session_exercise_ids) p)
    order by i.exercise_id, i.sort_order, i.id;
end
$$;
alter function planned_instructions(uuid[]) owner to tendon_definer;
grant execute on function planned_instructions(uuid[]) to tendon_app;

create or replace function platform_exercise_counts()
  returns table(exercise_id uuid, exercise_name text, exercise_slug text, people bigint, assigned bigint, completed bigint, skipped bigint, abandoned bigint, measured bigint, repetitions bigint)
  language sql
  stable security definer
  set search_path to 'public'
  as $$
  select n.id, n.name, n.slug, round_down_to_tens(count(distinct c.person_id), count(distinct c.person_id)),
    round_down_to_tens(count(*), count(distinct c.person_id)),
    round_down_to_tens(count(*) filter (where c.outcome = 'completed'), count(distinct c.person_id) filter (where c.outcome = 'completed')),
    round_down_to_tens(count(*) filter (where c.outcome = 'skipped'), count(distinct c.person_id) filter (where c.outcome = 'skipped')),
    round_down_to_tens(count(*) filter (where c.outcome = 'abandoned'), count(distinct c.person_id) filter (where c.outcome = 'abandoned')),
    round_down_to_tens(count(*) filter (where c.measured), count(distinct c.person_id) filter (where c.measured)),
    round_down_to_tens(sum(c.repetitions), count(distinct c.person_id) filter (where c.repetitions is not null))
  from exercise_outcomes c join exercises n on n.id = c.exercise_id and n.organization_id is null
  where c.person_id is not null
  group by n.id having count(distinct c.person_id) >= 10
  order by n.name, n.id
$$;
alter function platform_exercise_counts() owner to tendon_definer;
grant execute on function platform_exercise_counts() to tendon_platform;

create or replace function platform_memberships_protect_last()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('platform_memberships', 0));
  if not exists (select 1 from platform_memberships) then
    raise exception 'the last superadmin stays'
      using errcode = 'check_violation', constraint = 'platform_memberships_last_check';
  end if;
  return null;
end
$$;
alter function platform_memberships_protect_last() owner to tendon_definer;

create or replace function poll_exercise_video(p_host_reference text)
  returns boolean
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  return run_jobs_now(array(select coalesce(organization_id::text, 'platform') || ' finish_exercise_video ' || video_object_key
    from exercises where video_host_reference = p_host_reference and video_object_key is not null));
end
$$;
alter function poll_exercise_video(text) owner to tendon_definer;
grant execute on function poll_exercise_video(text) to tendon_app;

create or replace function provision_human(p_issuer text, p_subject text, p_email citext, p_verified boolean, p_name text)
  returns uuid
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
declare
  v_id uuid;
  v_verified boolean := coalesce(p_verified, false) and p_email is not null;
begin
  perform pg_advisory_xact_lock(hashtextextended('identity:' || p_issuer || ' ' || p_subject, 0));
  if v_verified then
    perform pg_advisory_xact_lock(hashtextextended('email:' || lower(p_email::text), 0));
  end if;

  -- If another human has verified the address, it stays unverified for this one, so that nobody inherits access. The same
  -- holds for a superadmin whose address was invited, and a member whose address was made superadmin: superadmins have no
  -- memberships, and the invitation stays open.
  if v_verified and (
    exists (select 1 from humans h where h.email = p_email and h.email_verified and h.linked_at is not null
      and not exists (select 1 from identities i where i.issuer = p_issuer and i.subject = p_subject and i.human_id = h.id))
    or exists (select 1 from identities i
      join humans h on h.email = p_email and h.linked_at is null
      join platform_memberships s on s.principal_id in (i.human_id, h.id)
      join organization_memberships m on m.principal_id in (i.human_id, h.id)
      where i.issuer = p_issuer and i.subject = p_subject))
  then
    v_verified := false;
  end if;

  select human_id into v_id from identities where issuer = p_issuer and subject = p_subject;
  if v_id is not null then
    if v_verified then
      perform take_over_invitation(p_email, v_id);
    end if;
    update humans set email = p_email, email_verified = v_verified
      where id = v_id and (email is distinct from p_email or email_verified is distinct from v_verified);
    if v_verified then
      perform claim_profiles(p_email, v_id);
    end if;
    return v_id;
  end if;

  if v_verified then
    update humans set email_verified = true, linked_at = now(), name = coalesce(p_name, name)
      where email = p_email and linked_at is null returning id into v_id;
  end if;
  if v_id is null then
    insert into principals (kind) values ('human') returning id into v_id;
    insert into humans (id, email, email_verified, name, linked_at) values (v_id, p_email, v_verified, p_name, now());
  end if;
  insert into identities (issuer, subject, human_id) values (p_issuer, p_subject, v_id);
  if v_verified then
    perform claim_profiles(p_email, v_id);
  end if;
  return v_id;
end
$$;
alter function provision_human(text,text,citext,boolean,text) owner to tendon_definer;
grant execute on function provision_human(text,text,citext,boolean,text) to tendon_app;

create or replace function public_service_organization(p_slug text, p_service uuid)
  returns uuid
  language plpgsql
  stable security definer
  set search_path to 'public'
  as $$
begin
  return (select o.id from organizations o join services s on s.organization_id = o.id and s.id = p_service
    where o.slug = p_slug and s.is_public and s.status = 'active' and s.deleted_at is null);
end
$$;
alter function public_service_organization(text,uuid) owner to tendon_definer;
grant execute on function public_service_organization(text,uuid) to tendon_app;

create or replace function public_services(p_slug text)
  returns table(service jsonb)
  language plpgsql
  stable security definer
  set search_path to 'public'
  as $$
#variable_conflict use_column
begin
  return query select jsonb_build_object(
      'id', s.id, 'name', s.name, 'slug', s.slug, 'description', s.description, 'translations', s.translations,
      'duration_minutes', s.duration_minutes, 'modes', s.modes, 'requires_confirmation', s.requires_confirmation,
      'cancel_notice_minutes', s.cancel_notice_minutes, 'reschedule_notice_minutes', s.reschedule_notice_minutes,
      'max_days_ahead', s.max_days_ahead, 'color', s.color,
      'price_cents', s.price_cents, 'currency', s.currency, 'time_zone', o.time_zone,
      'specialists', (
        select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name, 'title', p.title) order by p.name, p.id), '[]')
        from specialists p
        where p.organization_id = s.organization_id and p.deleted_at is null and p.scheduling_active
          and (not exists (select 1 from service_specialists l where l.organization_id = s.organization_id and l.service_id = s.id)
            or exists (select 1 from service_specialists l
              where l.organization_id = s.organization_id and l.service_id = s.id and l.specialist_id = p.id))),
      'locations', (
        select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name, 'city', c.address ->> 'city',
          'address', c.address, 'phone', c.phone) order by c.name, c.id), '[]')
        from locations c
        where c.organization_id = s.organization_id and c.deleted_at is null
          and (not exists (select 1 from service_locations l where l.organization_id = s.organization_id and l.service_id = s.id)
            or exists (select 1 from service_locations l
              where l.organization_id = s.organization_id and l.service_id = s.id and l.location_id = c.id))))
    from organizations o join services s on s.organization_id = o.id
    where o.slug = p_slug and s.is_public and s.status = 'active' and s.deleted_at is null
    order by s.name, s.id;
end
$$;
alter function public_services(text) owner to tendon_definer;
grant execute on function public_services(text) to tendon_app;

create or replace function published_privacy_notice(p_slug text)
  returns table(organization_name text, language_code text, version integer, published_at timestamptz, body_translations jsonb)
  language plpgsql
  stable security definer rows 1
  set search_path to 'public'
  as $$
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

create or replace function purpose_version_in_force(p_purpose text, p_organization_id uuid)
  returns setof consent_purpose_versions
  language plpgsql
  stable security definer rows 1
  set search_path to 'public'
  as $$
begin
  return query select v.* from current_purpose_version(p_purpose, p_organization_id) v
    where v.id is not null and (p_organization_id is null or p_organization_id = current_app_org_id()
      or exists (select 1 from patient_profiles f
        where f.id = any (current_app_profile_ids()) and f.organization_id = p_organization_id));
end
$$;
alter function purpose_version_in_force(text,uuid) owner to tendon_definer;
grant execute on function purpose_version_in_force(text,uuid) to tendon_app;
grant execute on function purpose_version_in_force(text,uuid) to tendon_platform;

create or replace function read_calendar_feed(p_token_hash bytea)
  returns jsonb
  language sql
  stable security definer
  set search_path to 'public'
  as $$
  select jsonb_build_object('owner', case when f.specialist_id is null then 'patient' else 'specialist' end,
    'clinic', o.name, 'language', o.language_code,
    'events', (select coalesce(jsonb_agg(jsonb_build_object('uid', a.calendar_uid, 'sequence', a.calendar_sequence,
        'starts_at', iso_time(a.starts_at), 'ends_at', iso_time(a.ends_at), 'is_pending', a.status = 'pending',
        'updated_at', iso_time(a.updated_at),
        'service_name', case when d.shown then (select coalesce(s.translations #>> array[o.language_code, 'name'], s.name) from services s
          where s.organization_id = a.organization_id and s.id = a.service_id) end,
        'initials', case when d.shown then (select left(p.first_name, 1) || '. ' || left(p.last_name, 1) || '.' from patients p
          where p.organization_id = a.organization_id and p.id = a.patient_id and p.restricted_at is null) end)
        order by a.starts_at, a.id), '[]')
      from appointments a cross join lateral (select f.specialist_id is not null and coalesce(t.feed_shows_details, false) as shown) d
      where a.organization_id = f.organization_id
        and (a.specialist_id = f.specialist_id or a.patient_profile_id = f.patient_profile_id)
        and a.status in ('pending', 'confirmed', 'checked_in', 'completed')
        and a.starts_at between now() - interval '90 days' and now() + interval '365 days'))
  from calendar_feeds f join organizations o on o.id = f.organization_id
  left join organization_settings t on t.organization_id = f.organization_id
  where f.token_hash = p_token_hash and (
    exists (select 1 from specialists s join organization_memberships m on m.organization_id = s.organization_id
      join role_permissions r on r.role_id = m.role_id and r.permission_code = 'appointments.view_org'
      where s.organization_id = f.organization_id and s.id = f.specialist_id and s.deleted_at is null
        and m.principal_id = f.principal_id)
    or exists (select 1 from patients p join patient_profiles h on h.organization_id = p.organization_id and h.id = p.patient_profile_id
      where p.organization_id = f.organization_id and p.patient_profile_id = f.patient_profile_id and p.deleted_at is null
        and h.human_id = f.principal_id))
$$;
alter function read_calendar_feed(bytea) owner to tendon_definer;
grant execute on function read_calendar_feed(bytea) to tendon_app;

create or replace function read_mails_under_lease(p_ids uuid[])
  returns table(id uuid, organization_id uuid, to_address text, template text, language text, data jsonb, kind text, attempts integer, created_at timestamptz, organization_name text, organization_slug text, contact_email text, time_zone text, restricted boolean, consented boolean, is_reminder boolean, visit jsonb, integration_id uuid, integration_version integer, integration_status text)
  language sql
  stable security definer
  set search_path to 'public'
  as $$
  select m.id, m.organization_id, m.to_address, m.template, m.language, m.data, m.kind, m.attempts, m.created_at,
    o.name, o.slug, o.contact_email, o.time_zone,
    exists (select 1 from patients p where p.organization_id = m.organization_id
      and p.patient_profile_id = m.patient_profile_id and p.restricted_at is not null),
    exists (select 1 from consents c where c.organization_id = m.organization_id
      and c.patient_profile_id = m.patient_profile_id and c.purpose_code = 'marketing_email' and c.withdrawn_at is null),
    m.appointment_reminder_id is not null,
    (select jsonb_build_object('reminded_starts_at', iso_time(r.starts_at), 'starts_at', iso_time(a.starts_at), 'status', a.status,
        'rescheduled_to_id', a.rescheduled_to_id)
      from appointment_reminders r join appointments a on a.organization_id = r.organization_id and a.id = r.appointment_id
      where r.organization_id = m.organization_id and r.id = m.appointment_reminder_id),
    i.id, i.version, i.status
  from mail_outbox m left join organizations o on o.id = m.organization_id
  left join lateral find_capable_integration(m.organization_id, 'email') i on true
  where m.id = any (p_ids) and m.status = 'sending'
    and (current_app_scope() is null or m.organization_id = current_app_scope())
    and current_app_has_permission('mails', 'manage')
$$;
alter function read_mails_under_lease(uuid[]) owner to tendon_definer;
grant execute on function read_mails_under_lease(uuid[]) to tendon_app;

create or replace function record_platform_provider_check(p_id uuid, p_error text, p_now timestamptz)
  returns void
  language sql
  security definer
  set search_path to 'public'
  as $$
  update platform_service_providers set last_health_check_at = p_now,
    status = case when p_error is null then 'active' else 'error' end,
    last_error = coalesce(p_error, last_error),
    last_error_at = case when p_error is null then last_error_at else p_now end
  where id = p_id and status <> 'inactive'
$$;
alter function record_platform_provider_check(uuid,text,timestamp with time zone) owner to tendon_definer;
grant execute on function record_platform_provider_check(uuid,text,timestamp with time zone) to tendon_worker;

create or replace function refresh_exercise_outcomes()
  returns void
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  refresh materialized view concurrently exercise_outcomes;
end
$$;
alter function refresh_exercise_outcomes() owner to tendon_definer;
grant execute on function refresh_exercise_outcomes() to tendon_worker;

create or replace function refuse_restricted()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
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

create or replace function refuse_unless_service()
  returns trigger
  language plpgsql
  as $$
begin
  if current_user in ('tendon_app', 'tendon_worker') and not current_app_is_service() then
    raise exception 'only the service of the clinic writes this column' using errcode = 'insufficient_privilege';
  end if;
  return new;
end
$$;
alter function refuse_unless_service() owner to tendon_owner;
grant execute on function refuse_unless_service() to tendon_app;
grant execute on function refuse_unless_service() to tendon_definer;
grant execute on function refuse_unless_service() to tendon_platform;

create or replace function release_expired_exports(p_now timestamptz)
  returns void
  language sql
  security definer
  set search_path to 'public'
  as $$
  update privacy_requests set object_key = null
    where kind = 'export' and object_key is not null and (expires_at <= p_now or status in ('error', 'cancelled'))
$$;
alter function release_expired_exports(timestamp with time zone) owner to tendon_definer;
grant execute on function release_expired_exports(timestamp with time zone) to tendon_worker;

create or replace function release_object()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
declare
  v_key text := to_jsonb(old) ->> tg_argv[0];
  v_named boolean;
begin
  if v_key is null or (tg_op = 'UPDATE' and v_key is not distinct from to_jsonb(new) ->> tg_argv[0]) then
    return null;
  end if;
  -- Of two rows that release it at the same time, the second sees that it was the last.
  perform pg_advisory_xact_lock(hashtextextended('object ' || v_key, 0));
  execute format('select exists (select 1 from %I where %I = $1)', tg_table_name, tg_argv[0]) into v_named using v_key;
  if v_named then
    return null;
  end if;
  insert into unclaimed_objects (object_key, organization_id, delete_after)
    values (v_key, (to_jsonb(old) ->> 'organization_id')::uuid, now())
    on conflict (object_key) do update set delete_after = excluded.delete_after;
  perform add_job('delete_unclaimed_objects', '{}', null, null, null);
  return null;
end
$$;
alter function release_object() owner to tendon_definer;

create or replace function release_offered_time(p_hold uuid)
  returns void
  language sql
  security definer
  set search_path to 'public'
  as $$
  delete from time_claims where organization_id = current_app_org_id() and hold_id = p_hold and kind = 'hold'
    and current_app_has_permission('appointments', 'manage');
  update holds set status = 'released' where organization_id = current_app_org_id() and id = p_hold and status = 'active'
    and current_app_has_permission('appointments', 'manage')
$$;
alter function release_offered_time(uuid) owner to tendon_definer;
grant execute on function release_offered_time(uuid) to tendon_app;

create or replace function remove_unclaimed_objects(p_keys text[])
  returns void
  language sql
  security definer
  set search_path to 'public'
  as $$
  delete from unclaimed_objects where object_key = any (p_keys) and delete_after <= now()
$$;
alter function remove_unclaimed_objects(text[]) owner to tendon_definer;
grant execute on function remove_unclaimed_objects(text[]) to tendon_worker;

create or replace function renders_check_exercise()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  if not exists (select 1 from exercises where id = new.exercise_id
      and (organization_id is null or organization_id = new.organization_id)) then
    raise exception 'no such exercise' using errcode = 'foreign_key_violation', constraint = 'renders_exercise_fkey';
  end if;
  return new;
end
$$;
alter function renders_check_exercise() owner to tendon_definer;

create or replace function request_my_exports()
  returns setof uuid
  language sql
  security definer
  set search_path to 'public'
  as $$
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

create or replace function resolve_organization(p_slug text, p_domain text)
  returns table(id uuid, name text, slug text, language_code text)
  language plpgsql
  stable security definer rows 1
  set search_path to 'public'
  as $$
#variable_conflict use_column
begin
  return query select o.id, o.name, o.slug, o.language_code from organizations o where p_slug is not null and o.slug = p_slug
    union all
    select o.id, o.name, o.slug, o.language_code from organization_domains d join organizations o on o.id = d.organization_id
    where p_domain is not null and d.domain = lower(p_domain) and d.status = 'verified';
end
$$;
alter function resolve_organization(text,text) owner to tendon_definer;
grant execute on function resolve_organization(text,text) to tendon_app;

create or replace function role_member_count(p_role_id uuid)
  returns bigint
  language sql
  stable security definer
  set search_path to 'public'
  as $$
  select count(*) from organization_memberships where organization_id = current_app_org_id() and role_id = p_role_id
$$;
alter function role_member_count(uuid) owner to tendon_definer;
grant execute on function role_member_count(uuid) to tendon_app;

create or replace function role_permission_codes(p_role_id uuid)
  returns text
  language plpgsql
  stable
  as $$
begin
  return (select ',' || string_agg(permission_code, ',') || ',' from role_permissions where role_id = p_role_id);
end
$$;
alter function role_permission_codes(uuid) owner to tendon_definer;

create or replace function role_permissions_copy_to_clones()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  perform 1 from roles where id = new.role_id for no key update;
  insert into role_permissions (role_id, organization_id, permission_code)
    select id, organization_id, new.permission_code from roles
    where template_id = new.role_id and customized_at is null for no key update
    on conflict do nothing;
  return null;
end
$$;
alter function role_permissions_copy_to_clones() owner to tendon_definer;

create or replace function role_permissions_lock_role()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  perform 1 from roles where id = new.role_id for no key update;
  return new;
end
$$;
alter function role_permissions_lock_role() owner to tendon_definer;

create or replace function roles_protect_clones()
  returns trigger
  language plpgsql
  as $$
begin
  if old.organization_id is null or not old.is_system then
    return coalesce(new, old);
  end if;
  if tg_op = 'DELETE' or (new.code, new.name, new.description) is distinct from (old.code, old.name, old.description) then
    raise exception 'a clone of a system role cannot be renamed or deleted'
      using errcode = 'check_violation', constraint = 'roles_clone_check', table = 'roles';
  end if;
  return new;
end
$$;
alter function roles_protect_clones() owner to tendon_owner;

create or replace function round_down_to_tens(p_count bigint, p_people bigint)
  returns bigint
  language sql
  immutable parallel safe
  as $$
  select case when p_people >= 10 then p_count - p_count % 10 end
$$;
alter function round_down_to_tens(bigint,bigint) owner to tendon_owner;
grant execute on function round_down_to_tens(bigint,bigint) to tendon_definer;

create or replace function run_jobs_now(p_keys text[])
  returns boolean
  language sql
  security definer
  set search_path to 'public'
  as $$
  select count(*) > 0 from graphile_worker.reschedule_jobs(
    array(select id from graphile_worker.jobs where key = any (p_keys) and locked_at is null), run_at => now())
$$;
alter function run_jobs_now(text[]) owner to tendon_worker;
grant execute on function run_jobs_now(text[]) to tendon_definer;

create or replace function run_withdrawals(p_run_id uuid)
  returns table(run_id uuid, purpose_code text, withdrawn_at timestamptz, granted_again_at timestamptz)
  language sql
  stable security definer
  set search_path to 'public'
  as $$
  select m.run_id, c.purpose_code, c.withdrawn_at,
    (select min(g.granted_at) from consents g where g.patient_profile_id = c.patient_profile_id
      and g.organization_id = c.organization_id and g.purpose_code = c.purpose_code and g.granted_at >= c.withdrawn_at)
  from run_manifests m
  join consents c on c.organization_id = m.organization_id and c.patient_profile_id = m.patient_profile_id
  where m.run_id = p_run_id and m.organization_id = current_app_org_id()
    and c.purpose_code in ('telerehab', 'biometric_capture') and c.ended_as <> 'superseded' and c.withdrawn_at > m.created_at
$$;
alter function run_withdrawals(uuid) owner to tendon_definer;
grant execute on function run_withdrawals(uuid) to tendon_telemetry;

create or replace function seal_audit_log(p_limit integer)
  returns integer
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
declare
  v_previous audit_seals;
  v_ids uuid[];
  v_digests bytea[];
begin
  perform pg_advisory_xact_lock(hashtextextended('seal_audit_log', 0));
  select * into v_previous from audit_seals order by id desc limit 1;
  select array_agg(batch.id order by batch.n), array_agg(batch.digest order by batch.n) into v_ids, v_digests from (
    select a.id, audit_digest(a) as digest, row_number() over (order by a.occurred_at, a.id) as n
    from audit_log a left join audit_seal_entries e on e.entry_id = a.id
    where e.entry_id is null
      and a.occurred_at >= coalesce((
        select max(x.occurred_at) from audit_seal_entries s join audit_log x on x.id = s.entry_id
        where s.seal_id = v_previous.id) - interval '1 hour', '-infinity')
    order by a.occurred_at, a.id limit p_limit
  ) batch;
  if v_ids is null then
    return 0;
  end if;
  insert into audit_seals (id, prev_hash, hash, entry_count)
    values (coalesce(v_previous.id, 0) + 1, v_previous.hash, audit_seal_hash(v_previous.hash, v_digests), cardinality(v_ids));
  insert into audit_seal_entries (entry_id, seal_id, position, digest)
    select u.id, coalesce(v_previous.id, 0) + 1, u.n, u.digest
    from unnest(v_ids, v_digests) with ordinality as u (id, digest, n);
  return cardinality(v_ids);
end
$$;
alter function seal_audit_log(integer) owner to tendon_definer;
grant execute on function seal_audit_log(integer) to tendon_worker;

create or replace function search_patients(p_text text)
  returns setof uuid
  language plpgsql
  stable security definer rows 100
  set search_path to 'public'
  set plan_cache_mode to 'force_custom_plan'
  as $$
declare
  v_words text[];
begin
  select array_agg('%' || replace(replace(replace(word, '\', '\\'), '%', '\%'), '_', '\_') || '%' order by length(word) desc)
    into v_words from regexp_split_to_table(fold_text(p_text), '\s+') word where word <> '';
  if not coalesce(current_app_has_permission('patients', 'view_org'), false) then
    return;
  end if;
  return query select p.id from patients p
    where p.organization_id = current_app_org_id() and p.search_text like v_words[1]
      and p.search_text like coalesce(v_words[2], '%') and p.search_text like coalesce(v_words[3], '%')
      and p.search_text like all (v_words[4:]);
end
$$;
alter function search_patients(text) owner to tendon_definer;
grant execute on function search_patients(text) to tendon_app;

create or replace function segments_check_limit()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('segments ' || new.organization_id, 0));
  if (select count(*) from segments where organization_id = new.organization_id) >= 500 then
    raise exception 'too many segments' using errcode = 'check_violation', constraint = 'segments_count_check';
  end if;
  return new;
end
$$;
alter function segments_check_limit() owner to tendon_definer;

create or replace function send_booking_mail(p_appointment uuid, p_url text, p_moved_from uuid)
  returns void
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
declare
  v_email text;
begin
  select booker ->> 'email' into v_email from appointments
    where organization_id = current_app_org_id() and id = p_appointment and current_app_is_service();
  if v_email is null then
    return;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('booking mail to ' || lower(v_email), 0));
  insert into mail_outbox (organization_id, patient_profile_id, to_address, template, kind, language, data)
  select a.organization_id, a.patient_profile_id, v_email, 'booking_updated', 'care',
    coalesce(a.booker ->> 'language', o.language_code, 'en'),
    appointment_mail_data(a.organization_id, a.id) || jsonb_build_object('url', p_url)
      || coalesce((select jsonb_build_object('moved_from', jsonb_build_object('starts_at', iso_time(b.starts_at), 'time_zone', b.time_zone))
        from appointments b where b.organization_id = current_app_org_id() and b.id = p_moved_from), '{}')
  from appointments a join organizations o on o.id = a.organization_id
  where a.organization_id = current_app_org_id() and a.id = p_appointment
    and (select count(*) filter (where m.organization_id = current_app_org_id()) < 5 and count(*) < 20 from mail_outbox m
      where lower(m.to_address) = lower(v_email) and m.template = 'booking_updated' and m.created_at > now() - interval '1 day');
end
$$;
alter function send_booking_mail(uuid,text,uuid) owner to tendon_definer;
grant execute on function send_booking_mail(uuid,text,uuid) to tendon_app;

create or replace function session_exercises_check_exercise()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  select patient_profile_id into new.patient_profile_id from plan_sessions
    where organization_id = new.organization_id and id = new.plan_session_id;
  perform 1 from exercises where id = new.exercise_id and deleted_at is null and status = 'published'
    and (organization_id is null or organization_id = new.organization_id) for key share;
  if not found then
    raise exception 'no such exercise' using errcode = 'foreign_key_violation', constraint = 'session_exercises_exercise_fkey';
  end if;
  return new;
end
$$;
alter function session_exercises_check_exercise() owner to tendon_definer;

create or replace function session_exercises_request_film()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  if tg_op = 'UPDATE' and (new.sets, new.reps, new.side) is not distinct from (old.sets, old.reps, old.side) then
    return new;
  end if;
  new.film_render_id := null;
  if exists (select 1 from plan_sessions s
      join treatment_plans p on p.organization_id = s.organization_id and p.id = s.treatment_plan_id
      where s.organization_id = new.organization_id and s.id = new.plan_session_id and p.status = 'active') then
    new.film_due_at := now();
  end if;
  return new;
end
$$;
alter function session_exercises_request_film() owner to tendon_definer;

create or replace function session_run_exercises(p_run_ids uuid[])
  returns table(session_run_id uuid, session_exercise_id uuid, "position" integer, exercise_id uuid, exercise_name text, sets integer, reps integer, hold_seconds integer, rest_seconds integer, side text, notes text)
  language plpgsql
  stable security definer
  set search_path to 'public'
  as $$
#variable_conflict use_column
begin
  return query select r.id, e.id, x.position::integer, e.exercise_id, translated_name(n.name, n.translations), x.sets, x.reps, x.hold_seconds, x.rest_seconds, x.side, x.notes
    from session_runs r
    cross join lateral rows from (jsonb_to_recordset(r.prescription)
      as (id uuid, sets integer, reps integer, hold_seconds integer, rest_seconds integer, side text, notes text))
      with ordinality x (id, sets, reps, hold_seconds, rest_seconds, side, notes, position)
    join lateral (
      select id, organization_id, exercise_id from session_exercises where id = x.id offset 0
    ) e on e.organization_id = r.organization_id
    join exercises n on n.id = e.exercise_id
    where r.id = any (p_run_ids)
      and ((r.organization_id = current_app_org_id() and current_app_has_permission('session_runs', 'view_org'))
        or r.patient_profile_id = any (current_app_profile_ids()))
    order by r.id, x.position;
end
$$;
alter function session_run_exercises(uuid[]) owner to tendon_definer;
grant execute on function session_run_exercises(uuid[]) to tendon_app;

create or replace function session_run_plans(p_run_ids uuid[])
  returns table(session_run_id uuid, treatment_plan_id uuid, treatment_plan_title text, program_id uuid, plan_session_id uuid, plan_session_title text, plan_session_notes text)
  language plpgsql
  stable security definer
  set search_path to 'public'
  as $$
#variable_conflict use_column
begin
  return query select r.id, p.id, p.title, p.program_id, s.id, s.title, s.notes
    from session_runs r
    join treatment_plans p on p.organization_id = r.organization_id and p.id = r.treatment_plan_id
    join lateral (
      select id, organization_id, title, notes from plan_sessions where id = r.plan_session_id offset 0
    ) s on s.organization_id = r.organization_id
    where r.id = any (p_run_ids)
      and ((r.organization_id = current_app_org_id() and current_app_has_permission('session_runs', 'view_org'))
        or r.patient_profile_id = any (current_app_profile_ids()));
end
$$;
alter function session_run_plans(uuid[]) owner to tendon_definer;
grant execute on function session_run_plans(uuid[]) to tendon_app;

create or replace function session_runs_check_plan()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  select treatment_plan_id, patient_profile_id into new.treatment_plan_id, new.patient_profile_id from plan_sessions
    where organization_id = new.organization_id and id = new.plan_session_id and treatment_plan_id is not null;
  perform 1 from patients
    where organization_id = new.organization_id and patient_profile_id = new.patient_profile_id and deleted_at is null for share;
  if not found then
    raise exception 'no such session' using errcode = 'foreign_key_violation', constraint = 'session_runs_session_fkey';
  end if;
  perform 1 from treatment_plans
    where organization_id = new.organization_id and id = new.treatment_plan_id and status = 'active' for share;
  if not found then
    raise exception 'the plan is not active' using errcode = 'check_violation', constraint = 'session_runs_plan_active_check';
  end if;
  select array_agg(e.id order by e.position) into new.session_exercise_ids
    from plan_sessions s
    join session_exercises e on e.organization_id = s.organization_id and e.plan_session_id = s.id and e.removed_at is null
    where s.organization_id = new.organization_id and s.id = new.plan_session_id and s.removed_at is null;
  if new.session_exercise_ids is null then
    raise exception 'no such session' using errcode = 'foreign_key_violation', constraint = 'session_runs_session_fkey';
  end if;
  new.prescription := build_prescription(new.organization_id, new.session_exercise_ids);
  return new;
end
$$;
alter function session_runs_check_plan() owner to tendon_definer;

create or replace function set_exercise_video_host_reference(p_reference text, p_host_reference text)
  returns void
  language sql
  security definer
  set search_path to 'public'
  as $$
  update exercises set video_host_reference = p_host_reference where video_object_key = p_reference
$$;
alter function set_exercise_video_host_reference(text,text) owner to tendon_definer;
grant execute on function set_exercise_video_host_reference(text,text) to tendon_worker;

create or replace function set_exercise_video_urls(p_reference text, p_url text, p_thumbnail_url text)
  returns boolean
  language sql
  security definer
  set search_path to 'public'
  as $$
  with shown as (
    update exercises set video_url = p_url, video_thumbnail_url = p_thumbnail_url where video_object_key = p_reference
    returning id, organization_id),
  told as (
    insert into outbox_events (organization_id, type, payload)
    select organization_id, 'exercise.video_ready', jsonb_build_object('exercise_id', id) from shown)
  select exists (select 1 from shown)
$$;
alter function set_exercise_video_urls(text,text,text) owner to tendon_definer;
grant execute on function set_exercise_video_urls(text,text,text) to tendon_worker;

create or replace function set_film(p_session_exercise_id uuid, p_organization_id uuid, p_render_id uuid, p_due_at timestamptz)
  returns void
  language sql
  security definer
  set search_path to 'public'
  as $$
  update session_exercises set film_render_id = p_render_id, film_due_at = p_due_at
  where id = p_session_exercise_id and organization_id = p_organization_id
$$;
alter function set_film(uuid,uuid,uuid,timestamp with time zone) owner to tendon_definer;
grant execute on function set_film(uuid,uuid,uuid,timestamp with time zone) to tendon_worker;

create or replace function set_updated_at()
  returns trigger
  language plpgsql
  as $$
begin
  new.updated_at := now();
  return new;
end
$$;
alter function set_updated_at() owner to tendon_owner;

create or replace function ship_permission(p_code text, p_description text, p_templates text[])
  returns void
  language plpgsql
  as $$
begin
  insert into permissions (code, resource, action, description)
    values (p_code, split_part(p_code, '.', 1), substr(p_code, strpos(p_code, '.') + 1), p_description)
    on conflict (code) do nothing;
  if found then
    insert into role_permissions (role_id, organization_id, permission_code)
      select id, null, p_code from roles where organization_id is null and code = any (p_templates) order by id;
  else
    update permissions set description = p_description where code = p_code and description <> p_description;
  end if;
end
$$;
alter function ship_permission(text,text,text[]) owner to tendon_definer;

create or replace function specialist_time_zone(p_id uuid)
  returns text
  language plpgsql
  stable security definer
  set search_path to 'public'
  as $$
begin
  return (select scheduling_timezone from specialists where organization_id = current_app_org_id() and id = p_id);
end
$$;
alter function specialist_time_zone(uuid) owner to tendon_definer;
grant execute on function specialist_time_zone(uuid) to tendon_app;

create or replace function specialists_change_usage()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  perform change_usage(new.organization_id, 'max_specialists', case when new.deleted_at is null then 1 else -1 end);
  return new;
end
$$;
alter function specialists_change_usage() owner to tendon_definer;

create or replace function spend_oauth_state(p_state_hash bytea, p_cookie_hash bytea, p_now timestamptz)
  returns table(organization_id uuid, integration_id uuid, principal_id uuid, verifier_encrypted bytea, redirect_uri text, return_path text, service_slug text, holds boolean)
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
declare
  v oauth_states;
begin
  update oauth_states s set used_at = p_now
    where s.state_hash = p_state_hash and s.cookie_hash = p_cookie_hash and s.used_at is null and s.expires_at > p_now
    returning s.* into v;
  if not found then
    return;
  end if;
  return query select v.organization_id, v.integration_id, v.principal_id, v.verifier_encrypted, v.redirect_uri,
    v.return_path, i.service_slug,
    exists (select 1 from organization_memberships m join role_permissions r on r.role_id = m.role_id
      where m.organization_id = v.organization_id and m.principal_id = v.principal_id
        and r.permission_code = 'organizations.manage_integrations')
  from organization_integrations i where i.id = v.integration_id;
end
$$;
alter function spend_oauth_state(bytea,bytea,timestamp with time zone) owner to tendon_definer;
grant execute on function spend_oauth_state(bytea,bytea,timestamp with time zone) to tendon_app;

create or replace function stale_session_runs(p_before timestamptz, p_limit integer)
  returns table(organization_id uuid, session_run_id uuid)
  language sql
  stable security definer
  set search_path to 'public'
  as $$
  select r.organization_id, r.id from session_runs r
  where r.status = 'in_progress' and r.last_event_at < p_before order by r.last_event_at limit p_limit
$$;
alter function stale_session_runs(timestamp with time zone,integer) owner to tendon_definer;
grant execute on function stale_session_runs(timestamp with time zone,integer) to tendon_worker;

create or replace function suppress_mail_address(p_index bytea, p_reason text)
  returns void
  language sql
  security definer
  set search_path to 'public'
  as $$
  insert into mail_suppressions (address_index, reason) values (p_index, p_reason) on conflict (address_index) do nothing
$$;
alter function suppress_mail_address(bytea,text) owner to tendon_definer;
grant execute on function suppress_mail_address(bytea,text) to tendon_app;

create or replace function switch_organization(p_organization_id uuid)
  returns boolean
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  update humans set current_organization_id = p_organization_id
    where id = current_app_principal_id() and (
      exists (select 1 from organization_memberships
        where principal_id = current_app_principal_id() and organization_id = p_organization_id)
      or exists (select 1 from patients p join patient_profiles f on f.id = p.patient_profile_id
        where f.human_id = current_app_principal_id() and p.organization_id = p_organization_id and p.deleted_at is null));
  return found;
end
$$;
alter function switch_organization(uuid) owner to tendon_definer;
grant execute on function switch_organization(uuid) to tendon_app;

create or replace function take_hold(p_organization uuid, p_service uuid, p_specialist uuid, p_location uuid, p_calendar uuid, p_mode text, p_starts timestamptz, p_life interval, p_client bytea, p_max_per_client integer, p_max_per_clinic integer, p_max_per_day integer default null::integer, p_day_starts timestamptz default null::timestamptz, p_day_ends timestamptz default null::timestamptz, p_moves uuid default null::uuid)
  returns jsonb
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
declare
  v_service services;
  v_hold holds;
  v_ends timestamptz;
begin
  select * into strict v_service from services where organization_id = p_organization and id = p_service;
  if p_client is not null then
    perform pg_advisory_xact_lock(hashtextextended('public holds of ' || p_organization, 0));
    if (select count(*) from holds where organization_id = p_organization and client_index = p_client
          and status = 'active' and expires_at > clock_timestamp()) >= p_max_per_client
      or (select count(*) from holds where organization_id = p_organization and client_index is not null
          and status = 'active' and expires_at > clock_timestamp()) >= p_max_per_clinic
    then
      return jsonb_build_object('outcome', 'too_many');
    end if;
  end if;
  if p_max_per_day is not null
    and count_booked(p_organization, p_service, p_specialist, p_day_starts, p_day_ends, null, p_moves) >= p_max_per_day
  then
    return jsonb_build_object('outcome', 'day_full');
  end if;
  v_ends := p_starts + make_interval(mins => v_service.duration_minutes);
  insert into holds (organization_id, service_id, specialist_id, location_id, calendar_id, mode, starts_at, ends_at, expires_at,
      client_index, moves_calendar_uid)
    values (p_organization, p_service, p_specialist, p_location, p_calendar, p_mode, p_starts, v_ends,
      clock_timestamp() + p_life, p_client, p_moves)
    returning * into v_hold;
  if not claim_time(p_organization, p_specialist, p_starts - make_interval(mins => v_service.buffer_before_minutes),
      v_ends + make_interval(mins => v_service.buffer_after_minutes), v_hold.id, null, v_hold.expires_at)
  then
    delete from holds where id = v_hold.id;
    return jsonb_build_object('outcome', 'taken');
  end if;
  return jsonb_build_object('outcome', 'held', 'hold', hold_json(v_hold));
end
$$;
alter function take_hold(uuid,uuid,uuid,uuid,uuid,text,timestamp with time zone,interval,bytea,integer,integer,integer,timestamp with time zone,timestamp with time zone,uuid) owner to tendon_definer;

create or replace function take_over_invitation(p_email citext, p_human uuid)
  returns void
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
declare
  v_invited uuid;
begin
  update humans set email = null, linked_at = now() where email = p_email and linked_at is null and id <> p_human
    returning id into v_invited;
  if v_invited is null then
    return;
  end if;
  update organization_memberships m set principal_id = p_human
    where m.principal_id = v_invited
      and not exists (select 1 from organization_memberships o
        where o.principal_id = p_human and o.organization_id = m.organization_id);
  -- Where both are members, the human keeps their role unless only the invited role manages members: no organization
  -- loses its last manager.
  update organization_memberships o set role_id = m.role_id
    from organization_memberships m
    where m.principal_id = v_invited and o.principal_id = p_human and o.organization_id = m.organization_id
      and exists (select 1 from role_permissions r
        where r.role_id = m.role_id and r.permission_code = 'organizations.manage_members')
      and not exists (select 1 from role_permissions r
        where r.role_id = o.role_id and r.permission_code = 'organizations.manage_members');
  delete from organization_memberships where principal_id = v_invited;
  update platform_memberships p set principal_id = p_human
    where p.principal_id = v_invited and not exists (select 1 from platform_memberships s where s.principal_id = p_human);
  delete from platform_memberships where principal_id = v_invited;
end
$$;
alter function take_over_invitation(citext,uuid) owner to tendon_definer;

create or replace function taxonomy_tags_check_references()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  if new.parent_id is not null and not can_use_taxonomy_tag(new.parent_id, new.axis, new.organization_id) then
    raise exception 'no such parent' using errcode = 'foreign_key_violation', constraint = 'taxonomy_tags_parent_fkey';
  end if;
  if new.body_region_id is not null and not can_use_taxonomy_tag(new.body_region_id, 'body_region', new.organization_id) then
    raise exception 'no such region' using errcode = 'foreign_key_violation', constraint = 'taxonomy_tags_body_region_fkey';
  end if;
  if new.replaced_by_id is not null and not can_use_taxonomy_tag(new.replaced_by_id, new.axis, new.organization_id) then
    raise exception 'no such value' using errcode = 'foreign_key_violation', constraint = 'taxonomy_tags_replaced_by_fkey';
  end if;
  if coalesce(new.parent_id, new.replaced_by_id) is null then
    return new;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('taxonomy_tags ' || coalesce(new.organization_id::text, 'platform'), 0));
  if exists (
    with recursive above (id) as (
      select new.parent_id union select t.parent_id from taxonomy_tags t join above on above.id = t.id)
    select 1 from above where id = new.id)
  then
    raise exception 'a circle' using errcode = 'check_violation', constraint = 'taxonomy_tags_parent_cycle_check';
  end if;
  if exists (
    with recursive after (id) as (
      select new.replaced_by_id union select t.replaced_by_id from taxonomy_tags t join after on after.id = t.id)
    select 1 from after where id = new.id)
  then
    raise exception 'a circle' using errcode = 'check_violation', constraint = 'taxonomy_tags_replaced_by_cycle_check';
  end if;
  return new;
end
$$;
alter function taxonomy_tags_check_references() owner to tendon_definer;

create or replace function touch_web_session(p_id uuid)
  returns void
  language sql
  security definer
  set search_path to 'public'
  as $$
  update web_sessions set seen_at = now() where id = p_id and seen_at < now() - interval '1 minute'
$$;
alter function touch_web_session(uuid) owner to tendon_definer;
grant execute on function touch_web_session(uuid) to tendon_app;

create or replace function translated_name(p_name text, p_translations jsonb)
  returns text
  language sql
  stable parallel safe
  as $$
  select coalesce(nullif(p_translations -> nullif(current_setting('app.language', true), '') ->> 'name', ''), p_name)
$$;
alter function translated_name(text,jsonb) owner to tendon_owner;
grant execute on function translated_name(text,jsonb) to tendon_app;
grant execute on function translated_name(text,jsonb) to tendon_definer;
grant execute on function translated_name(text,jsonb) to tendon_platform;
grant execute on function translated_name(text,jsonb) to tendon_worker;

create or replace function translated_text(p_translations jsonb, p_field text)
  returns text
  language sql
  immutable parallel safe strict
  as $$
  select coalesce(string_agg(E'\n' || (value ->> p_field), ''), '') from jsonb_each(p_translations)
$$;
alter function translated_text(jsonb,text) owner to tendon_owner;
grant execute on function translated_text(jsonb,text) to tendon_app;
grant execute on function translated_text(jsonb,text) to tendon_definer;
grant execute on function translated_text(jsonb,text) to tendon_platform;
grant execute on function translated_text(jsonb,text) to tendon_worker;

create or replace function translated_title(p_title text, p_translations jsonb)
  returns text
  language sql
  stable parallel safe
  as $$
  select coalesce(nullif(p_translations -> nullif(current_setting('app.language', true), '') ->> 'title', ''), p_title)
$$;
alter function translated_title(text,jsonb) owner to tendon_owner;
grant execute on function translated_title(text,jsonb) to tendon_app;
grant execute on function translated_title(text,jsonb) to tendon_definer;
grant execute on function translated_title(text,jsonb) to tendon_platform;
grant execute on function translated_title(text,jsonb) to tendon_worker;

create or replace function treatment_plans_request_films()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  update session_exercises e set film_due_at = now() from plan_sessions s
    where s.organization_id = new.organization_id and s.treatment_plan_id = new.id
      and e.organization_id = s.organization_id and e.plan_session_id = s.id and e.removed_at is null;
  return null;
end
$$;
alter function treatment_plans_request_films() owner to tendon_definer;

create or replace function unmark_waitlist()
  returns integer
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
declare
  v_count integer;
begin
  update appointments w set slot_freed_at = null, freed_slot = null
  where w.id in (select e.id from appointments e
    where e.status = 'waitlist' and e.freed_slot is not null and (
      (e.freed_slot ->> 'starts_at')::timestamptz <= now()
      or exists (select 1 from time_claims c
        where c.organization_id = e.organization_id and c.specialist_id = (e.freed_slot ->> 'specialist_id')::uuid
          and c.kind = 'appointment'
          and c.during && tstzrange((e.freed_slot ->> 'starts_at')::timestamptz, (e.freed_slot ->> 'ends_at')::timestamptz)))
    order by e.id for update skip locked);
  get diagnostics v_count = row_count;
  return v_count;
end
$$;
alter function unmark_waitlist() owner to tendon_definer;
grant execute on function unmark_waitlist() to tendon_worker;

create or replace function verify_document(p_code text)
  returns table(issued_at timestamptz, issued_by text, clinic text, time_zone text, language text, kind text, pages integer, size bigint, sha256 bytea)
  language sql
  stable security definer rows 1
  set search_path to 'public'
  as $$
  select d.created_at, d.issued_by, o.name, o.time_zone, d.language, d.kind, d.pages, d.size, d.sha256
  from appointment_documents d join organizations o on o.id = d.organization_id
  where d.verification_code = p_code
$$;
alter function verify_document(text) owner to tendon_definer;
grant execute on function verify_document(text) to tendon_app;

create or replace function waitlist_offers_release_time()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'public'
  as $$
begin
  delete from time_claims where organization_id = old.organization_id and hold_id = old.hold_id and kind = 'hold';
  update holds set status = 'released' where organization_id = old.organization_id and id = old.hold_id and status = 'active';
  return null;
end
$$;
alter function waitlist_offers_release_time() owner to tendon_definer;

create or replace function webhook_backlog()
  returns table(waiting bigint, oldest_seconds double precision)
  language sql
  stable security definer
  set search_path to 'public'
  as $$
  select count(*), coalesce(extract(epoch from now() - min(next_attempt_at)), 0) from webhook_deliveries
  where status in ('pending', 'delivering', 'retrying') and next_attempt_at <= now()
$$;
alter function webhook_backlog() owner to tendon_definer;
grant execute on function webhook_backlog() to tendon_worker;

create or replace function with_linked_patients(p_patient_ids uuid[])
  returns uuid[]
  language plpgsql
  stable security definer
  set search_path to 'public'
  as $$
declare
  v_clinic uuid := current_app_org_id();
  v_all uuid[] := coalesce(p_patient_ids, '{}');
  v_id uuid;
  v_main uuid;
begin
  foreach v_id in array v_all loop
    select coalesce(merged_into_id, id) into v_main from patients where organization_id = v_clinic and id = v_id;
    v_all := v_all || array(
      select id from patients
      where organization_id = v_clinic and (id = v_main or merged_into_id = v_main) and deleted_at is null and id <> v_id);
  end loop;
  return v_all;
end
$$;
alter function with_linked_patients(uuid[]) owner to tendon_definer;
grant execute on function with_linked_patients(uuid[]) to tendon_app;

create or replace function with_moved_from(p_ids uuid[])
  returns uuid[]
  language plpgsql
  stable security definer
  set search_path to 'public'
  as $$
declare
  v_clinic uuid := current_app_org_id();
begin
  return (with recursive moved as (
      select a.id, a.rescheduled_from_id from appointments a where a.organization_id = v_clinic and a.id = any (p_ids)
      union
      select a.id, a.rescheduled_from_id from moved m
      join appointments a on a.organization_id = v_clinic and a.id = m.rescheduled_from_id)
    select p_ids || array(select id from moved));
end
$$;
alter function with_moved_from(uuid[]) owner to tendon_definer;
grant execute on function with_moved_from(uuid[]) to tendon_app;
