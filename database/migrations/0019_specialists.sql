-- Who treats patients, and in what they are trained. A specialist may be a member of the clinic, or a name alone.

create table specialties (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  title text collate "ro-x-icu" not null,                  -- sorts as people sort, Ș after S
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
  deleted_at timestamptz,                                  -- appointments and records that name it stay
  -- Whoever leaves the clinic is no longer behind the name; whoever proves an invited address takes its place.
  constraint specialists_member_fkey foreign key (organization_id, human_id)
    references organization_memberships (organization_id, principal_id) on update cascade on delete set null (human_id),
  constraint specialists_organization_id_key unique (organization_id, id)
);
-- A deleted specialist frees the slug and the human.
create unique index specialists_slug_key on specialists (organization_id, slug) where deleted_at is null;
create unique index specialists_human_key on specialists (organization_id, human_id) where deleted_at is null;
create index specialists_member_idx on specialists (organization_id, human_id);
create index specialists_human_id_idx on specialists (human_id);
create trigger specialists_updated_at before update on specialists for each row execute function set_updated_at();

-- Living specialists count against the plan.
create function specialists_use_limit() returns trigger language plpgsql security definer set search_path = public as $$
begin
  perform use_limit(new.organization_id, 'max_specialists', case when new.deleted_at is null then 1 else -1 end);
  return new;
end
$$;
alter function specialists_use_limit() owner to tendon_definer;
create trigger specialists_use_limit before insert on specialists
  for each row when (new.deleted_at is null and new.organization_id is not null) execute function specialists_use_limit();
create trigger specialists_change_limit before update of deleted_at on specialists
  for each row when ((old.deleted_at is null) <> (new.deleted_at is null)) execute function specialists_use_limit();

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
-- Whoever deletes must see what is deleted already.
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
