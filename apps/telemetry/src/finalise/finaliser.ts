import type { Runs } from '../runs/runs.ts'
import type { Take } from '../runs/take.ts'
import { isRefusal } from './refusal.ts'

// Which take is finalised when: a few at a time, those of one run one after the other. What fails is tried again, later and
// later; the log keeps it until it has worked. What is refused again and again is set aside, so that the log does not wait for
// it, and the takes of its run that come after it with it: they build on it. It is then tried once an hour.

const AT_ONCE = 2
/** A refusal may come from a race with another process; over half a minute it does not. */
const REFUSALS_MAX = 8
const RETRY_FIRST_MS = 200
const RETRY_LAST_MS = 60_000
const RETRY_ASIDE_MS = 60 * 60 * 1000

export interface FinaliserOptions {
  runs: Runs
  finalise: (take: Take) => Promise<void>
  /** After each success: what is not needed any more can go. */
  tidy: () => Promise<void>
  /** The refusal, where it is the take's own. */
  setAside: (take: Take, refusal?: unknown) => Promise<void>
  isAside: (take: string) => boolean
  onFailure: (error: unknown, take: Take) => void
  onFinalised: (take: Take) => void
  /** In place of the usual pauses. */
  pauseMs?: ((attempt: number, isAside: boolean) => number) | undefined
}

interface Tries {
  all: number
  refused: number
}

export class Finaliser {
  readonly #options: FinaliserOptions
  readonly #waiting = new Map<string, Take>()
  readonly #running = new Map<string, Promise<void>>()
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #tries = new Map<string, Tries>()
  #stopped = false

  constructor(options: FinaliserOptions) {
    this.#options = options
  }

  /** A closed take, all of which is on disk. Asked again for one that waits or is under way, nothing happens. */
  add(take: Take): void {
    if (this.#tries.has(take.id)) return
    this.#tries.set(take.id, { all: 0, refused: 0 })
    this.#waiting.set(take.id, take)
    this.#next()
  }

  get backlog(): number {
    return this.#tries.size
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
      if (this.#running.has(take.runId)) continue
      const [oldest] = this.#options.runs.takesOf(take.runId)
      if (oldest?.id === take.id) this.#start(take, () => this.#finalise(take))
      else if (oldest && this.#isRefused(oldest) && !this.#options.isAside(take.id)) {
        this.#start(take, () => this.#setAside(take))
      }
    }
  }

  /** Set aside, and not just waiting for its turn. */
  #isRefused({ id }: Take): boolean {
    return this.#options.isAside(id) && !this.#waiting.has(id)
  }

  #start(take: Take, work: () => Promise<void>): void {
    this.#waiting.delete(take.id)
    this.#running.set(take.runId, this.#run(take, work))
  }

  async #run(take: Take, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#options.onFailure(error, take)
      await this.#again(take, error)
    }
    this.#running.delete(take.runId)
    this.#next()
  }

  async #finalise(take: Take): Promise<void> {
    const { finalise, tidy, runs, onFinalised } = this.#options
    await finalise(take)
    runs.remove(take)
    this.#tries.delete(take.id)
    onFinalised(take)
    await tidy()
  }

  /** With the take before it: it goes on waiting for that one. */
  async #setAside(take: Take): Promise<void> {
    await this.#options.setAside(take)
    this.#waiting.set(take.id, take)
  }

  async #again(take: Take, error: unknown): Promise<void> {
    const { setAside, isAside, onFailure, pauseMs = usualPauseMs } = this.#options
    const tries = this.#tries.get(take.id)
    if (!tries) return
    tries.all += 1
    if (isRefusal(error)) tries.refused += 1
    if (tries.refused >= REFUSALS_MAX && !isAside(take.id)) {
      await setAside(take, error).catch((failure: unknown) => onFailure(failure, take))
    }
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer)
        this.#waiting.set(take.id, take)
        this.#next()
      },
      pauseMs(tries.all, isAside(take.id) && isRefusal(error)) * (0.8 + Math.random() * 0.4),
    )
    this.#timers.add(timer)
    timer.unref()
  }
}

const usualPauseMs = (attempt: number, isAside: boolean): number =>
  isAside ? RETRY_ASIDE_MS : Math.min(RETRY_LAST_MS, RETRY_FIRST_MS * 2 ** (attempt - 1))
