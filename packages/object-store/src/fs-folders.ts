import { constants, lstatSync, mkdirSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { lstat, mkdir, open, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const MAX_INCOMING_AGE_MS = 24 * 60 * 60 * 1000

export type Folders = { objects: string; incoming: string }

/** Opens or creates the two folders of a store and deletes old files from `incoming`, left behind by crashes. */
export function openFolders(root: string, now: Date): Folders {
  mkdirSync(root, { recursive: true, mode: 0o700 })
  const folders = { objects: join(realpathSync(root), 'objects'), incoming: join(realpathSync(root), 'incoming') }
  for (const folder of Object.values(folders)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (realpathSync(folder) !== folder) throw leavesStore()
  }
  for (const name of readdirSync(folders.incoming)) {
    const path = join(folders.incoming, name)
    const modified = lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY
    if (now.getTime() - modified > MAX_INCOMING_AGE_MS) rmSync(path, { force: true })
  }
  return folders
}

/** Creates the folders between `top` and `path` and syncs them; refuses symbolic links. */
export async function makeFolders(top: string, path: string): Promise<void> {
  if (path === top) return
  await makeFolders(top, dirname(path))
  const made = await mkdir(path, { mode: 0o700 }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false
      throw error
    },
  )
  if (!(await lstat(path)).isDirectory()) throw leavesStore()
  if (made) await syncFolder(dirname(path))
}

/** Returns false when the folder does not exist; throws when its path contains a symbolic link. */
export async function hasFolder(path: string): Promise<boolean> {
  const real = await realpath(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  })
  if (real !== undefined && real !== path) throw leavesStore()
  return real !== undefined
}

/** Without this sync a crash may lose a new name. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

function leavesStore(): Error {
  return new Error('A symbolic link inside the object store leads out of it.')
}
