import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'

export interface ZipEntry {
  /** Path inside the file: relative, "/" between folders. */
  name: string
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

/**
 * A ZIP file (ZIP64 if needed) with these entries, all dated `modified`. An entry is read
 * after the entry before it was written, so that it can describe that entry. Content is not buffered.
 */
export function zip(entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>, modified: Date): Readable {
  const file = new ZipFile()
  const output = file.outputStream
  if (!(output instanceof Readable)) throw new TypeError('yazl writes to a stream of another kind.')
  const mtime = utcAsLocalTime(modified)
  const stop = new AbortController()
  output.once('close', () => stop.abort())
  output.on('error', () => undefined) // without a listener the error would end the process; a later reader still gets it
  file.on('error', (error: Error) => output.destroy(error))
  async function write() {
    for await (const { name, content } of entries) {
      checkName(name)
      const source = Readable.from(content, { objectMode: false, signal: stop.signal })
      file.addReadStream(source, name, { mtime, mode: 0o100600, forceDosTimestamp: true })
      await finished(source)
      if (stop.signal.aborted) return
    }
    file.end()
  }
  write().catch((error: unknown) => output.destroy(error instanceof Error ? error : new Error(String(error))))
  return output
}

/** yazl writes local time. The file must not depend on the time zone of the server. */
function utcAsLocalTime(at: Date): Date {
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()]
  return new Date(year, month, day, at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds())
}

function checkName(name: string): void {
  const bad = name === '' || name.length > 1_000 || /^\/|\\|\0|(^|\/)\.{0,2}(\/|$)/.test(name) || !name.isWellFormed()
  if (bad) throw new Error('This is not a valid name for an entry of a ZIP file.')
}
