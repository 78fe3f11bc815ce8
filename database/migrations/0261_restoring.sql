-- Undoing a soft delete is typed code: only the service of the clinic, seeing deleted rows, changes one.
alter policy locations_update on locations
  using (organization_id = (select current_app_org_id())
    and (deleted_at is null or (select current_app_is_service()) and (select current_app_has_permission('data', 'view_deleted')))
    and (select current_app_has_permission('locations', 'manage')));
alter policy specialists_update on specialists
  using (organization_id = (select current_app_org_id())
    and (deleted_at is null or (select current_app_is_service()) and (select current_app_has_permission('data', 'view_deleted')))
    and (select current_app_has_permission('specialists', 'manage')));
alter policy custom_fields_update on custom_fields
  using (organization_id = (select current_app_org_id()) and system_key is null
    and (deleted_at is null or (select current_app_is_service()) and (select current_app_has_permission('data', 'view_deleted')))
    and ((select current_app_has_permission('custom_fields', 'manage'))
      or entity_type = 'appointment' and (select current_app_is_service())
        and (select current_app_has_permission('appointments', 'manage'))));
alter policy exercises_update on exercises
  using (organization_id = (select current_app_org_id())
    and (deleted_at is null or (select current_app_is_service()) and (select current_app_has_permission('data', 'view_deleted')))
    and (select current_app_has_permission('exercises', 'manage_org')));
alter policy programs_update on programs
  using (organization_id = (select current_app_org_id())
    and (deleted_at is null or (select current_app_is_service()) and (select current_app_has_permission('data', 'view_deleted')))
    and (select current_app_has_permission('treatment_plans', 'manage')));
alter policy services_update on services
  using (organization_id = (select current_app_org_id())
    and (deleted_at is null or (select current_app_is_service()) and (select current_app_has_permission('data', 'view_deleted')))
    and (select current_app_has_permission('services', 'manage')));
alter policy service_plans_update on service_plans
  using (organization_id = (select current_app_org_id())
    and (deleted_at is null or (select current_app_is_service()) and (select current_app_has_permission('data', 'view_deleted')))
    and (select current_app_has_permission('services', 'manage')));
alter policy products_update on products
  using (organization_id = (select current_app_org_id())
    and (deleted_at is null or (select current_app_is_service()) and (select current_app_has_permission('data', 'view_deleted')))
    and (select current_app_has_permission('services', 'manage')));
