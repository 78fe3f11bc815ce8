import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client, DatabaseError } from 'pg'
import { messageOf } from '../error-message.ts'
import { type Account, run, spawnOptions } from './account.ts'
import { openLog } from './log.ts'
import { portInUse } from './port.ts'

const READY_POLL_MS = 20
/** Long, because the server may have to replay its journal after a crash. */
const READY_TIMEOUT_MS = 120_000
const FAST_STOP_AFTER_MS = 1_000
const IMMEDIATE_STOP_AFTER_MS = 10_000
const WRONG_PASSWORD = '28P01'

export interface Launch {
  binaries: string
  cluster: string
  account: Account
  settings: Record<string, string>
  env: Record<string, string>
  url: string
  port: number
  logFile: string
}

export interface Server {
  exited: Promise<void>
  stop(): Promise<void>
}

/** Resolves when the server accepts connections; otherwise nothing is left running. */
export async function launchServer(launch: Launch): Promise<Server> {
  const log = await openLog(launch.logFile)
  try {
    const args = Object.entries(launch.settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    // Detached: Ctrl-C in a terminal reaches every process of the group, and the server must outlive its clients.
    const options = spawnOptions(launch.account)
    const child = spawn(join(launch.binaries, 'postgres'), ['-D', launch.cluster, ...args], {
      ...options,
      env: { ...options.env, ...launch.env },
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    })
    const server = supervise(child, launch)
    const failure = await untilReady(child, launch.url, server.exited)
    if (!failure) return server
    await server.stop()
    const tail = await log.tail()
    if (tail.includes('could not bind')) throw portInUse(launch.port)
    throw new Error(`The database server did not start: ${failure}. Its log (${launch.logFile}) ends:\n${tail}`)
  } finally {
    await log.close()
  }
}

function supervise(child: ChildProcess, launch: Launch): Server {
  const atExit = () => child.kill('SIGINT')
  process.once('exit', atExit)
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  }).finally(() => process.off('exit', atExit))
  let stopping: Promise<void> | undefined
  return { exited, stop: () => (stopping ??= stopServer(child, launch, exited)) }
}

/** SIGTERM first: it lets connections that are just closing finish, where SIGINT would break them with 57P01. */
async function stopServer(child: ChildProcess, launch: Launch, exited: Promise<void>): Promise<void> {
  if (!isRunning(child)) return exited
  if (process.platform === 'win32') {
    for (const mode of ['fast', 'immediate']) {
      if (isRunning(child))
        await run(join(launch.binaries, 'pg_ctl'), ['stop', '-D', launch.cluster, '-m', mode], undefined)
    }
    return exited
  }
  const timers = [
    setTimeout(() => child.kill('SIGINT'), FAST_STOP_AFTER_MS),
    setTimeout(() => child.kill('SIGQUIT'), IMMEDIATE_STOP_AFTER_MS),
  ]
  child.kill('SIGTERM')
  await exited
  for (const timer of timers) clearTimeout(timer)
}

const isRunning = (child: ChildProcess): boolean =>
  child.pid !== undefined && child.exitCode === null && child.signalCode === null

/** Why the server is not ready, or undefined once it is. */
async function untilReady(child: ChildProcess, url: string, exited: Promise<void>): Promise<string | undefined> {
  const deadline = performance.now() + READY_TIMEOUT_MS
  let last = ''
  while (performance.now() < deadline) {
    if (!isRunning(child)) return 'it ended at once'
    const client = new Client({ connectionString: url, ssl: false, connectionTimeoutMillis: 2_000 })
    client.on('error', () => undefined)
    try {
      await client.connect()
      return undefined
    } catch (error) {
      last = messageOf(error)
      if (error instanceof DatabaseError && error.code === WRONG_PASSWORD) return 'it rejects the stored password'
    } finally {
      await client.end().catch(() => undefined)
    }
    await Promise.race([exited, delay(READY_POLL_MS)])
  }
  return `it did not accept connections within ${READY_TIMEOUT_MS / 1000} seconds (${last})`
}
