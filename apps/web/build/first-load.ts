import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { WebApp } from './apps.ts'

interface Chunk {
  file: string
  isEntry?: boolean
  imports?: string[]
  css?: string[]
}
type Manifest = Record<string, Chunk>

/** Bytes, gzip, that a browser loads before the first page is complete: the language with more text counts. */
export async function firstLoadBytes({ name, firstPage }: WebApp, dir: string): Promise<number> {
  const manifest = JSON.parse(await readFile(join(dir, 'manifest.json'), 'utf8')) as Manifest
  const entry = 'index.html'
  if (!manifest[entry] || !manifest[firstPage]) throw new Error(`${name}: no entry or no ${firstPage} in the build`)
  const size = async (keys: string[]) => {
    const files = filesOf(manifest, keys)
    const sizes = await Promise.all([...files].map(async (file) => gzipSync(await readFile(join(dir, file))).length))
    return sizes.reduce((sum, bytes) => sum + bytes, 0)
  }
  const languages = await Promise.all(
    ['en', 'ro'].map((language) =>
      size([entry, firstPage, ...Object.keys(manifest).filter((key) => key.endsWith(`messages/${language}.ts`))]),
    ),
  )
  return Math.max(...languages)
}

function filesOf(manifest: Manifest, keys: readonly string[], files = new Set(['index.html'])): Set<string> {
  for (const key of keys) {
    const chunk = manifest[key]
    if (!chunk || files.has(chunk.file)) continue
    files.add(chunk.file)
    for (const file of chunk.css ?? []) files.add(file)
    filesOf(manifest, chunk.imports ?? [], files)
  }
  return files
}
