-- Views that a member saved for a list of the console: name, filter and order. One row per member and list; no search text,
-- which is often a patient's name.
create table saved_views (
  organization_id uuid not null default current_app_scope() references organizations (id),
  principal_id uuid not null default current_app_principal_id(),
  list text not null constraint saved_views_list_check check (list in ('patients')),
  views jsonb not null constraint saved_views_views_check check (jsonb_typeof(views) = 'array'),
  version integer not null default 2,      -- 1: nothing was saved yet
  updated_at timestamptz not null default now(),
  constraint saved_views_pkey primary key (organization_id, principal_id, list),
  -- Leaving the clinic deletes them.
  constraint saved_views_membership_fkey foreign key (organization_id, principal_id)
    references organization_memberships (organization_id, principal_id) on delete cascade
);
create trigger saved_views_bump_version before update on saved_views
  for each row execute function bump_version();
create trigger saved_views_updated_at before update on saved_views
  for each row execute function set_updated_at();

alter table saved_views enable row level security;
alter table saved_views force row level security;
create policy saved_views_select on saved_views for select using (
  organization_id = (select current_app_org_id()) and principal_id = (select current_app_principal_id()));
create policy saved_views_insert on saved_views for insert with check (
  organization_id = (select current_app_org_id()) and principal_id = (select current_app_principal_id()));
create policy saved_views_update on saved_views for update using (
  organization_id = (select current_app_org_id()) and principal_id = (select current_app_principal_id()))
  with check (
  organization_id = (select current_app_org_id()) and principal_id = (select current_app_principal_id()));
grant select, insert (organization_id, principal_id, list, views), update (views, updated_at) on saved_views to tendon_app;
