import { randomBytes } from 'node:crypto'
import type { LogFiles } from './files.ts'
import { uuidOf } from './ids.ts'
import { bytesIn, encodeRecord, type LogName, type LogRecord, logOf, type NewRecord, type Origin } from './record.ts'
import { readRecord, scanSegment } from './scan.ts'
import { writeAll } from './write-all.ts'

// Takes that were set aside: each lies whole in a file of its own, so that no segment of the log waits for it. A file has its
// name only once all of it is on disk; until then the log has the take.

const GROUP_BYTES = 4 * 1024 * 1024
const NAME = /^aside-([0-9a-f-]{36})-([0-9a-f]{8})\.(log|quarantined|part)$/

interface Aside {
  name: string
  salt: number
  places: Record<LogName, number[]>
}

export interface AsideRecords {
  origin: Origin
  /** Undefined stands for one that cannot be read. */
  records: AsyncIterable<LogRecord | undefined>
  damaged: boolean
}

export class AsideFiles {
  readonly #files: LogFiles
  readonly #takes = new Map<string, Aside>()

  constructor(files: LogFiles) {
    this.#files = files
  }

  get size(): number {
    return this.#takes.size
  }

  has(take: string): boolean {
    return this.#takes.has(take)
  }

  /** Which takes are here. To be called once, before anything else. */
  async find(): Promise<void> {
    for (const { name } of await this.#files.list()) {
      const [, take, salt, ending] = NAME.exec(name) ?? []
      if (take === undefined || salt === undefined) continue
      // A second copy stays when a rename was refused, though done, and the removal after it, too.
      const other = this.#takes.get(take)
      if (ending === 'part' || other?.name.endsWith('.log')) {
        await this.#files.remove(name)
        continue
      }
      if (other) await this.#files.remove(other.name)
      this.#takes.set(take, { name, salt: Number.parseInt(salt, 16), places: { control: [], bulk: [] } })
    }
  }

  /** Reads every file. Gives the takes of which something is missing. */
  async recover(onRecord: (record: LogRecord) => void): Promise<string[]> {
    const lengths = new Map((await this.#files.list()).map(({ name, bytes }) => [name, bytes]))
    const damaged: string[] = []
    for (const [take, { name, salt, places }] of this.#takes) {
      const file = await this.#files.open(name)
      const content = { file, bytes: lengths.get(name) ?? 0, salt, isLast: false }
      const scanned = await scanSegment(content, (record, offset) => {
        places[logOf(record.kind)].push(offset)
        onRecord(record)
      }).finally(() => file.close())
      if (scanned.damaged || name.endsWith('.quarantined')) damaged.push(take)
    }
    return damaged
  }

  /** On disk when this resolves, in the order in which the records are read. Gives how many cannot be. */
  async put({ origin, records, damaged }: AsideRecords): Promise<number> {
    const salt = randomBytes(4).readUInt32LE()
    const part = `aside-${uuidOf(origin.take)}-${salt.toString(16).padStart(8, '0')}.part`
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
      // Whether it has its name is not known. Every try is a file of its own: none may stay behind.
      await this.#discard(part)
      await this.#discard(name)
      throw error
    }
    this.#takes.set(uuidOf(origin.take), { name, salt, places })
    return unreadable
  }

  /** What cannot be removed now is found by the next process. */
  #discard(name: string): Promise<void> {
    return this.#files.remove(name).catch(() => {})
  }

  async *read(log: LogName, take: string): AsyncGenerator<LogRecord | undefined> {
    const aside = this.#takes.get(take)
    if (!aside) return
    const file = await this.#files.open(aside.name)
    try {
      for (const offset of aside.places[log]) yield await readRecord(file, offset, aside.salt)
    } finally {
      await file.close()
    }
  }

  async remove(take: string): Promise<void> {
    const aside = this.#takes.get(take)
    if (!aside) return
    await this.#files.remove(aside.name)
    this.#takes.delete(take)
  }
}
