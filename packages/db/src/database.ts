import type pg from 'pg'
import { checkDatabase, type Query, SESSION } from './catalogue/index.ts'
import { remediesFor } from './catalogue/remedies.ts'
import { createPool } from './connection.ts'
import { LookUps } from './lookups.ts'
import { type Login, urlFor } from './roles.ts'
import { permissionsOf } from './service.ts'
import { Shares } from './shares.ts'
import { StatementNames } from './statement-names.ts'
import {
  type Context,
  NIL_UUID,
  NOBODY,
  type PlatformTx,
  type PublicTx,
  runTransaction,
  type ServiceTx,
  type TenantTx,
} from './transaction.ts'

export interface DatabaseOptions {
  url: string
  roleSecret: string
  /** The restricted login of this process: tendon_app for requests, tendon_worker for jobs. */
  login: Login
  poolSize: number
  platformPoolSize: number
  /** How long a transaction waits for a connection. */
  connectionWaitMs: number
  statementTimeoutMs: number
  longStatementTimeoutMs: number
}

export interface TransactionOptions {
  /** Exports and reports: the longer statement timeout. */
  long?: boolean
  /** The work sends this many queries and no more: COMMIT travels with the last of them. */
  queries?: number
  /**
   * Rows are read in the order of an index, not sorted: for lists of everything in a clinic, in an order that an index has.
   * In another order, PostgreSQL before 18 would estimate the sort so high that it compiles the statement (JIT).
   */
  inOrder?: boolean
  /** The work only reads, and can be done again: it may leave its audit entry to COMMIT (see `withCommit`). */
  repeatable?: boolean
}

export interface PoolMetrics {
  total_conns: number
  acquired_conns: number
  idle_conns: number
  max_conns: number
  utilization_pct: number
}

const MAX_SHOWN_PROBLEMS = 20

/** The database must not be served from. An operator has to act; docs/operations/start-refused.md says how. */
export class DatabaseRefused extends Error {
  override name = 'DatabaseRefused'
}

export class Database {
  readonly #restricted: pg.Pool
  readonly #privileged: pg.Pool
  readonly #names = new StatementNames()
  readonly #shares: Shares
  readonly #lookUps: LookUps
  readonly #longStatementTimeoutMs: number

