-- Booking is typed code that works as the service of the clinic. In a patient's request it writes that patient's rows only.
alter policy appointments_insert on appointments with check (
  organization_id = (select current_app_org_id())
  and ((select current_app_has_permission('appointments', 'manage'))
    or (select current_app_is_service()) and patient_profile_id = any ((select current_app_profile_ids())::uuid[])));
alter policy appointments_update on appointments
  using (organization_id = (select current_app_org_id())
    and ((select current_app_has_permission('appointments', 'manage'))
      or (select current_app_is_service()) and patient_profile_id = any ((select current_app_profile_ids())::uuid[])))
  with check (organization_id = (select current_app_org_id())
    and ((select current_app_has_permission('appointments', 'manage'))
      or (select current_app_is_service()) and patient_profile_id = any ((select current_app_profile_ids())::uuid[])));

-- The id of a hold is a capability: nobody but the service reads holds.
alter policy holds_select on holds using (
  organization_id = (select current_app_org_id()) and (select current_app_is_service()));
create policy holds_update on holds for update
  using (organization_id = (select current_app_org_id()) and (select current_app_is_service()))
  with check (organization_id = (select current_app_org_id()) and (select current_app_is_service()));
grant select (id, organization_id, service_id, specialist_id, location_id, calendar_id, mode, starts_at, ends_at, status,
  expires_at, client_index, created_at), update (status) on holds to tendon_app;

-- A link follows its appointment: who may not see the appointment may not see, make or move the link.
alter policy booking_links_select on booking_links using (
  organization_id = (select current_app_org_id()) and (select current_app_is_service())
  and exists (select 1 from appointments a
    where a.organization_id = booking_links.organization_id and a.id = booking_links.appointment_id));
create policy booking_links_insert on booking_links for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_is_service())
  and exists (select 1 from appointments a
    where a.organization_id = booking_links.organization_id and a.id = booking_links.appointment_id));
create policy booking_links_update on booking_links for update
  using (organization_id = (select current_app_org_id()) and (select current_app_is_service())
    and exists (select 1 from appointments a
      where a.organization_id = booking_links.organization_id and a.id = booking_links.appointment_id))
  with check (organization_id = (select current_app_org_id()) and (select current_app_is_service())
    and exists (select 1 from appointments a
      where a.organization_id = booking_links.organization_id and a.id = booking_links.appointment_id));
grant select (token_hash, organization_id, appointment_id), insert (token_hash, organization_id, appointment_id),
  update (appointment_id) on booking_links to tendon_app;

-- Files and forms follow a visit that is moved.
create policy appointment_files_update on appointment_files for update
  using (organization_id = (select current_app_org_id()) and (select current_app_is_service())
    and ((select current_app_has_permission('appointments', 'manage'))
      or patient_profile_id = any ((select current_app_profile_ids())::uuid[])))
  with check (organization_id = (select current_app_org_id()) and (select current_app_is_service())
    and exists (select 1 from appointments a
      where a.organization_id = appointment_files.organization_id and a.id = appointment_files.appointment_id
        and a.patient_profile_id is not distinct from appointment_files.patient_profile_id));
grant update (appointment_id) on appointment_files to tendon_app;
grant update (appointment_id) on forms to tendon_app;
