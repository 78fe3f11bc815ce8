-- The specialist who leads the care of a patient. Empty until the first plan or the first visit.
alter table patients add column lead_specialist_id uuid,
  add constraint patients_lead_specialist_fkey foreign key (organization_id, lead_specialist_id)
    references specialists (organization_id, id) not valid;
grant insert (lead_specialist_id), update (lead_specialist_id) on patients to tendon_app;
