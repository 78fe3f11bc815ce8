import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { WEB_ROOT } from './apps.ts'

const ROOT = join(WEB_ROOT, '../..')
const STAMP = '.stamp'
const NOT_BUILT = /\.test\.tsx?$|\.testing\.ts$/

/** A hash of everything that the build of one app reads. */
export async function fingerprint(app: string): Promise<string> {
  const folders = [
    join(WEB_ROOT, app),
    ...['ui', 'build'].map((name) => join(WEB_ROOT, name)),
    ...['packages/pose/src', 'packages/sdk/src'].map((name) => join(ROOT, name)),
  ]
  const files = (await Promise.all(folders.map(filesIn))).flat()
  files.push(join(ROOT, 'package-lock.json'), join(WEB_ROOT, 'build.ts'), join(WEB_ROOT, 'package.json'))
  const hash = createHash('sha256')
  for (const file of files.sort()) {
    const content = await readFile(file)
    hash.update(`${relative(ROOT, file)}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

export const isFresh = async (dir: string, stamp: string): Promise<boolean> =>
  (await readFile(join(dir, STAMP), 'utf8').catch(() => '')) === stamp

export const writeStamp = (dir: string, stamp: string): Promise<void> => writeFile(join(dir, STAMP), stamp)

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile() && !NOT_BUILT.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
}
