import type { Config } from '@tendon/config'
import { Database, type Login } from '@tendon/db'

export function openDatabase(config: Config, login: Login, url: string): Database {
  return new Database({
    url,
    roleSecret: config.DATABASE_ROLE_SECRET,
    login,
    poolSize: config.DATABASE_POOL_SIZE,
    platformPoolSize: config.DATABASE_PLATFORM_POOL_SIZE,
    connectionWaitMs: config.CONNECTION_WAIT_MS,
    statementTimeoutMs: config.STATEMENT_TIMEOUT_MS,
    longStatementTimeoutMs: config.LONG_STATEMENT_TIMEOUT_MS,
  })
}
