-- Whoever is deleted by the clinic is asked for nothing any more: what they agreed to there ends with the record.
create or replace function delete_patient(p_id uuid) returns timestamptz language sql security definer set search_path = public as $$
  with deleted as (
    update patients set deleted_at = now()
    where organization_id = current_app_org_id() and id = p_id and deleted_at is null and restricted_at is null
      and current_app_has_permission('patients', 'delete')
    returning organization_id, patient_profile_id, deleted_at),
  ended as (
    update consents c set withdrawn_at = clock_timestamp(), ended_as = 'left', withdrawn_by_principal_id = current_app_principal_id(),
      withdrawal_reason = 'The clinic deleted the record'
    from deleted d
    where c.organization_id = d.organization_id and c.patient_profile_id = d.patient_profile_id and c.withdrawn_at is null)
  select deleted_at from deleted
$$;
