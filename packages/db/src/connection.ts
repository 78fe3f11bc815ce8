import type { Writable } from 'node:stream'
import { Pool, type PoolConfig, types } from 'pg'
import { watchRights } from './rights-changes.ts'

const TIMESTAMPTZ = 1184
const INT8 = 20
const DATE = 1082

/** '2026-11-15 04:02:16.123456+00' → '2026-11-15T04:02:16.123Z': what JSON carries. Logins run in UTC. */
function isoTimestamp(text: string): string {
  // Nine of ten have six digits after the second, and need no calendar.
  if (text.length === 29 && text[10] === ' ') return `${text.slice(0, 10)}T${text.slice(11, 23)}Z`
  return new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`).toISOString()
}

const parsers = new Map<number, (text: string) => unknown>([
  [TIMESTAMPTZ, isoTimestamp],
  [INT8, Number],
  [DATE, (text) => text],
])

interface PoolOptions {
  url: string
  size: number
  connectionWaitMs: number
  statementTimeoutMs: number
  name: string
}

/** A pool that sends queries without waiting for the answers of those before (pipelining). */
export function createPool({ url, size, connectionWaitMs, statementTimeoutMs, name }: PoolOptions): Pool {
  const options: PoolConfig & { pipeline: boolean } = {
    connectionString: url,
    max: size,
    pipeline: true,
    application_name: name,
    connectionTimeoutMillis: connectionWaitMs,
    idleTimeoutMillis: 60_000,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: 60_000,
    options: '-c TimeZone=UTC',
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        (format !== 'binary' && parsers.get(oid)) || types.getTypeParser(oid, format)) as typeof types.getTypeParser,
    },
  }
  const pool = new Pool(options)
  // A connection that breaks, idle or in a transaction, says so to its queries and to the pool, which drops it; without
  // listeners it would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    client.on('error', () => {})
    watchRights(client)
  })
  return pool
}

/** What is written to a connection until `later` (process.nextTick, setImmediate) calls back goes out as one packet. */
export function gather(stream: Writable, later: (send: () => void) => unknown): void {
  if (stream.writableCorked > 0) return
  stream.cork()
  later(() => stream.uncork())
}
