import { LRUCache } from 'lru-cache'
import type { Withdrawal } from './withdrawn.ts'

const MAX_RUNS = 100_000
/** A run token is valid for 90 minutes; nothing older can send. */
const FIRST_LOOK_BACK_MS = 3 * 60 * 60 * 1000
/** A transaction that withdraws may commit later than the time it wrote. */
const OVERLAP_MS = 60_000
const NONE: readonly Withdrawal[] = []

interface WithdrawalsOptions {
  now: () => number
  /** The withdrawals of runs since then, of all organizations. */
  list: (since: Date) => Promise<Withdrawal[]>
}

/** Consents that ended during runs, read every few seconds: ingest must not wait for the database. */
export class Withdrawals {
  readonly #options: WithdrawalsOptions
  readonly #ofRun = new LRUCache<string, readonly Withdrawal[]>({ max: MAX_RUNS })
  #readAt: number | undefined

  constructor(options: WithdrawalsOptions) {
    this.#options = options
  }

  of(runId: string): readonly Withdrawal[] {
    return this.#ofRun.get(runId) ?? NONE
  }

  async refresh(): Promise<void> {
    const { now, list } = this.#options
    const at = now()
    const since = this.#readAt === undefined ? at - FIRST_LOOK_BACK_MS : this.#readAt - OVERLAP_MS
    const found = Map.groupBy(await list(new Date(since)), ({ run_id }) => run_id)
    for (const [runId, withdrawals] of found) this.#ofRun.set(runId, withdrawals)
    this.#readAt = at
  }
}
