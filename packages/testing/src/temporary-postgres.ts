import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@tendon/db'
import { unpackFolder } from './packed-folder.ts'
import { clockEnv } from './process-env.ts'

export interface TemporaryPostgres {
  url: string
  dataDir: string
  stop(): Promise<void>
  /** Stops the server and deletes its folder. */
  remove(): Promise<void>
}

export interface TemporaryPostgresOptions {
  durable?: boolean
  binaries?: string | undefined
  /** The packed folder of a server that was stopped. */
  packed?: Buffer | undefined
  /** Without it the server has the clock of this process. */
  env?: Record<string, string>
  settings?: Record<string, string>
}

/** A PostgreSQL in a folder of its own, for one run. */
export async function startTemporaryPostgres({
  durable = false,
  binaries,
  packed,
  env = clockEnv(),
  settings = {},
}: TemporaryPostgresOptions = {}): Promise<TemporaryPostgres> {
  const dataDir = await mkdtemp(join(durable ? tmpdir() : await fastFolder(), 'tendon-postgres-'))
  const remove = () => rm(dataDir, { recursive: true, force: true })
  try {
    // Searchable by others: the server does not run as root and would otherwise use another folder.
    await chmod(dataDir, 0o711)
    if (packed) unpackFolder(packed, dataDir)
    const { url, stop } = await startEmbeddedPostgres({
      dataDir,
      port: 0,
      durable,
      env,
      settings,
      ...(binaries === undefined ? {} : { binaries }),
    })
    return { url, dataDir, stop, remove: () => stop().then(remove) }
  } catch (error) {
    await remove()
    throw error
  }
}

const MEMORY_FOLDER = '/dev/shm'
const MIN_FREE_BYTES = 3 * 1024 ** 3

/** Uses memory if there is enough: a test database is a thousand small files, created for each test file. */
export async function fastFolder(): Promise<string> {
  const space = await statfs(MEMORY_FOLDER).catch(() => undefined)
  return space && space.bavail * space.bsize > MIN_FREE_BYTES ? MEMORY_FOLDER : tmpdir()
}
