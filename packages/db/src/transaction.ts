import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import { escapeLiteral, type QueryResult as PgResult, type Pool, type PoolClient, type QueryConfig } from 'pg'
import { gather } from './connection.ts'
import type { DB } from './types.ts'

declare const kind: unique symbol

/** A transaction as the caller, inside one organization, under row-level security. */
export type TenantTx = Kysely<DB> & { readonly [kind]: 'tenant' }
/** A transaction of an endpoint without caller: restricted login, no context, so only what public functions give. */
export type PublicTx = Kysely<DB> & { readonly [kind]: 'public' }
/** A transaction above all tenants: bypasses row-level security. `grep PlatformTx` lists every use. */
export type PlatformTx = Kysely<DB> & { readonly [kind]: 'platform' }

/** The organization of a caller who has none: row-level security then gives no rows. */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000'

export interface Context {
  principalId: string | null
  organizationId: string | null
  /** '*' or ',code,code,' (see database/functions/context.sql). */
  permissions: string
  /** The language of the caller, in which names are read (see database/functions/context.sql). */
  language?: string
  /** The patient profiles that the caller owns. */
  profileIds?: readonly string[]
  /** The automation rules that led to this transaction, the oldest first: events and jobs that it adds carry them. */
  automationRuleIds?: readonly string[]
}

/** For the platform's own work: no caller, no organization, no permissions. */
export const NOBODY: Context = { principalId: null, organizationId: null, permissions: '' }

/** Each takes about 20 KB in every connection, and callers can make new ones: lists sort and filter as they like. */
const MAX_PREPARED = 1_000

/** Prefix of a statement that depends on the caller: it is not prepared by name, and is planned for its values. */
export const UNNAMED = '/* unnamed */'

/** Prefix of a statement with one plan for all values, because planning it takes longer than running it. */
export const PLANNED_ONCE = '/* planned once */'
const PLAN_ONCE = 'set local plan_cache_mode = force_generic_plan'

/** Gives the first SQL texts a name, so that a connection parses and plans them once. */
export class StatementNames {
  readonly #names = new Map<string, string>()

  nameOf(text: string): string | undefined {
    if (text.startsWith(UNNAMED)) return undefined
    const known = this.#names.get(text)
    if (known !== undefined || this.#names.size >= MAX_PREPARED) return known
    const name = `s${this.#names.size}`
    this.#names.set(text, name)
    return name
  }
}

class TransactionConnection implements DatabaseConnection {
  open = true
  readonly #client: PoolClient
  readonly #names: StatementNames
  readonly #single: boolean
  #commit: Promise<PgResult> | undefined

  constructor(client: PoolClient, names: StatementNames, single: boolean) {
    this.#client = client
    this.#names = names
    this.#single = single
  }

  commit(): Promise<PgResult> {
    this.open = false
    this.#commit ??= this.send('commit')
    return this.#commit
  }

  /** What is sent before anybody waits for an answer goes out as one packet. */
  send(query: string | QueryConfig): Promise<PgResult> {
    gather(this.#client.connection.stream, process.nextTick)
    return this.#client.query(query)
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    if (!this.open) throw new Error('This transaction has ended. A query was not awaited, or the transaction was kept.')
    const name = this.#names.nameOf(sql)
    const values = parameters as unknown[]
    if (sql.startsWith(PLANNED_ONCE)) this.send(PLAN_ONCE).catch(() => {})
    const answer = this.send(name === undefined ? { text: sql, values } : { name, text: sql, values })
    if (this.#single) this.commit().catch(() => {})
    const result = await answer
    return { rows: result.rows as Row[], numAffectedRows: BigInt(result.rowCount ?? 0) }
  }

  streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Pipelined connections cannot stream; read in pages.')
  }
}

const alreadyOpen = (): never => {
  throw new Error('A transaction is already open.')
}

/** Kysely asks its driver for a connection per query; here there is only the transaction's own. */
class TransactionDriver implements Driver {
  readonly #connection: DatabaseConnection
  constructor(connection: DatabaseConnection) {
    this.#connection = connection
  }
  async init() {}
  async acquireConnection() {
    return this.#connection
  }
  async releaseConnection() {}
  async destroy() {}
  beginTransaction = alreadyOpen
  commitTransaction = alreadyOpen
  rollbackTransaction = alreadyOpen
}

const adapter = new PostgresAdapter()
const compiler = new PostgresQueryCompiler()

function kyselyOn(connection: DatabaseConnection): Kysely<DB> {
  return new Kysely<DB>({
    dialect: {
      createAdapter: () => adapter,
      createDriver: () => new TransactionDriver(connection),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => compiler,
    },
  })
}

/** Ids and permissions: nothing in them that would need escaping. */
const PLAIN = /^[\w.,:*{}-]*$/

/** True once it is set: what was set, permissions above all, need not come back. */
const setting = (name: string, value: string) =>
  `set_config('${name}', ${PLAIN.test(value) ? `'${value}'` : escapeLiteral(value)}, true) is not null`

function beginMessage(context: Context, statementTimeoutMs: number | undefined): string {
  const settings = [
    setting('app.org_id', context.organizationId ?? ''),
    setting('app.principal_id', context.principalId ?? ''),
    setting('app.permissions', context.permissions),
    setting('app.profile_ids', context.profileIds?.length ? `{${context.profileIds.join(',')}}` : ''),
  ]
  if (context.language !== undefined) settings.push(setting('app.language', context.language))
  if (context.automationRuleIds?.length)
    settings.push(setting('app.automation_rule_ids', `{${context.automationRuleIds.join(',')}}`))
  if (statementTimeoutMs !== undefined) settings.push(setting('statement_timeout', String(statementTimeoutMs)))
  return `begin; select where ${settings.join(' and ')}`
}

interface RunOptions {
  statementTimeoutMs?: number | undefined
  /** COMMIT travels with the first query, which is then the only one: nobody waits for an answer in between. */
  single?: boolean
}

/**
 * Runs `work` in one transaction with the context set. BEGIN and the settings travel as one message in front of the
 * first query; nobody waits for them. Were they to fail, PostgreSQL would refuse every query after them.
 */
export async function runTransaction<Result>(
  pool: Pool,
  names: StatementNames,
  context: Context,
  work: (tx: never) => Promise<Result>,
  { statementTimeoutMs, single = false }: RunOptions = {},
): Promise<Result> {
  const client = await pool.connect()
  const connection = new TransactionConnection(client, names, single)
  const begun = connection.send(beginMessage(context, statementTimeoutMs))
  begun.catch(() => {})
  try {
    const result = await work(kyselyOn(connection) as never)
    const [, ended] = await Promise.all([begun, connection.commit()])
    // A transaction that failed inside (and whose error was swallowed) answers COMMIT with ROLLBACK.
    if (ended.command !== 'COMMIT') throw new Error('The transaction was rolled back although its work returned.')
    client.release()
    return result
  } catch (error) {
    connection.open = false
    await client.query('rollback').then(
      () => client.release(hasStalePlan(error)),
      () => client.release(true),
    )
    throw error
  }
}

/** A migration changed what a prepared statement returns: a connection cannot use it again, a new one can. */
const hasStalePlan = (error: unknown) => (error as { routine?: unknown } | null)?.routine === 'RevalidateCachedQuery'
