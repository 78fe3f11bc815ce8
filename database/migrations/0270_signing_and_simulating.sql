-- Signing a form, and reading past events for a simulation, are typed code as the service of the clinic.

-- Only the service signs, in the name of the caller.
alter policy forms_update on forms
  with check (organization_id = (select current_app_org_id())
    and (status <> 'signed' and signed_at is null and signed_by_principal_id is null and seal is null
      or status = 'signed' and (select current_app_is_service()) and signed_by_principal_id = (select current_app_principal_id())
        and case signed_by when 'patient' then patient_profile_id = any ((select current_app_profile_ids())::uuid[])
          else (select current_app_has_permission('forms', 'sign')) end));
grant update (signed_at, signed_by_principal_id, seal) on forms to tendon_app;

create policy outbox_events_select on outbox_events for select
  using (organization_id = (select current_app_org_id()) and (select current_app_is_service())
    and (select current_app_has_permission('automations', 'manage')));
grant select (id, organization_id, type, payload, occurred_at, automation_rule_ids) on outbox_events to tendon_app;
