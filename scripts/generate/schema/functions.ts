import type { Source } from '../source.ts'
import { FUNCTION_GRANTS, type Grant, grantStatements } from './grants.ts'
import { tidyFunction } from './tidy.ts'

interface Definition {
  signature: string
  definition: string
  owner: string
}

const FUNCTIONS = `
  select p.oid::regprocedure::text as signature, pg_get_functiondef(p.oid) as definition, pg_get_userbyid(p.proowner) as owner
  from pg_proc p
  where p.pronamespace = 'public'::regnamespace and p.prokind in ('f', 'p')
    and not exists (select 1 from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
  order by p.proname, p.oid::regprocedure::text`

/** Each with its owner (whose rights a definer function lends) and with those who may call it. */
export async function functionStatements({ query }: Source): Promise<string[]> {
  const functions = await query<Definition>(FUNCTIONS)
  const grants = await query<Grant>(FUNCTION_GRANTS)
  return functions.map(({ signature, definition, owner }) => {
    const lines = [
      `${tidyFunction(definition)};`,
      `alter function ${signature} owner to ${owner};`,
      ...grantStatements(grants, signature, 'function '),
    ]
    return `${lines.join('\n')}\n`
  })
}
