import { randomBytes } from 'node:crypto'
import type { LogFiles } from './files.ts'
import { uuidOf } from './ids.ts'
import { bytesIn, encodeRecord, type LogName, type LogRecord, logOf, type NewRecord, type Origin } from './record.ts'
import { readRecord, scanSegment } from './scan.ts'
import { writeAll } from './write-all.ts'

// Recordings that were set aside: each has a file of its own, so that no segment of the log waits for it. A file gets
// its name once it is completely on disk; until then the log has the recording.

const GROUP_BYTES = 4 * 1024 * 1024
const NAME = /^aside-([0-9a-f-]{36})-([0-9a-f]{8})\.(log|quarantined|part)$/

interface Aside {
  name: string
  salt: number
  places: Record<LogName, number[]>
}

interface AsideRecords {
  origin: Origin
  /** Undefined for a record that cannot be read. */
  records: AsyncIterable<LogRecord | undefined>
  damaged: boolean
}

export class SetAsideFiles {
  readonly #files: LogFiles
  readonly #recordings = new Map<string, Aside>()

  constructor(files: LogFiles) {
    this.#files = files
  }

  get size(): number {
    return this.#recordings.size
  }

  has(recording: string): boolean {
    return this.#recordings.has(recording)
  }

  /** Lists the recordings in the folder. Must be called once, before anything else. */
  async find(): Promise<void> {
    for (const { name } of await this.#files.list()) {
      const [, recording, salt, ending] = NAME.exec(name) ?? []
      if (recording === undefined || salt === undefined) continue
      // A second copy exists when a rename reported an error although it succeeded, and the removal failed too.
      const other = this.#recordings.get(recording)
      if (ending === 'part' || other?.name.endsWith('.log')) {
        await this.#files.remove(name)
        continue
      }
      if (other) await this.#files.remove(other.name)
      this.#recordings.set(recording, { name, salt: Number.parseInt(salt, 16), places: { control: [], bulk: [] } })
    }
  }

  /** Reads every file. Returns the recordings that are incomplete. */
  async recover(onRecord: (record: LogRecord) => void): Promise<string[]> {
    const lengths = new Map((await this.#files.list()).map(({ name, bytes }) => [name, bytes]))
    const damaged: string[] = []
    for (const [recording, { name, salt, places }] of this.#recordings) {
      const file = await this.#files.open(name)
      const content = { file, bytes: lengths.get(name) ?? 0, salt, isLast: false }
      const scanned = await scanSegment(content, (record, offset) => {
        places[logOf(record.kind)].push(offset)
        onRecord(record)
      }).finally(() => file.close())
      if (scanned.damaged || name.endsWith('.quarantined')) damaged.push(recording)
    }
    return damaged
  }

  /** Resolves when the records are on disk, in the order read. Returns how many could not be read. */
  async put({ origin, records, damaged }: AsideRecords): Promise<number> {
    const salt = randomBytes(4).readUInt32LE()
    const part = `aside-${uuidOf(origin.recording)}-${salt.toString(16).padStart(8, '0')}.part`
    const places: Aside['places'] = { control: [], bulk: [] }
    const file = await this.#files.create(part)
    let unreadable = 0
    let group: Buffer[] = []
    let written = 0
    let waiting = 0
    const add = (record: NewRecord) => {
      const parts = encodeRecord(record, salt)
      places[logOf(record.kind)].push(written + waiting)
      group.push(...parts)
      waiting += bytesIn(parts)
    }
    const write = async () => {
      written += await writeAll(file, group, written)
      group = []
      waiting = 0
    }
    try {
      for await (const record of records) {
        if (record) add({ kind: record.kind, origin, at: record.at, payload: [record.payload] })
        else unreadable += 1
        if (waiting >= GROUP_BYTES) await write()
      }
      await write()
      await file.sync()
    } catch (error) {
      await file.close().catch(() => {})
      await this.#discard(part)
      throw error
    }
    await file.close()
    const name = part.replace('.part', damaged || unreadable > 0 ? '.quarantined' : '.log')
    try {
      await this.#files.rename(part, name)
    } catch (error) {
      // It is unknown whether the rename succeeded. Every attempt has a file of its own: leave none behind.
      await this.#discard(part)
      await this.#discard(name)
      throw error
    }
    this.#recordings.set(uuidOf(origin.recording), { name, salt, places })
    return unreadable
  }

  /** A file that cannot be removed now is found by the next process. */
  #discard(name: string): Promise<void> {
    return this.#files.remove(name).catch(() => {})
  }

  async *read(log: LogName, recording: string): AsyncGenerator<LogRecord | undefined> {
    const aside = this.#recordings.get(recording)
    if (!aside) return
    const file = await this.#files.open(aside.name)
    try {
      for (const offset of aside.places[log]) yield await readRecord(file, offset, aside.salt)
    } finally {
      await file.close()
    }
  }

  async remove(recording: string): Promise<void> {
    const aside = this.#recordings.get(recording)
    if (!aside) return
    await this.#files.remove(aside.name)
    this.#recordings.delete(recording)
  }
}
