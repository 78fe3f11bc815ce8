import pg from 'pg'

const TIMESTAMPTZ = 1184
const INT8 = 20
const DATE = 1082

/** '2026-11-15 04:02:16.123456+00' → '2026-11-15T04:02:16.123Z': what JSON carries. Logins run in UTC. */
const isoTimestamp = (text: string): string => new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`).toISOString()

const parsers = new Map<number, (text: string) => unknown>([
  [TIMESTAMPTZ, isoTimestamp],
  [INT8, Number],
  [DATE, (text) => text],
])

export interface PoolOptions {
  url: string
  size: number
  statementTimeoutMs: number
  name: string
}

/** A pool that sends queries without waiting for the answers of those before (pipelining). */
export function createPool({ url, size, statementTimeoutMs, name }: PoolOptions): pg.Pool {
  const options: pg.PoolConfig & { pipeline: boolean } = {
    connectionString: url,
    max: size,
    pipeline: true,
    application_name: name,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: 60_000,
    options: '-c TimeZone=UTC',
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        (format !== 'binary' && parsers.get(oid)) ||
        pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
  }
  const pool = new pg.Pool(options)
  // A connection that breaks while idle is dropped by the pool; without a listener it would end the process.
  pool.on('error', () => {})
  return pool
}
