-- One statement tells who calls, in which organization, with which permissions (Authentication, points 1, 2 and 4).
-- p_header_org: the header X-Organization-ID. p_url_org: the organization in the URL; a superadmin's only context.
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
  permissions text
);

create function find_caller(p_issuer text, p_subject text, p_header_org uuid, p_url_org uuid)
returns setof caller language plpgsql stable security definer set search_path = public rows 1 as $$
begin
  return query
  select h.id, h.kind, h.name, h.email::text, h.email_verified, h.preferred_language, s.principal_id is not null,
    o.id, o.language_code, m.role_id,
    case when s.principal_id is not null then '*' else p.codes end
  from identities i
  join humans h on h.id = i.human_id
  left join platform_memberships s on s.principal_id = h.id
  left join lateral (
    select c.organization_id, c.role_id from organization_memberships c
    where c.principal_id = h.id and (p_header_org is null or c.organization_id = p_header_org)
    order by c.organization_id is not distinct from h.current_organization_id desc, c.created_at, c.organization_id
    limit 1
  ) m on s.principal_id is null
  left join organizations o on o.id = case when s.principal_id is null then m.organization_id else p_url_org end
  left join lateral (
    select ',' || string_agg(r.permission_code, ',') || ',' as codes from role_permissions r where r.role_id = m.role_id
  ) p on true
  where i.issuer = p_issuer and i.subject = p_subject;
end
$$;
alter function find_caller(text, text, uuid, uuid) owner to tendon_definer;
grant execute on function find_caller(text, text, uuid, uuid) to tendon_app;

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
language sql security definer set search_path = public as $$
  with switched as (
    update humans set current_organization_id = p_organization_id
    where id = current_app_principal_id() and exists (
      select 1 from organization_memberships
      where principal_id = current_app_principal_id() and organization_id = p_organization_id)
    returning 1)
  select exists (select 1 from switched)
$$;
alter function switch_organization(uuid) owner to tendon_definer;
grant execute on function switch_organization(uuid) to tendon_app;
