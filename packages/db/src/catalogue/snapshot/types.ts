import { aboutOwnType, hash, listOf, ofOtherExtension } from './text.ts'

// Types, and what gives operators, casts and comparisons their meaning. A release has none but those of its extensions;
// each other one is named.

const extensionOf = (table: string, oid: string) =>
  `(select 'of extension ' || string_agg(m.extension, ', ') from members m where m.classid = '${table}'::regclass and m.objid = ${oid})`

const PUBLIC = `'public'::regnamespace`

const TYPES = `
  select 'type ' || t.typname, coalesce(${extensionOf('pg_type', 't.oid')}, 'owner ' || t.typowner::regrole) || ', '
      || case t.typtype when 'c' then 'composite' when 'd' then 'domain' when 'e' then 'enum' when 'r' then 'range' else 'base' end,
    case when t.typtype = 'b' then ${hash(`concat_ws(' ', t.typinput, t.typoutput, t.typreceive, t.typsend, t.typlen, t.typcategory,
      t.typispreferred, t.typcollation::regcollation)`)} end,
    case when t.typtype <> 'b' then ${hash(`concat_ws(' ', t.typbasetype::regtype, t.typnotnull, t.typdefault,
      (select string_agg(a.attname || ' ' || format_type(a.atttypid, a.atttypmod), ', ' order by a.attnum)
        from pg_attribute a where a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped),
      (select string_agg(l.enumlabel, ', ' order by l.enumsortorder) from pg_enum l where l.enumtypid = t.oid),
      (select string_agg(pg_get_constraintdef(k.oid), ', ' order by k.conname) from pg_constraint k where k.contypid = t.oid))`)} end
  from pg_type t left join pg_class c on c.oid = t.typrelid
  where t.typnamespace = ${PUBLIC} and (c.oid is null or c.relkind = 'c')
    and not ${ofOtherExtension('pg_type', 't.oid', `t.typtype <> 'd'`)}
    and not exists (select 1 from pg_type e where e.typarray = t.oid) and t.typtype <> 'm'`

// Casts belong to no schema. The rule no-own-casts names those that are of no extension, or of one that is not ours.
const CASTS = `
  select 'cast from ' || k.castsource::regtype || ' to ' || k.casttarget::regtype,
    'of extension ' || m.extension || case k.castcontext when 'i' then ', implicit' when 'a' then ', in assignments' else '' end
      || case k.castmethod when 'f' then ', calls ' || k.castfunc::regprocedure when 'i' then ', by text' else '' end, null, null
  from pg_cast k join members m on m.classid = 'pg_cast'::regclass and m.objid = k.oid where m.is_ours`

const OPERATORS = `
  select 'operator ' || o.oid::regoperator, coalesce(${extensionOf('pg_operator', 'o.oid')} || ', ', '') || 'calls ' || o.oprcode,
    ${hash(`concat_ws(' ', o.oprcode::regprocedure, o.oprresult::regtype, o.oprcom::regoperator, o.oprnegate::regoperator, o.oprrest, o.oprjoin, o.oprcanmerge, o.oprcanhash)`)}, null
  from pg_operator o
  where o.oprnamespace = ${PUBLIC} and not ${ofOtherExtension('pg_operator', 'o.oid', aboutOwnType('o.oprleft', 'o.oprright'))}`

// Of the access methods only btree and hash say which values are equal; with others an index is found or not.
const OPERATOR_CLASSES = `
  select 'operator class ' || o.opcname || ' using ' || a.amname, coalesce(${extensionOf('pg_opclass', 'o.oid')} || ', ', '') || 'for ' || o.opcintype::regtype,
    ${hash(`concat_ws(' ', f.opfname, f.opfnamespace::regnamespace, o.opcdefault, o.opckeytype::regtype)`)}, null
  from pg_opclass o join pg_am a on a.oid = o.opcmethod join pg_opfamily f on f.oid = o.opcfamily
  where o.opcnamespace = ${PUBLIC}
    and not ${ofOtherExtension('pg_opclass', 'o.oid', `(a.amname not in ('btree', 'hash') or ${aboutOwnType('o.opcintype')})`)}
  union all
  select 'operator family ' || f.opfname || ' using ' || a.amname, coalesce(${extensionOf('pg_opfamily', 'f.oid')}, 'owner ' || f.opfowner::regrole),
    ${hash(`concat_ws(' ',
      (select ${listOf(`concat_ws(' ', o.amopstrategy, o.amopopr::regoperator, o.amoppurpose)`)} from pg_amop o where o.amopfamily = f.oid),
      (select ${listOf(`concat_ws(' ', p.amprocnum, p.amproclefttype::regtype, p.amprocrighttype::regtype, p.amproc::regprocedure)`)}
        from pg_amproc p where p.amprocfamily = f.oid))`)}, null
  from pg_opfamily f join pg_am a on a.oid = f.opfmethod
  where f.opfnamespace = ${PUBLIC} and not ${ofOtherExtension('pg_opfamily', 'f.oid')}`

const TEXTS = `
  select 'collation ' || c.collname, 'owner ' || c.collowner::regrole, null, null
  from pg_collation c where c.collnamespace = ${PUBLIC} and not ${ofOtherExtension('pg_collation', 'c.oid')}
  union all
  select 'conversion ' || c.conname, 'calls ' || c.conproc, null, null
  from pg_conversion c where c.connamespace = ${PUBLIC} and not ${ofOtherExtension('pg_conversion', 'c.oid')}
  union all
  select 'text search configuration ' || c.cfgname, 'owner ' || c.cfgowner::regrole, null, null
  from pg_ts_config c where c.cfgnamespace = ${PUBLIC} and not ${ofOtherExtension('pg_ts_config', 'c.oid')}
  union all
  select 'text search dictionary ' || d.dictname, coalesce(d.dictinitoption, 'no options'), null, null
  from pg_ts_dict d where d.dictnamespace = ${PUBLIC}
  union all
  select 'text search template ' || t.tmplname, concat_ws(', ', ${extensionOf('pg_ts_template', 't.oid')}, 'calls ' || t.tmplinit || ' and ' || t.tmpllexize), null, null
  from pg_ts_template t where t.tmplnamespace = ${PUBLIC} and not ${ofOtherExtension('pg_ts_template', 't.oid')}`

export const TYPE_OBJECTS = [TYPES, CASTS, OPERATORS, OPERATOR_CLASSES, TEXTS]
