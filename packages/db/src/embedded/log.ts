import { existsSync } from 'node:fs'
import { open, rename, stat } from 'node:fs/promises'

const MAX_LOG_BYTES = 10 * 1024 * 1024
const TAIL_LINES = 15

interface ServerLog {
  fd: number
  /** What was written since this log was opened. */
  tail(): Promise<string>
  close(): Promise<void>
}

/** Opened here and handed to the server as its output, so that it needs no right to reach the file. */
export async function openLog(path: string): Promise<ServerLog> {
  if (existsSync(path) && (await stat(path)).size > MAX_LOG_BYTES) await rename(path, `${path}.1`)
  const handle = await open(path, 'a+', 0o600)
  const { size: start } = await handle.stat()
  return {
    fd: handle.fd,
    tail: async () => {
      const length = Math.min((await handle.stat()).size - start, MAX_LOG_BYTES)
      const { buffer } = await handle.read(Buffer.alloc(length), 0, length, start)
      return buffer.toString('utf8').trim().split('\n').slice(-TAIL_LINES).join('\n')
    },
    close: () => handle.close(),
  }
}
