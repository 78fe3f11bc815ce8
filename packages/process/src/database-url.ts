import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '@tendon/config'
import { StartError } from './run-entry.ts'

/** The running project writes the URL of its embedded PostgreSQL here, for commands started next to it. */
export const databaseUrlFile = (config: Pick<Config, 'DATA_DIR'>): string => join(config.DATA_DIR, 'database.url')

/** The administrator's URL of the database: the configured one, or that of the running project. */
export async function findDatabaseUrl(config: Pick<Config, 'DATABASE_URL' | 'DATA_DIR'>): Promise<string> {
  if (config.DATABASE_URL !== undefined) return config.DATABASE_URL
  const written = await readFile(databaseUrlFile(config), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  if (!URL.canParse(written.trim()))
    throw new StartError('Start the project first with npm start, or set DATABASE_URL.')
  return written.trim()
}

// Not there, no such database, wrong login.
const UNREACHABLE = new Set(['ECONNREFUSED', 'ENOTFOUND', '3D000', '28000', '28P01'])
// Not migrated yet, starting up.
const UNPREPARED = new Set(['42P01', '42883', '57P03'])

const codeOf = (error: unknown): string => String((error as { code?: unknown }).code)

export const isUnreachable = (error: unknown): boolean => UNREACHABLE.has(codeOf(error))

export const CHECK_DATABASE_URL =
  'Check that PostgreSQL runs and that DATABASE_URL names it, an existing database and an administrator.'

/** For the first use of the database: says what to do when it is not ready. */
export function explainNotReady(error: unknown): never {
  if (!isUnreachable(error) && !UNPREPARED.has(codeOf(error))) throw error
  throw new StartError(
    'The database is not ready. Start the project first with npm start. With a DATABASE_URL of your own, check it and DATABASE_ROLE_SECRET, and run npm run migrate.',
  )
}
