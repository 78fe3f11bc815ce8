-- Runs outside a transaction.
-- Open forms of patients are counted beside every visit of the calendar: they are few, completed ones are many.
drop index concurrently if exists forms_open_idx;
create index concurrently forms_open_idx on forms (organization_id, patient_profile_id)
  where status in ('pending', 'in_progress');
