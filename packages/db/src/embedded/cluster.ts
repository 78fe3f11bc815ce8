import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chown, mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type Account, run } from './account.ts'

export const clusterExists = (cluster: string): boolean => existsSync(join(cluster, 'PG_VERSION'))

/** Made under another name and renamed when whole, so that a killed initdb leaves nothing that looks like a cluster. */
export async function createCluster(
  binaries: string,
  cluster: string,
  options: { account: Account; password: string; durable: boolean; isBundled: boolean },
): Promise<void> {
  await removeUnfinished(cluster)
  const unfinished = `${cluster}.initdb-${randomBytes(4).toString('hex')}`
  const passwordFile = join(unfinished, 'password')
  const data = join(unfinished, 'data')
  await mkdir(unfinished, { mode: 0o700 })
  await writeFile(passwordFile, `${options.password}\n`, { mode: 0o600 })
  if (options.account) {
    for (const path of [unfinished, passwordFile]) await chown(path, options.account.uid, options.account.gid)
  }
  const args = ['-D', data, '--username=postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256']
  args.push('--encoding=UTF8', '--locale=C')
  if (options.isBundled) args.push('--locale-provider=builtin', '--builtin-locale=C.UTF-8')
  args.push('--no-instructions', ...(options.durable ? [] : ['--no-sync']))
  const { ok, output } = await run(join(binaries, 'initdb'), args, options.account)
  if (ok) await rename(data, cluster)
  await rm(unfinished, { recursive: true, force: true })
  if (!ok) throw new Error(`The database could not be created in ${cluster}:\n${output.trim()}`)
  if (options.durable) await syncFolder(dirname(cluster))
}

async function removeUnfinished(cluster: string): Promise<void> {
  for (const name of await readdir(dirname(cluster))) {
    if (!name.startsWith(`${basename(cluster)}.initdb-`)) continue
    // An initdb that outlived its parent may still write there; the next start gets what this one cannot remove.
    await rm(join(dirname(cluster), name), { recursive: true, force: true }).catch(() => undefined)
  }
}

async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}
