import type { LogName } from './record.ts'
import { segmentOf } from './segment.ts'

type Places = Record<LogName, number[]>

interface Holding {
  /** Recordings with records here that are not released. */
  live: number
  /** Control log only: segments of the bulk log that contain frames of released recordings of this segment. */
  bulk: Set<number>
}

/**
 * Positions of the records of each recording, and so which segments are still needed. A segment of the bulk log is
 * dropped when all its recordings are released. A segment of the control log stays until the frames of its recordings
 * are dropped too; otherwise a restart would find frames without the marks that say what happened to them.
 */
export class RecordingIndex {
  readonly #recordings = new Map<string, Places>()
  readonly #segments: Record<LogName, Map<number, Holding>> = { control: new Map(), bulk: new Map() }

  add(log: LogName, recording: string, place: number): void {
    const places = this.#recordings.get(recording) ?? this.#begin(recording)
    const own = places[log]
    const last = own.at(-1)
    own.push(place)
    const segment = segmentOf(place)
    if (last === undefined || segmentOf(last) !== segment) this.#holding(log, segment).live += 1
  }

  /**
   * Adds a record of a recording that is already released, as found at a restart: frames are read after the mark in
   * the control log.
   */
  addReleased(controlSegments: readonly number[], bulkPlace: number): void {
    for (const segment of controlSegments) this.#holding('control', segment).bulk.add(segmentOf(bulkPlace))
  }

  places(log: LogName, recording: string): readonly number[] {
    return this.#recordings.get(recording)?.[log] ?? []
  }

  /** Recordings that are not released. */
  recordings(): IterableIterator<string> {
    return this.#recordings.keys()
  }

  hasIn(log: LogName, recording: string, segment: number): boolean {
    return this.places(log, recording).some((place) => segmentOf(place) === segment)
  }

  /** Returns the control segments that contain marks of the recording. */
  release(recording: string): number[] {
    const places = this.#recordings.get(recording)
    if (!places) return []
    this.#recordings.delete(recording)
    const [control, bulk] = [segmentsOf(places.control), segmentsOf(places.bulk)]
    for (const segment of bulk) this.#holding('bulk', segment).live -= 1
    for (const segment of control) {
      const holding = this.#holding('control', segment)
      holding.live -= 1
      for (const one of bulk) holding.bulk.add(one)
    }
    return control
  }

  isNeeded(log: LogName, segment: number): boolean {
    const { live, bulk } = this.#holding(log, segment)
    return live > 0 || bulk.size > 0
  }

  dropped(log: LogName, segment: number): void {
    this.#segments[log].delete(segment)
    if (log === 'bulk') for (const { bulk } of this.#segments.control.values()) bulk.delete(segment)
  }

  #begin(recording: string): Places {
    const places: Places = { control: [], bulk: [] }
    this.#recordings.set(recording, places)
    return places
  }

  #holding(log: LogName, segment: number): Holding {
    const holding = this.#segments[log].get(segment)
    if (holding) return holding
    const none = { live: 0, bulk: new Set<number>() }
    this.#segments[log].set(segment, none)
    return none
  }
}

/** Distinct numbers of ascending places. */
function segmentsOf(places: readonly number[]): number[] {
  const segments: number[] = []
  for (const place of places) {
    const segment = segmentOf(place)
    if (segment !== segments.at(-1)) segments.push(segment)
  }
  return segments
}
