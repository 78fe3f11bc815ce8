-- Runs outside a transaction.
-- Onboarding looks for a living record with the same e-mail address.
drop index concurrently if exists patients_email_idx;
create index concurrently patients_email_idx on patients (organization_id, email) where deleted_at is null and email is not null;
