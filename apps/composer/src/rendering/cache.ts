import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { assertRoom } from './disk.ts'
import { endProcessesOf } from './leftovers.ts'

// Files that can be made again, by the hash of what they are made from. A file appears whole or not at all: it is written
// under a temporary name, synced and renamed.

/** What a file is made from, and how. */
type Recipe = readonly (string | number)[]

export interface Missing {
  index: number
  to: string
}

export interface Cache {
  readonly folder: string
  /**
   * The files of these recipes; `make` writes those that are missing, given as index and path. Two callers in one process
   * make them once; when the first one fails or is cancelled, the second one makes them itself.
   */
  get(recipes: readonly Recipe[], extension: string, make: (missing: Missing[]) => Promise<void>): Promise<string[]>
  /** Throws as a write on a full disk does when there is hardly any room: a render would take the last of it from others. */
  assertRoom(): Promise<void>
  /** A new folder for one piece of work; `sweep` deletes it when this process has died. */
  workFolder(): Promise<string>
  /** Deletes the folders of dead processes, kills what still works in them, and the files that were not used for the longest time beyond `maxBytes`. */
  sweep(maxBytes: number): Promise<{ bytes: number }>
}

interface CacheOptions {
  onLookUp?: (hit: boolean) => void
  now?: () => Date
  minFreeBytes?: number
}

/** A render that runs may still use a file that was used within this time. */
const IN_USE_MS = 2 * 60 * 60 * 1000
const MIN_FREE_BYTES = 200_000_000
const WORK_MAX_AGE_MS = 24 * 60 * 60 * 1000
/** Folders of earlier releases have no time in their name: they count as old. */
const WORK_FOLDER = /^(?<pid>\d+)-(?:(?<since>\d{13})-)?/

export async function openCache(folder: string, options: CacheOptions = {}): Promise<Cache> {
  const { onLookUp, now = () => new Date(), minFreeBytes = MIN_FREE_BYTES } = options
  const clips = join(folder, 'clips')
  const work = join(folder, 'work')
  for (const one of [clips, work]) await mkdir(one, { recursive: true, mode: 0o700 })
  const making = new Map<string, Promise<void>>()

  const pathOf = (recipe: Recipe, extension: string) =>
    join(clips, `${createHash('sha256').update(JSON.stringify(recipe)).digest('hex')}.${extension}`)

  async function use(path: string): Promise<boolean> {
    try {
      if ((await stat(path)).size === 0) return false
      await utimes(path, now(), now())
      return true
    } catch {
      return false
    }
  }

  async function makeFiles(paths: string[], extension: string, make: (missing: Missing[]) => Promise<void>) {
    const present = await Promise.all(paths.map(use))
    for (const hit of present) onLookUp?.(hit)
    if (present.every((hit) => hit)) return
    const own = await workFolder()
    try {
      const missing = paths.flatMap((_, index) =>
        present[index] ? [] : [{ index, to: join(own, `${index}.${extension}`) }],
      )
      await make(missing)
      for (const { index, to } of missing) await publish(to, paths[index] ?? '')
    } finally {
      await rm(own, { recursive: true, force: true })
    }
  }

  /** Its name says whose it is and since when: the clock of files may differ from ours. */
  async function workFolder(): Promise<string> {
    const own = join(work, `${process.pid}-${now().getTime()}-${randomUUID()}`)
    await mkdir(own, { mode: 0o700 })
    return own
  }

  return {
    folder,
    workFolder,
    assertRoom: () => assertRoom(folder, minFreeBytes),
    async get(recipes, extension, make) {
      const paths = recipes.map((recipe) => pathOf(recipe, extension))
      const key = paths.join()
      for (let other = making.get(key); other; other = making.get(key)) await other.catch(() => {})
      const own = makeFiles(paths, extension, make).finally(() => making.delete(key))
      making.set(key, own)
      await own
      return paths
    },
    async sweep(maxBytes) {
      for (const name of await readdir(work)) {
        const path = join(work, name)
        const { pid, since } = WORK_FOLDER.exec(name)?.groups ?? {}
        const age = now().getTime() - Number(since ?? 0)
        const isDead = !isAlive(Number(pid ?? 0))
        if (isDead) await endProcessesOf(path)
        if (isDead || age > WORK_MAX_AGE_MS) await rm(path, { recursive: true, force: true })
      }
      return { bytes: await shrink(clips, maxBytes, now()) }
    },
  }
}

/** Syncs the file and gives it its name. */
async function publish(made: string, path: string): Promise<void> {
  const file = await open(made, 'r+')
  try {
    if ((await file.stat()).size === 0) throw new Error('nothing was written')
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(made, path)
}

function isAlive(pid: number): boolean {
  if (pid === process.pid) return true
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

async function shrink(folder: string, maxBytes: number, now: Date): Promise<number> {
  const files = await Promise.all(
    (await readdir(folder)).map(async (name) => {
      const path = join(folder, name)
      const facts = await stat(path).catch(() => undefined)
      return { path, bytes: facts?.size ?? 0, usedMs: facts?.mtimeMs ?? 0 }
    }),
  )
  let bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  for (const file of files.sort((a, b) => a.usedMs - b.usedMs)) {
    if (bytes <= maxBytes || now.getTime() - file.usedMs < IN_USE_MS) break
    await rm(file.path, { force: true })
    bytes -= file.bytes
  }
  return bytes
}
