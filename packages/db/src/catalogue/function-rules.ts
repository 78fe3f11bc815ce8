import type { Rule } from './rule.ts'

export const functionRules: Rule[] = [
  {
    name: 'definer-owner',
    sentence: 'is security definer and must belong to tendon_definer (or to tendon_worker, for adding jobs)',
    sql: `select name as object from functions where definer and owner not in ('tendon_definer', 'tendon_worker')`,
  },
  {
    name: 'definer-search-path',
    sentence: 'is security definer and must fix its search_path',
    sql: `select name as object from functions
      where definer and not exists (select 1 from unnest(settings) s where starts_with(s, 'search_path='))`,
  },
  {
    name: 'function-private',
    sentence: 'can be executed by public: revoke it, and grant it to those who need it',
    sql: `select f.name as object from functions f, aclexplode(f.acl) g where g.grantee = 0 and f.name <> 'uuidv7()'`,
  },
]
