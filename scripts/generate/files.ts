import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Source } from './source.ts'
import { targets } from './targets.ts'

const root = join(import.meta.dirname, '../..')

/** The generated files that are not what they would be now, with the text that they would have. */
export async function listStale(source: Source): Promise<{ path: string; text: string }[]> {
  const wanted = await Promise.all(
    Object.entries(targets).map(async ([path, generate]) => {
      const text = await generate(source)
      const present = await readFile(join(root, path), 'utf8').catch(() => undefined)
      return { path, text, isStale: present !== text }
    }),
  )
  return wanted.filter(({ isStale }) => isStale).map(({ path, text }) => ({ path, text }))
}

/** Answers with the paths of those that it wrote. */
export async function writeGenerated(source: Source): Promise<string[]> {
  const stale = await listStale(source)
  for (const { path, text } of stale) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  return stale.map(({ path }) => path).sort()
}
