import { type ChildProcess, spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { Writable } from 'node:stream'

export type KillCause = 'wall_time' | 'processor_time' | 'signal' | 'aborted'

export const LOW_PRIORITY = 10
const OUTPUT_MAX_CHARACTERS = 2_000
/** The descriptor on which a program reads `input`. */
export const INPUT_DESCRIPTOR = 3

export interface Ended {
  code: number | null
  killed: KillCause | null
  output: string
}

interface ExecuteOptions {
  signal?: AbortSignal | undefined
  /** Keeps the last characters of what the program writes, or the first. */
  part?: 'head' | 'tail'
  /** Sent to the program after its first line. */
  answer?: string
  /** What the program reads from INPUT_DESCRIPTOR. */
  input?: Buffer | undefined
}

/** Runs a program without environment, at low priority, in a process group of its own, which is killed whole. */
export function execute(
  command: readonly string[],
  wallMs: number,
  { signal, part = 'tail', answer, input }: ExecuteOptions = {},
): Promise<Ended> {
  signal?.throwIfAborted()
  const [program = '', ...args] = command
  return new Promise((resolve, reject) => {
    const pipes = ['pipe', 'pipe', 'pipe', ...(input ? ['pipe' as const] : [])] as const
    const child: ChildProcess = spawn(program, args, { env: {}, stdio: [...pipes], detached: true })
    let killed: KillCause | null = null
    let output = ''
    const keep = (text: string) => {
      const all = output + text
      output = part === 'head' ? all.slice(0, OUTPUT_MAX_CHARACTERS) : all.slice(-OUTPUT_MAX_CHARACTERS)
    }
    const kill = (cause: KillCause) => {
      killed ??= cause
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      } catch {
        // It has ended.
      }
    }
    const timer = setTimeout(kill, wallMs, 'wall_time')
    const onAbort = () => kill('aborted')
    signal?.addEventListener('abort', onAbort, { once: true })
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
    lowerPriority(child.pid)
    const extra = child.stdio[INPUT_DESCRIPTOR]
    if (extra instanceof Writable) extra.on('error', () => {}).end(input) // It may end before it reads.
    child.stdin?.on('error', () => {})
    if (answer === undefined) child.stdin?.end()
    else child.stdout?.once('data', () => child.stdin?.end(answer))
    child.stdout?.setEncoding('utf8').on('data', keep)
    child.stderr?.setEncoding('utf8').on('data', keep)
    child.once('error', (error) => {
      end()
      reject(error)
    })
    child.once('close', (code, by) => {
      end()
      resolve({ code, killed: killed ?? causeOf(code, by), output })
    })
  })
}

const SIGNALLED = 255

/** ffmpeg ends with 255 after the signal of the processor limit; bwrap ends with 128 plus the number of a signal. */
function causeOf(code: number | null, by: NodeJS.Signals | null): KillCause | null {
  if (code === SIGNALLED || by === 'SIGXCPU') return 'processor_time'
  return by !== null || (code ?? 0) > 128 ? 'signal' : null
}

function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, LOW_PRIORITY)
  } catch {
    // It has ended.
  }
}
