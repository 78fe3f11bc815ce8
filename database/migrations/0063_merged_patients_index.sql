-- Runs outside a transaction.
-- The records that are linked to a record.
drop index concurrently if exists patients_merged_into_idx;
create index concurrently patients_merged_into_idx on patients (organization_id, merged_into_id) where merged_into_id is not null;
