import type { LibraryView, MediaEvent } from '@tendon/contracts'
import { uuidOf } from '../log/ids.ts'
import { copyOf, type LogRecord } from '../log/record.ts'
import { eventKey } from '../media/event.ts'
import { decodeEvent, decodePose, decodeView } from './payloads.ts'
import { beginTake, emptyTake, type RunIdentity, type Take } from './take.ts'

const RUNS_MAX = 50_000

/** The takes that are not finalised yet, by run: the view in memory of what the log holds. */
export class Runs {
  readonly #takes = new Map<string, Take[]>()
  /** Events and views of the takes that are open: memory must hold what tells them apart. */
  entries = 0

  get size(): number {
    return this.#takes.size
  }

  isFull(): boolean {
    return this.#takes.size >= RUNS_MAX
  }

  latest(runId: string): Take | undefined {
    return this.#takes.get(runId)?.at(-1)
  }

  begin(identity: RunIdentity, now: number): Take {
    return this.#add(beginTake(identity, now, this.latest(identity.runId)))
  }

  remove(take: Take): void {
    const left = this.#takes.get(take.runId)?.filter(({ id }) => id !== take.id) ?? []
    if (left.length > 0) this.#takes.set(take.runId, left)
    else this.#takes.delete(take.runId)
    this.forgetEntries(take)
  }

  /** One more entry is remembered. */
  hold(take: Take): void {
    take.held += 1
    this.entries += 1
  }

  /** What tells its events apart is needed only while it is open. */
  forgetEntries(take: Take): void {
    this.entries -= take.held
    take.held = 0
    take.events.clear()
    take.views.clear()
  }

  *all(): Generator<Take> {
    for (const takes of this.#takes.values()) yield* takes
  }

  /** Oldest first: those of one run are finalised one after the other. */
  takesOf(runId: string): readonly Take[] {
    return this.#takes.get(runId) ?? []
  }

  #add(take: Take): Take {
    const takes = this.#takes.get(take.runId)
    if (takes) takes.push(take)
    else this.#takes.set(take.runId, [take])
    return take
  }

  /** Rebuilds the view from the records of the log: control log first, then bulk. */
  restorer(): (record: LogRecord) => void {
    const takes = new Map<string, Take>()
    const flushed = new Set<string>()
    return (record) => {
      const { kind } = record
      const id = uuidOf(record.take)
      if (kind === 'ended' || flushed.has(id)) return
      const take = takes.get(id) ?? this.#add(emptyTake(copyOf(record), 0))
      takes.set(id, take)
      if (kind === 'flushed') {
        flushed.add(id)
        takes.delete(id)
        this.remove(take)
      } else if (kind === 'silence') take.sealed ??= 'silence'
      else restoreData(this, take, record)
      if (take.sealed) this.forgetEntries(take)
    }
  }

  /**
   * After the log was read: a take with a later one beside it, or that was set aside, takes nothing more. Nor does one that
   * is damaged: the record that it is closed, or even written, may be among what cannot be read.
   */
  restored(damagedTakes: ReadonlySet<string>, isAside: (take: string) => boolean): void {
    for (const takes of this.#takes.values()) {
      takes.sort((a, b) => Number(isEnd(a)) - Number(isEnd(b)) || (a.id < b.id ? -1 : 1))
      for (const take of takes) {
        const isDamaged = damagedTakes.has(take.id)
        if (take !== takes.at(-1) || isAside(take.id) || isDamaged) take.sealed ??= 'silence'
        if (take.sealed) this.forgetEntries(take)
        take.damaged ||= isDamaged
      }
    }
  }
}

/** Nothing comes after it, whatever its id says. */
const isEnd = ({ sealed }: Take): boolean => sealed === 'ended'

function restoreData(runs: Runs, take: Take, { kind, at, payload }: LogRecord): void {
  take.lastAt = Math.max(take.lastAt, at)
  if (kind === 'pose') {
    const batch = decodePose(payload)
    if (!batch) return void (take.damaged = true)
    take.frames += batch.frames
    take.poseBytes += batch.gzip.length
    return
  }
  if (kind === 'event') {
    const event = decodeEvent(payload)
    if (!event) return void (take.damaged = true)
    rememberEvent(take, event, undefined)
    if (event.event === 'session_end') take.sealed = 'ended'
  } else {
    const view = decodeView(payload)
    if (!view) return void (take.damaged = true)
    take.views.set(viewKey(view), undefined)
  }
  take.entries += 1
  runs.hold(take)
}

export function rememberEvent(take: Take, event: MediaEvent, pending: Promise<void> | undefined): void {
  const session = take.events.get(event.session_id)
  if (session) session.set(eventKey(event), pending)
  else take.events.set(event.session_id, new Map([[eventKey(event), pending]]))
}

export const viewKey = ({ media_id, viewed_at }: LibraryView): string => `${viewed_at} ${media_id}`
