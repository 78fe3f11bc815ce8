-- Runs outside a transaction.
-- What needs attention is read again and again: these hold only the rows that do.
drop index concurrently if exists appointments_open_idx;
create index concurrently appointments_open_idx on appointments (organization_id, ends_at) where status in ('pending', 'confirmed', 'checked_in');
drop index concurrently if exists appointments_pending_idx;
create index concurrently appointments_pending_idx on appointments (organization_id, starts_at) where status = 'pending';
drop index concurrently if exists appointments_unlinked_idx;
create index concurrently appointments_unlinked_idx on appointments (organization_id, starts_at) where patient_id is null and booker is not null;
drop index concurrently if exists treatment_plans_active_idx;
create index concurrently treatment_plans_active_idx on treatment_plans (organization_id, ends_on) where status = 'active';
drop index concurrently if exists forms_to_sign_idx;
create index concurrently forms_to_sign_idx on forms (organization_id, completed_at) where status = 'completed' and signed_by = 'staff';
drop index concurrently if exists pain_reports_strong_idx;
create index concurrently pain_reports_strong_idx on pain_reports (organization_id, created_at) where severity >= 4 or cardinality(warning_signs) > 0;
drop index concurrently if exists session_feedback_strong_idx;
create index concurrently session_feedback_strong_idx on session_feedback (organization_id, created_at) where pain >= 4;
drop index concurrently if exists media_session_metrics_incomplete_idx;
create index concurrently media_session_metrics_incomplete_idx on media_session_metrics (organization_id, created_at) where not is_complete;
drop index concurrently if exists mail_outbox_failed_idx;
create index concurrently mail_outbox_failed_idx on mail_outbox (organization_id, next_attempt_at) where status = 'failed';
