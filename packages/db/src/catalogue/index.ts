import { EXCEPTIONS } from './exceptions.ts'
import { functionRules } from './function-rules.ts'
import { grantRules } from './grant-rules.ts'
import { loginRules } from './login-rules.ts'
import { policyRules } from './policy-rules.ts'
import { type Rule, SUBJECTS } from './rule.ts'
import { tableRules } from './table-rules.ts'

// The rules of tenancy, read from the database's own catalogue: in a test, and whenever a server starts. Any login may
// read what they ask for.

export const RULES: readonly Rule[] = [...tableRules, ...policyRules, ...grantRules, ...functionRules, ...loginRules]

export interface Finding {
  rule: string
  object: string
}

type Query = (text: string) => Promise<Finding[]>

const FINDINGS = `with ${SUBJECTS}
  ${RULES.map(({ name, sql }) => `select '${name}' as rule, object::text from (${sql}) found`).join('\n  union all\n  ')}`

/** Everything that breaks a rule, exceptions included. */
export function findInCatalogue(query: Query): Promise<Finding[]> {
  return query(FINDINGS)
}

/** One sentence for each object that breaks a rule; none when the database is safe to serve from. */
export async function checkCatalogue(query: Query): Promise<string[]> {
  const sentences = new Map(RULES.map(({ name, sentence }) => [name, sentence]))
  return (await findInCatalogue(query))
    .filter(({ rule, object }) => EXCEPTIONS[rule]?.[object] === undefined)
    .map(({ rule, object }) => `${object} ${sentences.get(rule)} (rule ${rule})`)
    .sort()
}
