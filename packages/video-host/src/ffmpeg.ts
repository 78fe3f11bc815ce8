import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { execute, type KillCause } from './processes.ts'
import { findProgram } from './programs.ts'
import { type Access, openSandbox, type Sandbox } from './sandbox.ts'

// Runs ffmpeg on files that strangers made. A file can make it loop, fill the memory or follow a link: so it runs with bounds
// and, where the machine allows it, in a sandbox (sandbox.ts). It dies with our process.

export class ProgramMissing extends Error {
  override name = 'ProgramMissing'
  readonly program: string
  constructor(program: string) {
    super(`${program} is not installed`)
    this.program = program
  }
}

/** `message` holds the last lines that ffmpeg wrote. */
export class FfmpegFailed extends Error {
  override name = 'FfmpegFailed'
  readonly killed: KillCause | null
  constructor(message: string, killed: KillCause | null) {
    super(message)
    this.killed = killed
  }
}

export interface FfmpegRun extends Access {
  args: readonly string[]
  wallMs: number
  signal?: AbortSignal
}

export interface Ffmpeg {
  /** The first line of `-version`. Throws `ProgramMissing`. */
  version(): Promise<string>
  /** Returns the last lines that it wrote. Throws `ProgramMissing` and `FfmpegFailed`. */
  run(run: FfmpegRun): Promise<string>
  /** What it is kept from, and why not from more. */
  isolation(): Promise<Pick<Sandbox, 'isolation' | 'complaint'>>
}

export interface FfmpegOptions {
  /** Where to search the program, in the format of PATH. */
  searchPath?: string
  /** Where to search what bounds it; the system's folders unless a test names others. */
  toolsPath?: string
  onKill?: (cause: KillCause) => void
}

const VERSION_MAX_MS = 10_000
const VERSION_KEPT_MS = 10_000

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

export function createFfmpeg(program: string, { searchPath, toolsPath, onKill }: FfmpegOptions = {}): Ffmpeg {
  let opened: Promise<Sandbox> | undefined
  let known: { version: Promise<string>; until: number } | undefined
  const sandbox = () => (opened ??= openSandbox({ searchPath: toolsPath }))
  const sh = findProgram('sh') ?? '/bin/sh'
  const path = () => {
    const installed = findProgram(program, searchPath)
    if (installed === undefined) throw new ProgramMissing(program)
    return installed
  }

  return {
    async version() {
      if (known && known.until > Date.now()) return known.version
      const version = execute([path(), '-version'], VERSION_MAX_MS, { part: 'head' }).then(
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
    async isolation() {
      const { isolation, complaint } = await sandbox()
      return { isolation, complaint }
    },
    async run({ args, reads, writes, wallMs, processorSeconds, signal }) {
      const ffmpeg = path()
      const waiting = [
        sh,
        '-c',
        WAIT_FOR_ANSWER,
        'sh',
        ffmpeg,
        '-nostdin',
        '-hide_banner',
        '-v',
        'error',
        '-y',
        ...args,
      ]
      const access = { reads: [...reads, dirname(realpathSync(ffmpeg))], writes, processorSeconds }
      const { command, input } = (await sandbox()).bound(waiting, access)
      const { code, killed, output } = await execute(command, wallMs, { signal, answer: ANSWER, input })
      if (killed) onKill?.(killed)
      signal?.throwIfAborted()
      if (code !== 0) throw new FfmpegFailed(output.trim(), killed)
      return output.trim()
    },
  }
}
