-- A human who first signed in with an unverified address and has verified it now takes over the invitations to it.
-- Security definer (no context yet): across organizations.
create or replace function take_over_invitation(p_email citext, p_human uuid) returns void
language plpgsql security definer set search_path = public as $$
declare
  v_invited uuid;
begin
  update humans set email = null, linked_at = now() where email = p_email and linked_at is null and id <> p_human
    returning id into v_invited;
  if v_invited is null then
    return;
  end if;
  update organization_memberships m set principal_id = p_human
    where m.principal_id = v_invited
      and not exists (select 1 from organization_memberships o
        where o.principal_id = p_human and o.organization_id = m.organization_id);
  -- Where both are members, the human keeps their role unless only the invited role manages members: no organization
  -- loses its last manager.
  update organization_memberships o set role_id = m.role_id
    from organization_memberships m
    where m.principal_id = v_invited and o.principal_id = p_human and o.organization_id = m.organization_id
      and exists (select 1 from role_permissions r
        where r.role_id = m.role_id and r.permission_code = 'organizations.manage_members')
      and not exists (select 1 from role_permissions r
        where r.role_id = o.role_id and r.permission_code = 'organizations.manage_members');
  delete from organization_memberships where principal_id = v_invited;
  update platform_memberships p set principal_id = p_human
    where p.principal_id = v_invited and not exists (select 1 from platform_memberships s where s.principal_id = p_human);
  delete from platform_memberships where principal_id = v_invited;
end
$$;
alter function take_over_invitation(citext, uuid) owner to tendon_definer;

-- A verified address claims the patient profiles that clinics invited it to. The patients, and those linked to them, are locked
-- first, as in merge_patient and in an erasure: patient_profiles_unlink_claimed may change them. Security definer (no context yet): across
-- organizations.
create or replace function claim_profiles(p_email citext, p_human uuid) returns void
language plpgsql security definer set search_path = public as $$
begin
  perform 1 from patients where id in (
    select r.id from patient_profiles f
    join patients o on o.organization_id = f.organization_id and o.patient_profile_id = f.id
    join patients r on r.organization_id = o.organization_id and (r.id = o.id or r.merged_into_id = o.id)
    where f.human_id is null and f.invited_email = p_email)
  order by id for no key update;
  update patient_profiles set human_id = p_human, claimed_at = now() where human_id is null and invited_email = p_email;
end
$$;
alter function claim_profiles(citext, uuid) owner to tendon_definer;

-- Called at sign-in: finds, links or creates the human and updates a changed address. The locks make parallel first requests
-- create one human. Security definer (no context yet): no context is set yet.
create or replace function provision_human(p_issuer text, p_subject text, p_email citext, p_verified boolean, p_name text)
returns uuid language plpgsql security definer set search_path = public as $$
declare
  v_id uuid;
  v_verified boolean := coalesce(p_verified, false) and p_email is not null;
begin
  perform pg_advisory_xact_lock(hashtextextended('identity:' || p_issuer || ' ' || p_subject, 0));
  if v_verified then
    perform pg_advisory_xact_lock(hashtextextended('email:' || lower(p_email::text), 0));
  end if;

  -- If another human has verified the address, it stays unverified for this one, so that nobody inherits access. The same
  -- holds for a superadmin whose address was invited, and a member whose address was made superadmin: superadmins have no
  -- memberships, and the invitation stays open.
  if v_verified and (
    exists (select 1 from humans h where h.email = p_email and h.email_verified and h.linked_at is not null
      and not exists (select 1 from identities i where i.issuer = p_issuer and i.subject = p_subject and i.human_id = h.id))
    or exists (select 1 from identities i
      join humans h on h.email = p_email and h.linked_at is null
      join platform_memberships s on s.principal_id in (i.human_id, h.id)
      join organization_memberships m on m.principal_id in (i.human_id, h.id)
      where i.issuer = p_issuer and i.subject = p_subject))
  then
    v_verified := false;
  end if;

  select human_id into v_id from identities where issuer = p_issuer and subject = p_subject;
  if v_id is not null then
    if v_verified then
      perform take_over_invitation(p_email, v_id);
    end if;
    update humans set email = p_email, email_verified = v_verified
      where id = v_id and (email is distinct from p_email or email_verified is distinct from v_verified);
    if v_verified then
      perform claim_profiles(p_email, v_id);
    end if;
    return v_id;
  end if;

  if v_verified then
    update humans set email_verified = true, linked_at = now(), name = coalesce(p_name, name)
      where email = p_email and linked_at is null returning id into v_id;
  end if;
  if v_id is null then
    insert into principals (kind) values ('human') returning id into v_id;
    insert into humans (id, email, email_verified, name, linked_at) values (v_id, p_email, v_verified, p_name, now());
  end if;
  insert into identities (issuer, subject, human_id) values (p_issuer, p_subject, v_id);
  if v_verified then
    perform claim_profiles(p_email, v_id);
  end if;
  return v_id;
