import type { Source } from '../source.ts'
import { functionStatements } from './functions.ts'
import { tableStatements } from './tables.ts'
import { typeStatements } from './types.ts'
import { viewStatements } from './views.ts'

const HEAD = `-- The database after all migrations, for reading and for review. Written by "npm run generate"; nothing runs it.
-- Not shown: schemas of libraries (graphile_worker), extensions' own objects, roles (database/roles.sql).
`

/** A dump from the catalogue, in an order that does not depend on the order of the migrations. */
export async function schemaDump(source: Source): Promise<string> {
  const [types, tables, views, functions] = await Promise.all([
    typeStatements(source),
    tableStatements(source),
    viewStatements(source),
    functionStatements(source),
  ])
  return (
    HEAD +
    section('Types', types) +
    section('Tables', tables) +
    section('Views', views) +
    section('Functions', functions)
  )
}

const section = (title: string, objects: string[]): string =>
  objects.length === 0 ? '' : `\n-- ${title}\n\n${objects.join('\n')}`
