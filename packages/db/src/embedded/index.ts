import { mkdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { accountForFolder, canReach, serviceAccount } from './account.ts'
import { packagedBinaries, usableBinaries } from './binaries.ts'
import { clusterExists, createCluster } from './cluster.ts'
import { lock } from './lock.ts'
import { stopOrphan } from './orphan.ts'
import { keptPassword, placeCluster, sharedFolder } from './places.ts'
import { freePort } from './port.ts'
import { type Launch, launchServer } from './server.ts'

export interface EmbeddedPostgres {
  url: string
  port: number
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  /** Absolute folder. Holds the cluster (`postgres/`), its password, its log and the lock. */
  dataDir: string
  /** 0 picks a free one. */
  port: number
  /** false gives up safety against power loss for speed: for tests. */
  durable: boolean
  maxConnections?: number
  /** The folder `bin` of an installed PostgreSQL, instead of the bundled one. */
  binaries?: string
  settings?: Record<string, string>
  /** Added to the environment of the server, which inherits nothing. */
  env?: Record<string, string>
  onProgress?: (line: string) => void
}

const MAX_CONNECTIONS = 200
const FREE_PORT_ATTEMPTS = 5

/** Starts the bundled PostgreSQL on 127.0.0.1. Refuses with code PORT_IN_USE or ALREADY_RUNNING. */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  await mkdir(options.dataDir, { recursive: true })
  const dataDir = await realpath(options.dataDir)
  const locks = [lock(join(dataDir, 'postgres.lock'), dataDir)]
  const release = () => locks.forEach((unlock) => unlock())
  try {
    const { server, url, port } = await start(dataDir, options, (path) => locks.push(lock(path, dataDir)))
    const ended = server.exited.then(release)
    return { url, port, stop: () => server.stop().then(() => ended) }
  } catch (error) {
    release()
    throw error
  }
}

async function start(dataDir: string, options: EmbeddedOptions, alsoLock: (path: string) => void) {
  const say = options.onProgress ?? (() => undefined)
  const service = await serviceAccount()
  const password = await keptPassword(dataDir)
  const cluster = await placeCluster(dataDir, password, service, say)
  // Two copies of a data folder may point to one cluster outside of both.
  if (cluster !== join(dataDir, 'postgres')) alsoLock(`${cluster}.lock`)
  const exists = clusterExists(cluster)
  const account = exists ? await accountForFolder(cluster, service) : service
  if (exists && !(await canReach(account, cluster))) {
    throw new Error(
      `The database user (uid ${account?.uid}) cannot access ${cluster}: it has no permission for a parent folder.`,
    )
  }
  const copyTo = async () => (service ? sharedFolder(account) : dataDir)
  const binaries = options.binaries ?? (await usableBinaries(packagedBinaries(), account, copyTo, say))
  await stopOrphan(binaries, cluster, account, say)
  let port = await freePort(options.port)
  if (!exists) {
    say('Creating the database.')
    const isBundled = options.binaries === undefined
    await createCluster(binaries, cluster, { account, password, durable: options.durable, isBundled })
  }
  for (let attempt = 1; ; attempt++) {
    const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
    const settings = serverSettings(options, port)
    const logFile = join(dataDir, 'postgres.log')
    const launch: Launch = { binaries, cluster, account, settings, env: options.env ?? {}, url, port, logFile }
    try {
      return { server: await launchServer(launch), url, port }
    } catch (error) {
      const taken = error instanceof Error && 'code' in error && error.code === 'PORT_IN_USE'
      if (!taken || options.port !== 0 || attempt === FREE_PORT_ATTEMPTS) throw error
      port = await freePort(0)
    }
  }
}

function serverSettings(options: EmbeddedOptions, port: number): Record<string, string> {
  const fast = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }
  const fastSignIn = { scram_iterations: '1' } // a setting since PostgreSQL 16
  return {
    max_connections: String(options.maxConnections ?? MAX_CONNECTIONS),
    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    ...(options.durable ? {} : fast),
    ...(options.durable || options.binaries !== undefined ? {} : fastSignIn),
    ...options.settings,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    port: String(port),
  }
}
