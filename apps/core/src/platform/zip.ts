import { pipeline } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'

// A ZIP file as a stream (PKWARE APPNOTE 6.3.3). Each entry is a local header, its deflated bytes and a data descriptor,
// because lengths and checksum are known only afterwards; the directory at the end repeats them, and readers trust that
// one. Memory holds a directory record for each entry, never content. There is no ZIP64: what would need it is refused.

export interface ZipEntry {
  /** Path inside the file: relative, "/" between folders. */
  name: string
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

export const MAX_ZIP_BYTES = 0xffff_fffe
const MAX_ZIP_ENTRIES = 0xfffe

const LOCAL_HEADER = 0x04034b50
const DATA_DESCRIPTOR = 0x08074b50
const DIRECTORY_HEADER = 0x02014b50
const DIRECTORY_END = 0x06054b50
const VERSION = 20
const MADE_ON_UNIX = (3 << 8) | VERSION
const READABLE_BY_OWNER = 0o100600 * 0x10000
// Bit 3: lengths in the data descriptor. Bit 11: the name is UTF-8.
const FLAGS = 0x0808
const DEFLATED = 8

export class ZipTooLarge extends Error {
  override name = 'ZipTooLarge'
  constructor() {
    super('This is more than a ZIP file holds.')
  }
}

interface Written {
  name: Buffer
  crc: number
  compressed: number
  bytes: number
  offset: number
}

/**
 * The bytes of a ZIP file with these entries, all dated `modified`. The next entry is asked for when the one before is
 * written, so that an entry may tell of those before it.
 */
export async function* zip(
  entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>,
  modified: Date,
  { maxBytes = MAX_ZIP_BYTES, maxEntries = MAX_ZIP_ENTRIES } = {},
): AsyncGenerator<Buffer> {
  const time = dosTime(modified)
  const directory: Written[] = []
  let offset = 0
  for await (const { name, content } of entries) {
    const entry: Written = { name: nameOf(name), crc: 0, compressed: 0, bytes: 0, offset }
    if (directory.push(entry) > maxEntries) throw new ZipTooLarge()
    yield* count([localHeader(entry, time)])
    yield* count(deflated(content, entry, maxBytes))
    yield* count([descriptor(entry)])
  }
  const start = offset
  for (const entry of directory) yield* count([directoryHeader(entry, time)])
  yield* count([directoryEnd(directory.length, offset - start, start)])

  async function* count(chunks: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      offset += chunk.length
      if (offset > maxBytes) throw new ZipTooLarge()
      yield chunk
    }
  }
}

/** Deflates as it goes, and notes what the descriptor and the directory will tell. */
async function* deflated(content: ZipEntry['content'], entry: Written, maxBytes: number): AsyncGenerator<Buffer> {
  async function* measured() {
    for await (const chunk of content) {
      entry.crc = crc32(chunk, entry.crc)
      entry.bytes += chunk.length
      if (entry.bytes > maxBytes) throw new ZipTooLarge()
      yield chunk
    }
  }
  const deflate = createDeflateRaw()
  // A failure of the content destroys the deflater, where the loop below meets it.
  pipeline(measured, deflate, () => {})
  for await (const chunk of deflate as AsyncIterable<Buffer>) {
    entry.compressed += chunk.length
    yield chunk
  }
}

function nameOf(name: string): Buffer {
  const bad = name === '' || name.length > 1_000 || /^\/|\\|\0|(^|\/)\.{0,2}(\/|$)/.test(name) || !name.isWellFormed()
  if (bad) throw new Error('This is no name for an entry of a ZIP file.')
  return Buffer.from(name, 'utf8')
}

interface DosTime {
  time: number
  date: number
}

/** Two seconds are the finest grain; years run from 1980 to 2107. */
function dosTime(at: Date): DosTime {
  const year = Math.min(Math.max(at.getUTCFullYear(), 1980), 2107) - 1980
  return {
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
    date: (year << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
  }
}

function localHeader({ name }: Written, { time, date }: DosTime): Buffer {
  return Buffer.concat([
    fields([4, LOCAL_HEADER], [2, VERSION], [2, FLAGS], [2, DEFLATED], [2, time], [2, date], [4, 0], [4, 0], [4, 0]),
    fields([2, name.length], [2, 0]),
    name,
  ])
}

function descriptor({ crc, compressed, bytes }: Written): Buffer {
  return fields([4, DATA_DESCRIPTOR], [4, crc], [4, compressed], [4, bytes])
}

function directoryHeader({ name, crc, compressed, bytes, offset }: Written, { time, date }: DosTime): Buffer {
  return Buffer.concat([
    fields([4, DIRECTORY_HEADER], [2, MADE_ON_UNIX], [2, VERSION], [2, FLAGS], [2, DEFLATED], [2, time], [2, date]),
    fields([4, crc], [4, compressed], [4, bytes], [2, name.length], [2, 0], [2, 0], [2, 0], [2, 0]),
    fields([4, READABLE_BY_OWNER], [4, offset]),
    name,
  ])
}

function directoryEnd(entries: number, bytes: number, offset: number): Buffer {
  return fields([4, DIRECTORY_END], [2, 0], [2, 0], [2, entries], [2, entries], [4, bytes], [4, offset], [2, 0])
}

/** Little-endian numbers of the given widths, one after the other. */
function fields(...values: [bytes: 2 | 4, value: number][]): Buffer {
  const buffer = Buffer.alloc(values.reduce((sum, [bytes]) => sum + bytes, 0))
  let at = 0
  for (const [bytes, value] of values) at = buffer.writeUIntLE(value, at, bytes)
  return buffer
}