end
$$;
alter function provision_human(text, text, citext, boolean, text) owner to tendon_definer;
grant execute on function provision_human(text, text, citext, boolean, text) to tendon_app;

-- The human who verified an address, or a new one who has not signed in yet. Security definer (all organizations): an inviting clinic must not see
-- whom the platform knows.
create or replace function find_or_create_human(p_email citext) returns uuid
language plpgsql security definer set search_path = public as $$
declare
  v_id uuid;
begin
  perform pg_advisory_xact_lock(hashtextextended('email:' || lower(p_email::text), 0));
  select id into v_id from humans where email = p_email and (email_verified or linked_at is null);
  if v_id is null then
    insert into principals (kind) values ('human') returning id into v_id;
    insert into humans (id, email) values (v_id, p_email);
  end if;
  return v_id;
end
$$;
alter function find_or_create_human(citext) owner to tendon_definer;
grant execute on function find_or_create_human(citext) to tendon_app, tendon_platform;

-- Clones cannot be renamed or deleted.
create or replace function roles_protect_clones() returns trigger language plpgsql as $$
begin
  if old.organization_id is null or not old.is_system then
    return coalesce(new, old);
  end if;
  if tg_op = 'DELETE' or (new.code, new.name, new.description) is distinct from (old.code, old.name, old.description) then
    raise exception 'a clone of a system role cannot be renamed or deleted'
      using errcode = 'check_violation', constraint = 'roles_clone_check', table = 'roles';
  end if;
  return new;
end
$$;

-- A grant to a template is copied to clones that no clinic has customized; a revocation is not. The lock on the template
-- serializes this with the creation of an organization (which locks it for share), the lock on the clones with a clinic that
-- customizes one. Security definer: writes to every organization.
create or replace function role_permissions_copy_to_clones() returns trigger language plpgsql security definer set search_path = public as $$
begin
  perform 1 from roles where id = new.role_id for no key update;
  insert into role_permissions (role_id, organization_id, permission_code)
    select id, organization_id, new.permission_code from roles
    where template_id = new.role_id and customized_at is null for no key update
    on conflict do nothing;
  return null;
end
$$;
alter function role_permissions_copy_to_clones() owner to tendon_definer;

-- The other side of lock_role. Security definer: a plain lock would require the right to update roles.
create or replace function role_permissions_lock_role() returns trigger language plpgsql security definer set search_path = public as $$
begin
  perform 1 from roles where id = new.role_id for no key update;
  return new;
end
$$;
alter function role_permissions_lock_role() owner to tendon_definer;

-- Whether the caller holds every permission of a role.
create or replace function current_app_holds_role(p_role_id uuid) returns boolean language sql stable as $$
  select not exists (
    select 1 from role_permissions where role_id = p_role_id and not current_app_holds(permission_code))
$$;
grant execute on function current_app_holds_role(uuid) to tendon_app;

