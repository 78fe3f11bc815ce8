-- Who signs in with the verified address of a booking without an account links or declines it, as the service of the clinic.
-- The service reaches such bookings of the caller only.
alter policy appointments_select on appointments using (
  organization_id = (select current_app_org_id())
    and ((select current_app_has_permission('appointments', 'view_org'))
      or (select current_app_is_service()) and patient_id is null and (booker ->> 'email')::citext = (
        select h.email from humans h where h.id = (select current_app_principal_id()) and h.email_verified))
  or patient_profile_id = any ((select current_app_profile_ids())::uuid[]));
alter policy appointments_update on appointments
  using (organization_id = (select current_app_org_id())
    and ((select current_app_has_permission('appointments', 'manage'))
      or (select current_app_is_service()) and (
        patient_profile_id = any ((select current_app_profile_ids())::uuid[])
        or patient_id is null and (booker ->> 'email')::citext = (
          select h.email from humans h where h.id = (select current_app_principal_id()) and h.email_verified))))
  with check (organization_id = (select current_app_org_id())
    and ((select current_app_has_permission('appointments', 'manage'))
      or (select current_app_is_service()) and (
        patient_profile_id = any ((select current_app_profile_ids())::uuid[])
        or patient_id is null and (booker ->> 'email')::citext = (
          select h.email from humans h where h.id = (select current_app_principal_id()) and h.email_verified))));
