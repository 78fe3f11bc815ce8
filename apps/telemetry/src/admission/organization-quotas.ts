import { LRUCache } from 'lru-cache'
import type { RunIdentity } from '../runs/recording.ts'

const MAX_ORGANIZATIONS = 10_000
const REFRESH_MS = 10 * 60 * 1000
/** After a failed look-up. */
const RETRY_DELAY_MS = 30_000
const MAX_LOOK_UPS = 2

/** Requests a second of one organization. */
export interface Quota {
  pose: number
  media: number
}

interface OrganizationQuotasOptions {
  fallback: Quota
  now: () => number
  /** Reads the quota from the manifest of a run; undefined members mean the fallback. */
  find: (run: QuotaRun) => Promise<Partial<Quota> | undefined>
}

export type QuotaRun = Pick<RunIdentity, 'runId' | 'organizationId'>

interface Known {
  quota: Quota
  staleAt: number
}

/**
 * The quota of each organization's plan. Answers immediately with what is known, the setting at first, and reads the
 * manifest of the run in the background: ingest must not wait for the database.
 */
export class OrganizationQuotas {
  readonly #options: OrganizationQuotasOptions
  readonly #known = new LRUCache<string, Known>({ max: MAX_ORGANIZATIONS })
  #lookUps = 0

  constructor(options: OrganizationQuotasOptions) {
    this.#options = options
  }

  of(run: QuotaRun): Quota {
    const known = this.#known.get(run.organizationId)
    if (!known || known.staleAt <= this.#options.now()) this.#refresh(run, known?.quota ?? this.#options.fallback)
    return known?.quota ?? this.#options.fallback
  }

  #refresh(run: QuotaRun, current: Quota): void {
    if (this.#lookUps >= MAX_LOOK_UPS) return
    this.#lookUps += 1
    this.#keep(run, current, RETRY_DELAY_MS)
    void this.#lookUp(run).finally(() => {
      this.#lookUps -= 1
    })
  }

  async #lookUp(run: QuotaRun): Promise<void> {
    const { find, fallback } = this.#options
    const found = await find(run).catch(() => undefined) // unavailable database: retried after the delay
    if (found) this.#keep(run, { ...fallback, ...found }, REFRESH_MS)
  }

  #keep({ organizationId }: QuotaRun, quota: Quota, ms: number): void {
    this.#known.set(organizationId, { quota, staleAt: this.#options.now() + ms })
  }
}
