import { grantee, listOf, OUR_EXTENSIONS, privilege } from './text.ts'

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
  from pg_extension e where e.extname = 'plpgsql' or e.extname in ${OUR_EXTENSIONS}`

export const OTHER_OBJECTS = [ROLES, DEFAULT_PRIVILEGES, SCHEMAS]
