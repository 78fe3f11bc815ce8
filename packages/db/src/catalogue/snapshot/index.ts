import { FUNCTION_OBJECTS, FUNCTIONS } from './functions.ts'
import { OTHER_OBJECTS, OURS } from './others.ts'
import { RELATION_OBJECTS, RELATIONS } from './relations.ts'
import { MEMBERS } from './text.ts'
import { TYPE_OBJECTS } from './types.ts'

/** One object of the database as far as tenancy depends on it. */
export interface CatalogueObject {
  /** Kind and name, unique: `policy patients.patients_select`. */
  object: string
  /** Owner, states, commands, roles, grants: printed alike by every major version of PostgreSQL. */
  facts: string
  /** Hash of the source of a function. */
  source: string | null
  /** Hash of the definition as PostgreSQL prints it, which may differ between major versions. */
  definition: string | null
}

/** Any login may read this. One statement, since every start of a server waits for it. */
export const SNAPSHOT = `with ${[MEMBERS, RELATIONS, FUNCTIONS, OURS].join(',')}
  ${[...RELATION_OBJECTS, ...FUNCTION_OBJECTS, ...OTHER_OBJECTS, ...TYPE_OBJECTS].join('\n  union all')}`
