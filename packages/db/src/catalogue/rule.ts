import { OURS } from './snapshot/others.ts'
import { MEMBERS, readsNoRelation } from './snapshot/text.ts'

/** A rule that the database must keep. `sql` selects one column, `object`: what breaks it; `sentence` says how. */
export interface Rule {
  name: string
  sentence: string
  /** Missing for the two rules that are checked in TypeScript (policy-shape.ts, settings.ts). */
  sql?: string
}

/** What the rules look at. Only the schema public: the restricted logins reach no other (rule schema-reach). */
export const SUBJECTS = `${MEMBERS},${OURS},
  relations as (
    select c.oid, c.relname as name, c.relkind as kind, c.relispartition as is_partition, c.relowner as owner,
      c.relrowsecurity as enabled, c.relforcerowsecurity as forced, c.reloptions as options, c.relacl as acl,
      o.attnum as org_column, coalesce(o.attnotnull, false) as org_required
    from pg_class c
    left join pg_attribute o on o.attrelid = c.oid and o.attname = 'organization_id' and not o.attisdropped
    left join members m on m.classid = 'pg_class'::regclass and m.objid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'f', 'v', 'm')
      and not (m.extension is not null and not m.is_ours and ${readsNoRelation('c')})),
  tables as (select * from relations where kind in ('r', 'p', 'f')),
  policies as (
    select p.polname as name, p.polcmd as command, p.polpermissive as permissive, t.name as table_name,
      pg_get_expr(p.polqual, p.polrelid) as visible, pg_get_expr(p.polwithcheck, p.polrelid) as writable
    from pg_policy p join tables t on t.oid = p.polrelid),
  functions as (
    select p.oid, regexp_replace(p.oid::regprocedure::text, '^public\\.', '') as name, p.prosecdef as definer, p.proowner::regrole::text as owner,
      p.proconfig as settings, coalesce(p.proacl, acldefault('f', p.proowner)) as acl
    from pg_proc p left join members m on m.classid = 'pg_proc'::regclass and m.objid = p.oid
    where p.pronamespace = 'public'::regnamespace and (m.extension is null or p.prosecdef)),
  restricted (login) as (values ('tendon_app'), ('tendon_worker'), ('tendon_telemetry'))`

/** What policy-shape.ts reads. Restrictive policies only narrow what others allow. */
export const POLICIES = `with ${SUBJECTS}
  select name, table_name, command, visible, writable from policies where permissive`
