import type { CompiledQuery } from 'kysely'
import type { Door } from './transaction-connection.ts'

interface Waiting {
  query: CompiledQuery
  onFailure: () => void
}

/** What the work of a transaction leaves to be sent in one message with COMMIT. */
export class HandedOver {
  /** The error of the first query that failed. */
  failure: unknown
  readonly #door: Door
  readonly #waiting: Waiting[] = []

  constructor(door: Door) {
    this.#door = door
  }

  take(query: CompiledQuery, onFailure: () => void): void {
    this.#waiting.push({ query, onFailure })
  }

  /** Sends everything, in the order in which it was handed over. */
  send(): Promise<unknown>[] {
    return this.#waiting.splice(0).map(({ query, onFailure }) =>
      this.#door.executeQuery(query).catch((error: unknown) => {
        this.failure ??= error
        onFailure()
        throw error
      }),
    )
  }
}
