import { segmentOf } from './segment.ts'

export type LogName = 'control' | 'bulk'

interface Entry {
  id: string
  /** Freed when the take is released. */
  places: Record<LogName, number[]>
  segments: Record<LogName, Set<number>>
  released: boolean
}

/**
 * Where the records of each take lie, and so which segments nobody needs. A segment of the bulk log goes when all its takes
 * are released. One of the control log stays until those takes are gone from the bulk log too: else a restart would find
 * frames of a take without the marks that say what became of it.
 */
export class TakeIndex {
  readonly #takes = new Map<string, Entry>()
  readonly #segments: Record<LogName, Map<number, Set<Entry>>> = { control: new Map(), bulk: new Map() }

  add(log: LogName, take: string, place: number): void {
    const entry = this.#takes.get(take) ?? this.#begin(take)
    const segment = segmentOf(place)
    if (!entry.released) entry.places[log].push(place)
    if (entry.segments[log].has(segment)) return
    entry.segments[log].add(segment)
    const takes = this.#segments[log].get(segment)
    if (takes) takes.add(entry)
    else this.#segments[log].set(segment, new Set([entry]))
  }

  places(log: LogName, take: string): readonly number[] {
    return this.#takes.get(take)?.places[log] ?? []
  }

  /** The takes with records in a segment. */
  takesIn(log: LogName, segment: number): string[] {
    return [...(this.#segments[log].get(segment) ?? [])].map(({ id }) => id)
  }

  release(take: string): void {
    const entry = this.#takes.get(take)
    if (!entry) return
    entry.released = true
    entry.places = { control: [], bulk: [] }
  }

  isNeeded(log: LogName, segment: number): boolean {
    for (const { released, segments } of this.#segments[log].get(segment) ?? []) {
      if (!released || (log === 'control' && segments.bulk.size > 0)) return true
    }
    return false
  }

  dropped(log: LogName, segment: number): void {
    for (const entry of this.#segments[log].get(segment) ?? []) {
      entry.segments[log].delete(segment)
      if (entry.segments.control.size === 0 && entry.segments.bulk.size === 0) this.#takes.delete(entry.id)
    }
    this.#segments[log].delete(segment)
  }

  #begin(id: string): Entry {
    const entry: Entry = {
      id,
      places: { control: [], bulk: [] },
      segments: { control: new Set(), bulk: new Set() },
      released: false,
    }
    this.#takes.set(id, entry)
    return entry
  }
}
