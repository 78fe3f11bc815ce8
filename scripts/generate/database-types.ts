import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { QueryResultRow } from 'pg'
import { narrowColumns, TEXT_CHOICES, type TextChoice } from './column-types.ts'
import type { Source } from './source.ts'

const CODEGEN = join(import.meta.dirname, '../../node_modules/kysely-codegen/dist/cli/bin.js')

/** As the drivers give them (packages/db/src/connection.ts). */
const TYPES = {
  timestamptz: 'string',
  date: 'string',
  int8: 'number',
  citext: 'string',
  bytea: 'Buffer',
  numeric: 'string',
}

export async function databaseTypes({ databaseUrl, query }: Source): Promise<string> {
  const options = {
    url: databaseUrl,
    dialect: 'postgres',
    'date-parser': 'string',
    'include-pattern': 'public.*',
    'exclude-pattern': 'public.(migrations|function_files)',
    'type-mapping': JSON.stringify(TYPES),
    'log-level': 'error',
  }
  const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
  const { stdout } = await promisify(execFile)(process.execPath, [CODEGEN, ...flags, '--type-only-imports', '--print'])
  return `${narrowColumns(stdout.trim(), await query<TextChoice & QueryResultRow>(TEXT_CHOICES))}\n`
}
