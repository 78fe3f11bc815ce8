import { type ChildProcess, fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PdfDocument, RenderedPdf } from './document.ts'
import type { Unprintable } from './printable.ts'
import { Turns } from './turns.ts'

export class PdfTimeout extends Error {
  override name = 'PdfTimeout'
}
export class PdfFailure extends Error {
  override name = 'PdfFailure'
}
/** No font has this character. */
export class PdfUnprintable extends Error implements Unprintable {
  override name = 'PdfUnprintable'
  readonly character: string
  readonly place: string
  constructor({ character, place }: Unprintable) {
    super('The document contains a character that cannot be printed.')
    this.character = character
    this.place = place
  }
}
/** Too many documents are waiting. */
export class PdfOverload extends Error {
  override name = 'PdfOverload'
}

export const MAX_WAITING = 100
const MAX_WAITING_PER_OWNER = 10
const MAX_REST_MS = 500

export interface PdfRenderer {
  /**
   * `document` is called when a process is free, so that waiting documents use no memory. Owners, such as clinics, take
   * turns, and one owner's documents leave a process to the others. Throws `PdfTimeout` when the document takes longer than the limit, waiting
   * included, `PdfOverload` when too many wait, `PdfUnprintable` for a character that no font has, and what `document` throws.
   */
  render(document: PdfDocument | (() => Promise<PdfDocument>), owner?: string): Promise<RenderedPdf>
  close(): Promise<void>
}

type Answer = RenderedPdf | { error: string } | { unprintable: Unprintable }

interface Task {
  load: () => Promise<PdfDocument>
  owner: string | undefined
  /** When the process got it; undefined before. */
  sentAt: number | undefined
  timer: NodeJS.Timeout
  resolve: (pdf: RenderedPdf) => void
  reject: (error: unknown) => void
}

interface Worker {
  child: ChildProcess
  task: Task | undefined
  /** Ends its rest. */
  rest: NodeJS.Timeout | undefined
}

/**
 * Renders PDF/A-2b in processes of their own, started when first needed. One that takes too long is killed. After each
 * document a process rests as long as it rendered, at most MAX_REST_MS: with documents of usual size it uses half a core,
 * and requests beside it keep their speed.
 */
