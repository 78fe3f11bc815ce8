import type { Rule } from './rule.ts'
import { DANGEROUS_NAMES } from './settings.ts'

/** What a login may do beside the grants that the reference names. */
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
    name: 'members-administer',
    sentence: 'could act as a role of the platform without being an administrator (superuser or createrole): revoke it',
    sql: `select m.member::regrole || ' as ' || o.rolname as object
      from pg_auth_members m join ours o on o.oid = m.roleid join pg_roles r on r.oid = m.member
      where m.member not in (select oid from ours) and not r.rolsuper and not r.rolcreaterole`,
  },
  {
    name: 'login-creates-nothing',
    sentence: 'must not be able to create: what it makes could take the place of what definer functions call',
    sql: `select login || ' in ' || place as object
      from (select login from restricted union all values ('tendon_platform')) l, lateral (
        select 'schema ' || nspname, has_schema_privilege(login, n.oid, 'create') from pg_namespace n
          where (login, nspname) <> ('tendon_worker', 'graphile_worker')
        union all values ('this database', has_database_privilege(login, current_database(), 'create, temporary'))) p (place, can)
      where can`,
  },
  {
    name: 'schema-reach',
    sentence: 'must not reach a schema other than public: no rule looks there',
    sql: `select login || ' in ' || nspname as object from restricted, pg_namespace n
      where nspname not in ('public', 'pg_catalog', 'information_schema') and has_schema_privilege(login, n.oid, 'usage')
        and (login, nspname) <> ('tendon_worker', 'graphile_worker')`,
  },
  {
    name: 'jobs-own',
    sentence: 'is in the schema of the jobs and must belong to tendon_worker: else it runs or reads with more rights',
    sql: `select 'function ' || p.oid::regprocedure as object from pg_proc p
      where p.pronamespace = to_regnamespace('graphile_worker') and p.proowner <> (select oid from ours where rolname = 'tendon_worker')
      union all
      select 'relation ' || c.oid::regclass from pg_class c
      where c.relnamespace = to_regnamespace('graphile_worker') and c.relowner <> (select oid from ours where rolname = 'tendon_worker')`,
  },
  {
    name: 'language-reach',
    sentence: 'must not be able to run code in another language than sql and plpgsql: revoke usage on it',
    sql: `select login || ' in ' || lanname as object from restricted, pg_language l
      where l.lanpltrusted and l.lanname not in ('sql', 'plpgsql') and has_language_privilege(login, l.oid, 'usage')`,
  },
  {
    name: 'foreign-reach',
    sentence: 'must not reach other servers: revoke usage',
    sql: `select login || ' on server ' || s.srvname as object from restricted, pg_foreign_server s where has_server_privilege(login, s.oid, 'usage')
      union all
      select login || ' on foreign-data wrapper ' || w.fdwname from restricted, pg_foreign_data_wrapper w
      where has_foreign_data_wrapper_privilege(login, w.oid, 'usage')`,
  },
  {
    name: 'no-large-objects',
    sentence: 'is not bound by row-level security, and a login of the platform owns or reads it: unlink it',
    sql: `select 'large object ' || l.oid as object from pg_largeobject_metadata l
      where l.lomowner in (select oid from ours)
        or exists (select 1 from aclexplode(l.lomacl) g where g.grantee = 0 or g.grantee in (select oid from ours))`,
  },
  {
    name: 'parameter-grant',
    sentence: 'must not be set by a login of the platform: revoke it',
    sql: `select p.parname || ' by ' || case g.grantee when 0 then 'public' else g.grantee::regrole::text end as object
      from pg_parameter_acl p, aclexplode(p.paracl) g
      where (g.grantee = 0 or g.grantee in (select oid from ours)) and p.parname in (${DANGEROUS_NAMES.map((name) => `'${name}'`).join(', ')})`,
  },
]
