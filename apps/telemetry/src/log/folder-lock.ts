import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const SQLITE_BUSY = 5

export class FolderInUse extends Error {
  override name = 'FolderInUse'
}

/**
 * Allows one process per folder, because two writers destroy a log. Uses SQLite's lock on an empty file: the kernel
 * releases it when the process dies.
 */
export function lockFolder(folder: string): () => void {
  const file = new DatabaseSync(join(folder, 'lock'))
  try {
    file.exec('begin exclusive')
  } catch (cause) {
    file.close()
    if (!(cause instanceof Error && 'errcode' in cause && cause.errcode === SQLITE_BUSY)) throw cause
    throw new FolderInUse(
      `The log in ${folder} is in use by another telemetry service. Stop that one, or set TELEMETRY_LOG_DIR.`,
      { cause },
    )
  }
  return () => file.close()
}
