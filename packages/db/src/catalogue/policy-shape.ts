// Whether the condition of a policy keeps to one organization, read from how PostgreSQL prints it: everything in
// parentheses, so that one level holds only ANDs or only ORs.

const EXPRESSION_OWN = '= ( SELECT current_app_org_id() AS current_app_org_id)'
const SCOPED = 'NOT (organization_id IS DISTINCT FROM ( SELECT current_app_scope() AS current_app_scope))'
// current_app_scope() is null for the platform and also without any context, which must see nothing.
const IN_CONTEXT = '( SELECT current_app_org_id() AS current_app_org_id) IS NOT NULL'
const PLATFORM = 'organization_id IS NULL'
const OWNED = '= ANY (( SELECT current_app_profile_ids() AS current_app_profile_ids)::uuid[])'

/** What a table may show beside the rows of the organization in context. */
export interface Shape {
  /** `shared`: rows of the platform. `owned`: rows about the caller as a patient, at all clinics. */
  kind: 'shared' | 'owned'
  commands: readonly Command[]
}

type Command = 'r' | 'a' | 'w' | 'd'

export interface Policy {
  name: string
  table_name: string
  command: string
  visible: string | null
  writable: string | null
}

export function keepsToOrganization(policy: Policy, shape: Shape | undefined): boolean {
  const allowed = shape?.commands.some((command) => command === policy.command) ? shape.kind : undefined
  return [policy.visible, policy.writable].every(
    (condition) => condition === null || isBound(condition, policy.table_name, allowed),
  )
}

/** An AND is bound by one of its parts; an OR needs all of them. */
function isBound(condition: string, table: string, allowed: Shape['kind'] | undefined): boolean {
  const text = withoutParentheses(condition)
  const { operator, parts } = split(text)
  if (operator === 'AND') {
    const bare = parts.map(withoutParentheses)
    return (bare.includes(SCOPED) && bare.includes(IN_CONTEXT)) || parts.some((part) => isBound(part, table, allowed))
  }
  if (operator === 'OR') {
    const others = allowed === 'shared' ? parts.filter((part) => withoutParentheses(part) !== PLATFORM) : parts
    return others.length > 0 && others.every((part) => isBound(part, table, allowed))
  }
  const tenant = table === 'organizations' ? 'id' : 'organization_id'
  const profile = table === 'patient_profiles' ? 'id' : 'patient_profile_id'
  return text === `${tenant} ${EXPRESSION_OWN}` || (allowed === 'owned' && text === `${profile} ${OWNED}`)
}

interface Level {
  operator: 'AND' | 'OR' | undefined
  parts: string[]
}

function split(text: string): Level {
  for (const operator of ['AND', 'OR'] as const) {
    const parts: string[] = []
    let start = 0
    for (const index of topLevel(text)) {
      if (!text.startsWith(` ${operator} `, index)) continue
      parts.push(text.slice(start, index))
      start = index + operator.length + 2
    }
    if (parts.length > 0) return { operator, parts: [...parts, text.slice(start)] }
  }
  return { operator: undefined, parts: [text] }
}

/** The places that are inside no parentheses and no quotes. */
function* topLevel(text: string): Generator<number> {
  let depth = 0
  let quoted = false
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index]
    if (character === "'") quoted = !quoted
    if (quoted) continue
    if (character === '(') depth += 1
    if (character === ')') depth -= 1
    if (depth === 0) yield index
  }
}

function withoutParentheses(text: string): string {
  if (!text.startsWith('(')) return text
  const [end] = topLevel(text)
  return end === text.length - 1 ? withoutParentheses(text.slice(1, -1)) : text
}
