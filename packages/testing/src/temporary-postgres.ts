import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@tendon/db'

export interface TemporaryPostgres {
  url: string
  dataDir: string
  /** Stops the server and deletes its folder. */
  remove(): Promise<void>
}

/** A PostgreSQL in a folder of its own, for one run. */
export async function startTemporaryPostgres({
  durable = false,
  binaries,
}: {
  durable?: boolean
  binaries?: string | undefined
} = {}): Promise<TemporaryPostgres> {
  const dataDir = await mkdtemp(join(durable ? tmpdir() : await fastFolder(), 'tendon-postgres-'))
  // Searchable by others: the server does not run as root and would otherwise use another folder.
  await chmod(dataDir, 0o711)
  const { url, stop } = await startEmbeddedPostgres({
    dataDir,
    port: 0,
    durable,
    ...(binaries === undefined ? {} : { binaries }),
  })
  return {
    url,
    dataDir,
    async remove() {
      await stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

const MEMORY_FOLDER = '/dev/shm'
const MIN_FREE_BYTES = 3 * 1024 ** 3

/** Uses memory if there is enough: a test database is a thousand small files, created for each test file. */
export async function fastFolder(): Promise<string> {
  const space = await statfs(MEMORY_FOLDER).catch(() => undefined)
  return space && space.bavail * space.bsize > MIN_FREE_BYTES ? MEMORY_FOLDER : tmpdir()
}
