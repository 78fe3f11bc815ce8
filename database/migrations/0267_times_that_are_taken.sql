-- The service of a clinic reads what makes a time not free; the worker alone writes the busy times of connected calendars.
alter policy busy_times_select on busy_times using (
  organization_id = (select current_app_org_id()) and (select current_app_is_service())
    and (select current_app_has_permission('calendars', 'view_org')));
alter policy busy_times_insert on busy_times with check (
  organization_id = (select current_app_org_id()) and (select current_app_is_service())
    and (select current_app_has_permission('calendars', 'manage')));
alter policy busy_times_delete on busy_times using (
  organization_id = (select current_app_org_id()) and (select current_app_is_service())
    and (select current_app_has_permission('calendars', 'manage')));
grant select on busy_times to tendon_app;
grant insert (organization_id, specialist_id, integration_id, starts_at, ends_at), delete on busy_times to tendon_worker;

alter policy time_claims_select on time_claims using (
  organization_id = (select current_app_org_id()) and (select current_app_is_service())
    and (select current_app_has_permission('appointments', 'view_org')));
grant select (organization_id, specialist_id, starts_at, ends_at, kind, expires_at) on time_claims to tendon_app;
