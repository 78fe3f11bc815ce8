-- Runs outside a transaction.
-- The clinic comes first: a name that is frequent elsewhere costs a search nothing.
drop index concurrently if exists patients_search_clinic_idx;
create index concurrently patients_search_clinic_idx on patients using gin (organization_id, search_text gin_trgm_ops);
drop index concurrently if exists patients_search_idx;
