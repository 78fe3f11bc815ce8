// One sentence on what to do for each kind of problem that a server found at its start.

const REMEDIES: readonly [kinds: RegExp, remedy: string][] = [
  [/ is not part of this release$/, 'What is not part of this release: drop it, or move it to another database.'],
  [
    /^(function|procedure|aggregate|window function) /,
    'Functions: as an administrator run "update function_files set is_current = false", then npm run migrate. For one of an extension: drop what was added, or create the extension again.',
  ],
  [
    /^(policy|trigger|constraint|column|index|table|view|materialized view|sequence|grant on|rule|type|inheritance of) /,
    'Tables, their columns, indexes, policies, triggers and grants: restore the definition in database/schema.sql as tendon_owner.',
  ],
  [
    /^(role|default privileges of|schema|extension) /,
    'Roles, schemas, extensions and default privileges: make them as in database/roles.sql ("alter role", "revoke", "alter default privileges").',
  ],
  [
    /^(operator|operator class|operator family|cast from|text search template) /,
    'Operators, casts and other members of an extension: undo the change, or restore a backup into a new database.',
  ],
  [/^system function /, 'Functions of PostgreSQL: restore a backup into a new cluster.'],
]

/** Lines that end in a rule say themselves what to do. */
export function remediesFor(problems: readonly string[]): string[] {
  const found = new Set(
    problems
      .filter((problem) => !/\(rule [a-z-]+\)$/.test(problem))
      .map((problem) => REMEDIES.find(([kinds]) => kinds.test(problem))?.[1]),
  )
  return REMEDIES.flatMap(([, remedy]) => (found.has(remedy) ? [remedy] : []))
}
