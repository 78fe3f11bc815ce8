-- Segments: groups of patients by rules over their profiles, forms and appointments. Staff read them, patients never.
-- Members are written by the platform's own evaluation alone: nobody can be given `segments.evaluate`, which only work with
-- every right holds.

-- Text without case and accents, as apps/core/src/features/records/segments/rules.ts folds it for one patient.
create function fold_segment_text(p_text text) returns text language sql immutable parallel safe as $$
  select case when octet_length(p_text) = char_length(p_text) then lower(p_text collate "C")
    else lower(regexp_replace(normalize(p_text, nfd), '[\u0300-\u036f]', '', 'g') collate "und-x-icu") collate "C" end
$$;
grant execute on function fold_segment_text(text) to tendon_app, tendon_platform, tendon_worker, tendon_definer;

create table segments (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  name text not null check (char_length(name) between 1 and 255),
  description text not null default '',
  match_mode text not null check (match_mode in ('all', 'any')),
  rules jsonb not null,
  version integer not null default 1 check (version > 0),
  follows_calendar boolean not null default false,  -- a rule counts from today: members change although no patient does
  fresh_asked_at timestamptz,                       -- when a reader last asked for an evaluation
  created_by_principal_id uuid default current_app_principal_id(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint segments_organization_id_key unique (organization_id, id)
);
create trigger segments_updated_at before update of name, description, match_mode, rules, version on segments
  for each row execute function set_updated_at();

-- The whole list is one answer, and a patient who changes is held against every segment: their number is bounded.
create function segments_bound_count() returns trigger language plpgsql security definer set search_path = public as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('segments ' || new.organization_id, 0));
  if (select count(*) from segments where organization_id = new.organization_id) >= 500 then
    raise exception 'too many segments' using errcode = 'check_violation', constraint = 'segments_count_check';
  end if;
  return new;
end
$$;
alter function segments_bound_count() owner to tendon_definer;
create trigger segments_bound_count before insert on segments for each row execute function segments_bound_count();

create table segment_versions (
  organization_id uuid not null default current_app_scope() references organizations (id),
  segment_id uuid not null,
  version integer not null check (version > 0),
  match_mode text not null,
  rules jsonb not null,
  changed_by_principal_id uuid default current_app_principal_id(),
  created_at timestamptz not null default now(),
  primary key (segment_id, version),
  constraint segment_versions_segment_fkey foreign key (organization_id, segment_id)
    references segments (organization_id, id) on delete cascade
);

-- A rebuild writes one row for each patient who came in: the organization is bound by the two references.
create table segment_members (
  organization_id uuid not null default current_app_scope(),
  segment_id uuid not null,
  patient_id uuid not null,
  matched_at timestamptz not null,
  primary key (segment_id, patient_id),
  constraint segment_members_segment_fkey foreign key (organization_id, segment_id)
    references segments (organization_id, id) on delete cascade,
  constraint segment_members_patient_fkey foreign key (organization_id, patient_id) references patients (organization_id, id)
);
create index segment_members_matched_idx on segment_members (segment_id, matched_at desc, patient_id desc);
create index segment_members_patient_idx on segment_members (organization_id, patient_id);

-- Full evaluations, asked for and done. Of one segment at most one waits: whoever asks again gets the same.
create table segment_evaluations (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  segment_id uuid not null,
  status text not null default 'queued' check (status in ('queued', 'running', 'completed', 'failed')),
  attempts integer not null default 0,
  queued_at timestamptz not null default now(),
  started_at timestamptz,
  completed_at timestamptz,
  duration_ms integer,
  members_added integer,
  members_removed integer,
  failure jsonb,  -- {failing_rule, error}
  constraint segment_evaluations_segment_fkey foreign key (organization_id, segment_id)
    references segments (organization_id, id) on delete cascade
);
create unique index segment_evaluations_waiting_key on segment_evaluations (segment_id) where status = 'queued';
create index segment_evaluations_segment_idx on segment_evaluations (segment_id, id desc);
create index segment_evaluations_open_idx on segment_evaluations (organization_id, id) where status in ('queued', 'running');

alter table segments enable row level security;
alter table segments force row level security;
create policy segments_select on segments for select using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('segments', 'view')));
create policy segments_insert on segments for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('segments', 'manage')));
create policy segments_update on segments for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('segments', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('segments', 'manage')));
create policy segments_delete on segments for delete using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('segments', 'manage')));
grant select, delete on segments to tendon_app;
grant insert (organization_id, name, description, match_mode, rules, follows_calendar) on segments to tendon_app;
grant update (name, description, match_mode, rules, version, follows_calendar, fresh_asked_at, updated_at)
  on segments to tendon_app;

alter table segment_versions enable row level security;
alter table segment_versions force row level security;
create policy segment_versions_select on segment_versions for select using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('segments', 'view')));
create policy segment_versions_insert on segment_versions for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('segments', 'manage')));
grant select on segment_versions to tendon_app;
grant insert (organization_id, segment_id, version, match_mode, rules) on segment_versions to tendon_app;

alter table segment_members enable row level security;
alter table segment_members force row level security;
create policy segment_members_select on segment_members for select using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('segments', 'view')));
create policy segment_members_insert on segment_members for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('segments', 'evaluate')));
create policy segment_members_delete on segment_members for delete using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('segments', 'evaluate')));
grant select, insert, delete on segment_members to tendon_app;

alter table segment_evaluations enable row level security;
alter table segment_evaluations force row level security;
create policy segment_evaluations_select on segment_evaluations for select using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('segments', 'view')));
create policy segment_evaluations_insert on segment_evaluations for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('segments', 'manage')));
create policy segment_evaluations_update on segment_evaluations for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('segments', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('segments', 'manage')));
create policy segment_evaluations_delete on segment_evaluations for delete using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('segments', 'evaluate')));
grant select, delete on segment_evaluations to tendon_app;
grant insert (organization_id, segment_id, status, started_at) on segment_evaluations to tendon_app;
grant update (status, attempts, queued_at, started_at, completed_at, duration_ms, members_added, members_removed, failure)
  on segment_evaluations to tendon_app;

-- For the worker, by the clock: the segments that count from today and were last evaluated on another day of their clinic.
create function list_outdated_segments(p_now timestamptz) returns table (organization_id uuid, segment_id uuid)
language sql stable security definer set search_path = public as $$
  select s.organization_id, s.id from segments s join organizations o on o.id = s.organization_id
  where s.follows_calendar and (p_now at time zone o.time_zone)::date is distinct from (
    select (e.started_at at time zone o.time_zone)::date from segment_evaluations e
    where e.segment_id = s.id and e.status = 'completed' order by e.id desc limit 1)
$$;
alter function list_outdated_segments(timestamptz) owner to tendon_definer;
grant execute on function list_outdated_segments(timestamptz) to tendon_worker;
