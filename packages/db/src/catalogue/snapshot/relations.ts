import { grantee, hash, listOf, privilege, readsNoRelation } from './text.ts'

/** Tables, views and sequences of the schema public, also those of an extension: only a view over functions is left out. */
export const RELATIONS = `
  relations as (
    select c.oid, c.relname as name, c.relkind as kind, c.relowner as owner, c.relrowsecurity as enabled,
      c.relforcerowsecurity as forced, c.reloptions as options, c.relacl as acl, c.relpersistence as persistence, m.extension
    from pg_class c left join members m on m.classid = 'pg_class'::regclass and m.objid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'f', 'v', 'm', 'S')
      and not (m.extension is not null and not m.is_ours and ${readsNoRelation('c')})),
  grants as (
    select r.name, ${grantee} as grantee, ${privilege} as privilege, null as columns
    from relations r, aclexplode(r.acl) g where g.grantee <> r.owner
    union all
    select r.name, ${grantee}, ${privilege}, string_agg(a.attname, ', ' order by a.attname)
    from relations r join pg_attribute a on a.attrelid = r.oid and not a.attisdropped, aclexplode(a.attacl) g
    where g.grantee <> r.owner group by r.name, g.grantee, g.privilege_type, g.is_grantable)`

// Options of a table tune its storage (autovacuum, fillfactor): only those of a view say whose rights it reads with.
const TABLES = `
  select case kind when 'v' then 'view ' when 'm' then 'materialized view ' when 'S' then 'sequence ' else 'table ' end || name as object,
    'owner ' || owner::regrole
      || case when kind in ('v', 'm', 'S') then '' when forced and enabled then ', row-level security forced'
        when enabled then ', row-level security not forced' else ', no row-level security' end
      || case kind when 'f' then ', foreign' when 'p' then ', partitioned' else '' end
      || case persistence when 'u' then ', unlogged' else '' end
      || coalesce(', of extension ' || extension, '')
      || case when kind in ('v', 'm') then coalesce(', ' || (select ${listOf('o')} from unnest(options) o), '') else '' end as facts,
    null as source,
    case when kind in ('v', 'm') then ${hash('pg_get_viewdef(oid)')}
      when kind = 'S' then (select ${hash(`concat_ws(' ', seqtypid::regtype, seqstart, seqincrement, seqmin, seqmax, seqcycle)`)}
        from pg_sequence where seqrelid = oid) end as definition
  from relations
  union all
  select 'grant on ' || name || ' to ' || grantee,
    string_agg(privilege || coalesce(' (' || columns || ')', ''), ', ' order by privilege collate "C", columns collate "C"), null, null
  from grants group by name, grantee`

// On a cluster that was upgraded from before version 18 the defaults still name the function of the schema public.
const EXPRESSION = `replace(pg_get_expr(e.adbin, e.adrelid), 'public.uuidv7()', 'uuidv7()')`

const UNCHECKED = `select conrelid, conkey[1] from pg_constraint where contype = 'n' and not convalidated`

const COLUMNS = `
  select 'column ' || r.name || '.' || a.attname,
    format_type(a.atttypid, a.atttypmod) || case when a.attnotnull then ' not null' else '' end
      || case when (a.attrelid, a.attnum) in (${UNCHECKED}) then ' not valid' else '' end
      || case when a.attcollation <> t.typcollation then ' collate ' || a.attcollation::regcollation else '' end
      || case when not a.atthasdef then '' when a.attgenerated = 's' then ', generated' when a.attgenerated = 'v' then ', generated when read'
        else ', default' end
      || case a.attidentity when 'a' then ', identity' when 'd' then ', identity by default' else '' end,
    null, case when a.atthasdef then (select ${hash(EXPRESSION)} from pg_attrdef e where e.adrelid = a.attrelid and e.adnum = a.attnum) end
  from relations r join pg_attribute a on a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
  join pg_type t on t.oid = a.atttypid
  where r.kind in ('r', 'p', 'f')`

const POLICIES = `
  select 'policy ' || r.name || '.' || p.polname,
    case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end
      || case when p.polpermissive then '' else ' restrictive' end || ' to '
      || (select ${listOf(grantee, ' ')} from unnest(p.polroles) g (grantee)),
    null,
    ${hash(`concat(pg_get_expr(p.polqual, p.polrelid), ' with check ', pg_get_expr(p.polwithcheck, p.polrelid))`)}
  from pg_policy p join relations r on r.oid = p.polrelid`

const FIRING = (column: string) =>
  `case ${column} when 'O' then 'enabled' when 'D' then 'disabled' when 'R' then 'enabled on replicas' else 'enabled always' end`

// A trigger that calls a function of a user is shown even if it is marked as internal.
const TRIGGERS = `
  select 'trigger ' || r.name || '.' || t.tgname, ${FIRING('t.tgenabled')} || ', calls ' || t.tgfoid::regproc,
    null, ${hash('pg_get_triggerdef(t.oid)')}
  from pg_trigger t join relations r on r.oid = t.tgrelid where not t.tgisinternal or t.tgfoid >= 16384
  union all
  select 'rule ' || r.name || '.' || w.rulename,
    ${FIRING('w.ev_enabled')}, null, ${hash('pg_get_ruledef(w.oid)')}
  from pg_rewrite w join relations r on r.oid = w.ev_class where w.rulename <> '_RETURN' or w.ev_enabled <> 'O'`

const INDEX_STATE = `case when not (i.indisvalid and i.indisready and i.indislive) then ', index not valid' else '' end`

// A foreign key is enforced by four triggers. An index that "reindex concurrently" is building has a name of its own.
const CONSTRAINTS = `
  select 'constraint ' || r.name || '.' || k.conname,
    case when k.convalidated then 'valid' else 'not valid' end
      || case when k.contype = 'f' and t.firing < 4 or t.silent > 0 then ', disabled' else '' end
      || case when k.contype in ('p', 'u', 'x') then coalesce((select ${INDEX_STATE}
          || case when k.contype <> 'x' and not i.indisunique then ', index not unique' else '' end from pg_index i where i.indexrelid = k.conindid), ', no index')
        else '' end,
    null, ${hash('pg_get_constraintdef(k.oid)')}
  from pg_constraint k join relations r on r.oid = k.conrelid
  left join (
    select tgconstraint, count(*) filter (where tgenabled in ('O', 'A')) as firing, count(*) filter (where tgenabled not in ('O', 'A')) as silent
    from pg_trigger where tgconstraint <> 0 group by 1) t on t.tgconstraint = k.oid
  where k.contype in ('p', 'u', 'x', 'f', 'c')
  union all
  select 'index ' || r.name || '.' || c.relname, 'unique' || ${INDEX_STATE}, null,
    ${hash(`regexp_replace(pg_get_indexdef(i.indexrelid), ' WITH \\([^)]*\\)', '')`)}
  from pg_index i join relations r on r.oid = i.indrelid join pg_class c on c.oid = i.indexrelid
  where i.indisunique and not exists (select 1 from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))
    and not (not i.indisvalid and c.relname ~ '_cc(new|old)[0-9]*$')
  union all
  select 'inheritance of ' || h.inhrelid::regclass || ' from ' || h.inhparent::regclass, 'child', null, null
  from pg_inherits h where h.inhrelid in (select oid from relations) or h.inhparent in (select oid from relations)`

export const RELATION_OBJECTS = [TABLES, COLUMNS, POLICIES, TRIGGERS, CONSTRAINTS]
