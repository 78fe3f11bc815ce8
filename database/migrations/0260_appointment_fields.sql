-- A request that writes an appointment first locks its custom fields, as the service, so that none is deleted meanwhile.
-- Changing a field still needs custom_fields.manage.
alter policy custom_fields_update on custom_fields
  using (organization_id = (select current_app_org_id()) and system_key is null and deleted_at is null
    and ((select current_app_has_permission('custom_fields', 'manage'))
      or entity_type = 'appointment' and (select current_app_is_service())
        and (select current_app_has_permission('appointments', 'manage'))));
