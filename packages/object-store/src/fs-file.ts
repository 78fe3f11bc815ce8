import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { metered } from './metered.ts'

// An object is one file: a line of JSON with its content type, then its bytes. Type and content therefore change
// atomically; a second file could be left behind by a crash or overwritten in a race.
const MAX_HEADER_BYTES = 512

type OpenObject = { file: FileHandle; contentType: string; bodyStart: number; bytes: number }

/** Writes a new file; resolves once it is on disk. */
export async function writeObjectFile(path: string, body: Readable | Buffer, contentType: string, maxBytes: number) {
  const { chunks, result } = metered(body, maxBytes)
  const file = await open(path, 'wx', 0o600)
  try {
    await file.appendFile(`${JSON.stringify({ content_type: contentType })}\n`)
    for await (const chunk of chunks) await file.appendFile(chunk)
    await file.sync()
    return result()
  } finally {
    await file.close()
  }
}

export async function openObjectFile(path: string): Promise<OpenObject | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (!file) return undefined
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_HEADER_BYTES), 0, MAX_HEADER_BYTES, 0)
    const headerBytes = buffer.subarray(0, bytesRead).indexOf('\n') + 1
    const header: unknown = JSON.parse(buffer.toString('utf8', 0, headerBytes))
    const { size } = await file.stat()
    return { file, contentType: contentTypeOf(header), bodyStart: headerBytes, bytes: size - headerBytes }
  } catch (error) {
    await file.close()
    throw new Error('A file of the object store is damaged.', { cause: error })
  }
}

function contentTypeOf(header: unknown): string {
  if (typeof header === 'object' && header !== null && 'content_type' in header) {
    if (typeof header.content_type === 'string') return header.content_type
  }
  throw new Error('The header names no content type.')
}
