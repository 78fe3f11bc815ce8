-- Calendar feeds are typed code that works as the service. In a patient's request it reaches that patient's own feed only.
alter policy calendar_feeds_select on calendar_feeds using (
  organization_id = (select current_app_org_id())
  and ((select current_app_has_permission('appointments', 'view_org'))
    or (select current_app_is_service()) and patient_profile_id = any ((select current_app_profile_ids())::uuid[])));
create policy calendar_feeds_insert on calendar_feeds for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_is_service())
  and ((select current_app_has_permission('appointments', 'view_org'))
    or patient_profile_id = any ((select current_app_profile_ids())::uuid[])));
create policy calendar_feeds_update on calendar_feeds for update
  using (organization_id = (select current_app_org_id()) and (select current_app_is_service())
    and ((select current_app_has_permission('appointments', 'view_org'))
      or patient_profile_id = any ((select current_app_profile_ids())::uuid[])))
  with check (organization_id = (select current_app_org_id()) and (select current_app_is_service())
    and ((select current_app_has_permission('appointments', 'view_org'))
      or patient_profile_id = any ((select current_app_profile_ids())::uuid[])));
create policy calendar_feeds_delete on calendar_feeds for delete using (
  organization_id = (select current_app_org_id()) and (select current_app_is_service())
  and ((select current_app_has_permission('appointments', 'view_org'))
    or patient_profile_id = any ((select current_app_profile_ids())::uuid[])));
grant insert (organization_id, specialist_id, patient_profile_id, token_hash), update (token_hash, principal_id, created_at),
  delete on calendar_feeds to tendon_app;
