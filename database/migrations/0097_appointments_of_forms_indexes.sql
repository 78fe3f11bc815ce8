-- Runs outside a transaction.
-- The forms of an appointment, and the mails to a recipient, of which there may be few a day.
drop index concurrently if exists forms_appointment_idx;
create index concurrently forms_appointment_idx on forms (organization_id, appointment_id) where appointment_id is not null;
drop index concurrently if exists mail_outbox_recipient_idx;
create index concurrently mail_outbox_recipient_idx on mail_outbox (lower(to_address), created_at);
