/** One way to weaken the database, and the object that a check must then name. */
export interface Mutation {
  kind: string
  object: string
  ddl: string
}

/** Each is a kind of its own, so that all of them are tried, one by one. */
export const each = (kind: string, changes: readonly [object: string, ddl: string][], first = ''): Mutation[] =>
  changes.map(([object, ddl]) => ({ kind: `${kind}: ${ddl}`, object, ddl: first + ddl }))
