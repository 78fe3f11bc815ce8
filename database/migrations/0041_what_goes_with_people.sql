-- What goes with people: their account, the invitation that nobody took up, the right to look through a patient's eyes.

-- For whatever a human writes about themself: takes turns with their own erasure. False when that was first: there is no such
-- account any more. The lock is that of provision_human and erase_account, and the first that a request takes.
create function lock_my_account() returns boolean language plpgsql security definer set search_path = public as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('identity:' || issuer || ' ' || subject, 0)) from (
    select issuer, subject from identities where human_id = current_app_principal_id() order by issuer, subject) i;
  return exists (select 1 from identities where human_id = current_app_principal_id());
end
$$;
alter function lock_my_account() owner to tendon_definer;
grant execute on function lock_my_account() to tendon_app;

-- As in 0016, and gone with either of the two rights that asking for it takes.
create or replace function find_impersonated_caller(p_hash bytea) returns caller
language plpgsql stable security definer set search_path = public as $$
declare
  v caller;
begin
  select f.id, 'human', p.first_name || ' ' || p.last_name, p.email::text, false, h.preferred_language, false,
      o.id, o.language_code, '', array[f.id], p.id, f.id, i.principal_id, s.name, r.name
    into v.principal_id, v.kind, v.name, v.email, v.email_verified, v.preferred_language, v.is_superadmin,
      v.organization_id, v.organization_language, v.permissions, v.profile_ids, v.patient_id, v.patient_profile_id,
      v.impersonator_id, v.impersonator_name, v.role_name
    from impersonations i
    join patients p on p.organization_id = i.organization_id and p.id = i.patient_id and p.deleted_at is null
    join patient_profiles f on f.id = p.patient_profile_id
    join organizations o on o.id = i.organization_id
    join organization_memberships m on m.organization_id = i.organization_id and m.principal_id = i.principal_id
    join roles r on r.id = m.role_id
    left join humans h on h.id = f.human_id
    left join humans s on s.id = i.principal_id
    where i.hash = p_hash and i.expires_at > now()
      and exists (select 1 from role_permissions g where g.role_id = r.id and g.permission_code = 'patients.impersonate')
      and exists (select 1 from role_permissions g where g.role_id = r.id and g.permission_code = 'patients.view_org');
  return v;
end
$$;

-- Before an invitation is removed: nobody signs in or is invited with its address half-way (provision_human, human_for_email).
create function lock_invitation(p_principal_id uuid) returns void
language plpgsql security definer set search_path = public as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('email:' || lower(email::text), 0)) from humans
    where id = p_principal_id and linked_at is null and email is not null;
end
$$;
alter function lock_invitation(uuid) owner to tendon_definer;
grant execute on function lock_invitation(uuid) to tendon_app;

-- After it, at the clinic in context: its mail is not sent any more, and whoever never signed in is forgotten, unless something
-- else waits for them.
create function forget_invitation(p_principal_id uuid, p_email citext) returns void
language plpgsql security definer set search_path = public as $$
begin
  if p_principal_id is distinct from current_app_principal_id() and not current_app_has_permission('organizations', 'manage_members') then
    return;
  end if;
  delete from mail_outbox
    where organization_id = current_app_org_id() and template = 'member_invited' and to_address::citext = p_email
      and sent_at is null;
  begin
    delete from humans where id = p_principal_id and linked_at is null;
    if found then
      delete from principals where id = p_principal_id;
    end if;
  exception when foreign_key_violation then
    null;
  end;
end
$$;
alter function forget_invitation(uuid, citext) owner to tendon_definer;
grant execute on function forget_invitation(uuid, citext) to tendon_app;

-- As in 0005; an invitation that is turned down is forgotten like one that is taken back.
create or replace function leave_membership(p_organization_id uuid) returns boolean
language plpgsql security definer set search_path = public as $$
declare
  v_email citext;
begin
  delete from organization_memberships where principal_id = current_app_principal_id() and organization_id = p_organization_id
    returning invited_email into v_email;
  if not found then
    return false;
  end if;
  perform forget_invitation(current_app_principal_id(), v_email);
  return true;
end
$$;
