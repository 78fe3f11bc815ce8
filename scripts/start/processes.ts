import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SERVICE_FLAGS } from '../service-flags.ts'

const ROOT = join(import.meta.dirname, '../..')
// The first start compiles everything, next to the build of the web apps.
const READY_TIMEOUT_MS = 180_000
const STOP_TIMEOUT_MS = 20_000

export class ProcessFailed extends Error {}

interface Running {
  name: string
  child: ChildProcess
  exited: Promise<number | null>
}

/** The services of one `npm start`, each with a log file. When one ends, all must end. */
export class Processes {
  readonly #logDir: string
  readonly #env: NodeJS.ProcessEnv
  readonly #flags: readonly string[]
  readonly #running: Running[] = []

  /** With `watch`, a service restarts when one of its files changes. */
  constructor(logDir: string, env: NodeJS.ProcessEnv, { watch = false } = {}) {
    this.#logDir = logDir
    this.#env = env
    this.#flags = watch ? [...SERVICE_FLAGS, '--watch', '--watch-preserve-output'] : SERVICE_FLAGS
    mkdirSync(logDir, { recursive: true })
  }

  /** Starts a service and waits until `readyUrl` answers 200. */
  async start(name: string, entry: string, readyUrl: string): Promise<void> {
    const log = openSync(this.#logFile(name), 'a')
    // The channel closes when this process dies in any way: the child then stops and frees its port.
    const child = spawn(process.execPath, [...this.#flags, join(ROOT, entry)], {
      cwd: ROOT,
      env: this.#env,
      stdio: ['ignore', log, log, 'ipc'],
      detached: true, // Ctrl-C reaches only this process, which stops the services in order
    })
    const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
    this.#running.push({ name, child, exited })
    const failed = exited.then((code) => {
      throw new ProcessFailed(this.#explain(name, code))
    })
    failed.catch(() => {})
    await Promise.race([this.#untilReady(name, readyUrl), failed])
  }

  /** Rejects when a service ends unexpectedly. */
  async firstFailure(): Promise<never> {
    const { name, code } = await Promise.race(
      this.#running.map(async ({ name, exited }) => ({ name, code: await exited })),
    )
    throw new ProcessFailed(this.#explain(name, code))
  }

  async stop(): Promise<void> {
    await Promise.all(
      this.#running.map(async ({ child, exited }) => {
        child.kill('SIGTERM')
        const killer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
        await exited
        clearTimeout(killer)
      }),
    )
  }

  async #untilReady(name: string, url: string): Promise<void> {
    const deadline = Date.now() + READY_TIMEOUT_MS
    while (Date.now() < deadline) {
      const answer = await fetch(url, { signal: AbortSignal.timeout(3_000) }).catch(() => undefined)
      if (answer?.ok) return
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw new ProcessFailed(
      `The ${name} was not ready after ${READY_TIMEOUT_MS / 1000} seconds. Read its log, ${this.#logFile(name)}, and run the same command again.`,
    )
  }

  #explain(name: string, code: number | null): string {
    const lines = readFileSync(this.#logFile(name), 'utf8').trimEnd().split('\n').slice(-8)
    return `The ${name} stopped (${code === null ? 'killed' : `code ${code}`}). The end of its log, ${this.#logFile(name)}:\n${lines.join('\n')}`
  }

  #logFile(name: string): string {
    return join(this.#logDir, `${name}.log`)
  }
}
