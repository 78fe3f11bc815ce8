import { spawn } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { setPriority } from 'node:os'
import { dirname } from 'node:path'
import { findProgram } from './programs.ts'

// Runs ffmpeg on files that strangers made. A file can make it loop, fill the memory or follow a link: so it gets an
// empty environment, bounds on memory, processor time, files and wall time, no network where bubblewrap is installed, and
// a process group of its own, which is killed whole. It dies with our process.

export class ProgramMissing extends Error {
  override name = 'ProgramMissing'
  readonly program: string
  constructor(program: string) {
    super(`${program} is not installed`)
    this.program = program
  }
}

export type KillCause = 'wall_time' | 'processor_time' | 'signal' | 'aborted'

/** `message` holds the last lines that ffmpeg wrote. */
export class FfmpegFailed extends Error {
  override name = 'FfmpegFailed'
  readonly killed: KillCause | null
  constructor(message: string, killed: KillCause | null) {
    super(message)
    this.killed = killed
  }
}

export interface FfmpegRun {
  args: readonly string[]
  /** Files and folders that it reads. */
  reads: readonly string[]
  /** The folder that it writes. */
  writes: string
  wallMs: number
  processorSeconds: number
  signal?: AbortSignal
}

export interface Ffmpeg {
  /** The first line of `-version`. Throws `ProgramMissing`. */
  version(): Promise<string>
  /** Throws `ProgramMissing` and `FfmpegFailed`. */
  run(run: FfmpegRun): Promise<void>
  /** Whether it runs without a network. */
  isolated(): Promise<boolean>
}

export interface FfmpegOptions {
  /** Where to search the program, in the format of PATH. */
  searchPath?: string
  /** Where to search what bounds it; the system's folders unless a test names others. */
  toolsPath?: string
  onKill?: (cause: KillCause) => void
}

export const LOW_PRIORITY = 10
const MEMORY_MAX_BYTES = 3_000_000_000
const FILE_MAX_BYTES = 2_000_000_000
const OPEN_FILES_MAX = 64
const COMPLAINT_MAX_CHARACTERS = 2_000
const VERSION_MAX_MS = 10_000
const VERSION_KEPT_MS = 10_000
/** What a dynamically linked program reads; everything else of the machine is out of its sight. */
const SYSTEM = ['/usr', '/bin', '/lib', '/lib64', '/opt', '/etc/alternatives', '/etc/ld.so.cache', '/nix/store']

/** The bounds of every input that a stranger made: the demuxer is named, never guessed, and opens nothing but files. */
export function untrustedInput(from: string, format: string, maxSeconds: number): string[] {
  const bounds = `-protocol_whitelist file -max_pixels 16777216 -max_streams 16 -threads 2 -t ${maxSeconds} -f ${format} -i`
  return [...bounds.split(' '), from]
}

/**
 * Starts a program when our process answers a line. `setpriv` and `bwrap` have then arranged that it dies with our process;
 * one that was killed before does not answer, and the program does not start. Of `bwrap`, which consists of two processes, the
 * second may then wait for the first forever, without using the processor.
 */
const WAIT_FOR_ANSWER = 'echo; read -r answer && exec "$@"'
const ANSWER = 'start\n'

interface Tools {
  sh: string
  setpriv: string | undefined
  prlimit: string | undefined
  bwrap: string | undefined
}

export function createFfmpeg(program: string, { searchPath, toolsPath, onKill }: FfmpegOptions = {}): Ffmpeg {
  let found: Promise<Tools> | undefined
  let known: { version: Promise<string>; until: number } | undefined
  const tools = () => (found ??= findTools(toolsPath))
  const path = () => {
    const installed = findProgram(program, searchPath)
    if (installed === undefined) throw new ProgramMissing(program)
    return installed
  }

  return {
    async version() {
      if (known && known.until > Date.now()) return known.version
      const version = execute([path(), '-version'], VERSION_MAX_MS, undefined, { part: 'head' }).then(
        ({ output }) => output.split('\n', 1)[0] ?? '',
      )
      // Shared, so that many callers at once start one process.
      const own = { version, until: Date.now() + VERSION_KEPT_MS }
      known = own
      version.catch(() => {
        if (known === own) known = undefined
      })
      return version
    },
    async isolated() {
      return (await tools()).bwrap !== undefined
    },
    async run({ args, reads, writes, wallMs, processorSeconds, signal }) {
      const ffmpeg = path()
      const command = [ffmpeg, '-nostdin', '-hide_banner', '-v', 'error', '-y', ...args]
      const seen = [...reads, dirname(realpathSync(ffmpeg))]
      const bounded = withBounds(await tools(), command, seen, writes, processorSeconds)
      const { code, killed, output } = await execute(bounded, wallMs, signal, { answers: true })
      if (killed) onKill?.(killed)
      signal?.throwIfAborted()
      if (code !== 0) throw new FfmpegFailed(output.trim(), killed)
    },
  }
}

