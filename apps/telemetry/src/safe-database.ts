import { type Database, DatabaseRefused } from '@tendon/db'
import type { Logger } from 'pino'

/**
 * Checks once that the database separates organizations. An unavailable database is temporary, and asked again; one that
 * does not separate them is fatal.
 */
export function createSafetyCheck(db: Pick<Database, 'assertSafe'>, logger: Logger, fail: (error: Error) => void) {
  let isSafe = false
  return async (): Promise<void> => {
    if (isSafe) return
    const warnings = await db.assertSafe().catch((error: Error) => {
      if (error instanceof DatabaseRefused) fail(error)
      throw error
    })
    for (const warning of warnings) logger.warn(warning)
    isSafe = true
  }
}
