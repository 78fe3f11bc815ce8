import { grantee, hash, listOf, privilege } from './text.ts'

/** The roles of database/roles.sql. */
export const OURS = `
  ours as (
    select * from pg_roles
    where rolname in ('tendon_owner', 'tendon_definer', 'tendon_app', 'tendon_platform', 'tendon_worker', 'tendon_telemetry'))`

// How many connections a login may have, and until when, is for the operator to say.
const ROLES = `
  select 'role ' || r.rolname,
    case when r.rolcanlogin then 'login' else 'no login' end
      || case when r.rolsuper then ', superuser' else '' end
      || case when r.rolbypassrls then ', bypasses row-level security' else '' end
      || case when r.rolcreaterole then ', creates roles' else '' end
      || case when r.rolcreatedb then ', creates databases' else '' end
      || case when r.rolreplication then ', replicates' else '' end
      || case when r.rolinherit then '' else ', inherits nothing' end
      || coalesce(', member of ' || (
        select ${listOf(`m.roleid::regrole || case when m.admin_option then ' with admin option' else '' end`)}
        from pg_auth_members m where m.member = r.oid), ''),
    null, null
  from ours r`

const DEFAULT_PRIVILEGES = `
  select 'default privileges of ' || d.defaclrole::regrole || coalesce(' in ' || n.nspname, '') || ' on '
      || case d.defaclobjtype when 'r' then 'tables' when 'S' then 'sequences' when 'f' then 'functions' when 'T' then 'types'
        when 'n' then 'schemas' else 'others' end,
    coalesce((select ${listOf(`${grantee} || ' ' || ${privilege}`)} from aclexplode(d.defaclacl) g where g.grantee <> d.defaclrole), 'nobody'),
    null, null
  from pg_default_acl d left join pg_namespace n on n.oid = d.defaclnamespace
  where d.defaclrole in (select oid from ours)
    or exists (select 1 from aclexplode(d.defaclacl) g where g.grantee in (select oid from ours))`

const SCHEMAS = `
  select 'schema ' || n.nspname, 'owner ' || n.nspowner::regrole || coalesce((
      select string_agg(', ' || ${grantee} || ' ' || ${privilege}, '' order by ${grantee} collate "C", ${privilege} collate "C")
      from aclexplode(n.nspacl) g where g.grantee <> n.nspowner), ''), null, null
  from pg_namespace n where n.nspname in ('public', 'graphile_worker')
  union all
  select 'extension ' || e.extname,
    'schema ' || e.extnamespace::regnamespace || coalesce(', owner ' || (select rolname from ours where oid = e.extowner), ''), null, null
  from pg_extension e where e.extname in ('citext', 'pg_trgm', 'unaccent', 'btree_gist', 'plpgsql')`

const notOfExtension = (table: string, oid: string) =>
  `not exists (select 1 from members m where m.classid = '${table}'::regclass and m.objid = ${oid})`

const TYPES = `
  select 'type ' || t.typname, 'owner ' || t.typowner::regrole || ', '
      || case t.typtype when 'c' then 'composite' when 'd' then 'domain' when 'e' then 'enum' when 'r' then 'range' else 'base' end,
    null, ${hash(`concat_ws(' ', t.typbasetype::regtype, t.typnotnull, t.typdefault,
      (select string_agg(a.attname || ' ' || format_type(a.atttypid, a.atttypmod), ', ' order by a.attnum)
        from pg_attribute a where a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped),
      (select string_agg(l.enumlabel, ', ' order by l.enumsortorder) from pg_enum l where l.enumtypid = t.oid),
      (select string_agg(pg_get_constraintdef(k.oid), ', ' order by k.conname) from pg_constraint k where k.contypid = t.oid))`)}
  from pg_type t left join pg_class c on c.oid = t.typrelid
  where t.typnamespace = 'public'::regnamespace and (c.oid is null or c.relkind = 'c') and ${notOfExtension('pg_type', 't.oid')}
    and not exists (select 1 from pg_type e where e.typarray = t.oid) and t.typtype <> 'm'`

// Nothing of these belongs to a release: each one found in the schema public is named.
const OPERATORS = `
  select 'operator ' || o.oid::regoperator, 'calls ' || o.oprcode, null, null
  from pg_operator o where o.oprnamespace = 'public'::regnamespace and ${notOfExtension('pg_operator', 'o.oid')}
  union all
  select 'operator class ' || o.opcname || ' using ' || a.amname, 'for ' || o.opcintype::regtype, null, null
  from pg_opclass o join pg_am a on a.oid = o.opcmethod
  where o.opcnamespace = 'public'::regnamespace and ${notOfExtension('pg_opclass', 'o.oid')}
  union all
  select 'collation ' || c.collname, 'owner ' || c.collowner::regrole, null, null
  from pg_collation c where c.collnamespace = 'public'::regnamespace and ${notOfExtension('pg_collation', 'c.oid')}
  union all
  select 'conversion ' || c.conname, 'calls ' || c.conproc, null, null
  from pg_conversion c where c.connamespace = 'public'::regnamespace and ${notOfExtension('pg_conversion', 'c.oid')}
  union all
  select 'text search configuration ' || c.cfgname, 'owner ' || c.cfgowner::regrole, null, null
  from pg_ts_config c where c.cfgnamespace = 'public'::regnamespace and ${notOfExtension('pg_ts_config', 'c.oid')}
  union all
  select 'text search dictionary ' || d.dictname, coalesce(d.dictinitoption, 'no options'), null, null
  from pg_ts_dict d where d.dictnamespace = 'public'::regnamespace`

export const OTHER_OBJECTS = [ROLES, DEFAULT_PRIVILEGES, SCHEMAS, TYPES, OPERATORS]