export function createPdfRenderer({ processes = 2, timeoutMs = 5_000, idleMs = 60_000 } = {}): PdfRenderer {
  const maxPerOwner = Math.max(1, processes - 1)
  const workers = new Set<Worker>()
  const waiting = new Turns<Task>()
  let workspace: Promise<string> | undefined
  let idleTimer: NodeJS.Timeout | undefined
  let isClosed = false

  async function openWorkspace(): Promise<string> {
    workspace ??= mkdtemp(join(tmpdir(), 'tendon-pdf-'))
    try {
      return await workspace
    } catch (error) {
      workspace = undefined
      throw error
    }
  }

  async function start(): Promise<Worker> {
    const child = fork(join(import.meta.dirname, 'render-process.ts'), [], {
      cwd: await openWorkspace(),
      serialization: 'advanced',
      env: { NODE_OPTIONS: '', LANG: 'C.UTF-8' },
      execArgv: ['--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    const worker: Worker = { child, task: undefined, rest: undefined }
    child.on('message', (message: Answer) => finish(worker, message))
    child.on('exit', () => end(worker))
    // It could not be started, or its channel is closed although its exit is not reported yet.
    child.on('error', () => {
      child.kill('SIGKILL')
      end(worker)
    })
    return worker
  }

  function end(worker: Worker): void {
    workers.delete(worker)
    clearTimeout(worker.rest)
    settle(worker, (task) => task.reject(new PdfFailure('The rendering process ended.')))
    void next()
  }

  function settle(worker: Worker, answer: (task: Task) => void): void {
    const { task } = worker
    worker.task = undefined
    if (!task) return
    clearTimeout(task.timer)
    answer(task)
  }

  function finish(worker: Worker, message: Answer): void {
    if (worker.task?.sentAt !== undefined) restAfter(worker, performance.now() - worker.task.sentAt)
    settle(worker, (task) => {
      if ('error' in message) task.reject(new PdfFailure(message.error))
      else if ('unprintable' in message) task.reject(new PdfUnprintable(message.unprintable))
      else task.resolve({ bytes: Buffer.from(message.bytes), pages: message.pages })
    })
    void next()
  }

  function restAfter(worker: Worker, renderedMs: number): void {
    worker.rest = setTimeout(
      () => {
        worker.rest = undefined
        void next()
      },
      Math.min(renderedMs, MAX_REST_MS),
    )
    worker.rest.unref()
  }

  /** The first task without an owner, or of an owner who is below the limit of processes. */
  function nextTask(): Task | undefined {
    const running = (owner: string) => [...workers].filter(({ task }) => task?.owner === owner).length
    return waiting.first((owner) => owner === undefined || running(owner) < maxPerOwner)
  }

  async function run(worker: Worker, task: Task): Promise<void> {
    worker.task = task
    try {
      const document = await task.load()
      if (worker.task !== task) return
      task.sentAt = performance.now()
      worker.child.send(document)
    } catch (error) {
      if (worker.task !== task) return
      settle(worker, () => task.reject(error))
      await next()
    }
  }

  let starting = 0
  async function next(): Promise<void> {
    if (isClosed) return
    const task = nextTask()
    const idle = [...workers].find((worker) => !worker.task && !worker.rest)
    if (idle) {
      if (!task) return stopWhenIdle()
      clearTimeout(idleTimer)
      waiting.serve(task)
      void run(idle, task)
      return next()
    }
    if (!task || workers.size + starting >= processes) return
    starting++
    try {
      workers.add(await start())
    } catch {
      // Unless another process has taken it meanwhile.
      if (waiting.remove(task)) refuse(task, new PdfFailure('The rendering process could not be started.'))
    } finally {
      starting--
    }
    return next()
  }

  function refuse(task: Task, error: Error): void {
    waiting.remove(task)
    clearTimeout(task.timer)
    task.reject(error)
  }

  function stopWhenIdle(): void {
    clearTimeout(idleTimer)
    idleTimer = setTimeout(() => {
      for (const worker of workers) {
        if (worker.task) continue
        // It takes no document from here on.
        workers.delete(worker)
        worker.child.disconnect()
      }
    }, idleMs)
    idleTimer.unref()
  }

  /** A task that waits is dropped; one that runs ends with its process. */
  function expire(task: Task): void {
    for (const worker of workers) {
      if (worker.task !== task) continue
      worker.task = undefined
      if (task.sentAt === undefined) continue
      workers.delete(worker)
      worker.child.kill('SIGKILL')
    }
    refuse(task, new PdfTimeout(`The document was not ready after ${timeoutMs} ms.`))
    void next()
  }

  return {
    render: (document, owner) =>
      new Promise((resolve, reject) => {
        if (isClosed) throw new PdfFailure('The renderer is closed.')
        const isOwnersQueueFull = owner !== undefined && waiting.countOf(owner) >= MAX_WAITING_PER_OWNER
        if (waiting.size >= MAX_WAITING || isOwnersQueueFull)
          throw new PdfOverload('Too many documents wait to be rendered.')
        const task: Task = {
          load: typeof document === 'function' ? document : async () => document,
          owner,
          sentAt: undefined,
          resolve,
          reject,
          timer: setTimeout(() => expire(task), timeoutMs),
        }
        waiting.add(task)
        void next()
      }),
    async close() {
      isClosed = true
      clearTimeout(idleTimer)
      for (const task of waiting.removeAll()) {
        clearTimeout(task.timer)
        task.reject(new PdfFailure('The renderer is closed.'))
      }
      const ended = [...workers].map(({ child }) => new Promise((resolve) => child.once('exit', resolve)))
      for (const { child } of workers) child.kill('SIGKILL')
      await Promise.all(ended)
      if (workspace) await rm(await workspace, { recursive: true, force: true })
    },
  }
}
