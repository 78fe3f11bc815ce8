import type { Rule } from './rule.ts'

export const loginRules: Rule[] = [
  {
    name: 'login-bound',
    sentence: 'must be neither superuser nor bypass row-level security, and may not make roles, databases or replicas',
    sql: `select rolname as object from pg_roles
      where rolname in (select login from restricted)
        and (rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication)`,
  },
  {
    name: 'login-alone',
    sentence: 'could act as a role that it must not be a member of',
    sql: `select login || ' as ' || r.rolname as object from restricted, pg_roles r
      where r.rolname <> login and pg_has_role(login, r.oid, 'member')
        and (login, r.rolname) <> ('tendon_worker', 'tendon_app')`,
  },
  {
    name: 'login-creates-nothing',
    sentence: 'must not be able to create: what it makes could take the place of what definer functions call',
    sql: `select login || ' in ' || place as object
      from (select login from restricted union all values ('tendon_platform')) l, lateral (values
        ('schema public', has_schema_privilege(login, 'public', 'create')),
        ('this database', has_database_privilege(login, current_database(), 'create, temporary'))) p (place, can)
      where can`,
  },
  {
    name: 'schema-reach',
    sentence: 'must not reach a schema other than public: no rule looks there',
    sql: `select login || ' in ' || nspname as object from restricted, pg_namespace n
      where nspname not in ('public', 'pg_catalog', 'information_schema') and has_schema_privilege(login, n.oid, 'usage')
        and (login, nspname) <> ('tendon_worker', 'graphile_worker')`,
  },
]
