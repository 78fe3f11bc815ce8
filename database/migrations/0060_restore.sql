-- A soft delete by staff can be undone for 30 days (functions/restore.sql).

-- Set by delete_patient alone: a record that the patient left, or that an erasure hid, has none and is never restored.
alter table patients add column deleted_by_principal_id uuid;

-- A restored field counts against the limit like a new one.
create trigger custom_fields_check_limit_on_restore before update of deleted_at on custom_fields for each row
  when (old.deleted_at is not null and new.deleted_at is null) execute function custom_fields_check_limit();
