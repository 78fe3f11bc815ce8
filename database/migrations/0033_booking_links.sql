-- The link in a booker's mail: whoever holds the token can see, move or cancel that one booking. Only its hash is stored.
create table booking_links (
  token_hash bytea primary key,
  organization_id uuid not null default current_app_scope() references organizations (id),
  appointment_id uuid not null,
  created_at timestamptz not null default now(),
  constraint booking_links_appointment_fkey foreign key (organization_id, appointment_id)
    references appointments (organization_id, id) on delete cascade
);
create index booking_links_appointment_idx on booking_links (organization_id, appointment_id);
alter table booking_links enable row level security;
alter table booking_links force row level security;
create policy booking_links_select on booking_links for select using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('appointments', 'manage')));

-- One review by the patient, of a completed appointment.
create table appointment_reviews (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  appointment_id uuid not null,
  patient_profile_id uuid not null,
  rating integer not null check (rating between 1 and 5),
  comment text,
  created_at timestamptz not null default now(),
  constraint appointment_reviews_appointment_key unique (organization_id, appointment_id),
  constraint appointment_reviews_appointment_fkey foreign key (organization_id, appointment_id)
    references appointments (organization_id, id),
  constraint appointment_reviews_patient_fkey foreign key (organization_id, patient_profile_id)
    references patients (organization_id, patient_profile_id)
);
create index appointment_reviews_patient_idx on appointment_reviews (organization_id, patient_profile_id);
alter table appointment_reviews enable row level security;
alter table appointment_reviews force row level security;
create policy appointment_reviews_select on appointment_reviews for select using (
  organization_id = (select current_app_org_id())
  and ((select current_app_has_permission('appointments', 'view_org'))
    or patient_profile_id = any ((select current_app_profile_ids())::uuid[])));
create policy appointment_reviews_insert on appointment_reviews for insert with check (
  organization_id = (select current_app_org_id()) and patient_profile_id = any ((select current_app_profile_ids())::uuid[]));
create trigger appointment_reviews_refuse_restricted before insert on appointment_reviews
  for each row execute function refuse_restricted();
grant select, insert on appointment_reviews to tendon_app;
