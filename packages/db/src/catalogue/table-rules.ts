import type { Rule } from './rule.ts'

export const tableRules: Rule[] = [
  {
    name: 'rls-forced',
    sentence: 'needs row-level security, enabled and forced',
    sql: `select name as object from tables where not (enabled and forced)`,
  },
  {
    name: 'table-owner',
    sentence: 'must belong to tendon_owner: an owner can switch row-level security off',
    sql: `select name as object from relations
      where owner::regrole::text not in ('tendon_owner', case kind when 'm' then 'tendon_definer' else 'tendon_owner' end)`,
  },
  {
    name: 'view-invoker',
    sentence: 'must say security_invoker: else it reads with the rights of its owner',
    sql: `select name as object from relations
      where kind = 'v' and not exists (
        select 1 from pg_options_to_table(options) where option_name = 'security_invoker' and option_value::boolean)`,
  },
  {
    name: 'tenant-foreign-key',
    sentence: 'must carry organization_id on both sides: else it accepts a row of another organization',
    sql: `select k.conname as object from pg_constraint k
      join tables f on f.oid = k.conrelid and f.org_column is not null
      join tables t on t.oid = k.confrelid and t.org_column is not null
      where k.contype = 'f' and not exists (
        select 1 from generate_subscripts(k.conkey, 1) i
        where k.conkey[i] = f.org_column and k.confkey[i] = t.org_column)`,
  },
  {
    name: 'nulls-not-distinct',
    sentence: 'must say nulls not distinct: else rows of the platform (null organization) repeat',
    sql: `select i.indexrelid::regclass::text as object from pg_index i
      join tables t on t.oid = i.indrelid and not t.org_required
      where i.indisunique and not i.indnullsnotdistinct and t.org_column = any (i.indkey::int2[])`,
  },
]
