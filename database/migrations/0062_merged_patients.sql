-- Two records of one person at one clinic are linked: the second names the first. No row moves (functions/merge.sql).
alter table patients add column merged_into_id uuid;
alter table patients add constraint patients_merged_into_fkey foreign key (organization_id, merged_into_id)
  references patients (organization_id, id) not valid;
alter table patients add constraint patients_merged_into_check check (merged_into_id <> id) not valid;

create trigger patients_unlink_erased after update of erased_at on patients for each row
  when (old.erased_at is null and new.erased_at is not null) execute function patients_unlink_erased();

create trigger patient_profiles_unlink_claimed after update of human_id on patient_profiles for each row
  when (new.human_id is not null and old.human_id is distinct from new.human_id) execute function patient_profiles_unlink_claimed();
