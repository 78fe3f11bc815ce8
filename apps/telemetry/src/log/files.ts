import { constants, fdatasync, writev } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { lockFolder } from './folder-lock.ts'

export interface FileEntry {
  name: string
  bytes: number
  /** Milliseconds since 1970. */
  changedAt: number
}

/** What the log needs of a file system. Tests put faults and power cuts behind it. */
export interface LogFiles {
  list(): Promise<FileEntry[]>
  /** A new, empty file; its name is on disk when this returns. */
  create(name: string): Promise<LogFile>
  open(name: string): Promise<LogFile>
  /** Gone from the disk when this returns. */
  remove(name: string): Promise<void>
  rename(from: string, to: string): Promise<void>
  /** Lets another process have the folder. */
  release(): void
}

export interface LogFile {
  /** Bytes written: fewer than given when the disk fills up in between. */
  write(buffers: Buffer[], position: number): Promise<number>
  /** On disk when this returns. */
  sync(): Promise<void>
  truncate(bytes: number): Promise<void>
  /** Bytes read: fewer than asked for only at the end of the file. */
  read(into: Buffer, position: number): Promise<number>
  close(): Promise<void>
}

/** A folder of the disk, for this process alone: throws `FolderInUse`. */
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
      const handle = await open(path(name), constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600)
      await syncNames()
      return diskFile(handle)
    },
    async open(name) {
      return diskFile(await open(path(name), constants.O_RDWR))
    },
    async remove(name) {
      await unlink(path(name))
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
  return {
    // Ten thousand times a second: the plain calls cost half of what the handle's own do.
    write: (buffers, position) =>
      new Promise((resolve, reject) => {
        writev(fd, buffers, position, (error, written) => (error ? reject(error) : resolve(written)))
      }),
    sync: () =>
      new Promise((resolve, reject) => {
        fdatasync(fd, (error) => (error ? reject(error) : resolve()))
      }),
    truncate: (bytes) => handle.truncate(bytes),
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
