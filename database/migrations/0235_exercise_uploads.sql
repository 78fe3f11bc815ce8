-- Deleting an exercise is typed code: the service also deletes the unfinished uploads of others to it.
alter policy exercise_video_uploads_select on exercise_video_uploads
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('exercises', 'manage_org'))
    and (principal_id = (select current_app_principal_id()) or (select current_app_is_service())));
alter policy exercise_video_uploads_delete on exercise_video_uploads
  using (organization_id = (select current_app_org_id()) and (select current_app_has_permission('exercises', 'manage_org'))
    and (principal_id = (select current_app_principal_id()) or (select current_app_is_service())));
