import type { Source } from '../source.ts'
import { type Grant, grantStatements, RELATION_GRANTS } from './grants.ts'
import { tidy } from './tidy.ts'

interface View {
  name: string
  kind: string
  options: string | null
  owner: string
  definition: string
}

const VIEWS = `
  select c.oid::regclass::text as name, case c.relkind when 'm' then 'materialized view' else 'view' end as kind,
    array_to_string(c.reloptions, ', ') as options, pg_get_userbyid(c.relowner) as owner, pg_get_viewdef(c.oid, true) as definition
  from pg_class c where c.relkind in ('v', 'm') and c.relnamespace = 'public'::regnamespace
    and not exists (select 1 from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  order by c.relname`

export async function viewStatements({ query }: Source): Promise<string[]> {
  const views = await query<View>(VIEWS)
  const grants = await query<Grant>(RELATION_GRANTS)
  return views.map(({ name, kind, options, owner, definition }) => {
    const lines = [
      `create ${kind} ${name}${options ? ` with (${options})` : ''} as\n${tidy(definition)}`,
      `alter ${kind} ${name} owner to ${owner};`,
      ...grantStatements(grants, name),
    ]
    return `${lines.join('\n')}\n`
  })
}
