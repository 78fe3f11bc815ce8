import type { AuditEntry } from '@tendon/access'
import type { DB, TenantTx, TransactionOptions } from '@tendon/db'
import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import type { Services } from '../services.ts'

export type JobPayload = Record<string, unknown>

/**
 * Background work. It runs at least once: a worker that dies half-way leaves the job to another, so what it does must
 * bear repeating. Payloads hold ids, never personal data: they stay in the table until the job has run.
 */
export interface Job {
  name: string
  /** For work by the clock, as in a crontab (UTC); the payload is then empty. */
  cron?: string
  run(payload: JobPayload, tools: JobTools): Promise<void>
}

export interface JobTools {
  services: Services
  log: Logger
  /** The organization in whose context the job was added; null: the platform's. */
  organizationId: string | null
  /** One transaction in that organization, under row-level security, with every permission. */
  tenant: <Result>(work: (tx: TenantTx) => Promise<Result>, options?: TransactionOptions) => Promise<Result>
  /** Writes an audit entry of the system, in the log of the job's organization unless another is given. */
  audit: (tx: TenantTx, entry: AuditEntry, organizationId?: string | null) => Promise<void>
  /** Whether this is the last attempt. */
  lastAttempt: boolean
  /** Aborted when the worker must stop: abandon work that cannot end within five seconds. */
  signal: AbortSignal
}

interface JobOptions {
  runAt?: Date
  /** A waiting job of the same name and key, in the same organization, is replaced. */
  key?: string
  /** Default: 25, over about three days. */
  maxAttempts?: number
}

/** Adds a job in the caller's transaction and organization: it runs after the commit, or never. */
export async function addJob(
  tx: Kysely<DB>,
  name: string,
  payload: JobPayload,
  { key, runAt, maxAttempts }: JobOptions = {},
): Promise<void> {
  await sql`select add_job(${name}, ${JSON.stringify(payload)}::jsonb, ${key ?? null}, ${runAt?.toISOString() ?? null},
    ${maxAttempts ?? null})`.execute(tx)
}
