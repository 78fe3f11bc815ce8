import type { Runs } from '../runs/runs.ts'
import type { Take } from '../runs/take.ts'

// Which take is finalised when: a few at a time, those of one run one after the other. What fails is tried again, later and
// later; the log keeps it until it has worked.

const AT_ONCE = 2
const RETRY_FIRST_MS = 200
const RETRY_LAST_MS = 60_000

export interface FinaliserOptions {
  runs: Runs
  finalise: (take: Take) => Promise<void>
  /** After each success: what is not needed any more can go. */
  tidy: () => Promise<void>
  onFailure: (error: unknown, take: Take) => void
  onFinalised: (take: Take) => void
}

export class Finaliser {
  readonly #options: FinaliserOptions
  readonly #waiting = new Map<string, Take>()
  readonly #running = new Map<string, Promise<void>>()
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #attempts = new Map<string, number>()
  #stopped = false

  constructor(options: FinaliserOptions) {
    this.#options = options
  }

  /** A closed take, all of which is on disk. Asked again for one that waits or is under way, nothing happens. */
  add(take: Take): void {
    if (this.#attempts.has(take.id)) return
    this.#attempts.set(take.id, 0)
    this.#waiting.set(take.id, take)
    this.#next()
  }

  get backlog(): number {
    return this.#attempts.size
  }

  /** No more begins; resolves when those under way have ended. */
  async stop(): Promise<void> {
    this.#stopped = true
    for (const timer of this.#timers) clearTimeout(timer)
    await Promise.all(this.#running.values())
  }

  #next(): void {
    for (const take of this.#waiting.values()) {
      if (this.#stopped || this.#running.size >= AT_ONCE) return
      const [oldest] = this.#options.runs.takesOf(take.runId)
      if (this.#running.has(take.runId) || oldest?.id !== take.id) continue
      this.#waiting.delete(take.id)
      this.#running.set(take.runId, this.#run(take))
    }
  }

  async #run(take: Take): Promise<void> {
    const { finalise, tidy, runs, onFinalised, onFailure } = this.#options
    try {
      await finalise(take)
      runs.remove(take)
      this.#attempts.delete(take.id)
      onFinalised(take)
      await tidy()
    } catch (error) {
      onFailure(error, take)
      if (this.#attempts.has(take.id)) this.#again(take)
    }
    this.#running.delete(take.runId)
    this.#next()
  }

  #again(take: Take): void {
    const attempt = (this.#attempts.get(take.id) ?? 0) + 1
    this.#attempts.set(take.id, attempt)
    const pause = Math.min(RETRY_LAST_MS, RETRY_FIRST_MS * 2 ** (attempt - 1)) * (0.8 + Math.random() * 0.4)
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      this.#waiting.set(take.id, take)
      this.#next()
    }, pause)
    this.#timers.add(timer)
    timer.unref()
  }
}
