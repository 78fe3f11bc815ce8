-- One statement tells who calls, in which organization, with which permissions (Authentication, points 1, 2 and 4).
-- p_header_org: the header X-Organization-ID. p_url_org: the organization in the URL; a superadmin's only context, unless a
-- break-glass grant covers what the request asks for: p_patient_data, of p_patient_id or (null) of no patient in particular.
-- organization_id null: no context (the caller is a member of nothing, or not of what the header names).

create type caller as (
  principal_id uuid,
  kind text,
  name text,
  email text,
  email_verified boolean,
  preferred_language text,
  is_superadmin boolean,
  organization_id uuid,
  organization_language text,
  role_id uuid,
  role_name text,            -- of whoever acts
  joined boolean,
  permissions text,
  profile_ids uuid[],        -- every patient profile of the human, at whatever clinic
  patient_id uuid,           -- their record at the organization in context
  patient_profile_id uuid,
  impersonator_id uuid,      -- the staff member who looks through a patient's eyes
  impersonator_name text,
  break_glass_id uuid        -- the grant that opens to a superadmin what the request asks for
);

-- The codes of a role in the form of app.permissions (see 0001_context.sql).
create function permissions_of(p_role_id uuid) returns text language sql stable as $$
  select ',' || string_agg(permission_code, ',') || ',' from role_permissions where role_id = p_role_id
$$;
alter function permissions_of(uuid) owner to tendon_definer;

-- Small look-ups one after the other: measured faster than one join over all of them.
create function find_caller(
  p_issuer text, p_subject text, p_header_org uuid, p_url_org uuid,
  p_patient_data boolean default false, p_patient_id uuid default null
) returns caller language plpgsql stable security definer set search_path = public as $$
declare
  v caller;
  v_current uuid;
  v_orgs uuid[];
  v_patients uuid[];
  v_profiles uuid[];
  v_place integer;
begin
  select h.id, h.kind, h.name, h.email, h.email_verified, h.preferred_language, h.current_organization_id,
      exists (select 1 from platform_memberships s where s.principal_id = h.id)
    into v.principal_id, v.kind, v.name, v.email, v.email_verified, v.preferred_language, v_current, v.is_superadmin
    from identities i join humans h on h.id = i.human_id
    where i.issuer = p_issuer and i.subject = p_subject;
  if v.principal_id is null then
    return null;
  end if;

  if v.is_superadmin then
    v.permissions := '*';
    if p_patient_data then
      select g.id into v.break_glass_id from break_glass_grants g
        where g.principal_id = v.principal_id and g.organization_id = coalesce(p_url_org, p_header_org)
          and (g.patient_id is null or g.patient_id = p_patient_id)
          and g.ended_at is null and g.expires_at > now()
        order by g.patient_id nulls last, g.expires_at desc limit 1;
    end if;
    if v.break_glass_id is not null then
      p_url_org := coalesce(p_url_org, p_header_org);
    end if;
    select id, language_code into v.organization_id, v.organization_language from organizations where id = p_url_org;
    return v;
  end if;

  -- Each look-up only where there can be something: most callers are staff without a patient record of their own.
  if coalesce(p_header_org, v_current) is not null then
    select organization_id, role_id, joined_at is not null into v.organization_id, v.role_id, v.joined from organization_memberships
      where principal_id = v.principal_id and organization_id = coalesce(p_header_org, v_current);
  end if;
  if exists (select 1 from patient_profiles where human_id = v.principal_id) then
    select array_agg(f.id order by f.created_at, f.id),
        array_agg(p.organization_id order by f.created_at, f.id) filter (where p.id is not null),
        array_agg(p.id order by f.created_at, f.id) filter (where p.id is not null),
        array_agg(f.id order by f.created_at, f.id) filter (where p.id is not null)
      into v.profile_ids, v_orgs, v_patients, v_profiles
      from patient_profiles f left join patients p on p.patient_profile_id = f.id and p.deleted_at is null
      where f.human_id = v.principal_id;
  end if;

  -- Not a member there: a patient there, then the first membership, then the first clinic as a patient. An invitation that
  -- they never took up moves nobody away from where they are.
  if v.role_id is null and array_position(v_orgs, coalesce(p_header_org, v_current)) is not null then
    v.organization_id := coalesce(p_header_org, v_current);
  end if;
  if v.organization_id is null and p_header_org is null then
    select organization_id, role_id, joined_at is not null into v.organization_id, v.role_id, v.joined from organization_memberships
      where principal_id = v.principal_id and (joined_at is not null or v_orgs is null)
      order by joined_at is null, created_at, organization_id limit 1;
    if v.organization_id is null then
      v.organization_id := v_orgs[1];
      select role_id, joined_at is not null into v.role_id, v.joined from organization_memberships
        where principal_id = v.principal_id and organization_id = v.organization_id;
    end if;
  end if;
  v_place := array_position(v_orgs, v.organization_id);
  v.patient_id := v_patients[v_place];
  v.patient_profile_id := v_profiles[v_place];
  if v.organization_id is not null then
    select o.language_code, permissions_of(v.role_id), (select r.name from roles r where r.id = v.role_id)
      into v.organization_language, v.permissions, v.role_name
      from organizations o where o.id = v.organization_id;
  end if;
  return v;