-- A service account belongs to its own organization only, a superadmin to none. The lock on the principal serializes
-- becoming superadmin and becoming a member. Security definer: across organizations.
create or replace function memberships_check_principal() returns trigger language plpgsql security definer set search_path = public as $$
declare
  v_principal principals;
begin
  select * into v_principal from principals where id = new.principal_id for no key update;
  if tg_table_name = 'platform_memberships' then
    if exists (select 1 from organization_memberships where principal_id = new.principal_id) then
      raise exception 'a member of an organization cannot become superadmin'
        using errcode = 'check_violation', constraint = 'platform_memberships_member_check';
    end if;
    return new;
  end if;
  if v_principal.kind = 'service' and v_principal.organization_id is distinct from new.organization_id then
    raise exception 'a service account belongs to its own organization'
      using errcode = 'check_violation', constraint = 'organization_memberships_service_check';
  end if;
  if exists (select 1 from platform_memberships where principal_id = new.principal_id) then
    raise exception 'a superadmin has no organization memberships'
      using errcode = 'check_violation', constraint = 'organization_memberships_superadmin_check';
  end if;
  return new;
end
$$;
alter function memberships_check_principal() owner to tendon_definer;

-- The last superadmin cannot be removed. The lock serializes two superadmins who remove each other.
-- Security definer: must see all of them.
create or replace function platform_memberships_protect_last() returns trigger language plpgsql security definer set search_path = public as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('platform_memberships', 0));
  if not exists (select 1 from platform_memberships) then
    raise exception 'the last superadmin stays'
      using errcode = 'check_violation', constraint = 'platform_memberships_last_check';
  end if;
  return null;
end
$$;
alter function platform_memberships_protect_last() owner to tendon_definer;

-- The last human who can manage members cannot be removed or demoted, nor can their role lose that permission. The lock on the
-- organization serializes two managers who remove each other. Security definer: must see every member.
create or replace function organizations_protect_last_manager() returns trigger language plpgsql security definer set search_path = public as $$
begin
  perform 1 from organizations where id = old.organization_id for no key update;
  if exists (select 1 from organization_memberships m
      join humans h on h.id = m.principal_id
      join role_permissions p on p.role_id = m.role_id and p.permission_code = 'organizations.manage_members'
      where m.organization_id = old.organization_id and m.joined_at is not null)
  then
    return null;
  end if;
  -- Members who were no managers, or never accepted their invitation, can be removed. A deleted role has no members:
  -- organization_memberships_role_fkey guarantees it.
  if tg_table_name = 'organization_memberships' then
    if not (old.joined_at is not null and exists (select 1 from humans where id = old.principal_id) and exists (
      select 1 from role_permissions where role_id = old.role_id and permission_code = 'organizations.manage_members'))
    then
      return null;
    end if;
  elsif not exists (select 1 from roles r
    join organization_memberships m on m.role_id = r.id join humans h on h.id = m.principal_id
    where r.id = old.role_id and m.joined_at is not null)
  then
    return null;
  end if;
  raise exception 'the last manager of an organization stays'
    using errcode = 'check_violation', constraint = 'organizations_last_manager_check';
end
$$;
alter function organizations_protect_last_manager() owner to tendon_definer;

-- Gives a new organization its clones of the templates, in the transaction that creates it.
-- Security definer (all organizations): clones cannot be created by callers.
create or replace function clone_role_templates(p_organization_id uuid) returns void
language plpgsql security definer set search_path = public as $$
begin
  perform 1 from roles where organization_id is null order by id for share;
  insert into roles (organization_id, template_id, code, name, description, is_system)
    select p_organization_id, id, code, name, description, true from roles where organization_id is null;
  insert into role_permissions (role_id, organization_id, permission_code)
    select c.id, c.organization_id, p.permission_code
    from roles c join role_permissions p on p.role_id = c.template_id where c.organization_id = p_organization_id;
end
$$;
alter function clone_role_templates(uuid) owner to tendon_definer;
grant execute on function clone_role_templates(uuid) to tendon_platform;

