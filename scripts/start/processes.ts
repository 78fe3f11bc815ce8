import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SERVICE_FLAGS } from '../service-flags.ts'
import { PortTaken } from './ports.ts'

const ROOT = join(import.meta.dirname, '../..')
// The first start compiles everything, next to the build of the web apps.
const READY_TIMEOUT_MS = 180_000
const STOP_TIMEOUT_MS = 20_000

export class ProcessFailed extends Error {}

export interface Service {
  name: string
  entry: string
  /** Of Node; by default SERVICE_FLAGS. */
  flags?: readonly string[]
  /** The setting of the port that `readyUrl` is on. */
  port: string
  readyUrl: string
}

interface Running {
  name: string
  child: ChildProcess
  exited: Promise<number | null>
}

/** The services of one `npm start`, each with a log file. When one ends, all must end. */
export class Processes {
  readonly #logDir: string
  readonly #env: NodeJS.ProcessEnv
  readonly #watch: readonly string[]
  readonly #running: Running[] = []

  /** With `watch`, a service restarts when one of its files changes. */
  constructor(logDir: string, env: NodeJS.ProcessEnv, { watch = false } = {}) {
    this.#logDir = logDir
    this.#env = env
    this.#watch = watch ? ['--watch', '--watch-preserve-output'] : []
    mkdirSync(logDir, { recursive: true })
  }

  /** Starts a service and waits until it is ready. Throws `PortTaken` and `ProcessFailed`. */
  async start({ name, entry, flags = SERVICE_FLAGS, port, readyUrl }: Service): Promise<void> {
    const log = openSync(this.#logFile(name), 'a')
    // The channel closes when this process dies in any way: the child then stops and frees its port.
    const child = spawn(process.execPath, [...flags, ...this.#watch, join(ROOT, entry)], {
      cwd: ROOT,
      env: this.#env,
      stdio: ['ignore', log, log, 'ipc'],
      detached: true, // Ctrl-C reaches only this process, which stops the services in order
    })
    // 'close' comes after the last message.
    const exited = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)))
    this.#running.push({ name, child, exited })
    const over = new AbortController()
    const listening = Promise.withResolvers<void>()
    const failed = Promise.withResolvers<never>()
    failed.promise.catch(() => {})
    child.on('message', (told: { listening?: string; portInUse?: string }) => {
      if (told.listening === port) listening.resolve()
      if (told.portInUse !== undefined) failed.reject(new PortTaken(told.portInUse))
    })
    void exited.then((code) => failed.reject(new ProcessFailed(this.#explain(name, code))))
    // Only a service that has its port is asked: another program on that port could answer too.
    const ready = listening.promise.then(() => this.#untilReady(readyUrl, over.signal))
    const tooLate = this.#tooLate(name, over.signal)
    await Promise.race([ready, failed.promise, tooLate]).finally(() => over.abort())
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

  async #untilReady(url: string, over: AbortSignal): Promise<void> {
    while (!over.aborted) {
      const answer = await fetch(url, { signal: AbortSignal.timeout(3_000) }).catch(() => undefined)
      if (answer?.ok) return
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  #tooLate(name: string, over: AbortSignal): Promise<never> {
    return new Promise((_resolve, reject) => {
      const timer = setTimeout(() => {
        const log = this.#logFile(name)
        const seconds = READY_TIMEOUT_MS / 1000
        reject(
          new ProcessFailed(
            `The ${name} was not ready after ${seconds} seconds. Read its log, ${log}, and run the same command again.`,
          ),
        )
      }, READY_TIMEOUT_MS)
      over.addEventListener('abort', () => clearTimeout(timer))
    })
  }

  #explain(name: string, code: number | null): string {
    const lines = readFileSync(this.#logFile(name), 'utf8').trimEnd().split('\n').slice(-8)
    const how = code === null ? 'killed' : `code ${code}`
    return `The ${name} stopped (${how}). The end of its log, ${this.#logFile(name)}:\n${lines.join('\n')}\nWhen the cause is gone, run the same command again: the data is kept.`
  }

  #logFile(name: string): string {
    return join(this.#logDir, `${name}.log`)
  }
}
