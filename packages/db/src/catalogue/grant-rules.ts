import type { Rule } from './rule.ts'

export const grantRules: Rule[] = [
  {
    name: 'organization-fixed',
    sentence: 'must not be able to move rows to another organization (update of the organization)',
    sql: `select login || ' on ' || t.name as object from restricted, tables t
      join pg_attribute a on a.attrelid = t.oid and a.attname = case t.name when 'organizations' then 'id' else 'organization_id' end
      where has_column_privilege(login, t.oid, a.attnum, 'update')`,
  },
  {
    name: 'update-by-column',
    sentence: 'must be granted update by column, never on the table',
    sql: `select login || ' on ' || t.name as object from restricted, relations t where has_table_privilege(login, t.oid, 'update')`,
  },
  {
    name: 'rows-only',
    sentence: 'has a right that row-level security does not hold back (truncate, references or trigger)',
    sql: `select login || ' on ' || t.name as object from restricted, relations t
      where has_table_privilege(login, t.oid, 'truncate, trigger') or has_any_column_privilege(login, t.oid, 'references')`,
  },
  {
    name: 'no-policies-apply',
    sentence: 'has no row-level security of its own and must not be granted: give a function or a view that filters',
    sql: `select login || ' on ' || t.name as object from restricted, relations t
      where (t.kind in ('m', 'f') or t.is_partition)
        and (has_any_column_privilege(login, t.oid, 'select, insert, update') or has_table_privilege(login, t.oid, 'delete'))`,
  },
  {
    name: 'nothing-public',
    sentence: 'is granted to public',
    sql: `select distinct t.name as object from relations t left join pg_attribute a on a.attrelid = t.oid,
        aclexplode(t.acl || a.attacl) g where g.grantee = 0`,
  },
  {
    name: 'audit-append-only',
    sentence: 'must not be able to change or delete what was audited',
    sql: `select login || ' on ' || t.name as object
      from (select login from restricted union all values ('tendon_platform')) l, tables t
      where starts_with(t.name, 'audit_')
        and (has_any_column_privilege(login, t.oid, 'update') or has_table_privilege(login, t.oid, 'delete, truncate'))`,
  },
]
