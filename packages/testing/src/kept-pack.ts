import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isWholePack } from './packed-folder.ts'

/** So that somebody can change between two branches. */
const MAX_KEPT = 2
const DAY_MS = 86_400_000

interface KeptPack {
  folder: string
  /** A hash of all that it is made from. */
  name(): string
  make(): Promise<Buffer>
  say(line: string): void
}

const PARTIAL = '.partial'

/** The pack of this name: read if an earlier run kept it whole, otherwise made, and kept where that is allowed. */
export async function keptPack({ folder, name, make, say }: KeptPack): Promise<Buffer> {
  const hash = name()
  const file = join(folder, hash)
  const kept = await readFile(file).catch(() => undefined)
  if (kept && isWholePack(kept)) {
    await markUsed(file).catch(() => undefined)
    return kept
  }
  const pack = await make()
  if (name() !== hash) return pack // a source was saved meanwhile: nobody knows from which text it is made
  await keep(pack, folder, file).catch((error: Error) => {
    say(`The migrated database is not kept for the next run: ${error.message}`)
  })
  return pack
}

/** By the clock of this process, which may not be that of the file system. */
async function markUsed(path: string): Promise<void> {
  const now = new Date()
  await utimes(path, now, now)
}

/** Under another name first: a run that starts at the same time finds a whole file or none. */
async function keep(pack: Buffer, folder: string, file: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const partial = `${file}.${randomBytes(4).toString('hex')}${PARTIAL}`
  try {
    await writeFile(partial, pack, { mode: 0o600 })
    await markUsed(partial)
    await rename(partial, file)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
  await removeOld(folder)
}

/** Keeps those used last. What a killed run left half written goes after a day: before, another run may be writing it. */
async function removeOld(folder: string): Promise<void> {
  const names = await readdir(folder)
  const files = await Promise.all(names.map((name) => usedAt(join(folder, name))))
  const whole = files.filter(({ path }) => !path.endsWith(PARTIAL)).sort((a, b) => b.usedAtMs - a.usedAtMs)
  const abandoned = files.filter(({ path, usedAtMs }) => path.endsWith(PARTIAL) && usedAtMs < Date.now() - DAY_MS)
  for (const { path } of [...whole.slice(MAX_KEPT), ...abandoned]) await rm(path, { force: true })
}

async function usedAt(path: string): Promise<{ path: string; usedAtMs: number }> {
  const { mtimeMs = 0 } = (await stat(path).catch(() => undefined)) ?? {} // another run may have deleted it
  return { path, usedAtMs: mtimeMs }
}