function withBounds(tools: Tools, command: string[], reads: string[], writes: string, processorSeconds: number) {
  let bounded = [tools.sh, '-c', WAIT_FOR_ANSWER, 'sh', ...command]
  if (tools.bwrap !== undefined) {
    const binds = SYSTEM.flatMap((folder) => ['--ro-bind-try', folder, folder])
    const files = reads.flatMap((file) => ['--ro-bind', file, file])
    const alone = ['--unshare-net', '--unshare-pid', '--unshare-ipc', '--die-with-parent']
    bounded = [tools.bwrap, ...alone, ...binds, '--dev', '/dev', ...files, '--bind', writes, writes, '--', ...bounded]
  }
  if (tools.prlimit !== undefined) {
    const limits = `--as=${MEMORY_MAX_BYTES} --cpu=${processorSeconds}:${processorSeconds + 5} --fsize=${FILE_MAX_BYTES} --nofile=${OPEN_FILES_MAX} --core=0`
    bounded = [tools.prlimit, ...limits.split(' '), '--', ...bounded]
  }
  return tools.setpriv === undefined ? bounded : [tools.setpriv, '--pdeathsig', 'KILL', '--', ...bounded]
}

async function findTools(searchPath?: string): Promise<Tools> {
  const works = async (name: string, ...args: string[]) => {
    const path = findProgram(name, searchPath)
    const anything = findProgram('true')
    if (path === undefined || anything === undefined) return undefined
    const { code } = await execute([path, ...args, anything], VERSION_MAX_MS)
    return code === 0 ? path : undefined
  }
  const [setpriv, prlimit, bwrap] = await Promise.all([
    works('setpriv', '--pdeathsig', 'KILL', '--'),
    works('prlimit', `--as=${MEMORY_MAX_BYTES}`, '--core=0', '--'),
    // Some containers allow no further namespaces.
    works('bwrap', '--unshare-net', '--unshare-pid', '--unshare-ipc', '--ro-bind', '/', '/', '--dev', '/dev', '--'),
  ])
  return { sh: findProgram('sh') ?? '/bin/sh', setpriv, prlimit, bwrap }
}

interface Ended {
  code: number | null
  killed: KillCause | null
  output: string
}

interface ExecuteOptions {
  /** Keeps the last characters of what the program writes, or the first. */
  part?: 'head' | 'tail'
  /** Answers the program's first line; see WAIT_FOR_ANSWER. */
  answers?: boolean
}

function execute(
  command: readonly string[],
  wallMs: number,
  signal?: AbortSignal,
  { part = 'tail', answers = false }: ExecuteOptions = {},
): Promise<Ended> {
  signal?.throwIfAborted()
  const [program = '', ...args] = command
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env: {}, stdio: ['pipe', 'pipe', 'pipe'], detached: true })
    let killed: KillCause | null = null
    let output = ''
    const keep = (text: string) => {
      output =
        part === 'head'
          ? (output + text).slice(0, COMPLAINT_MAX_CHARACTERS)
          : (output + text).slice(-COMPLAINT_MAX_CHARACTERS)
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
    child.stdin.on('error', () => {}) // It ended before it read the answer.
    if (answers) child.stdout.once('data', () => child.stdin.end(ANSWER))
    else child.stdin.end()
    child.stdout.setEncoding('utf8').on('data', keep)
    child.stderr.setEncoding('utf8').on('data', keep)
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
