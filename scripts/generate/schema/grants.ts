// Grants as the catalogue keeps them. The owner's own rights go without saying.

export interface Grant {
  object: string
  grantee: string
  privilege: string
  /** Set for a grant on single columns. */
  columns?: string | null
}

/** The lines of one object: all privileges of one grantee together. */
export function grantStatements(grants: Grant[], object: string, kind = ''): string[] {
  const mine = grants.filter((grant) => grant.object === object)
  return [...Map.groupBy(mine, ({ grantee }) => grantee)].map(([grantee, its]) => {
    const privileges = its.map(({ privilege, columns }) => privilege.toLowerCase() + (columns ? ` (${columns})` : ''))
    return `grant ${privileges.join(', ')} on ${kind}${object} to ${grantee};`
  })
}

export const RELATION_GRANTS = `
  select granted.object, coalesce(role.rolname, 'public') as grantee, granted.privilege, granted.columns
  from (
    select c.oid::regclass::text as object, acl.grantee, acl.privilege_type as privilege, null as columns
    from pg_class c cross join lateral aclexplode(c.relacl) acl
    where c.relnamespace = 'public'::regnamespace and acl.grantee <> c.relowner
    union all
    select c.oid::regclass::text, acl.grantee, acl.privilege_type, string_agg(a.attname, ', ' order by a.attnum)
    from pg_attribute a join pg_class c on c.oid = a.attrelid cross join lateral aclexplode(a.attacl) acl
    where c.relnamespace = 'public'::regnamespace and acl.grantee <> c.relowner and not a.attisdropped
    group by c.oid, acl.grantee, acl.privilege_type
  ) granted
  left join pg_roles role on role.oid = granted.grantee
  order by object, grantee, array_position('{SELECT,INSERT,UPDATE,DELETE}', privilege),
    privilege, columns nulls first`

export const FUNCTION_GRANTS = `
  select p.oid::regprocedure::text as object, coalesce(role.rolname, 'public') as grantee, acl.privilege_type as privilege
  from pg_proc p
  cross join lateral aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) acl
  left join pg_roles role on role.oid = acl.grantee
  where p.pronamespace = 'public'::regnamespace and acl.grantee <> p.proowner
  order by grantee`
