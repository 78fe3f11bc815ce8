-- Runs outside a transaction.
-- The telemetry service asks every few seconds which consents were withdrawn.
drop index concurrently if exists consents_withdrawn_idx;
create index concurrently consents_withdrawn_idx on consents (withdrawn_at)
  where withdrawn_at is not null and purpose_code in ('telerehab', 'biometric_capture');
