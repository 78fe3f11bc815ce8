import { grantee, hash, isLibraryCode, listOf } from './text.ts'

/** Functions, procedures, aggregates and window functions of the schema public. */
export const FUNCTIONS = `
  functions as (
    select p.*, m.extension, m.owner as extension_owner, coalesce((
      select ${listOf(`${grantee} || case when g.is_grantable then ' with grant option' else '' end`, ' ')}
      from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) g where g.grantee <> p.proowner), 'nobody') as executors
    from pg_proc p left join members m on m.classid = 'pg_proc'::regclass and m.objid = p.oid
    where p.pronamespace = 'public'::regnamespace and not (${isLibraryCode('p', 'm')}))`

/** What an aggregate does: pg_get_functiondef knows only the others. */
const AGGREGATE = `(select concat_ws(' ', aggkind, aggtransfn, aggfinalfn, aggcombinefn, aggserialfn, aggdeserialfn, aggmtransfn,
      aggminvtransfn, aggmfinalfn, aggsortop::regoperator, aggtranstype::regtype, agginitval) from pg_aggregate where aggfnoid = f.oid)`

/** What a function of an extension does: its text or its symbol in the library, and how it is called. */
const LIBRARY = `concat_ws(' ', f.prosrc, pg_get_function_sqlbody(f.oid), f.probin, (select lanname from pg_language where oid = f.prolang),
      f.proisstrict, f.proretset, f.prorettype::regtype, f.prosupport)`

// A server of another major prints extensions' functions differently, and their owner has another name in each cluster.
const DEFINITION = `case when f.extension is not null then null when f.prokind = 'a' then ${hash(AGGREGATE)} else ${hash('pg_get_functiondef(f.oid)')} end`
const SOURCE = `case when f.prokind = 'a' then ${hash(AGGREGATE)} when f.extension is not null then ${hash(LIBRARY)}
  else ${hash('f.prosrc || coalesce(pg_get_function_sqlbody(f.oid), $q$$q$)')} end`

/**
 * Functions of PostgreSQL itself that rules are made of. Somebody with the rights of a superuser can replace them; that is
 * compared for these few, because others differ between the builds of providers.
 */
const SYSTEM = [
  'uuid_eq',
  'uuid_ne',
  'texteq',
  'textne',
  'booleq',
  'boolne',
  'int4eq',
  'int8eq',
  'timestamptz_lt',
  'timestamptz_gt',
  'current_setting',
  'set_config',
  'array_position',
  'strpos',
  'position',
  'starts_with',
  'uuid_in',
  'uuid_out',
  'current_user',
  'session_user',
  'pg_has_role',
  'row_security_active',
  'sha256',
  'encode',
  'now',
  'clock_timestamp',
]

export const FUNCTION_OBJECTS = [
  `
  select case f.prokind when 'p' then 'procedure ' when 'a' then 'aggregate ' when 'w' then 'window function ' else 'function ' end
      || regexp_replace(f.oid::regprocedure::text, '^public\\.', ''),
    case when f.extension is null or f.proowner in (f.extension_owner, 10) then coalesce('of extension ' || f.extension, 'owner ' || f.proowner::regrole)
      else 'owner ' || f.proowner::regrole || ', of extension ' || f.extension end
      || case when f.prosecdef then ', security definer' else '' end
      || case f.provolatile when 'i' then ', immutable' when 's' then ', stable' else '' end
      || case when f.proleakproof then ', leakproof' else '' end
      || coalesce(', ' || (select ${listOf('s')} from unnest(f.proconfig) s), '')
      || ', executed by ' || f.executors,
    ${SOURCE}, ${DEFINITION}
  from functions f`,
  `
  select 'system function ' || p.oid::regprocedure, 'language ' || l.lanname, ${hash('p.prosrc')}, null
  from pg_proc p join pg_language l on l.oid = p.prolang
  where p.pronamespace = 'pg_catalog'::regnamespace and p.oid < 16384 and p.proname in (${SYSTEM.map((name) => `'${name}'`).join(', ')})`,
]
