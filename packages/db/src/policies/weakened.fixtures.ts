import type { TestDatabase } from '@tendon/testing'
import { LOGINS } from './attempts.fixtures.ts'
import type { Operation } from './case.ts'

/** A policy without one of its conditions. */
export interface Weakened {
  name: string
  table: string
  operation: Operation
  weaken: string
  restore: string
}

const SERVICE = 'the service'
/** As PostgreSQL prints them. */
const CONDITIONS: Readonly<Record<string, RegExp>> = {
  [SERVICE]: /\( SELECT current_app_is_service\(\) AS current_app_is_service\)/g,
  'the tenant':
    /(?:\b\w+\.)?\b(?:organization_id|id) = \( SELECT current_app_org_id\(\) AS current_app_org_id\)|NOT \((?:\w+\.)?organization_id IS DISTINCT FROM \( SELECT current_app_scope\(\) AS current_app_scope\)\)/g,
}

interface Policy {
  name: string
  table: string
  operation: Operation
  visible: string | null
  writable: string | null
}

/** Every policy that some login can meet, without each condition that it has. */
export async function weakenedPolicies(database: TestDatabase): Promise<Weakened[]> {
  const policies = await database.query<Policy>(
    `select policyname as name, tablename as table, lower(cmd) as operation, qual as visible, with_check as writable
     from pg_policies
     where schemaname = 'public' and exists (
       select 1 from unnest($1::text[]) login
       where has_table_privilege(login, tablename, cmd)
         or cmd <> 'DELETE' and has_any_column_privilege(login, tablename, nullif(cmd, 'DELETE')))
     order by tablename, policyname`,
    [LOGINS],
  )
  return policies.flatMap((policy) =>
    Object.entries(CONDITIONS).flatMap(([what, condition]) => {
      const weaken = statement(policy, (text) => text.replace(condition, 'true'))
      const restore = statement(policy, (text) => text)
      if (weaken.includes('current_app_is_service') && what === SERVICE)
        throw new Error(`The condition of the service is not printed as expected: ${weaken}`)
      const { table, operation } = policy
      return weaken === restore ? [] : [{ name: `${policy.name} without ${what}`, table, operation, weaken, restore }]
    }),
  )
}

function statement({ name, table, visible, writable }: Policy, change: (text: string) => string): string {
  const using = visible === null ? '' : ` using (${change(visible)})`
  const check = writable === null ? '' : ` with check (${change(writable)})`
  return `alter policy ${name} on ${table}${using}${check}`
}
