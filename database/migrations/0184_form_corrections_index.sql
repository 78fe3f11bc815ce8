-- Runs outside a transaction.
-- Finds the correction of a form.
drop index concurrently if exists forms_amends_idx;
create index concurrently forms_amends_idx on forms (organization_id, amends_form_id, signed_at desc) where amends_form_id is not null;
