-- The worker ends runs that were left, or whose consent was withdrawn. In a patient's request the service has no permission,
-- and writes that patient's runs only.
alter policy session_runs_update on session_runs
  using (organization_id = (select current_app_org_id())
    and ((select current_app_is_service()) and (select current_app_has_permission('session_runs', 'view_org'))
      or patient_profile_id = any ((select current_app_profile_ids())::uuid[])))
  with check (organization_id = (select current_app_org_id())
    and ((select current_app_is_service()) and (select current_app_has_permission('session_runs', 'view_org'))
      or patient_profile_id = any ((select current_app_profile_ids())::uuid[])));
alter policy session_run_events_insert on session_run_events
  with check (organization_id = (select current_app_org_id())
    and ((select current_app_is_service()) and (select current_app_has_permission('session_runs', 'view_org'))
      or patient_profile_id = any ((select current_app_profile_ids())::uuid[])));
