import type { Pool, PoolClient, QueryConfig, QueryResult, QueryResultRow } from 'pg'
import { gather } from './connection.ts'

interface Lane {
  client: Promise<PoolClient>
  underWay: number
}

/**
 * Short reads of many requests over one connection: what is asked in one turn of the event loop goes out as one packet, and
 * one process of the database answers it. Under load that saves most of the switching between processes; alone, a look-up
 * costs what it did. Only for what never waits for a lock: the others would wait behind it.
 */
export class LookUps {
  readonly #pool: Pool
  #lane: Lane | undefined

  constructor(pool: Pool) {
    this.#pool = pool
  }

  async ask<Row extends QueryResultRow>(query: QueryConfig): Promise<QueryResult<Row>> {
    this.#lane ??= { client: this.#pool.connect(), underWay: 0 }
    const lane = this.#lane
    lane.underWay += 1
    try {
      const client = await lane.client
      gather(client.connection.stream, setImmediate)
      return await client.query<Row>(query)
    } catch (error) {
      this.#leave(lane)
      throw error
    } finally {
      lane.underWay -= 1
      if (lane.underWay === 0) {
        this.#leave(lane)
        lane.client.then(
          (client) => client.release(),
          () => {},
        )
      }
    }
  }

  /** A connection that may be broken, or goes back to the pool, is joined by nobody any more. */
  #leave(lane: Lane): void {
    if (this.#lane === lane) this.#lane = undefined
  }
}
