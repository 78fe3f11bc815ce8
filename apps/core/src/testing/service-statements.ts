import { subscribe } from 'node:diagnostics_channel'
import { SERVICE_STATEMENTS, type ServiceStatement } from '@tendon/db'

// Statements of the service of a clinic name the clinic: a mistake in a policy then reaches no row of another clinic.

const TABLE = /(?:\b(?:from|join|update|using)|(?<=\bfrom \w+(?: as)?(?: \w+)?),) (\w+)\b(?: (?:as )?(\w+))?/gi
const CLINIC = /current_app_(?:org_id|scope)\(\)|\borganization_id (?:= any \(|= |is not distinct from )\$\d/

/** The tables of clinics that the statement reads or changes without a condition on their organization. */
export function unboundTables(statement: string, tenantTables: ReadonlySet<string>): string[] {
  const text = statement
    .replaceAll('"', '')
    .replaceAll(/'[^']*'/g, "''")
    .replaceAll(/\s+/g, ' ')
  const named = [...text.matchAll(TABLE)]
    .map(([, table = '', alias = '']) => ({ table, alias }))
    .filter(({ table }) => tenantTables.has(table))
  const unbound = named.filter(
    ({ table, alias }) => !CLINIC.test(text) || (!isBound(text, table) && !isBound(text, alias)),
  )
  // A condition need not say of which table it is: there are as many of these as tables that need one.
  const bare = CLINIC.test(text) ? [...text.matchAll(conditionOn(String.raw`(?<!\.)`))].length : 0
  return unbound.length > bare ? unbound.map(({ table }) => table) : []
}

const conditionOn = (of: string) => new RegExp(String.raw`${of}\borganization_id (?:=|is\b|in\b)`, 'g')
const isBound = (text: string, name: string) =>
  conditionOn(String.raw`\b${name}\.`).test(text) || new RegExp(String.raw`= ${name}\.organization_id\b`).test(text)

/** Tables whose rows belong to organizations. */
export const TENANT_TABLES = `select table_name::text as name from information_schema.columns
  where table_schema = 'public' and column_name = 'organization_id'`

/** What the service sends in this process, by database: each text once, and how many of them were taken. */
const sent = new Map<string, { texts: Set<string>; taken: number }>()

function ofDatabase(name: string) {
  const known = sent.get(name) ?? { texts: new Set(), taken: 0 }
  sent.set(name, known)
  return known
}

const isStatement = (message: unknown): message is ServiceStatement =>
  typeof message === 'object' && message !== null && 'text' in message && 'database' in message

subscribe(SERVICE_STATEMENTS, (message) => {
  if (isStatement(message) && message.database !== undefined) ofDatabase(message.database).texts.add(message.text)
})

/** Those since the last call that do not name the clinic for one of their tables. */
export function takeUnbound(database: string, tenantTables: ReadonlySet<string>): string[] {
  const statements = ofDatabase(database)
  const added = [...statements.texts].slice(statements.taken)
  statements.taken = statements.texts.size
  return added.filter((text) => unboundTables(text, tenantTables).length > 0)
}
