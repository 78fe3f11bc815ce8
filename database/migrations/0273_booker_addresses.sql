-- The address of the caller comes from a function: planned with the policies of humans, profiles and memberships inside them,
-- the policies of appointments took longer than the statements.
alter policy appointments_select on appointments
  using (organization_id = (select current_app_org_id())
    and ((select current_app_has_permission('appointments', 'view_org'))
      or (select current_app_is_service()) and patient_id is null
        and (booker ->> 'email')::citext = (select current_app_email()))
    or patient_profile_id = any ((select current_app_profile_ids())::uuid[]));
alter policy appointments_update on appointments
  using (organization_id = (select current_app_org_id())
    and ((select current_app_has_permission('appointments', 'manage'))
      or (select current_app_is_service()) and (patient_profile_id = any ((select current_app_profile_ids())::uuid[])
        or patient_id is null and (booker ->> 'email')::citext = (select current_app_email()))))
  with check (organization_id = (select current_app_org_id())
    and ((select current_app_has_permission('appointments', 'manage'))
      or (select current_app_is_service()) and (patient_profile_id = any ((select current_app_profile_ids())::uuid[])
        or patient_id is null and (booker ->> 'email')::citext = (select current_app_email()))));
