const RELATION = `c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
  and not exists (select 1 from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`
/** Nothing is made from the column: its type can be changed. */
const ALONE = `not exists (select 1 from pg_depend d where d.refclassid = 'pg_class'::regclass and d.refobjid = c.oid and d.refobjsubid = a.attnum)`
const IN_PRIMARY_KEY = `exists (select 1 from pg_constraint k where k.conrelid = c.oid and k.contype = 'p' and a.attnum = any (k.conkey))`

export const COLUMNS = `
  select m.kind, 'column ' || c.relname || '.' || a.attname as object, format(m.ddl, c.oid::regclass, a.attname) as ddl
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped, lateral (values
    ('column that is gone', 'alter table %s drop column %I cascade', true),
    ('organization that may be missing', 'alter table %s alter column %I drop not null', a.attname = 'organization_id' and a.attnotnull and not ${IN_PRIMARY_KEY}),
    ('column that accepts null', 'alter table %s alter column %I drop not null', a.attnotnull and not ${IN_PRIMARY_KEY}),
    ('column that was never checked for null', 'alter table %1$s alter column %2$I drop not null, add constraint mutated_%2$s not null %2$I not valid',
      current_setting('server_version_num')::integer >= 180000 and a.attnotnull and not ${IN_PRIMARY_KEY}),
    ('column that refuses null', 'alter table %s alter column %I set not null', not a.attnotnull),
    ('column without its default', 'alter table %s alter column %I drop default', a.atthasdef and a.attgenerated = ''),
    ('column with another default', 'alter table %s alter column %I set default null', a.atthasdef and a.attgenerated = ''),
    ('column that is no longer generated', 'alter table %s alter column %I drop expression', a.attgenerated = 's'),
    ('column of another type', 'alter table %s alter column %I type bigint', a.atttypid = 'integer'::regtype and ${ALONE} and not a.atthasdef),
    ('column that sorts otherwise', 'alter table %s alter column %I type text collate "C"', a.atttypid = 'text'::regtype and ${ALONE} and not a.atthasdef)
  ) m (kind, ddl, fits)
  where ${RELATION} and m.fits
  union all
  select 'column beside the others', 'column ' || c.relname || '.mutated', format('alter table %s add column mutated integer', c.oid::regclass)
  from pg_class c where ${RELATION}`

export const INDEXES = `
  with indexes as (
    select c.relname as table_name, i.indrelid::regclass as relation, i.indexrelid::regclass as name, n.relname as index_name, i.*,
      pg_get_indexdef(i.indexrelid) as ddl, k.conname, k.contype
    from pg_index i join pg_class c on c.oid = i.indrelid join pg_class n on n.oid = i.indexrelid
    left join pg_constraint k on k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x')
    where ${RELATION} and (i.indisunique or i.indisexclusion)),
  unbound as (select *, 'index ' || table_name || '.' || index_name as object from indexes where conname is null)
  select 'unique index that is gone' as kind, object, format('drop index %s', name) as ddl from unbound
  union all
  select 'unique index that accepts repetitions', object, format('drop index %s; %s', name, replace(ddl, 'CREATE UNIQUE', 'CREATE')) from unbound
  union all
  select 'unique index over fewer rows', object,
    format('drop index %s; %s', name, case when indpred is null then ddl || ' where false' else ddl || ' and false' end) from unbound
  union all
  select 'unique index over all rows', object, format('drop index %s; %s', name, regexp_replace(ddl, ' WHERE .*', '')) from unbound where indpred is not null
  union all
  select 'unique index that treats null otherwise', object, format('drop index %s; %s', name,
    case when indnullsnotdistinct then replace(ddl, ' NULLS NOT DISTINCT', '') else regexp_replace(ddl, '( WHERE |$)', ' nulls not distinct\\1') end)
  from unbound
  union all
  select 'index that is not valid', object, format('update pg_index set indisvalid = false where indexrelid = %s', indexrelid) from unbound
  union all
  select 'index that is not ready', object, format('update pg_index set indisready = false where indexrelid = %s', indexrelid) from unbound
  union all
  select 'constraint whose index is not valid', 'constraint ' || table_name || '.' || conname,
    format('update pg_index set indisvalid = false where indexrelid = %s', indexrelid) from indexes where conname is not null
  union all
  select case contype when 'x' then 'exclusion constraint' when 'u' then 'unique constraint' else 'primary key' end || ' that is gone',
    'constraint ' || table_name || '.' || conname, format('alter table %s drop constraint %I cascade', relation, conname)
  from indexes where conname is not null
  union all
  select distinct 'unique index beside the others', 'index ' || table_name || '.mutated_' || table_name,
    format('create unique index mutated_%s on %s ((true)) where false', table_name, relation) from indexes
  union all
  select m.kind, 'constraint ' || c.relname || '.' || k.conname, format(m.ddl, c.oid::regclass, k.conname)
  from pg_constraint k join pg_class c on c.oid = k.conrelid, (values
    ('check that is gone', 'alter table %s drop constraint %I'),
    ('check that was never made', 'update pg_constraint set convalidated = false where conrelid = ''%s''::regclass and conname = ''%s''')) m (kind, ddl)
  where ${RELATION} and k.contype = 'c' and (k.convalidated or m.kind <> 'check that was never made')`