-- How a deployment ships a permission: seeds call it. Grants go to the templates (and by the trigger to clones that are not
-- customized) only when the permission is new, so that a later revocation by the operator stays.
create or replace function ship_permission(p_code text, p_description text, p_templates text[]) returns void language plpgsql as $$
begin
  insert into permissions (code, resource, action, description)
    values (p_code, split_part(p_code, '.', 1), substr(p_code, strpos(p_code, '.') + 1), p_description)
    on conflict (code) do nothing;
  if found then
    insert into role_permissions (role_id, organization_id, permission_code)
      select id, null, p_code from roles where organization_id is null and code = any (p_templates) order by id;
  else
    update permissions set description = p_description where code = p_code and description <> p_description;
  end if;
end
$$;
alter function ship_permission(text, text, text[]) owner to tendon_definer;

-- How many members hold a role, including service accounts. Security definer (expression in a list): callers who manage
-- roles may not see the members.
create or replace function role_member_count(p_role_id uuid) returns bigint
language sql stable security definer set search_path = public as $$
  select count(*) from organization_memberships where organization_id = current_app_org_id() and role_id = p_role_id
$$;
alter function role_member_count(uuid) owner to tendon_definer;
grant execute on function role_member_count(uuid) to tendon_app;

-- The codes of a role in the form of app.permissions (see current_app_holds).
create or replace function role_permission_codes(p_role_id uuid) returns text language plpgsql stable as $$
begin
  return (select ',' || string_agg(permission_code, ',') || ',' from role_permissions where role_id = p_role_id);
end
$$;
alter function role_permission_codes(uuid) owner to tendon_definer;

