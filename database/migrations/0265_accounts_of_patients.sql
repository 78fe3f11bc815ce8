-- Mails about visits go to the verified address of the patient's account: the service of the clinic reads the accounts of the
-- clinic's patients. What it sees of them, patient_profiles decides.
alter policy humans_select on humans using (
  id = (select current_app_principal_id())
    or exists (select 1 from organization_memberships m
      where m.organization_id = (select current_app_org_id()) and m.principal_id = humans.id and m.joined_at is not null)
    or (select current_app_is_service()) and exists (select 1 from patient_profiles f
      where f.organization_id = (select current_app_org_id()) and f.human_id = humans.id));
