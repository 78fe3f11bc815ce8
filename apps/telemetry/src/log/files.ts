import { constants, writev } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { lockFolder } from './folder-lock.ts'

interface FileEntry {
  name: string
  bytes: number
  /** Milliseconds since 1970. */
  changedAt: number
}

/** The file system operations that the log needs. Tests inject faults and power cuts here. */
export interface LogFiles {
  list(): Promise<FileEntry[]>
  /** Creates an empty file; its name is on disk when this resolves. */
  create(name: string): Promise<LogFile>
  open(name: string): Promise<LogFile>
  /** Removes a file if it exists; the removal is on disk when this resolves. */
  remove(name: string): Promise<void>
  rename(from: string, to: string): Promise<void>
  /** Releases the lock on the folder. */
  release(): void
}

export interface LogFile {
  /** Returns the bytes written: fewer than given when the disk fills up. */
  write(buffers: Buffer[], position: number): Promise<number>
  /** The content is on disk when this resolves. */
  sync(): Promise<void>
  truncate(bytes: number): Promise<void>
  /** Returns the bytes read: fewer than requested only at the end of the file. */
  read(into: Buffer, position: number): Promise<number>
  close(): Promise<void>
}

/**
 * On Linux a write with this flag is on disk when it returns. It replaces a write and a sync by one trip to another
 * thread. On other systems the flag may guarantee less than a sync.
 */
const O_DSYNC = process.platform === 'linux' ? constants.O_DSYNC : 0

/** Opens a folder exclusively for this process; throws `FolderInUse`. */
export async function openFolder(folder: string): Promise<LogFiles> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const release = lockFolder(folder)
  const path = (name: string) => join(folder, name)

  async function syncNames(): Promise<void> {
    const handle = await open(folder, constants.O_RDONLY)
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  }

  return {
    async list() {
      const names = await readdir(folder)
      return Promise.all(
        names.map(async (name) => {
          const { size, mtimeMs } = await stat(path(name))
          return { name, bytes: size, changedAt: mtimeMs }
        }),
      )
    },
    async create(name) {
      const flags = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | O_DSYNC
      const handle = await open(path(name), flags, 0o600)
      try {
        await syncNames()
      } catch (error) {
        await handle.close()
        await rm(path(name), { force: true })
        throw error
      }
      return diskFile(handle)
    },
    async open(name) {
      return diskFile(await open(path(name), constants.O_RDWR | O_DSYNC))
    },
    async remove(name) {
      await rm(path(name), { force: true }) // an earlier attempt may have removed it already
      await syncNames()
    },
    async rename(from, to) {
      await rename(path(from), path(to))
      await syncNames()
    },
    release,
  }
}

function diskFile(handle: FileHandle): LogFile {
  const { fd } = handle
  // Data written by another process may not be on disk.
  let isSynced = false
  return {
    // Called hundreds of times a second: the plain call costs half of the handle's method.
    write: (buffers, position) =>
      new Promise((resolve, reject) => {
        if (O_DSYNC === 0) isSynced = false
        writev(fd, buffers, position, (error, written) => (error ? reject(error) : resolve(written)))
      }),
    sync: async () => {
      if (isSynced) return
      await handle.datasync()
      isSynced = true
    },
    truncate: (bytes) => {
      isSynced = false
      return handle.truncate(bytes)
    },
    read: async (into, position) => {
      let got = 0
      while (got < into.length) {
        const { bytesRead } = await handle.read(into, got, into.length - got, position + got)
        if (bytesRead === 0) break
        got += bytesRead
      }
      return got
    },
    close: () => handle.close(),
  }
}
