-- What patients see of the audit log: who opened or changed their record. Staff read the log by its policy; a patient has
-- these two functions, which show what is about the caller's own profiles, at whatever clinic.

-- A profile belongs to one organization, so this serves the clinic's question about a patient as well.
create index audit_log_profile_idx on audit_log (patient_profile_id, occurred_at desc) where patient_profile_id is not null;
drop index audit_log_patient_idx;

-- p_organization_id: of one clinic only. Every read under break-glass is traced by itself; the line that a feature writes
-- about the same read would tell it twice.
create function my_access_log(p_organization_id uuid) returns table (id uuid, organization_id uuid, occurred_at timestamptz)
language sql stable security definer set search_path = public as $$
  select a.id, a.organization_id, a.occurred_at from audit_log a
  where a.patient_profile_id = any (current_app_profile_ids()) and a.outcome = 'success'
    and (p_organization_id is null or a.organization_id = p_organization_id)
    and not (a.actor_type = 'superadmin' and a.crud = 'R' and a.action <> 'break_glass.read' and exists (
      select 1 from audit_log t
      where t.patient_profile_id = a.patient_profile_id and t.action = 'break_glass.read'
        and t.actor_principal_id = a.actor_principal_id and t.request_id = a.request_id))
$$;
alter function my_access_log(uuid) owner to tendon_definer;
grant execute on function my_access_log(uuid) to tendon_app;

-- The entries of one page, with what opens their personal text.
create function my_access_log_entries(p_ids uuid[]) returns table (
  id uuid, organization_id uuid, organization_name text, occurred_at timestamptz, actor_principal_id uuid, actor_type text,
  on_behalf_of uuid, action text, crud text, key_id uuid, personal bytea, wrapped_key bytea
) language sql stable security definer set search_path = public as $$
  select a.id, a.organization_id, o.name, a.occurred_at, a.actor_principal_id, a.actor_type, a.on_behalf_of, a.action, a.crud,
    a.key_id, a.personal, k.wrapped_key
  from audit_log a join audit_keys k on k.id = a.key_id left join organizations o on o.id = a.organization_id
  where a.id = any (p_ids) and a.patient_profile_id = any (current_app_profile_ids())
$$;
alter function my_access_log_entries(uuid[]) owner to tendon_definer;
grant execute on function my_access_log_entries(uuid[]) to tendon_app;
