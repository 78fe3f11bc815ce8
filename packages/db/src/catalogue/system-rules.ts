import type { Rule } from './rule.ts'
import { aboutOwnType, isLibraryCode, ofOtherExtension, readsNoRelation } from './snapshot/text.ts'

/** Objects that PostgreSQL itself makes have lower numbers. */
const FIRST_OF_USERS = 16384
const OF_POSTGRES = `('pg_catalog'::regnamespace, 'information_schema'::regnamespace)`
const FOR_US = `(g.grantee = 0 or g.grantee in (select oid from ours))`

/** Beside the schema public: objects of PostgreSQL itself, and those that belong to no schema. */
export const systemRules: Rule[] = [
  {
    name: 'system-schema',
    sentence: 'was added to a schema of PostgreSQL, where every name is looked up first: drop it',
    sql: `select 'function ' || p.oid::regprocedure as object from pg_proc p
      left join members m on m.classid = 'pg_proc'::regclass and m.objid = p.oid
      where p.pronamespace in ${OF_POSTGRES} and p.oid >= ${FIRST_OF_USERS} and not (${isLibraryCode('p', 'm')})
      union all
      select 'relation ' || c.oid::regclass from pg_class c
      left join members m on m.classid = 'pg_class'::regclass and m.objid = c.oid
      where c.relnamespace in ${OF_POSTGRES} and c.oid >= ${FIRST_OF_USERS} and c.relkind <> 'i'
        and not (m.extension is not null and not m.is_ours and (c.relkind = 'c' or ${readsNoRelation('c')}))
      union all
      select 'operator ' || o.oid::regoperator from pg_operator o
      where o.oprnamespace in ${OF_POSTGRES} and o.oid >= ${FIRST_OF_USERS}
        and not ${ofOtherExtension('pg_operator', 'o.oid', aboutOwnType('o.oprleft', 'o.oprright'))}
      union all
      select 'type ' || t.oid::regtype from pg_type t
      where t.typnamespace in ${OF_POSTGRES} and t.oid >= ${FIRST_OF_USERS} and t.typrelid = 0 and t.typtype <> 'm'
        and not exists (select 1 from pg_type e where e.typarray = t.oid)
        and not ${ofOtherExtension('pg_type', 't.oid', `t.typtype <> 'd'`)}`,
  },
  {
    name: 'system-function',
    sentence: 'is a function of PostgreSQL that was changed: restore it, or restore a backup into a new cluster',
    sql: `select p.oid::regprocedure::text as object from pg_proc p join pg_language l on l.oid = p.prolang
      where p.pronamespace in ${OF_POSTGRES} and p.oid < ${FIRST_OF_USERS}
        and (p.prosecdef or p.proconfig is not null or p.proowner <> 10 or l.lanname not in ('internal', 'c', 'sql'))`,
  },
  {
    name: 'system-operators',
    sentence: 'was added to how PostgreSQL compares its own types: drop it from the operator family',
    sql: `select a.amproc || ' in ' || f.opfname as object from pg_amproc a join pg_opfamily f on f.oid = a.amprocfamily
      where a.oid >= ${FIRST_OF_USERS} and f.oid < ${FIRST_OF_USERS}
      union all
      select a.amopopr::regoperator || ' in ' || f.opfname from pg_amop a join pg_opfamily f on f.oid = a.amopfamily
      where a.oid >= ${FIRST_OF_USERS} and f.oid < ${FIRST_OF_USERS}`,
  },
  {
    name: 'system-grant',
    sentence: 'is granted beyond what PostgreSQL grants itself: revoke it',
    sql: `with granted as (
        select 'pg_proc'::regclass as class, p.oid, 0 as column, p.oid::regprocedure::text as name, p.proacl as acl, p.proowner as owner
        from pg_proc p where p.pronamespace = 'pg_catalog'::regnamespace and p.proacl is not null
        union all
        select 'pg_class', c.oid, 0, c.oid::regclass::text, c.relacl, c.relowner
        from pg_class c where c.relnamespace = 'pg_catalog'::regnamespace and c.relacl is not null
        union all
        select 'pg_class', c.oid, a.attnum, c.oid::regclass || '.' || a.attname, a.attacl, c.relowner
        from pg_attribute a join pg_class c on c.oid = a.attrelid where c.relnamespace = 'pg_catalog'::regnamespace and a.attacl is not null)
      select lower(g.privilege_type) || ' on ' || o.name || ' to ' || case g.grantee when 0 then 'public' else g.grantee::regrole::text end as object
      from granted o left join pg_init_privs i on i.classoid = o.class and i.objoid = o.oid and i.objsubid = o.column, aclexplode(o.acl) g
      where o.acl is distinct from i.initprivs and ${FOR_US} and not exists (
        select 1 from aclexplode(coalesce(i.initprivs, case when o.column > 0 then null when o.class = 'pg_proc'::regclass then acldefault('f', o.owner) else acldefault('r', o.owner) end)) w
        where w.grantee = g.grantee and w.privilege_type = g.privilege_type)`,
  },
  {
    name: 'no-own-casts',
    sentence:
      'converts between types of PostgreSQL or of the schema public and can change what a comparison means: drop it',
    sql: `select 'cast from ' || k.castsource::regtype || ' to ' || k.casttarget::regtype as object
      from pg_cast k join pg_type s on s.oid = k.castsource join pg_type t on t.oid = k.casttarget
      where k.oid >= ${FIRST_OF_USERS} and s.typnamespace in ('pg_catalog'::regnamespace, 'public'::regnamespace)
        and t.typnamespace in ('pg_catalog'::regnamespace, 'public'::regnamespace)
        and not exists (select 1 from members m where m.classid = 'pg_cast'::regclass and m.objid = k.oid
          and (m.is_ours or ${aboutOwnType('k.castsource', 'k.casttarget')}))`,
  },
  {
    name: 'no-event-triggers',
    sentence:
      'is an event trigger and runs in every session that signs in, or inside definer functions that refresh views: drop it',
    sql: `select e.evtname as object from pg_event_trigger e join pg_proc p on p.oid = e.evtfoid
      left join members m on m.classid = 'pg_proc'::regclass and m.objid = p.oid
      where e.evtenabled <> 'D' and not coalesce(m.extension is not null and not m.is_ours and p.probin like '$libdir/%', false)`,
  },
  {
    name: 'no-subscriptions',
    sentence: 'writes rows of another server into this database, past triggers and policies: drop the subscription',
    sql: `select s.subname as object from pg_subscription s join pg_database d on d.oid = s.subdbid and d.datname = current_database()`,
  },
  {
    name: 'functions-in-public',
    sentence: 'calls a function of another schema, where no rule looks: drop it',
    sql: `select distinct 'index ' || c.relname as object from pg_class c join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = c.oid
      join pg_proc p on d.refclassid = 'pg_proc'::regclass and p.oid = d.refobjid
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'i' and p.pronamespace <> 'public'::regnamespace`,
  },
]
