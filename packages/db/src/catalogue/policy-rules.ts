import type { Rule } from './rule.ts'

// How PostgreSQL prints the tenant equality. As the only condition, or first under an AND that spans the whole
// condition: an OR would print one more parenthesis in front.
const OWN = (column: string) => `(${column} = ( SELECT current_app_org_id() AS current_app_org_id))`
const SCOPED = `(NOT (organization_id IS DISTINCT FROM ( SELECT current_app_scope() AS current_app_scope)))`
// current_app_scope() is null for the platform and also without any context, which must see nothing.
const IN_CONTEXT = `(( SELECT current_app_org_id() AS current_app_org_id) IS NOT NULL)`

const text = (value: string) => `'${value.replaceAll("'", "''")}'`

function isTenantOnly(expression: string): string {
  const own = `case table_name when 'organizations' then ${text(OWN('id'))} else ${text(OWN('organization_id'))} end`
  return `(${expression} = ${own} or starts_with(${expression}, '(' || ${own} || ' AND ')
    or ${expression} = ${text(`(${SCOPED} AND ${IN_CONTEXT})`)}
    or starts_with(${expression}, ${text(`(${SCOPED} AND ${IN_CONTEXT} AND `)}))`
}

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
      'must begin with organization_id = (select current_app_org_id()) and …; or, where null is the platform, with ' +
      'organization_id is not distinct from (select current_app_scope()) and (select current_app_org_id()) is not null',
    sql: `select name as object from policies
      where permissive
        and not ((visible is null or ${isTenantOnly('visible')}) and (writable is null or ${isTenantOnly('writable')}))`,
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
