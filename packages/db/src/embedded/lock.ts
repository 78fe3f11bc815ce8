import { accessSync, constants } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

const SQLITE_BUSY = 5

/**
 * One owner per folder. The lock is SQLite's lock on an empty file: the kernel gives it back when the process dies,
 * however it dies, so no process id is compared and a dead owner's lock cannot be taken by two at once.
 */
export function lock(path: string, folder: string): () => void {
  let file: DatabaseSync | undefined
  try {
    file = new DatabaseSync(path)
    // On a file it may only read, SQLite would give a lock that others can have too.
    accessSync(path, constants.W_OK)
    file.exec('begin exclusive')
  } catch (cause) {
    file?.close()
    if (cause instanceof Error && 'errcode' in cause && cause.errcode === SQLITE_BUSY) throw alreadyRunning(folder)
    throw new Error(`The file ${path} cannot be locked. Make sure that the user who starts this may write to it.`, {
      cause,
    })
  }
  const held = file
  return () => {
    if (held.isOpen) held.close()
  }
}

function alreadyRunning(folder: string): Error {
  const message = `The database in ${folder} is already in use by a running process. Stop that process or use another folder.`
  return Object.assign(new Error(message), { code: 'ALREADY_RUNNING' })
}
