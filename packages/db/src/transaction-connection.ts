import { channel } from 'node:diagnostics_channel'
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
import type { QueryResult as PgResult, PoolClient, QueryConfig } from 'pg'
import { gather } from './connection.ts'
import type { StatementNames } from './statement-names.ts'
import type { DB } from './types.ts'

/** The connection of one transaction. */
export class TransactionConnection implements DatabaseConnection {
  open = true
  readonly #client: PoolClient
  readonly #names: StatementNames
  #queriesLeft: number | undefined
  #commit: Promise<PgResult> | undefined

  constructor(client: PoolClient, names: StatementNames, queries: number | undefined) {
    this.#client = client
    this.#names = names
    this.#queriesLeft = queries
  }

  get database(): string | undefined {
    return this.#client.database
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
    const answer = this.send(name === undefined ? { text: sql, values } : { name, text: sql, values })
    if (this.#queriesLeft !== undefined) {
      this.#queriesLeft -= 1
      if (this.#queriesLeft === 0) this.commit().catch(() => {})
    }
    const result = await answer
    return { rows: result.rows as Row[], numAffectedRows: BigInt(result.rowCount ?? 0) }
  }

  streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Pipelined connections cannot stream; read in pages.')
  }
}

/** Why queries of one Kysely object are refused, while another one of the same transaction is in use or after it. */
type Refusal = string | undefined

/** Every statement of the service of a clinic. Tests read them (core/src/testing/service-statements.ts). */
export const SERVICE_STATEMENTS = 'tendon:db:service-statement'
export interface ServiceStatement {
  text: string
  database: string | undefined
}
const serviceStatements = channel(SERVICE_STATEMENTS)

/** One view of a transaction's connection: each Kysely object has its own, which can be closed. */
export class Door implements DatabaseConnection {
  refusal: Refusal
  readonly #connection: TransactionConnection
  readonly #isService: boolean

  constructor(connection: TransactionConnection, isService: boolean) {
    this.#connection = connection
    this.#isService = isService
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.refusal !== undefined) throw new Error(this.refusal)
    if (this.#isService && serviceStatements.hasSubscribers) {
      const sent: ServiceStatement = { text: query.sql, database: this.#connection.database }
      serviceStatements.publish(sent)
    }
    return this.#connection.executeQuery<Row>(query)
  }

  streamQuery(): AsyncIterableIterator<never> {
    return this.#connection.streamQuery()
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

export function kyselyOn(connection: DatabaseConnection): Kysely<DB> {
  return new Kysely<DB>({
    dialect: {
      createAdapter: () => adapter,
      createDriver: () => new TransactionDriver(connection),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => compiler,
    },
  })
}
