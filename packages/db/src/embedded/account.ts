import { execFile } from 'node:child_process'
import { lchownSync } from 'node:fs'
import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { messageOf } from '../error-message.ts'

/** The operating-system user the server runs as; undefined means: the user of this process. */
export type Account = { uid: number; gid: number } | undefined

const SERVICE_USERS = ['postgres', '_postgres', 'nobody']

/** PostgreSQL refuses to run as root, so root hands it to a user that is already there. */
export async function serviceAccount(): Promise<Account> {
  if (process.getuid?.() !== 0) return undefined
  const users = await readFile('/etc/passwd', 'utf8')
  for (const name of SERVICE_USERS) {
    const [, uid, gid] = new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm').exec(users) ?? []
    const account = { uid: Number(uid), gid: Number(gid) }
    if (uid && gid && (await canReach(account, '/'))) return account
  }
  throw new Error(
    'PostgreSQL cannot run as root, nor can root run it here as "postgres" or "nobody". Start as another user.',
  )
}

/** An existing folder keeps its owner, so that one start with sudo does not lock its usual user out. */
export async function accountForFolder(folder: string, service: Account): Promise<Account> {
  const { uid, gid } = await lstat(folder)
  if (service && uid !== 0) return { uid, gid }
  if (service) await giveTo(service, folder)
  else if (process.getuid && uid !== process.getuid()) {
    throw new Error(
      `The database folder ${folder} belongs to another user (uid ${uid}). Start as that user or as root.`,
    )
  }
  return service
}

async function giveTo(account: NonNullable<Account>, folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true })
  // Two thousand files: in turns of the event loop it would take ten times as long.
  for (const path of [...entries.map((entry) => join(folder, entry)), folder]) {
    lchownSync(path, account.uid, account.gid)
  }
}

export async function canReach(account: Account, folder: string): Promise<boolean> {
  if (!account) return true
  return (await run('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], account)).ok
}

/** A clean environment (no PG… variables) and a working directory that every user can access. */
export function spawnOptions(account: Account) {
  return { ...account, cwd: '/', env: { LC_ALL: 'C', TZ: 'UTC' }, windowsHide: true }
}

export async function run(file: string, args: string[], account: Account): Promise<{ ok: boolean; output: string }> {
  try {
    const { stdout } = await promisify(execFile)(file, args, spawnOptions(account))
    return { ok: true, output: stdout }
  } catch (error) {
    return { ok: false, output: messageOf(error) }
  }
}
