-- What exercises are sorted by: seven axes in one table. organization_id null: a value of the platform, seen by everybody;
-- else a clinic's own, on the axes where clinics may have some. Slug and name never change, so that what was tagged keeps
-- its meaning: a value is deprecated, and another one takes its place.

-- One field of translations ({ro: {name: …}}) in every language, each on a line of its own: for search.
create function translated_text(p_translations jsonb, p_field text) returns text language sql immutable parallel safe strict as $$
  select coalesce(string_agg(E'\n' || (value ->> p_field), ''), '') from jsonb_each(p_translations)
$$;
grant execute on function translated_text(jsonb, text) to tendon_app, tendon_platform, tendon_worker, tendon_definer;

create table taxonomy_tags (
  id uuid primary key default uuidv7(),
  organization_id uuid default current_app_scope() references organizations (id),
  axis text not null check (axis in ('category', 'body_region', 'equipment', 'movement_pattern', 'recovery_phase', 'condition',
    'skill_prerequisite')),
  slug text not null,
  name text collate "ro-x-icu" not null,       -- sorts as people sort, Ș after S
  description text,
  sort_order integer not null default 0,
  translations jsonb not null default '{}',   -- {ro: {name, description}}
  parent_id uuid,                             -- of a category
  body_area text check (body_area in ('upper_body', 'lower_body', 'core', 'full_body')),
  icon_url text,                              -- of equipment
  icd10_code text check (icd10_code ~ '^[A-Z][0-9][0-9A-Z](\.[0-9A-Z]{1,4})?$'),
  body_region_id uuid,                        -- of a condition
  status text not null generated always as (case when deprecated_at is null then 'active' else 'deprecated' end) stored,
  deprecated_at timestamptz,
  replaced_by_id uuid,
  created_by_principal_id uuid default current_app_principal_id(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Name and translated names, a line each, for search.
  search_text text not null generated always as (
    fold_text(normalize(name || translated_text(translations, 'name')))) stored,
  constraint taxonomy_tags_slug_key unique nulls not distinct (axis, organization_id, slug),
  constraint taxonomy_tags_axis_key unique (id, axis),  -- for those who refer to a value of one axis
  constraint taxonomy_tags_parent_fkey foreign key (parent_id) references taxonomy_tags (id) on delete set null,
  constraint taxonomy_tags_body_region_fkey foreign key (body_region_id) references taxonomy_tags (id) on delete set null,
  constraint taxonomy_tags_replaced_by_fkey foreign key (replaced_by_id) references taxonomy_tags (id) on delete set null,
  constraint taxonomy_tags_platform_only_check check (organization_id is null or axis in ('category', 'equipment', 'condition')),
  constraint taxonomy_tags_columns_check check (
    (parent_id is null or axis = 'category') and (body_area is not null) = (axis = 'body_region')
    and (icon_url is null or axis = 'equipment') and (coalesce(icd10_code, body_region_id::text) is null or axis = 'condition')),
  constraint taxonomy_tags_replaced_check check (replaced_by_id is null or deprecated_at is not null)
);
create index taxonomy_tags_parent_idx on taxonomy_tags (parent_id);
create index taxonomy_tags_body_region_idx on taxonomy_tags (body_region_id);
create index taxonomy_tags_replaced_by_idx on taxonomy_tags (replaced_by_id);
create trigger taxonomy_tags_updated_at before update on taxonomy_tags for each row execute function set_updated_at();

-- Whether a row of the organization (null: of the platform) may refer to this value: the platform's, or its own.
create function taxonomy_tag_fits(p_id uuid, p_axis text, p_organization_id uuid) returns boolean
language sql stable security definer set search_path = public as $$
  select exists (select 1 from taxonomy_tags
    where id = p_id and axis = p_axis and (organization_id is null or organization_id = p_organization_id))
$$;
alter function taxonomy_tag_fits(uuid, text, uuid) owner to tendon_definer;

-- A value refers to values that its organization sees, of the right axis, and parents and replacements never go round in
-- a circle. The lock makes two who would close a circle together take turns.
create function taxonomy_tags_fit_references() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if new.parent_id is not null and not taxonomy_tag_fits(new.parent_id, 'category', new.organization_id) then
    raise exception 'no such parent' using errcode = 'foreign_key_violation', constraint = 'taxonomy_tags_parent_fkey';
  end if;
  if new.body_region_id is not null and not taxonomy_tag_fits(new.body_region_id, 'body_region', new.organization_id) then
    raise exception 'no such region' using errcode = 'foreign_key_violation', constraint = 'taxonomy_tags_body_region_fkey';
  end if;
  if new.replaced_by_id is not null and not taxonomy_tag_fits(new.replaced_by_id, new.axis, new.organization_id) then
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
alter function taxonomy_tags_fit_references() owner to tendon_definer;
create trigger taxonomy_tags_fit_references before insert or update of parent_id, body_region_id, replaced_by_id on taxonomy_tags
  for each row execute function taxonomy_tags_fit_references();

alter table taxonomy_tags enable row level security;
alter table taxonomy_tags force row level security;
create policy taxonomy_tags_select on taxonomy_tags for select using (
  organization_id = (select current_app_org_id()) or organization_id is null);
create policy taxonomy_tags_insert on taxonomy_tags for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('catalog', 'tags:write_private')));
create policy taxonomy_tags_update on taxonomy_tags for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('catalog', 'tags:write_private')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('catalog', 'tags:write_private')));
-- A condition stays: patients' records and contraindications refer to it.
create policy taxonomy_tags_delete on taxonomy_tags for delete using (
  organization_id = (select current_app_org_id()) and axis in ('category', 'equipment')
  and (select current_app_has_permission('catalog', 'tags:write_private')));

grant select, delete on taxonomy_tags to tendon_app;
grant insert (organization_id, axis, slug, name, description, sort_order, translations, parent_id, icon_url, icd10_code,
  body_region_id) on taxonomy_tags to tendon_app;
revoke update on taxonomy_tags from tendon_platform;
grant update (description, sort_order, translations, parent_id, icon_url, body_region_id, deprecated_at, replaced_by_id, updated_at)
  on taxonomy_tags to tendon_app;
grant update (description, sort_order, translations, parent_id, body_area, icon_url, body_region_id, deprecated_at, replaced_by_id,
  updated_at) on taxonomy_tags to tendon_platform;
