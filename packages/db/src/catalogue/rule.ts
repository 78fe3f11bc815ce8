/** A rule that the database must keep. `sql` selects one column, `object`: what breaks it; `sentence` says how. */
export interface Rule {
  name: string
  sentence: string
  /** Missing for the one rule that is checked in TypeScript (policy-shape.ts). */
  sql?: string
}

/** What the rules look at. Only the schema public: the restricted logins reach no other (rule schema-reach). */
export const SUBJECTS = `
  relations as (
    select c.oid, c.relname as name, c.relkind as kind, c.relispartition as is_partition, c.relowner as owner,
      c.relrowsecurity as enabled, c.relforcerowsecurity as forced, c.reloptions as options, c.relacl as acl,
      o.attnum as org_column, coalesce(o.attnotnull, false) as org_required
    from pg_class c
    left join pg_attribute o on o.attrelid = c.oid and o.attname = 'organization_id' and not o.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'f', 'v', 'm')
      and not exists (select 1 from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')),
  tables as (select * from relations where kind in ('r', 'p', 'f')),
  policies as (
    select p.polname as name, p.polcmd as command, p.polpermissive as permissive, t.name as table_name,
      pg_get_expr(p.polqual, p.polrelid) as visible, pg_get_expr(p.polwithcheck, p.polrelid) as writable
    from pg_policy p join tables t on t.oid = p.polrelid),
  functions as (
    select p.oid, p.oid::regprocedure::text as name, p.prosecdef as definer, p.proowner::regrole::text as owner,
      p.proconfig as settings, coalesce(p.proacl, acldefault('f', p.proowner)) as acl
    from pg_proc p
    where p.pronamespace = 'public'::regnamespace
      and not exists (select 1 from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')),
  restricted (login) as (values ('tendon_app'), ('tendon_worker'), ('tendon_telemetry'))`

/** What policy-shape.ts reads. Restrictive policies only narrow what others allow. */
export const POLICIES = `with ${SUBJECTS}
  select name, table_name, command, visible, writable from policies where permissive`
