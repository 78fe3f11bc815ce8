-- Servers keep what find_caller returned for at most a second. Each column that it reads ends that when it changes
-- (database/functions/rights_changes.sql). What cannot change the rights of a known caller notifies nobody: a new person,
-- identity, organization, role or session, and a profile without owner. Addresses are compared as text: citext ignores case.
create trigger identities_notify_rights_delete after delete on identities
  for each row execute function notify_rights_change('human_id');
create trigger identities_notify_rights_update after update on identities for each row
  when (old.issuer is distinct from new.issuer or old.subject is distinct from new.subject
    or old.human_id is distinct from new.human_id)
  execute function notify_rights_change('human_id');

create trigger humans_notify_rights_delete after delete on humans
  for each row execute function notify_rights_change('id');
create trigger humans_notify_rights_update after update on humans for each row
  when (old.id is distinct from new.id or old.kind is distinct from new.kind or old.name is distinct from new.name
    or old.email::text is distinct from new.email::text or old.email_verified is distinct from new.email_verified
    or old.preferred_language is distinct from new.preferred_language
    or old.current_organization_id is distinct from new.current_organization_id)
  execute function notify_rights_change('id');

create trigger platform_memberships_notify_rights after insert or delete or update on platform_memberships
  for each row execute function notify_rights_change('principal_id');

create trigger organization_memberships_notify_rights after insert or delete on organization_memberships
  for each row execute function notify_rights_change('principal_id');
create trigger organization_memberships_notify_rights_update after update on organization_memberships for each row
  when (old.organization_id is distinct from new.organization_id or old.principal_id is distinct from new.principal_id
    or old.role_id is distinct from new.role_id or old.joined_at is distinct from new.joined_at
    or old.created_at is distinct from new.created_at)
  execute function notify_rights_change('principal_id');

create trigger patient_profiles_notify_rights_insert after insert on patient_profiles for each row
  when (new.human_id is not null) execute function notify_rights_change('human_id');
create trigger patient_profiles_notify_rights_delete after delete on patient_profiles for each row
  when (old.human_id is not null) execute function notify_rights_change('human_id');
create trigger patient_profiles_notify_rights_update after update on patient_profiles for each row
  when (old.id is distinct from new.id or old.human_id is distinct from new.human_id
    or old.created_at is distinct from new.created_at)
  execute function notify_rights_change('human_id');

create trigger patients_notify_rights after insert or delete on patients
  for each row execute function patients_notify_rights_change();
create trigger patients_notify_rights_update after update on patients for each row
  when (old.id is distinct from new.id or old.organization_id is distinct from new.organization_id
    or old.patient_profile_id is distinct from new.patient_profile_id or old.deleted_at is distinct from new.deleted_at)
  execute function patients_notify_rights_change();

create trigger organizations_notify_rights_delete after delete on organizations
  for each row execute function notify_rights_change('id');
create trigger organizations_notify_rights_update after update on organizations for each row
  when (old.id is distinct from new.id or old.language_code is distinct from new.language_code)
  execute function notify_rights_change('id');

create trigger roles_notify_rights_delete after delete on roles
  for each row execute function notify_rights_change('id');
create trigger roles_notify_rights_update after update on roles for each row
  when (old.id is distinct from new.id or old.name is distinct from new.name)
  execute function notify_rights_change('id');

create trigger role_permissions_notify_rights after insert or delete on role_permissions
  for each row execute function notify_rights_change('role_id');
create trigger role_permissions_notify_rights_update after update on role_permissions for each row
  when (old.role_id is distinct from new.role_id or old.permission_code is distinct from new.permission_code)
  execute function notify_rights_change('role_id');

-- Not when a session is touched, nor when one that has ended is deleted.
create trigger web_sessions_notify_rights_delete after delete on web_sessions for each row
  when (least(old.expires_at, old.seen_at + old.idle_limit) > now()) execute function notify_rights_change('id');
create trigger web_sessions_notify_rights_update after update on web_sessions for each row
  when (new.seen_at < old.seen_at or old.id is distinct from new.id or old.id_hash is distinct from new.id_hash
    or old.app is distinct from new.app or old.issuer is distinct from new.issuer or old.subject is distinct from new.subject
    or old.idle_limit is distinct from new.idle_limit or old.expires_at is distinct from new.expires_at)
  execute function notify_rights_change('id');
