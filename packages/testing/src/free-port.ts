import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Below the range that systems take ports of outgoing connections from: none of them takes the port meanwhile. */
const [FIRST, LAST] = [20_000, 32_000]

/** Files that reserve ports for this process. */
const reserved: string[] = []

/** A port of this machine that nobody listens on, for a process that cannot choose one itself. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST)
    if (!reserve(port)) continue
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}

/** Tests that look for a port at once must not find the same one before somebody listens on it. */
function reserve(port: number): boolean {
  const file = join(tmpdir(), `tendon-port-${port}`)
  try {
    writeFileSync(file, '', { flag: 'wx' })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
  if (reserved.length === 0) process.once('exit', () => reserved.forEach((path) => rmSync(path, { force: true })))
  reserved.push(file)
  return true
}