-- Who is calling, in which organization, with which permissions, in one statement (see type caller).
-- p_header_org: the header X-Organization-ID. p_url_org: the organization in the URL, the only context of a superadmin unless
-- a break-glass grant covers the patient data that the request needs (p_patient_data; p_patient_id: null for no particular
-- patient). p_app: the web app of a session; its rights are a patient's in the portal and a member's in the console, also
-- of a superadmin. Consecutive small queries were measured faster than one join. Security definer (no context yet): no context is set yet.
create or replace function find_caller(
  p_issuer text, p_subject text, p_header_org uuid, p_url_org uuid,
  p_patient_data boolean default false, p_patient_id uuid default null, p_app text default null
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
      coalesce(p_app, 'platform') = 'platform' and exists (select 1 from platform_memberships s where s.principal_id = h.id)
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

  -- Query only where there can be rows: most callers are staff without a patient record.
  if coalesce(p_header_org, v_current) is not null and p_app is distinct from 'portal' then
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

  -- Not a member there: use the patient record there, then the first membership, then the first clinic as a patient. An open
  -- invitation does not change the organization.
  if v.role_id is null and array_position(v_orgs, coalesce(p_header_org, v_current)) is not null then
    v.organization_id := coalesce(p_header_org, v_current);
  end if;
  if v.organization_id is null and p_header_org is null and p_app = 'portal' then
    v.organization_id := v_orgs[1];
  elsif v.organization_id is null and p_header_org is null then
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
    select o.language_code, role_permission_codes(v.role_id), (select r.name from roles r where r.id = v.role_id)
      into v.organization_language, v.permissions, v.role_name
      from organizations o where o.id = v.organization_id;
  end if;
  return v;
end
$$;
alter function find_caller(text, text, uuid, uuid, boolean, uuid, text) owner to tendon_definer;
grant execute on function find_caller(text, text, uuid, uuid, boolean, uuid, text) to tendon_app;

-- Called once, when a member first acts in an organization. Security definer (one person across clinics): callers cannot write joined_at.
create or replace function join_organization(p_principal_id uuid, p_organization_id uuid) returns void
language sql security definer set search_path = public as $$
  update organization_memberships set joined_at = now()
  where principal_id = p_principal_id and organization_id = p_organization_id and joined_at is null
$$;
alter function join_organization(uuid, uuid) owner to tendon_definer;
grant execute on function join_organization(uuid, uuid) to tendon_app;

-- A member leaves, or declines an invitation. The last manager cannot leave (organizations_protect_last_manager).
-- Security definer (one person across clinics): leaving needs no permission.
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
  perform delete_invitation_data(current_app_principal_id(), v_email);
  return true;
end
$$;
alter function leave_membership(uuid) owner to tendon_definer;
grant execute on function leave_membership(uuid) to tendon_app;

-- The organizations of the caller. Security definer (one person across clinics): across organizations.
create or replace function my_organizations() returns setof organizations
language plpgsql stable security definer set search_path = public as $$
begin
  return query select o.* from organizations o
    join organization_memberships m on m.organization_id = o.id
    where m.principal_id = current_app_principal_id();
end
$$;
alter function my_organizations() owner to tendon_definer;
grant execute on function my_organizations() to tendon_app;

-- The memberships of the caller. Security definer (one person across clinics): across organizations.
create or replace function my_memberships() returns table (
  organization_id uuid, organization_name text, organization_slug text, language_code text, time_zone text,
  date_format text, clock_format text, week_start text, role_id uuid, role_code text, role_name text, specialist_id uuid,
  created_at timestamptz
) language plpgsql stable security definer set search_path = public as $$
#variable_conflict use_column
begin
  return query select o.id, o.name, o.slug, o.language_code, o.time_zone, t.date_format, t.clock_format, t.week_start,
      r.id, r.code, r.name, s.id, m.created_at
    from organization_memberships m
    join organizations o on o.id = m.organization_id
    join roles r on r.id = m.role_id
    left join organization_settings t on t.organization_id = m.organization_id
    left join specialists s on s.organization_id = m.organization_id and s.human_id = m.principal_id and s.deleted_at is null
    where m.principal_id = current_app_principal_id()
    order by m.created_at, o.id;
end
$$;
alter function my_memberships() owner to tendon_definer;
grant execute on function my_memberships() to tendon_app;

-- Security definer (one person across clinics): checks memberships and patient records across organizations.
create or replace function switch_organization(p_organization_id uuid) returns boolean
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

-- The caller of an API key, in its own organization only (see find_caller). Security definer (no context yet): no context is set yet.
create or replace function find_service_caller(p_hash bytea) returns caller
language plpgsql security definer set search_path = public as $$
declare
  v caller;
  v_key api_keys;
begin
  select * into v_key from api_keys
    where hash = p_hash and revoked_at is null and (expires_at is null or expires_at > now());
  if v_key.id is null then
    return null;
  end if;
  update api_keys set last_used_at = now()
    where id = v_key.id and (last_used_at is null or last_used_at < now() - interval '1 minute');
  select s.id, s.kind, s.name, false, false, o.id, o.language_code, m.role_id, r.name, true, role_permission_codes(m.role_id)
    into v.principal_id, v.kind, v.name, v.email_verified, v.is_superadmin, v.organization_id, v.organization_language,
      v.role_id, v.role_name, v.joined, v.permissions
    from service_accounts s
    join organizations o on o.id = s.organization_id
    left join organization_memberships m on m.principal_id = s.id and m.organization_id = s.organization_id
    left join roles r on r.id = m.role_id
    where s.id = v_key.service_account_id;
  return v;
end
$$;
alter function find_service_caller(bytea) owner to tendon_definer;
grant execute on function find_service_caller(bytea) to tendon_app;

-- For sign-in pages, without a caller: one row by equality, four columns. Security definer (no context yet): no context is set.
create or replace function resolve_organization(p_slug text, p_domain text)
returns table (id uuid, name text, slug text, language_code text)
language plpgsql stable security definer set search_path = public rows 1 as $$
#variable_conflict use_column
begin
  return query select o.id, o.name, o.slug, o.language_code from organizations o where p_slug is not null and o.slug = p_slug
    union all
    select o.id, o.name, o.slug, o.language_code from organization_domains d join organizations o on o.id = d.organization_id
    where p_domain is not null and d.domain = lower(p_domain) and d.status = 'verified';
end
$$;
alter function resolve_organization(text, text) owner to tendon_definer;
grant execute on function resolve_organization(text, text) to tendon_app;

-- For the worker: verified domains that were last checked before this time. Security definer (all organizations): over all organizations.
create or replace function list_domains_to_check(p_before timestamptz, p_limit integer) returns table (organization_id uuid, domain_id uuid)
language sql stable security definer set search_path = public as $$
  select d.organization_id, d.id from organization_domains d
  where d.status = 'verified' and coalesce(d.last_checked_at, d.verified_at) < p_before
  order by coalesce(d.last_checked_at, d.verified_at) limit p_limit
$$;
alter function list_domains_to_check(timestamptz, integer) owner to tendon_definer;
grant execute on function list_domains_to_check(timestamptz, integer) to tendon_worker;

-- The limit of an organization's plan; null: unlimited. Security definer (called by triggers): called by triggers, for every writer.
create or replace function plan_limit(p_organization_id uuid, p_name text) returns integer
language plpgsql stable security definer set search_path = public as $$
begin
  return (select case p_name
      when 'max_specialists' then p.max_specialists
      when 'max_unfinished_upload_mb' then p.max_unfinished_upload_mb
    end
    from organizations o join plans p on p.code = o.plan where o.id = p_organization_id);
end
$$;
alter function plan_limit(uuid, text) owner to tendon_definer;

-- Changes the usage of a limit and refuses to exceed it. Called by triggers of the counted tables.
-- Security definer (called by triggers): callers cannot write usage.
create or replace function change_usage(p_organization_id uuid, p_name text, p_change integer) returns void
language plpgsql security definer set search_path = public as $$
declare
  v_current integer;
begin
  insert into organization_usage (organization_id, name, current) values (p_organization_id, p_name, 0) on conflict do nothing;
  update organization_usage set current = current + p_change
    where organization_id = p_organization_id and name = p_name returning current into v_current;
  if p_change > 0 and v_current > plan_limit(p_organization_id, p_name) then
    raise exception 'limit % reached', p_name
      using errcode = 'check_violation', constraint = 'organization_usage_limit_check', column = p_name;
  end if;
end
$$;
alter function change_usage(uuid, text, integer) owner to tendon_definer;

-- For writes about the caller themselves: serializes them with the erasure of their account. Returns false when it is erased.
-- The lock is that of provision_human and erase_account, and the first that a request takes.
-- Security definer (one person across clinics): identities have no policy.
create or replace function lock_my_account() returns boolean language plpgsql security definer set search_path = public as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('identity:' || issuer || ' ' || subject, 0)) from (
    select issuer, subject from identities where human_id = current_app_principal_id() order by issuer, subject) i;
  return exists (select 1 from identities where human_id = current_app_principal_id());
end
$$;
alter function lock_my_account() owner to tendon_definer;
grant execute on function lock_my_account() to tendon_app;

-- Before an invitation is deleted: nobody signs in or is invited with its address meanwhile (provision_human,
-- find_or_create_human). Security definer (one person across clinics): the clinic may not see the human.
create or replace function lock_invitation(p_principal_id uuid) returns void
language plpgsql security definer set search_path = public as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('email:' || lower(email::text), 0)) from humans
    where id = p_principal_id and linked_at is null and email is not null;
end
$$;
alter function lock_invitation(uuid) owner to tendon_definer;
grant execute on function lock_invitation(uuid) to tendon_app;

-- After an invitation at the clinic in context was deleted: unsent mail is deleted, and so is a human who never signed in,
-- unless another invitation waits for them. Security definer (one person across clinics): the clinic may not see the human.
create or replace function delete_invitation_data(p_principal_id uuid, p_email citext) returns void
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
alter function delete_invitation_data(uuid, citext) owner to tendon_definer;
grant execute on function delete_invitation_data(uuid, citext) to tendon_app;
