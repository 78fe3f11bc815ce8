import type { LogName } from './record.ts'
import { segmentOf } from './segment.ts'

type Places = Record<LogName, number[]>

interface Holding {
  /** Takes with records here that are not released. */
  live: number
  /** Of the control log: the segments of the bulk log that have frames of its takes that were released. */
  bulk: Set<number>
}

/**
 * Where the records of each take lie, and so which segments nobody needs. A segment of the bulk log goes when all its takes
 * are released. One of the control log stays until the frames of its takes are gone, too: else a restart would find frames
 * without the marks that say what became of them.
 */
export class TakeIndex {
  readonly #takes = new Map<string, Places>()
  readonly #segments: Record<LogName, Map<number, Holding>> = { control: new Map(), bulk: new Map() }

  add(log: LogName, take: string, place: number): void {
    const places = this.#takes.get(take) ?? this.#begin(take)
    const own = places[log]
    const last = own.at(-1)
    own.push(place)
    const segment = segmentOf(place)
    if (last === undefined || segmentOf(last) !== segment) this.#holding(log, segment).live += 1
  }

  /** A record of a take that is released already, as a restart finds them: frames lie after the mark in another log. */
  addReleased(controlSegments: readonly number[], bulkPlace: number): void {
    for (const segment of controlSegments) this.#holding('control', segment).bulk.add(segmentOf(bulkPlace))
  }

  places(log: LogName, take: string): readonly number[] {
    return this.#takes.get(take)?.[log] ?? []
  }

  /** The takes that are not released. */
  takes(): IterableIterator<string> {
    return this.#takes.keys()
  }

  hasIn(log: LogName, take: string, segment: number): boolean {
    return this.places(log, take).some((place) => segmentOf(place) === segment)
  }

  /** Gives the segments of the control log that tell of the take. */
  release(take: string): number[] {
    const places = this.#takes.get(take)
    if (!places) return []
    this.#takes.delete(take)
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

  #begin(take: string): Places {
    const places: Places = { control: [], bulk: [] }
    this.#takes.set(take, places)
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

/** Each once; places only ever grow. */
function segmentsOf(places: readonly number[]): number[] {
  const segments: number[] = []
  for (const place of places) {
    const segment = segmentOf(place)
    if (segment !== segments.at(-1)) segments.push(segment)
  }
  return segments
}