end
$$;
alter function find_caller(text, text, uuid, uuid, boolean, uuid) owner to tendon_definer;
grant execute on function find_caller(text, text, uuid, uuid, boolean, uuid) to tendon_app;

-- Called once, when a member first acts in an organization.
create function join_organization(p_principal_id uuid, p_organization_id uuid) returns void
language sql security definer set search_path = public as $$
  update organization_memberships set joined_at = now()
  where principal_id = p_principal_id and organization_id = p_organization_id and joined_at is null
$$;
alter function join_organization(uuid, uuid) owner to tendon_definer;
grant execute on function join_organization(uuid, uuid) to tendon_app;

-- A member goes by themself. The last manager stays (trigger organizations_keep_manager).
create function leave_membership(p_organization_id uuid) returns boolean
language plpgsql security definer set search_path = public as $$
begin
  delete from organization_memberships where principal_id = current_app_principal_id() and organization_id = p_organization_id;
  return found;
end
$$;
alter function leave_membership(uuid) owner to tendon_definer;
grant execute on function leave_membership(uuid) to tendon_app;

-- What the caller may see across organizations: where they belong.
create function my_organizations() returns setof organizations
language sql stable security definer set search_path = public as $$
  select o.* from organizations o
  join organization_memberships m on m.organization_id = o.id
  where m.principal_id = current_app_principal_id()
$$;
alter function my_organizations() owner to tendon_definer;
grant execute on function my_organizations() to tendon_app;

create function my_memberships() returns table (
  organization_id uuid, organization_name text, organization_slug text, language_code text,
  role_id uuid, role_code text, role_name text, created_at timestamptz
) language sql stable security definer set search_path = public as $$
  select o.id, o.name, o.slug, o.language_code, r.id, r.code, r.name, m.created_at
  from organization_memberships m
  join organizations o on o.id = m.organization_id
  join roles r on r.id = m.role_id
  where m.principal_id = current_app_principal_id()
  order by m.created_at, o.id
$$;
alter function my_memberships() owner to tendon_definer;
grant execute on function my_memberships() to tendon_app;

create function switch_organization(p_organization_id uuid) returns boolean
language plpgsql security definer set search_path = public as $$
begin
  update humans set current_organization_id = p_organization_id
    where id = current_app_principal_id() and (
      exists (select 1 from organization_memberships
        where principal_id = current_app_principal_id() and organization_id = p_organization_id)
      or exists (select 1 from patients p join patient_profiles f on f.id = p.patient_profile_id
        where f.human_id = current_app_principal_id() and p.organization_id = p_organization_id and p.deleted_at is null));
  return found;
end
$$;
alter function switch_organization(uuid) owner to tendon_definer;
grant execute on function switch_organization(uuid) to tendon_app;
