import { ConfigError, readConfig } from '@tendon/config'
import { Database } from '@tendon/db'
import { createSecretBox, parseKeyring } from '@tendon/secrets'
import { findDatabaseUrl } from './database-url.ts'
import { CommandRefusal, superadminCommand } from './superadmin-command.ts'

// Not there, not answering, no such database, wrong login, not migrated yet.
const NOT_READY = new Set(['ECONNREFUSED', 'ENOTFOUND', '3D000', '28P01', '42P01', '57P03'])
const START_FIRST =
  'The database is not ready. Start the project first with npm start. With a DATABASE_URL of your own, check it and run npm run migrate.'

try {
  const config = readConfig(process.env)
  const url = await findDatabaseUrl(config).catch((error: Error) => {
    throw new CommandRefusal(error.message)
  })
  const db = new Database({
    url,
    roleSecret: config.DATABASE_ROLE_SECRET,
    login: 'tendon_app',
    poolSize: 1,
    platformPoolSize: 1,
    statementTimeoutMs: config.STATEMENT_TIMEOUT_MS,
    longStatementTimeoutMs: config.LONG_STATEMENT_TIMEOUT_MS,
  })
  const box = createSecretBox(parseKeyring(config.KEYRING))
  const words = await superadminCommand(process.argv.slice(2), { db, box }).finally(() => db.close())
  process.stdout.write(`${words}\n`)
} catch (error) {
  process.stderr.write(`${complaintOf(error)}\n`)
  process.exitCode = 1
}

function complaintOf(error: unknown): string {
  if (error instanceof CommandRefusal || error instanceof ConfigError) return error.message
  if (NOT_READY.has(String((error as { code?: unknown }).code))) return START_FIRST
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
