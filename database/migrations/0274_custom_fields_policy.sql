-- Writing an appointment no longer locks custom fields as the service: only custom_fields.manage changes one.
alter policy custom_fields_update on custom_fields
  using (organization_id = (select current_app_org_id()) and system_key is null
    and (deleted_at is null or (select current_app_is_service()) and (select current_app_has_permission('data', 'view_deleted')))
    and (select current_app_has_permission('custom_fields', 'manage')));
