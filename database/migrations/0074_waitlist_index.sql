-- Runs outside a transaction.
drop index concurrently if exists appointments_waitlist_idx;
create index concurrently appointments_waitlist_idx on appointments (organization_id, created_at) where status = 'waitlist';
