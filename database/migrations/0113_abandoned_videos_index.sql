-- Runs outside a transaction.
drop index concurrently if exists renders_abandoned_references_idx;
create index concurrently renders_abandoned_references_idx on renders (updated_at) where abandoned_references <> '{}';
