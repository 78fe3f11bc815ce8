import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'

// A folder as one file, so that all of it is there or nothing: a checksum of what follows, the length of the list, the
// list as JSON, and the contents of the files in its order. Not compressed: reading is quicker than decompressing.

const HEAD_BYTES = 8

interface Entry {
  path: string
  /** Missing for a folder. */
  bytes?: number
}

/** Packs these files and folders of the folder. */
export function packFolder(folder: string, names: readonly string[]): Buffer {
  const list: Entry[] = []
  const contents: Buffer[] = []
  for (const path of names.flatMap((name) => pathsIn(folder, name))) {
    if (statSync(join(folder, path)).isDirectory()) list.push({ path })
    else {
      const content = readFileSync(join(folder, path))
      contents.push(content)
      list.push({ path, bytes: content.length })
    }
  }
  const text = Buffer.from(JSON.stringify(list))
  const packed = Buffer.concat([Buffer.alloc(HEAD_BYTES), text, ...contents])
  packed.writeUInt32LE(text.length, 4)
  packed.writeUInt32LE(crc32(packed.subarray(4)), 0)
  return packed
}

export const isWholePack = (packed: Buffer): boolean =>
  packed.length > HEAD_BYTES && packed.readUInt32LE(0) === crc32(packed.subarray(4))

/** Files and folders are open to the caller alone. */
export function unpackFolder(packed: Buffer, folder: string): void {
  let end = HEAD_BYTES + packed.readUInt32LE(4)
  const list: Entry[] = JSON.parse(packed.toString('utf8', HEAD_BYTES, end))
  for (const { path, bytes } of list) {
    if (bytes === undefined) {
      mkdirSync(join(folder, path), { mode: 0o700 })
      continue
    }
    const start = end
    end += bytes
    writeFileSync(join(folder, path), packed.subarray(start, end), { mode: 0o600 })
  }
}

/** Each folder before what it contains. */
function pathsIn(folder: string, name: string): string[] {
  if (!statSync(join(folder, name)).isDirectory()) return [name]
  const inside = readdirSync(join(folder, name), { encoding: 'utf8', recursive: true }).sort()
  return [name, ...inside.map((path) => join(name, path))]
}
