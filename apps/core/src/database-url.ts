import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '@tendon/config'

/** The running project writes the address of its embedded PostgreSQL here, for commands started beside it. */
export const databaseUrlFile = (config: Pick<Config, 'DATA_DIR'>): string => join(config.DATA_DIR, 'database.url')

/** The administrator's address of the database: the configured one, or that of the running project. */
export async function findDatabaseUrl(config: Pick<Config, 'DATABASE_URL' | 'DATA_DIR'>): Promise<string> {
  if (config.DATABASE_URL !== undefined) return config.DATABASE_URL
  const written = await readFile(databaseUrlFile(config), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  if (!URL.canParse(written.trim())) throw new Error('Start the project first with npm start, or set DATABASE_URL.')
  return written.trim()
}
