import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { Progress } from './progress.ts'

interface Kept {
  run: string
  person: string
  progress: Progress
  at: number
}

interface Schema extends DBSchema {
  runs: { key: string; value: Kept }
}

const NAME = 'tendon-progress'
const KEPT_MS = 7 * 24 * 3_600_000

export interface ProgressStore {
  /** Null when nothing is kept, or when the device cannot keep anything. */
  read(): Promise<Progress | null>
  keep(progress: Progress | null): void
}

/** What is done of the current exercise of a run, in IndexedDB, so that a reload does not lose it. */
export function createProgressStore(run: string, person: string, now = Date.now): ProgressStore {
  let opened: Promise<IDBPDatabase<Schema>> | undefined
  const open = () =>
    (opened ??= openDB<Schema>(NAME, 1, {
      upgrade: (db) => void db.createObjectStore('runs', { keyPath: 'run' }),
    }))
  const write = async (progress: Progress | null) => {
    const db = await open()
    await (progress ? db.put('runs', { run, person, progress, at: now() }) : db.delete('runs', run))
  }
  return {
    async read() {
      try {
        const db = await open()
        for (const { run: id, at } of await db.getAll('runs')) if (now() - at > KEPT_MS) await db.delete('runs', id)
        const kept = await db.get('runs', run)
        return kept?.person === person ? kept.progress : null
      } catch {
        return null
      }
    },
    // The session goes on without it; only a reload would lose the current exercise.
    keep: (progress) => void write(progress).catch(() => undefined),
  }
}
