import type { Source } from '../source.ts'
import { tidy } from './tidy.ts'

const TYPES = `
  select 'create type ' || t.oid::regtype::text || case t.typtype
      when 'e' then ' as enum (' || (select string_agg(quote_literal(e.enumlabel), ', ' order by e.enumsortorder)
        from pg_enum e where e.enumtypid = t.oid) || ')'
      else E' as (\\n' || (select string_agg('  ' || quote_ident(a.attname) || ' ' || format_type(a.atttypid, a.atttypmod), E',\\n' order by a.attnum)
        from pg_attribute a where a.attrelid = t.typrelid and not a.attisdropped) || E'\\n)' end || E';\\n' as text
  from pg_type t left join pg_class c on c.oid = t.typrelid
  where t.typnamespace = 'public'::regnamespace and (t.typtype = 'e' or c.relkind = 'c')
    and not exists (select 1 from pg_depend d where d.classid = 'pg_type'::regclass and d.objid = t.oid and d.deptype = 'e')
  order by t.typname`

const DOMAINS = `
  select 'create domain ' || t.oid::regtype::text || ' as ' || format_type(t.typbasetype, t.typtypmod)
    || case when t.typnotnull then ' not null' else '' end
    || coalesce((select string_agg(E'\\n  constraint ' || quote_ident(k.conname) || ' ' || pg_get_constraintdef(k.oid), '' order by k.conname)
        from pg_constraint k where k.contypid = t.oid and k.contype = 'c'), '') || E';\\n' as text
  from pg_type t where t.typnamespace = 'public'::regnamespace and t.typtype = 'd'
    and not exists (select 1 from pg_depend d where d.classid = 'pg_type'::regclass and d.objid = t.oid and d.deptype = 'e')
  order by t.typname`

const SEQUENCES = `
  select 'create sequence ' || c.oid::regclass::text || ' as ' || format_type(s.seqtypid, null) || E';\\n' as text
  from pg_sequence s join pg_class c on c.oid = s.seqrelid
  where c.relnamespace = 'public'::regnamespace
    and not exists (select 1 from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('i', 'e'))
  order by c.relname`

export async function typeStatements({ query }: Source): Promise<string[]> {
  const found = [
    await query<{ text: string }>(TYPES),
    await query<{ text: string }>(DOMAINS),
    await query<{ text: string }>(SEQUENCES),
  ]
  return found.flat().map(({ text }) => tidy(text))
}
