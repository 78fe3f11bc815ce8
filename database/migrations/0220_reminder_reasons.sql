-- A reminder is planned, queued with its mail, sent, or skipped with a reason. The worker writes it as the service of the clinic;
-- `sent` is written with the result of the mail (mark_mail).
alter table appointment_reminders add column reason text;
alter table appointment_reminders drop constraint appointment_reminders_status_check;
alter table appointment_reminders add constraint appointment_reminders_status_check
  check (status in ('planned', 'queued', 'sent', 'skipped')) not valid;

create policy appointment_reminders_insert on appointment_reminders for insert
  with check (organization_id = (select current_app_org_id()) and (select current_app_is_service()));
create policy appointment_reminders_update on appointment_reminders for update
  using (organization_id = (select current_app_org_id()) and (select current_app_is_service()))
  with check (organization_id = (select current_app_org_id()) and (select current_app_is_service()));
create policy appointment_reminders_delete on appointment_reminders for delete
  using (organization_id = (select current_app_org_id()) and (select current_app_is_service()));
grant insert (organization_id, appointment_id, patient_profile_id, offset_minutes, starts_at, send_at), update (status, reason), delete
  on appointment_reminders to tendon_worker;

-- Until now a reminder was marked as sent before its recipient was known. Only those whose mail was sent stay so.
set local role tendon_definer;
update appointment_reminders r set status = 'skipped', reason = 'unknown'
  where r.status = 'skipped' or (r.status = 'sent' and not exists (
    select 1 from mail_outbox m
    where m.organization_id = r.organization_id and m.appointment_reminder_id = r.id and m.status = 'sent'));
set local role tendon_owner;

alter table appointment_reminders add constraint appointment_reminders_reason_check
  check (reason in ('visit_cancelled', 'visit_moved', 'visit_not_confirmed', 'visit_started', 'patient_deleted', 'no_address',
    'suppressed', 'processing_restricted', 'mail_failed', 'unknown')) not valid;
alter table appointment_reminders add constraint appointment_reminders_skipped_check
  check ((status = 'skipped') = (reason is not null)) not valid;
