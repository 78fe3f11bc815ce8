-- Runs outside a transaction.
-- The patients of a specialist.
drop index concurrently if exists patients_lead_specialist_idx;
create index concurrently patients_lead_specialist_idx on patients (organization_id, lead_specialist_id)
  where lead_specialist_id is not null;
