-- Soft deletes are typed code: the clinic's service updates deleted_at, seeing the deleted row by data.view_deleted.
grant update (deleted_at) on locations, services, products, service_plans, programs, exercises to tendon_app;
grant update (deleted_at, deleted_by_principal_id) on patients to tendon_app;

-- Deleting a record needs its own permission, besides the one to update it. In a patient's request the service locks and
-- changes that patient's record only.
alter policy patients_update on patients
  using (organization_id = (select current_app_org_id()) and deleted_at is null
    and ((select current_app_has_permission('patients', 'update'))
      or (select current_app_is_service()) and patient_profile_id = any ((select current_app_profile_ids())::uuid[])))
  with check (organization_id = (select current_app_org_id())
    and ((select current_app_has_permission('patients', 'update'))
        and (deleted_at is null or (select current_app_has_permission('patients', 'delete')))
      or (select current_app_is_service()) and patient_profile_id = any ((select current_app_profile_ids())::uuid[])));

-- Consents end with the record: 'left' is written by the service only.
alter policy consents_update on consents
  using (withdrawn_at is null and (organization_id = (select current_app_org_id())
      and (select current_app_has_permission('consents', 'manage'))
    or patient_profile_id = any ((select current_app_profile_ids())::uuid[])))
  with check (organization_id = (select current_app_org_id()) and (select current_app_has_permission('consents', 'manage'))
      and (ended_as in ('withdrawn', 'superseded') or ended_as = 'left' and (select current_app_is_service()))
    or patient_profile_id = any ((select current_app_profile_ids())::uuid[]) and ended_as in ('withdrawn', 'superseded'));
