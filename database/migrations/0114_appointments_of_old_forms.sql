-- The validation of forms_appointment_fkey saw no rows, because its owner is bound by row-level security. Takes appointments that
-- no longer exist out of forms. Signed forms keep theirs: they never change. Reads only forms with an appointment (forms_appointment_idx).
-- As the role that is exempt from policies, so that the tables are not locked meanwhile.
set local role tendon_definer;
update forms f set appointment_id = null where f.appointment_id is not null and f.signed_at is null and not exists (
  select 1 from appointments a where a.organization_id = f.organization_id and a.id = f.appointment_id);
set local role tendon_owner;