  constructor(options: DatabaseOptions) {
    const { url, roleSecret, login, connectionWaitMs, statementTimeoutMs } = options
    this.#longStatementTimeoutMs = options.longStatementTimeoutMs
    this.#shares = new Shares(Math.ceil(options.poolSize / 2), connectionWaitMs)
    this.#restricted = createPool({
      url: urlFor(login, url, roleSecret),
      size: options.poolSize,
      connectionWaitMs,
      statementTimeoutMs,
      name: login,
    })
    this.#lookUps = new LookUps(this.#restricted)
    this.#privileged = createPool({
      url: urlFor('tendon_platform', url, roleSecret),
      size: options.platformPoolSize,
      connectionWaitMs,
      statementTimeoutMs,
      name: 'tendon_platform',
    })
  }

  /** An organization has at most half of the connections at once, so that there are always some for the others. */
  tenant<Result>(
    context: Context,
    work: (tx: TenantTx) => Promise<Result>,
    options: TransactionOptions = {},
  ): Promise<Result> {
    return this.#inOrganization(context, work, options)
  }

  /** One organization, as its service from the first query on: for a public route that has found the organization. */
  service<Result>(
    organizationId: string,
    codes: readonly string[],
    work: (tx: ServiceTx) => Promise<Result>,
  ): Promise<Result> {
    const context = { principalId: null, organizationId, permissions: permissionsOf(codes), isService: true }
    return this.#inOrganization(context, work)
  }

  public<Result>(work: (tx: PublicTx) => Promise<Result>, options: TransactionOptions = {}): Promise<Result> {
    return runTransaction(this.#restricted, this.#names, NOBODY, work, this.#settings(options))
  }

  platform<Result>(
    context: Context,
    work: (tx: PlatformTx) => Promise<Result>,
    options: TransactionOptions = {},
  ): Promise<Result> {
    return runTransaction(this.#privileged, this.#names, context, work, this.#settings(options))
  }

  /** One statement of the restricted login outside any transaction and context: a call of a definer function. */
  async call<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> {
    const { rows } = await this.#restricted.query<Row>(this.#named(text, values))
    return rows
  }

  /** Like `call`, for read-only look-ups that every request makes: several are sent in one message. */
  async lookUp<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> {
    const { rows } = await this.#lookUps.ask<Row>(this.#named(text, values))
    return rows
  }

  #named(text: string, values: unknown[]): pg.QueryConfig {
    const name = this.#names.nameOf(text)
    return name === undefined ? { text, values } : { name, text, values }
  }

  /** Refuses to serve when the restricted login could see past row-level security. */
  async assertRestricted(): Promise<void> {
    const [role] = await this.call<{ rolname: string; unbound: boolean }>(
      `select rolname, rolsuper or rolbypassrls as unbound from pg_roles where rolname = current_user`,
      [],
    )
    if (!role || role.unbound)
      throw new DatabaseRefused(`The login ${role?.rolname} bypasses row-level security. Refusing to start.`)
  }

  /**
   * Refuses to serve from a database that breaks a rule of tenancy or is not as this release made it
   * (packages/db/src/catalogue). Returns warnings for the log.
   */
  async assertSafe(): Promise<string[]> {
    await this.assertRestricted()
    const { problems, warnings } = await this.#checkCatalogue()
    if (problems.length === 0) return warnings
    const shown = problems.slice(0, MAX_SHOWN_PROBLEMS).map((problem) => `  - ${problem}`)
    const rest = problems.length > MAX_SHOWN_PROBLEMS ? [`  - and ${problems.length - MAX_SHOWN_PROBLEMS} more`] : []
    throw new DatabaseRefused(
      `The database does not have the expected structure. Refusing to start:\n${[...shown, ...rest].join('\n')}\n${remediesFor(problems).join('\n')}\nWhat to do: docs/operations/start-refused.md`,
    )
  }

  async #checkCatalogue() {
    const client = await this.#restricted.connect()
    let isBroken = true
    try {
      await client.query(SESSION)
      const query: Query = async <Row extends object>(text: string) =>
        (await client.query<Row & pg.QueryResultRow>(text)).rows
      const found = await checkDatabase(query)
      await client.query('rollback')
      isBroken = false
      return found
    } finally {
      client.release(isBroken)
    }
  }

  async ping(): Promise<void> {
    await this.#restricted.query('select 1')
  }

  async pingPrivileged(): Promise<void> {
    await this.#privileged.query('select 1')
  }

  metrics(): PoolMetrics {
    const { totalCount, idleCount, options } = this.#restricted
    const acquired = totalCount - idleCount
    return {
      total_conns: totalCount,
      acquired_conns: acquired,
      idle_conns: idleCount,
      max_conns: options.max,
      utilization_pct: Math.round((acquired / options.max) * 1000) / 10,
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#restricted.end(), this.#privileged.end()])
  }

  #inOrganization<Result>(context: Context, work: (tx: never) => Promise<Result>, options: TransactionOptions = {}) {
    return this.#shares.run(holderOf(context), () =>
      runTransaction(this.#restricted, this.#names, context, work, this.#settings(options)),
    )
  }

  #settings({ long = false, ...options }: TransactionOptions) {
    return { ...options, statementTimeoutMs: long ? this.#longStatementTimeoutMs : undefined }
  }
}

/** Who has no organization in context counts for themself. */
function holderOf({ organizationId, principalId }: Context): string {
  return organizationId === null || organizationId === NIL_UUID ? (principalId ?? '') : organizationId
}
