-- The specialist who leads the care of a patient. Empty until the first plan or the first visit.
alter table patients add column lead_specialist_id uuid,
  add constraint patients_lead_specialist_fkey foreign key (organization_id, lead_specialist_id)
    references specialists (organization_id, id) not valid;
grant insert (lead_specialist_id), update (lead_specialist_id) on patients to tendon_app;

-- Who leads the care of a patient does not change while processing is restricted.
drop trigger patients_refuse_restricted on patients;
create trigger patients_refuse_restricted
  before update of first_name, last_name, email, phone, birth_date, sex, language_code, address, notes, lead_specialist_id on patients
  for each row when (old.restricted_at is not null and new.erased_at is null) execute function refuse_restricted();
