import type { LogFile } from './files.ts'

/** Writes everything or nothing: a partial write on a full disk is truncated. */
export async function writeAll(file: LogFile, buffers: Buffer[], start: number): Promise<number> {
  let rest = buffers
  let at = start
  try {
    while (rest.length > 0) {
      const written = await file.write(rest, at)
      if (written === 0) throw new Error('The log file accepts no more bytes.')
      at += written
      rest = after(rest, written)
    }
  } catch (error) {
    if (isDiskFull(error)) await file.truncate(start)
    throw error
  }
  return at - start
}

/** The buffers after skipping this many bytes. */
function after(buffers: Buffer[], written: number): Buffer[] {
  let skip = written
  return buffers.flatMap((buffer) => {
    const rest = buffer.subarray(Math.min(skip, buffer.length))
    skip -= buffer.length - rest.length
    return rest.length > 0 ? [rest] : []
  })
}

const FULL_CODES = new Set(['ENOSPC', 'EDQUOT'])

/** The limit of open files is reached, for this process or the system. */
const SHORT_CODES = new Set(['EMFILE', 'ENFILE', 'ENOMEM'])

const hasCode = (codes: ReadonlySet<string>, error: unknown): boolean =>
  error instanceof Error && 'code' in error && codes.has(String(error.code))

export const isDiskFull = (error: unknown): boolean => hasCode(FULL_CODES, error)

export const isShortOfFiles = (error: unknown): boolean => hasCode(SHORT_CODES, error)
