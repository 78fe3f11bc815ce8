import type { Rule } from './rule.ts'

export const policyRules: Rule[] = [
  {
    name: 'policy-per-command',
    sentence: 'must be for one command, not for all',
    sql: `select name as object from policies where command = '*'`,
  },
  {
    name: 'policy-single',
    sentence: 'has several permissive policies for one command: they are OR-ed, and the widest wins',
    sql: `select table_name || ' for ' || case command when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update'
        when 'd' then 'delete' else 'all' end as object
      from policies where permissive group by table_name, command having count(*) > 1`,
  },
  {
    name: 'policy-tenant',
    sentence:
      'must be bound to organization_id = (select current_app_org_id()); or, where null is the platform, to ' +
      'organization_id is not distinct from (select current_app_scope()) and (select current_app_org_id()) is not null; ' +
      'or its table must have a shape in exceptions.ts that the policy keeps to',
  },
  {
    name: 'policy-update-both',
    sentence: 'is for update and needs both using and with check',
    sql: `select name as object from policies where command = 'w' and (visible is null or writable is null)`,
  },
  {
    name: 'policy-function-wrapped',
    sentence: 'must be called as (select f()): else it runs for every row',
    sql: `select distinct name || ': ' || call[1] as object
      from policies, regexp_matches(concat_ws(' ', visible, writable), '(?<!SELECT |\\.)\\m([a-z_][\\w.]*)\\(', 'g') as call`,
  },
]
