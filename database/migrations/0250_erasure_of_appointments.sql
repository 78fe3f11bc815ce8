-- Erasure of appointments, their files, reviews and mails is typed code of the worker, as the service of the clinic.
-- Only the worker gets the grants; the service reaches rows of the clinic in context only.

create policy appointments_delete on appointments for delete
  using (organization_id = (select current_app_org_id()) and (select current_app_is_service())
    and (select current_app_has_permission('appointments', 'manage')));
grant update (rescheduled_from_id), delete on appointments to tendon_worker;

create policy appointment_reviews_update on appointment_reviews for update
  using (organization_id = (select current_app_org_id()) and (select current_app_is_service())
    and (select current_app_has_permission('appointments', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_is_service())
    and (select current_app_has_permission('appointments', 'manage')));
grant update (comment) on appointment_reviews to tendon_worker;

grant update (uploaded_by_principal_id) on appointment_files to tendon_worker;

create policy booking_links_delete on booking_links for delete
  using (organization_id = (select current_app_org_id()) and (select current_app_is_service()) and exists (
    select 1 from appointments a where a.organization_id = booking_links.organization_id and a.id = booking_links.appointment_id));
grant delete on booking_links to tendon_worker;

create policy mail_outbox_update on mail_outbox for update
  using (organization_id = (select current_app_org_id()) and (select current_app_is_service())
    and (select current_app_has_permission('mails', 'manage')))
  with check (organization_id = (select current_app_org_id()) and (select current_app_is_service())
    and (select current_app_has_permission('mails', 'manage')));
create policy mail_outbox_delete on mail_outbox for delete
  using (organization_id = (select current_app_org_id()) and (select current_app_is_service())
    and (select current_app_has_permission('mails', 'manage')));
grant update (patient_profile_id), delete on mail_outbox to tendon_worker;
