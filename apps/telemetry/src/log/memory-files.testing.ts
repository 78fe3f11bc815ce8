import type { LogFile, LogFiles } from './files.ts'

interface MemoryFile {
  /** What the process sees. */
  content: Buffer
  /** Number of bytes on disk. */
  synced: number
}

export interface MemoryDisk extends LogFiles {
  files: Map<string, MemoryFile>
  /** Bytes that fit; a write that does not fit is cut short, the next one fails with ENOSPC. */
  room: number
  /** The next sync fails with this code. */
  syncError: string | undefined
  syncs: number
  /** Modification time of every file. */
  changedAt: number
  /** Awaited before each sync returns, so that a test can delay it. */
  gate: Promise<void>
  /** The disk after a power cut: everything synced, and any part of the rest. */
  powerCut(random: () => number): MemoryDisk
  /** What another process finds after this one was killed: everything written. */
  killed(): MemoryDisk
}

const SECTOR_BYTES = 512

export function createMemoryDisk(initial: Map<string, MemoryFile> = new Map()): MemoryDisk {
  const files = new Map<string, MemoryFile>(
    [...initial].map(([name, { content, synced }]) => [name, { content: Buffer.from(content), synced }]),
  )
  const fileOf = (name: string): MemoryFile => {
    const file = files.get(name)
    if (!file) throw new Error(`no file ${name}`)
    return file
  }

  const disk: MemoryDisk = {
    files,
    room: Number.POSITIVE_INFINITY,
    syncError: undefined,
    syncs: 0,
    changedAt: 0,
    gate: Promise.resolve(),
    list: async () =>
      [...files].map(([name, { content }]) => ({ name, bytes: content.length, changedAt: disk.changedAt })),
    async create(name) {
      if (files.has(name)) throw new Error(`there is a file ${name}`)
      files.set(name, { content: Buffer.alloc(0), synced: 0 })
      return handle(name)
    },
    open: async (name) => handle(name),
    async remove(name) {
      files.delete(name)
    },
    async rename(from, to) {
      files.set(to, fileOf(from))
      files.delete(from)
    },
    release() {},
    powerCut(random) {
      const left = new Map<string, MemoryFile>()
      for (const [name, { content, synced }] of files) {
        const kept = Buffer.from(content.subarray(0, synced + Math.floor(random() * (content.length - synced + 1))))
        for (let at = Math.ceil(synced / SECTOR_BYTES) * SECTOR_BYTES; at < kept.length; at += SECTOR_BYTES) {
          if (random() < 0.2) kept.fill(0, at, at + SECTOR_BYTES)
        }
        left.set(name, { content: kept, synced: kept.length })
      }
      return createMemoryDisk(left)
    },
    killed: () => createMemoryDisk(files),
  }

  function handle(name: string): LogFile {
    const file = fileOf(name)
    return {
      async write(buffers, position) {
        const bytes = Buffer.concat(buffers)
        const used = [...files.values()].reduce((sum, { content }) => sum + content.length, 0)
        const fits = Math.min(bytes.length, disk.room - used)
        if (fits <= 0) throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
        file.content = Buffer.concat([file.content.subarray(0, position), bytes.subarray(0, fits)])
        return fits
      },
      async sync() {
        const { length } = file.content
        await disk.gate
        disk.syncs += 1
        if (disk.syncError !== undefined) throw Object.assign(new Error('sync failed'), { code: disk.syncError })
        file.synced = Math.max(file.synced, length)
      },
      async truncate(bytes) {
        file.content = file.content.subarray(0, bytes)
        file.synced = Math.min(file.synced, bytes)
      },
      read: async (into, position) => file.content.copy(into, 0, position),
      close: async () => {},
    }
  }

  return disk
}
