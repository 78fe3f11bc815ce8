-- Runs outside a transaction.
drop index concurrently if exists renders_requested_idx;
create index concurrently renders_requested_idx on renders (organization_id, requested_at);
drop index concurrently if exists renders_abandoned_reference_idx;
create index concurrently renders_abandoned_reference_idx on renders (updated_at) where abandoned_reference is not null;
