import { AsideFiles } from './aside-files.ts'
import type { LogFiles } from './files.ts'
import { bytesOf, timeOf, uuidOf } from './ids.ts'
import { Log, LogFull } from './log.ts'
import { copyOf, type LogName, type LogRecord, logOf, type NewRecord, type Origin } from './record.ts'
import { segmentOf } from './segment.ts'
import type { Segment } from './segment-files.ts'
import { TakeIndex } from './take-index.ts'

// The log of runs: all that was acknowledged and is not finalised yet. Two logs, so that a flood of pose batches cannot delay
// the end of a session, and a file for each take that was set aside. This port is all that the rest knows of it: append, read
// a take, set it aside, finish it.

/** How long an ended run is known, so that what comes late is dropped and not taken for a new run. */
export const ENDED_KEPT_MS = 6 * 60 * 60 * 1000
const ENDED_MAX = 200_000
const ENDED_AT_ONCE = 100
/** A damaged segment is kept for whoever looks into it. */
const QUARANTINE_KEPT_MS = 7 * 24 * 60 * 60 * 1000
/** An active segment that nobody needs is replaced after so long: what is finalised does not lie about. */
const CONTROL_SEGMENT_MAX_AGE_MS = 60 * 60 * 1000
/** The room beyond the limit that is left to the control log: media events go on when pose batches are refused. */
const CONTROL_RESERVE = 1.1
/** The times of files may lag behind the clock by so much. */
const FILE_CLOCK_MS = 1_000
/** No segment has this number. */
const NOWHERE = 0

export interface RunLogOptions {
  files: LogFiles
  maxBytes: number
  segmentBytes?: number
  now: () => number
  elapsed?: () => number
  onFailure: (error: Error) => void
}

export interface Recovered {
  /** Takes that had, or may have had, records in damaged segments. */
  damagedTakes: Set<string>
  damagedSegments: number
}

interface Ended {
  origin: Origin
  at: number
  segment: number
}

export class RunLog {
  readonly #logs: Record<LogName, Log>
  readonly #aside: AsideFiles
  readonly #index = new TakeIndex()
  readonly #ended = new Map<string, Ended>()
  readonly #options: RunLogOptions
  #tidying = Promise.resolve()

