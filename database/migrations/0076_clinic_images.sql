-- What a clinic looks like: its brand colour, and images that it uploaded. Images are decoded and encoded again before they
-- are stored, so that they contain nothing but pixels.

-- A clinic without a row has the defaults.
create table organization_settings (
  organization_id uuid primary key default current_app_scope() references organizations (id),
  brand_color text constraint organization_settings_brand_color_check check (brand_color ~ '^#[0-9a-f]{6}$'),
  version integer not null default 2,
  updated_at timestamptz not null default now()
);
create trigger organization_settings_updated_at before update on organization_settings
  for each row execute function set_updated_at();
create trigger organization_settings_bump_version before update on organization_settings
  for each row execute function bump_version();
alter table organization_settings enable row level security;
alter table organization_settings force row level security;
create policy organization_settings_select on organization_settings for select using (
  organization_id = (select current_app_org_id()));
create policy organization_settings_insert on organization_settings for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'update_settings')));
create policy organization_settings_update on organization_settings for update
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'update_settings')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'update_settings')));
grant select on organization_settings to tendon_app;
grant insert (organization_id, brand_color) on organization_settings to tendon_app;
grant update (brand_color, updated_at) on organization_settings to tendon_app;

create table clinic_images (
  -- Random: logos and avatars are public to anybody who knows the id.
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  purpose text not null check (purpose in ('logo', 'avatar', 'signature', 'template')),
  specialist_id uuid,
  object_key text not null,
  name text not null,
  mime text not null check (mime in ('image/png', 'image/jpeg')),
  size bigint not null check (size > 0),
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  sha256 bytea not null,
  created_by_principal_id uuid default current_app_principal_id(),
  created_at timestamptz not null default now(),
  constraint clinic_images_specialist_check check ((purpose in ('avatar', 'signature')) = (specialist_id is not null)),
  constraint clinic_images_organization_id_key unique (organization_id, id),
  constraint clinic_images_object_key_key unique (object_key),
  constraint clinic_images_specialist_fkey foreign key (organization_id, specialist_id)
    references specialists (organization_id, id)
);
create unique index clinic_images_logo_key on clinic_images (organization_id) where purpose = 'logo';
create unique index clinic_images_specialist_key on clinic_images (organization_id, specialist_id, purpose)
  where specialist_id is not null;
create index clinic_images_created_idx on clinic_images (organization_id, created_at desc, id desc);
create trigger clinic_images_release_object after delete on clinic_images
  for each row execute function release_object('object_key');
create trigger clinic_images_set_urls after insert or delete on clinic_images
  for each row execute function clinic_images_set_urls();

-- The signature of a specialist is for those who print documents.
alter table clinic_images enable row level security;
alter table clinic_images force row level security;
create policy clinic_images_select on clinic_images for select using (
  organization_id = (select current_app_org_id())
  and ((select current_app_holds_any('{organizations.update_settings,documents.create}'))
    or (purpose <> 'signature' and (select current_app_holds_any('{pdf_templates.manage,specialists.view_org}')))));
create policy clinic_images_insert on clinic_images for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'update_settings')));
create policy clinic_images_delete on clinic_images for delete using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('organizations', 'update_settings')));
grant select, delete on clinic_images to tendon_app;
grant insert (organization_id, purpose, specialist_id, object_key, name, mime, size, width, height, sha256)
  on clinic_images to tendon_app;
