-- Erasure is typed code of the worker, as the service of the clinic: it also reaches rows that nobody else may change.
-- Only the worker gets the grants; the service reaches rows of the clinic in context only.

alter policy patients_update on patients
  using (organization_id = (select current_app_org_id())
    and (deleted_at is null or (select current_app_is_service()))
    and ((select current_app_has_permission('patients', 'update'))
      or (select current_app_is_service()) and patient_profile_id = any ((select current_app_profile_ids())::uuid[])));
grant update (merged_into_id, erased_at) on patients to tendon_worker;
grant update (human_id, claimed_at) on patient_profiles to tendon_worker;
grant update (data, patient_profile_id) on automation_executions to tendon_worker;
grant update (reason) on privacy_requests to tendon_worker;

create policy pain_reports_update on pain_reports for update
  using (organization_id = (select current_app_org_id()) and (select current_app_is_service()))
  with check (organization_id = (select current_app_org_id()) and (select current_app_is_service()));
grant update (note) on pain_reports to tendon_worker;

alter policy session_feedback_update on session_feedback
  using (organization_id = (select current_app_org_id()) and (
      (select current_app_is_service()) and (select current_app_has_permission('gdpr', 'erase_data'))
    or patient_profile_id = any ((select current_app_profile_ids())::uuid[])))
  with check (organization_id = (select current_app_org_id()) and (
      (select current_app_is_service()) and (select current_app_has_permission('gdpr', 'erase_data'))
    or patient_profile_id = any ((select current_app_profile_ids())::uuid[])));

create policy webhook_events_update on webhook_events for update
  using (organization_id = (select current_app_org_id()) and (select current_app_is_service()))
  with check (organization_id = (select current_app_org_id()) and (select current_app_is_service()));
grant update (body) on webhook_events to tendon_worker;

create policy break_glass_grants_update on break_glass_grants for update
  using (organization_id = (select current_app_org_id()) and (select current_app_is_service()))
  with check (organization_id = (select current_app_org_id()) and (select current_app_is_service()));
grant update (reason) on break_glass_grants to tendon_worker;

create policy impersonations_select on impersonations for select
  using (organization_id = (select current_app_org_id()) and (select current_app_is_service()));
create policy impersonations_delete on impersonations for delete
  using (organization_id = (select current_app_org_id()) and (select current_app_is_service()));
grant select (organization_id, patient_id), delete on impersonations to tendon_worker;

create policy appointment_documents_delete on appointment_documents for delete
  using (organization_id = (select current_app_org_id()) and (select current_app_is_service()));
grant delete on appointment_documents to tendon_worker;

-- The telemetry service deletes what it wrote itself.
create policy run_manifests_delete on run_manifests for delete
  using (organization_id = (select current_app_org_id()) and (select current_app_is_service()));
alter policy run_finalisations_delete on run_finalisations
  using (organization_id = (select current_app_org_id())
    and ((select current_app_is_service()) or current_user = 'tendon_telemetry'));
alter policy media_session_metrics_delete on media_session_metrics
  using (organization_id = (select current_app_org_id())
    and ((select current_app_is_service()) or current_user = 'tendon_telemetry'));
alter policy media_item_metrics_delete on media_item_metrics
  using (organization_id = (select current_app_org_id())
    and ((select current_app_is_service()) or current_user = 'tendon_telemetry'));
alter policy media_buffering_events_delete on media_buffering_events
  using (organization_id = (select current_app_org_id())
    and ((select current_app_is_service()) or current_user = 'tendon_telemetry'));
alter policy library_views_delete on library_views
  using (organization_id = (select current_app_org_id())
    and ((select current_app_is_service()) or current_user = 'tendon_telemetry'));
alter policy pose_session_metrics_delete on pose_session_metrics
  using (organization_id = (select current_app_org_id())
    and ((select current_app_is_service()) or current_user = 'tendon_telemetry'));
alter policy pose_repetitions_delete on pose_repetitions
  using (organization_id = (select current_app_org_id())
    and ((select current_app_is_service()) or current_user = 'tendon_telemetry'));
alter policy replay_blobs_delete on replay_blobs
  using (organization_id = (select current_app_org_id())
    and ((select current_app_is_service()) or current_user = 'tendon_telemetry'));
grant delete on run_manifests, run_finalisations, media_session_metrics, media_item_metrics, media_buffering_events,
  library_views, pose_session_metrics, pose_repetitions, replay_blobs to tendon_worker;
