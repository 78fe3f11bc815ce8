import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, lstat, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Account, canReach } from './account.ts'

/** `/var/tmp` comes last: many systems empty it of what was not used for a month. */
const SHARED_FOLDERS = ['/var/lib/tendon', '/var/tmp/tendon']

/** A folder owned by root that every user can access. */
export async function sharedFolder(account: Account): Promise<string> {
  for (const folder of SHARED_FOLDERS) {
    try {
      await mkdir(folder, { recursive: true })
      const { uid } = await lstat(folder)
      if (uid !== 0) continue
      await chmod(folder, 0o755)
      if (await canReach(account, folder)) return folder
    } catch {
      // Read-only, or a link left by someone else: the next one may do.
    }
  }
  throw new Error(`PostgreSQL needs a folder it can reach: make one of ${SHARED_FOLDERS.join(', ')} writable for root.`)
}

/** Where the cluster lives: in the data folder, or where its user can reach it if a folder above is closed to others. */
export async function placeCluster(
  dataDir: string,
  password: string,
  service: Account,
  say: (line: string) => void,
): Promise<string> {
  const record = join(dataDir, 'postgres.location')
  const usual = join(dataDir, 'postgres')
  if (existsSync(record)) return (await readFile(record, 'utf8')).trim()
  if (existsSync(usual) || (await canReach(service, dataDir))) return usual
  // The password is part of the name: a data folder that was removed and created again does not find the old cluster.
  const name = createHash('sha256').update(`${dataDir}\n${password}`).digest('hex').slice(0, 16)
  const cluster = join(await sharedFolder(service), `postgres-${name}`)
  await writeWhole(record, `${cluster}\n`)
  say(`The database user cannot reach ${dataDir}; the database is kept in ${cluster}.`)
  return cluster
}

export async function keptPassword(dataDir: string): Promise<string> {
  const file = join(dataDir, 'postgres.password')
  if (existsSync(file)) return (await readFile(file, 'utf8')).trim()
  if (existsSync(join(dataDir, 'postgres', 'PG_VERSION')) || existsSync(join(dataDir, 'postgres.location'))) {
    throw new Error(
      `The password file ${file} is missing. Put it back, or move ${dataDir} away to start with an empty database.`,
    )
  }
  const password = randomBytes(24).toString('hex')
  await writeWhole(file, `${password}\n`)
  return password
}

async function writeWhole(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text, { mode: 0o600, flush: true })
  await rename(`${file}.new`, file)
}
