import { ADDED } from './added.fixtures.ts'
import { COLUMNS, INDEXES } from './column-mutations.fixtures.ts'
import type { Mutation } from './mutation.fixtures.ts'

const RELATION = `c.relnamespace = 'public'::regnamespace
  and not exists (select 1 from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`
const FUNCTION = `p.pronamespace = 'public'::regnamespace and p.prokind = 'f'
  and not exists (select 1 from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')`

const TABLES = `
  select m.kind, 'table ' || c.relname as object, format(m.ddl, c.oid::regclass, c.relname) as ddl
  from pg_class c, (values
    ('table without row-level security', 'alter table %s disable row level security'),
    ('table that does not bind its owner', 'alter table %s no force row level security'),
    ('table of another owner', 'alter table %s owner to current_user')) m (kind, ddl)
  where ${RELATION} and c.relkind = 'r' and c.relrowsecurity
  union all
  select m.kind, format(m.object, c.relname), format(m.ddl, c.oid::regclass, c.relname)
  from pg_class c, (values
    ('table with a rule', 'rule %s.mutated', 'create rule mutated as on insert to %s do also nothing'),
    ('table with a child', 'inheritance of mutated_%1$s from %1$s', 'create table mutated_%2$s () inherits (%1$s)'),
    ('trigger that is marked as internal', 'trigger %s.mutated', 'create trigger mutated before insert on %1$s execute function refuse_restricted();
      update pg_trigger set tgisinternal = true where tgrelid = ''%1$s''::regclass and tgname = ''mutated''')) m (kind, object, ddl)
  where ${RELATION} and c.relkind = 'r'
  union all
  select 'table that a crash empties', 'table ' || c.relname, format('alter table %s set unlogged', c.oid::regclass)
  from pg_class c where ${RELATION} and c.relkind = 'r' and not exists (select 1 from pg_constraint k where k.confrelid = c.oid)
  union all
  select 'sequence that skips', 'sequence ' || c.relname, format('alter sequence %s increment by 2', c.oid::regclass)
  from pg_class c where ${RELATION} and c.relkind = 'S'
  union all
  select 'view that reads as its owner', 'view ' || c.relname, format('alter view %s set (security_invoker = false)', c.oid::regclass)
  from pg_class c where ${RELATION} and c.relkind = 'v'
  union all
  select 'view of another owner', 'materialized view ' || c.relname, format('alter materialized view %s owner to current_user', c.oid::regclass)
  from pg_class c where ${RELATION} and c.relkind = 'm'`

const POLICIES = `
  select m.kind, 'policy ' || c.relname || '.' || p.polname as object, format(m.ddl, p.polname, c.oid::regclass) as ddl
  from pg_policy p join pg_class c on c.oid = p.polrelid, (values
    ('policy that is gone', 'drop policy %I on %s', true, true),
    ('policy that shows everything', 'alter policy %I on %s using (true)', true, false),
    ('policy that accepts everything', 'alter policy %I on %s with check (true)', false, true),
    ('policy for one role', 'alter policy %I on %s to tendon_app', true, true)) m (kind, ddl, reads, writes)
  where ${RELATION} and ((m.reads and p.polqual is not null) or (m.writes and p.polwithcheck is not null))
  union all
  select 'policy beside the others', 'policy ' || c.relname || '.mutated', format('create policy mutated on %s for select using (true)', c.oid::regclass)
  from pg_class c where ${RELATION} and c.relkind = 'r' and c.relrowsecurity`

const TRIGGERS = `
  select m.kind, 'trigger ' || c.relname || '.' || t.tgname as object, format(m.ddl, t.tgname, c.oid::regclass) as ddl
  from pg_trigger t join pg_class c on c.oid = t.tgrelid, (values
    ('trigger that is gone', 'drop trigger %I on %s'),
    ('trigger that is disabled', 'alter table %2$s disable trigger %1$I'),
    ('trigger that fires on replicas only', 'alter table %2$s enable replica trigger %1$I')) m (kind, ddl)
  where ${RELATION} and not t.tgisinternal
  union all
  select m.kind, 'constraint ' || c.relname || '.' || k.conname, format(m.ddl, c.oid::regclass, k.conname)
  from pg_constraint k join pg_class c on c.oid = k.conrelid, (values
    ('foreign key that is gone', 'alter table %s drop constraint %I'),
    ('foreign key that is disabled', 'alter table %s disable trigger all')) m (kind, ddl)
  where ${RELATION} and k.contype = 'f'`

const GRANTS = `
  with granted as (
    select c.oid::regclass as relation, c.relname as name, g.grantee::regrole as grantee, g.privilege_type as privilege, null as columns
    from pg_class c, aclexplode(c.relacl) g where ${RELATION} and g.grantee <> c.relowner
    union all
    select c.oid::regclass, c.relname, g.grantee::regrole, g.privilege_type, string_agg(quote_ident(a.attname), ', ')
    from pg_class c join pg_attribute a on a.attrelid = c.oid and not a.attisdropped, aclexplode(a.attacl) g
    where ${RELATION} and g.grantee <> c.relowner group by c.oid, c.relname, g.grantee, g.privilege_type)
  select 'grant that is gone' as kind, 'grant on ' || name || ' to ' || grantee as object,
    format('revoke %s %s on %s from %s', privilege, '(' || columns || ')', relation, grantee) as ddl from granted
  union all
  select 'grant of all columns', 'grant on ' || name || ' to ' || grantee, format('grant %s on %s to %s', privilege, relation, grantee)
  from granted where columns is not null
  union all
  select distinct 'grant to another login', 'grant on ' || name || ' to tendon_telemetry', format('grant truncate on %s to tendon_telemetry', relation)
  from granted where relation::text not like '%_seq'`

const FUNCTIONS = `
  select m.kind, 'function ' || p.oid::regprocedure as object,
    case m.ddl when 'replace' then replace(pg_get_functiondef(p.oid), p.prosrc, p.prosrc || E'\\n-- changed\\n')
      else format(m.ddl, p.oid::regprocedure) end as ddl
  from pg_proc p, (values
    ('function of another owner', 'alter function %s owner to current_user', false),
    ('function that is gone', 'drop function %s cascade', false),
    ('function for everybody', 'grant execute on function %s to public', false),
    ('function with another source', 'replace', false),
    ('function that is leakproof', 'alter function %s leakproof', false),
    ('function without its rights', 'alter function %s security invoker', true),
    ('function with an open search path', 'alter function %s reset search_path', true)) m (kind, ddl, definer)
  where ${FUNCTION} and (p.prosecdef or not m.definer)`

/** Every mutation of every object, in an order that stays the same. */
export async function listMutations(query: <Row extends object>(text: string) => Promise<Row[]>): Promise<Mutation[]> {
  const found: Mutation[] = [...ADDED]
  for (const text of [TABLES, COLUMNS, INDEXES, POLICIES, TRIGGERS, GRANTS, FUNCTIONS])
    found.push(...(await query<Mutation>(text)))
  return found.sort((a, b) => `${a.kind} ${a.object} ${a.ddl}`.localeCompare(`${b.kind} ${b.object} ${b.ddl}`, 'en'))
}
