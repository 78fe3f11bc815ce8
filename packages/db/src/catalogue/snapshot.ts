/** One object of the database as far as tenancy depends on it. */
export interface CatalogueObject {
  /** Kind and name, unique: `policy patients.patients_select`. */
  object: string
  /** Owner, states, commands, roles, grants: printed alike by every major version of PostgreSQL. */
  facts: string
  /** Hash of the source of a function. */
  source: string | null
  /** Hash of the definition as PostgreSQL prints it, which may differ between major versions. */
  definition: string | null
}

const hash = (text: string) => `left(encode(sha256(convert_to(${text}, 'UTF8')), 'hex'), 16)`
const notOfExtension = (table: string, oid: string) =>
  `not exists (select 1 from pg_depend d where d.classid = '${table}'::regclass and d.objid = ${oid} and d.deptype = 'e')`
const grantee = `case g.grantee when 0 then 'public' else g.grantee::regrole::text end`
const privilege = `lower(g.privilege_type) || case when g.is_grantable then ' with grant option' else '' end`

/** Any login may read this. One statement, since every start of a server waits for it. */
export const SNAPSHOT = `
  with relations as (
    select c.oid, c.relname as name, c.relkind as kind, c.relowner as owner, c.relrowsecurity as enabled,
      c.relforcerowsecurity as forced, c.relhasrules as ruled, c.reloptions as options, c.relacl as acl
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'f', 'v', 'm', 'S') and ${notOfExtension('pg_class', 'c.oid')}),
  grants as (
    select r.name, ${grantee} as grantee, ${privilege} as privilege, null as columns
    from relations r, aclexplode(r.acl) g where g.grantee <> r.owner
    union all
    select r.name, ${grantee}, ${privilege}, string_agg(a.attname, ', ' order by a.attname)
    from relations r join pg_attribute a on a.attrelid = r.oid and not a.attisdropped, aclexplode(a.attacl) g
    where g.grantee <> r.owner group by r.name, g.grantee, g.privilege_type, g.is_grantable),
  functions as (
    select p.*, coalesce((
      select string_agg(${grantee} || case when g.is_grantable then ' with grant option' else '' end, ' ' order by ${grantee} collate "C")
      from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) g where g.grantee <> p.proowner), 'nobody') as executors
    from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and ${notOfExtension('pg_proc', 'p.oid')}
      and p.proname <> 'uuidv7')
  select case kind when 'v' then 'view ' when 'm' then 'materialized view ' when 'S' then 'sequence ' else 'table ' end || name as object,
    'owner ' || owner::regrole
      || case when kind in ('v', 'm', 'S') then '' when forced and enabled then ', row-level security forced'
        when enabled then ', row-level security not forced' else ', no row-level security' end
      || case when ruled and kind not in ('v', 'm') then ', rules' else '' end
      || coalesce(', ' || (select string_agg(o, ', ' order by o collate "C") from unnest(options) o), '') as facts,
    null as source,
    case when kind in ('v', 'm') then ${hash('pg_get_viewdef(oid)')} end as definition
  from relations
  union all
  select 'grant on ' || name || ' to ' || grantee,
    string_agg(privilege || coalesce(' (' || columns || ')', ''), ', ' order by privilege collate "C", columns collate "C"), null, null
  from grants group by name, grantee
  union all
  select 'policy ' || r.name || '.' || p.polname,
    case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end
      || case when p.polpermissive then '' else ' restrictive' end || ' to '
      || (select string_agg(${grantee}, ' ' order by ${grantee} collate "C")
        from unnest(p.polroles) g (grantee)),
    null,
    ${hash(`concat(pg_get_expr(p.polqual, p.polrelid), ' with check ', pg_get_expr(p.polwithcheck, p.polrelid))`)}
  from pg_policy p join relations r on r.oid = p.polrelid
  union all
  select 'trigger ' || r.name || '.' || t.tgname,
    case t.tgenabled when 'O' then 'enabled' when 'D' then 'disabled' when 'R' then 'enabled on replicas' else 'enabled always' end
      || ', calls ' || t.tgfoid::regproc,
    null, ${hash('pg_get_triggerdef(t.oid)')}
  from pg_trigger t join relations r on r.oid = t.tgrelid where not t.tgisinternal
  union all
  select 'constraint ' || r.name || '.' || k.conname,
    case when k.convalidated then 'valid' else 'not valid' end
      || case when exists (select 1 from pg_trigger t where t.tgconstraint = k.oid and t.tgenabled not in ('O', 'A'))
        then ', disabled' else '' end,
    null, ${hash('pg_get_constraintdef(k.oid)')}
  from pg_constraint k join relations r on r.oid = k.conrelid where k.contype in ('p', 'u', 'x', 'f', 'c')
  union all
  select 'function ' || f.oid::regprocedure,
    'owner ' || f.proowner::regrole || case when f.prosecdef then ', security definer' else '' end
      || case f.provolatile when 'i' then ', immutable' when 's' then ', stable' else '' end
      || case when f.proleakproof then ', leakproof' else '' end
      || coalesce(', ' || (select string_agg(s, ', ' order by s collate "C") from unnest(f.proconfig) s), '')
      || ', executed by ' || f.executors,
    ${hash('f.prosrc')}, ${hash('pg_get_functiondef(f.oid)')}
  from functions f
  union all
  select 'schema public', 'owner ' || n.nspowner::regrole || (
      select string_agg(', ' || ${grantee} || ' ' || ${privilege}, '' order by ${grantee} collate "C", ${privilege} collate "C")
      from aclexplode(n.nspacl) g where g.grantee <> n.nspowner), null, null
  from pg_namespace n where n.nspname = 'public'`
