import type { Recording } from '../runs/recording.ts'
import type { Runs } from '../runs/runs.ts'
import { isRefusal } from './refusal.ts'

// Schedules finalises: a few at a time, recordings of one run in order. Failures are retried with growing delays; the
// log keeps the recording until it succeeds. A recording that is refused repeatedly is set aside together with the
// later recordings of its run, which build on it, so that the log does not wait for it. It is then retried once an
// hour.

const MAX_CONCURRENT = 2
/** A refusal caused by a race with another process disappears within half a minute. */
const MAX_REFUSALS = 8
const MIN_RETRY_DELAY_MS = 200
const MAX_RETRY_DELAY_MS = 60_000
const SET_ASIDE_RETRY_DELAY_MS = 60 * 60 * 1000

export interface FinaliserOptions {
  runs: Runs
  finalise: (recording: Recording) => Promise<void>
  /** Called after each success, to drop segments that are no longer needed. */
  tidy: () => Promise<void>
  /** `refusal`: the error, if this recording caused it. */
  setAside: (recording: Recording, refusal?: unknown) => Promise<void>
  isSetAside: (recording: string) => boolean
  onFailure: (error: unknown, recording: Recording) => void
  onFinalised: (recording: Recording) => void
  /** Replaces the default delays. */
  pauseMs?: ((attempt: number, isSetAside: boolean) => number) | undefined
}

interface Tries {
  all: number
  refused: number
}

export class Finaliser {
  readonly #options: FinaliserOptions
  readonly #waiting = new Map<string, Recording>()
  readonly #running = new Map<string, Promise<void>>()
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #tries = new Map<string, Tries>()
  #stopped = false

  constructor(options: FinaliserOptions) {
    this.#options = options
  }

  /** Adds a closed recording that is completely on disk. Adding one that is waiting or in progress has no effect. */
  add(recording: Recording): void {
    if (this.#tries.has(recording.id)) return
    this.#tries.set(recording.id, { all: 0, refused: 0 })
    this.#waiting.set(recording.id, recording)
    this.#next()
  }

  get backlog(): number {
    return this.#tries.size
  }

  /** Starts nothing new; resolves when the finalises in progress have ended. */
  async stop(): Promise<void> {
    this.#stopped = true
    for (const timer of this.#timers) clearTimeout(timer)
    await Promise.all(this.#running.values())
  }

  #next(): void {
    for (const recording of this.#waiting.values()) {
      if (this.#stopped || this.#running.size >= MAX_CONCURRENT) return
      if (this.#running.has(recording.runId)) continue
      const [oldest] = this.#options.runs.recordingsOf(recording.runId)
      if (oldest?.id === recording.id) this.#start(recording, () => this.#finalise(recording))
      else if (oldest && this.#isRefused(oldest) && !this.#options.isSetAside(recording.id)) {
        this.#start(recording, () => this.#setAside(recording))
      }
    }
  }

  /** Set aside, and not waiting for an earlier recording of its run. */
  #isRefused({ id }: Recording): boolean {
    return this.#options.isSetAside(id) && !this.#waiting.has(id)
  }

  #start(recording: Recording, work: () => Promise<void>): void {
    this.#waiting.delete(recording.id)
    this.#running.set(recording.runId, this.#run(recording, work))
  }

  async #run(recording: Recording, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#options.onFailure(error, recording)
      await this.#again(recording, error)
    }
    this.#running.delete(recording.runId)
    this.#next()
  }

  async #finalise(recording: Recording): Promise<void> {
    const { finalise, tidy, runs, onFinalised } = this.#options
    await finalise(recording)
    runs.remove(recording)
    this.#tries.delete(recording.id)
    onFinalised(recording)
    await tidy()
  }

  /** Set aside with the earlier recording that it waits for. */
  async #setAside(recording: Recording): Promise<void> {
    await this.#options.setAside(recording)
    this.#waiting.set(recording.id, recording)
  }

  async #again(recording: Recording, error: unknown): Promise<void> {
    const { setAside, isSetAside, onFailure, pauseMs = usualPauseMs } = this.#options
    const tries = this.#tries.get(recording.id)
    if (!tries) return
    tries.all += 1
    if (isRefusal(error)) tries.refused += 1
    if (tries.refused >= MAX_REFUSALS && !isSetAside(recording.id)) {
      await setAside(recording, error).catch((failure: unknown) => onFailure(failure, recording))
    }
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer)
        this.#waiting.set(recording.id, recording)
        this.#next()
      },
      pauseMs(tries.all, isSetAside(recording.id) && isRefusal(error)) * (0.8 + Math.random() * 0.4),
    )
    this.#timers.add(timer)
    timer.unref()
  }
}

const usualPauseMs = (attempt: number, isSetAside: boolean): number =>
  isSetAside ? SET_ASIDE_RETRY_DELAY_MS : Math.min(MAX_RETRY_DELAY_MS, MIN_RETRY_DELAY_MS * 2 ** (attempt - 1))