  constructor(options: RunLogOptions) {
    this.#options = options
    this.#aside = new AsideFiles(options.files)
    this.#logs = {
      control: new Log({ ...options, name: 'control' }),
      bulk: new Log({ ...options, name: 'bulk' }),
    }
  }

  /**
   * Reads everything, control log first, so that the marks of a take are known before its frames. Of a take that was set aside
   * its own file counts, which is whole, and not what is left of it in the logs.
   */
  async recover(onRecord: (record: LogRecord) => void): Promise<Recovered> {
    const damaged: [LogName, Segment][] = []
    /** Takes that are finalised → the segments that tell so. */
    const released = new Map<string, number[]>()
    /** Takes that were set aside when the process died, before the log was told. */
    const untold = new Map<string, Origin>()
    await this.#aside.find()
    for (const name of ['control', 'bulk'] as const) {
      const numbers = await this.#logs[name].recover((record, place) => {
        const takeId = uuidOf(record.take)
        const marks = released.get(takeId)
        if (name === 'bulk' && marks) return this.#index.addReleased(marks, place)
        const origin = { run: record.run, take: record.take, organization: record.organization, takeId }
        const marked = this.#note(name, { ...record, origin, payload: [record.payload] }, place)
        if (marked) released.set(takeId, [...(marks ?? []), ...marked])
        if (!this.#aside.has(takeId)) onRecord(record)
        else if (marked) untold.delete(takeId)
        else if (record.kind !== 'ended' && !untold.has(takeId)) untold.set(takeId, copyOf(record))
      })
      for (const segment of this.#logs[name].segments())
        if (numbers.includes(segment.number)) damaged.push([name, segment])
    }
    const damagedTakes = this.#takesIn(damaged)
    for (const take of untold.keys()) damagedTakes.delete(take)
    for (const take of await this.#aside.recover(onRecord)) damagedTakes.add(take)
    for (const origin of untold.values()) await this.#letGo(origin, this.#options.now(), false)
    return { damagedTakes, damagedSegments: damaged.length }
  }

  /** Whose a record was that cannot be read is not known: any take may have had one that began before it was written. */
  #takesIn(damaged: readonly [LogName, Segment][]): Set<string> {
    return new Set(
      [...this.#index.takes()].filter((take) =>
        damaged.some(
          ([name, { number, changedAt }]) =>
            timeOf(bytesOf(take)) <= changedAt + FILE_CLOCK_MS || this.#index.hasIn(name, take, number),
        ),
      ),
    )
  }

  /** On disk when this resolves. Throws `LogFull` or `LogFailed`. */
  append(record: NewRecord): Promise<void> {
    const name = logOf(record.kind)
    return this.#logs[name].append(record, (place) => this.#note(name, record, place))
  }

  /** The records of a take in the order in which they were acknowledged; undefined stands for one that cannot be read. */
  async *read(name: LogName, take: string): AsyncGenerator<LogRecord | undefined> {
    if (this.#aside.has(take)) yield* this.#aside.read(name, take)
    else for (const place of this.#index.places(name, take)) yield await this.#logs[name].read(place)
  }

  /**
   * Copies a closed take to a file of its own, and lets go of it in the logs once it is there. Gives how many of its records
   * cannot be read.
   */
  async setAside(
    origin: Origin,
    at: number,
    { ended, damaged }: { ended: boolean; damaged: boolean },
  ): Promise<number> {
    const id = uuidOf(origin.take)
    const unreadable = await this.#aside.put({ origin, records: this.#readAll(id), damaged })
    await this.#letGo(origin, at, ended)
    return unreadable
  }

  async *#readAll(take: string): AsyncGenerator<LogRecord | undefined> {
    yield* this.read('control', take)
    yield* this.read('bulk', take)
  }

  isAside(take: string): boolean {
    return this.#aside.has(take)
  }

  get takesAside(): number {
    return this.#aside.size
  }

  /** The take is finalised. */
  async finish(origin: Origin, at: number, ended: boolean): Promise<void> {
    await this.#aside.remove(uuidOf(origin.take))
    // Told again of one that was set aside: a process that died over it may not have come to say that the run has ended.
    await this.#letGo(origin, at, ended)
  }

  /** A full disk does not keep it: whoever finds it in the log finds it in the database or in its file, too. */
  async #letGo(origin: Origin, at: number, ended: boolean): Promise<void> {
    const payload = [Buffer.from([ended ? 1 : 0])]
    try {
      await this.append({ kind: 'flushed', origin, at, payload })
    } catch (error) {
      if (!(error instanceof LogFull)) throw error
      this.#index.release(uuidOf(origin.take))
      if (ended) this.#remember(uuidOf(origin.run), { origin, at, segment: NOWHERE })
    }
  }

  hasEnded(run: string): boolean {
    return this.#ended.has(run)
  }

  /** Why nothing can be appended just now. */
  refusal(name: LogName): 'full' | 'failed' | undefined {
    if (this.#logs[name].failed) return 'failed'
    const limit = this.#options.maxBytes * (name === 'control' ? CONTROL_RESERVE : 1)
    return this.#logs[name].isFull() || this.bytes >= limit ? 'full' : undefined
  }

  get bytes(): number {
    return this.#logs.control.bytes + this.#logs.bulk.bytes
  }

  oldestWaitMs(name: LogName): number {
    return this.#logs[name].oldestWaitMs()
  }

  /** Drops the segments that nobody needs. Ended runs that are still remembered are written again first. */
  tidy(): Promise<void> {
    this.#tidying = this.#tidying.catch(() => {}).then(() => this.#tidy())
    return this.#tidying
  }

  async #tidy(): Promise<void> {
    for (const name of ['bulk', 'control'] as const) {
      for (const segment of this.#logs[name].segments()) {
        // Asked just before it goes: while the one before was dropped, this one may have taken records.
        if (!this.#isDroppable(name, segment)) continue
        if (this.#logs[name].isActive(segment) && !this.#logs[name].retire()) continue
        if (name === 'control') await this.#tellEndedAgain(segment)
        await this.#logs[name].drop(segment)
        this.#index.dropped(name, segment.number)
      }
    }
  }

  /** A few at a time: neither one sync for each, nor a queue in front of what clients send. */
  async #tellEndedAgain({ number }: Segment): Promise<void> {
    const since = this.#options.now() - ENDED_KEPT_MS
    const kept: Ended[] = []
    for (const [run, ended] of this.#ended) {
      if (ended.segment !== number) continue
      if (ended.at < since) this.#ended.delete(run)
      else kept.push(ended)
    }
    while (kept.length > 0)
      await Promise.all(
        kept.splice(0, ENDED_AT_ONCE).map(({ origin, at }) => this.append({ kind: 'ended', origin, at })),
      )
  }

  async close(): Promise<void> {
    await this.#tidying.catch(() => {})
    await Promise.all([this.#logs.control.close(), this.#logs.bulk.close()])
    this.#options.files.release()
  }

  #isDroppable(name: LogName, segment: Segment): boolean {
    const log = this.#logs[name]
    if (segment.bytes === 0 || this.#index.isNeeded(name, segment.number)) return false
    const age = this.#options.now() - segment.changedAt
    if (segment.quarantined) return age > QUARANTINE_KEPT_MS
    return name === 'bulk' || !log.isActive(segment) || age > CONTROL_SEGMENT_MAX_AGE_MS
  }

  /** Gives the segments that tell of the take when it is let go. */
  #note(name: LogName, { kind, origin, at, payload }: NewRecord, place: number): number[] | undefined {
    if (kind === 'ended' || (kind === 'flushed' && payload?.[0]?.[0] === 1)) {
      this.#remember(uuidOf(origin.run), { origin: copyOf(origin), at, segment: segmentOf(place) })
    }
    if (kind === 'ended') return undefined
    const id = origin.takeId ?? uuidOf(origin.take)
    this.#index.add(name, id, place)
    return kind === 'flushed' ? this.#index.release(id) : undefined
  }

  #remember(run: string, ended: Ended): void {
    this.#ended.delete(run)
    this.#ended.set(run, ended)
    const [oldest] = this.#ended.keys()
    if (this.#ended.size > ENDED_MAX && oldest !== undefined) this.#ended.delete(oldest)
  }
}
