/** One way to weaken the database, and the object that a check must then name. */
export interface Mutation {
  kind: string
  object: string
  ddl: string
}
