import { ConfigError } from '@tendon/config'
import { DatabaseRefused } from '@tendon/db'
import { SecretError } from '@tendon/secrets'

/** A failure that the operator can fix: shown as one sentence, without a stack. */
export class StartError extends Error {}

export class PortInUse extends StartError {
  readonly setting: string
  constructor(setting: string, port: number) {
    super(`Port ${port} is in use by another program. Stop that program, or choose another port with ${setting}.`)
    this.setting = setting
  }
}

/** What a service tells the process that started it (npm start), which may choose another port for one in use. */
export type Told = { listening: string } | { portInUse: string }

let tell: ((told: Told, done?: () => void) => void) | undefined

const FIXABLE = [StartError, ConfigError, SecretError, DatabaseRefused]

/** Runs the body of an entry point. Failures that the operator can fix are shown as a sentence; others keep their stack. */
export function runEntry(main: () => Promise<void>): void {
  // Started by another process of ours (npm start): when that one dies, so do we, and no port stays taken.
  if (process.send) {
    process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
    tell = (told, done) => process.send?.(told, undefined, undefined, done)
  }
  main().catch((error: unknown) => {
    process.stderr.write(`${complaintOf(error)}\n`)
    if (tell && error instanceof PortInUse) tell({ portInUse: error.setting }, () => process.exit(1))
    else process.exit(1)
  })
}

export function complaintOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return FIXABLE.some((kind) => error instanceof kind) ? error.message : (error.stack ?? error.message)
}

/** Clients that the kernel lets wait until a busy service takes them; the others would try again a second later. */
export const MAX_QUEUED_CONNECTIONS = 4_096

export async function listenOrExplain<Result>(
  setting: string,
  port: number,
  listen: () => Promise<Result>,
): Promise<Result> {
  try {
    const result = await listen()
    tell?.({ listening: setting })
    return result
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') throw new PortInUse(setting, port)
    throw error
  }
}
