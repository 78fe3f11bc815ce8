import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { WebApp } from './apps.ts'
import { firstPages } from './first-pages.ts'

interface Chunk {
  file: string
  isEntry?: boolean
  imports?: string[]
  css?: string[]
}
type Manifest = Record<string, Chunk>

const ENTRY = 'index.html'
const LANGUAGES = ['en', 'ro'] as const

export const readManifest = async (dir: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(dir, 'manifest.json'), 'utf8')) as Manifest

/** Bytes, gzip, that a browser loads before the first page is complete: the language with more text counts. */
export async function firstLoadBytes({ name, firstPage }: WebApp, dir: string, manifest: Manifest): Promise<number> {
  if (!manifest[ENTRY] || !manifest[firstPage]) throw new Error(`${name}: no entry or no ${firstPage} in the build`)
  const size = async (keys: string[]) => {
    const files = filesOf(manifest, keys, new Set([ENTRY]))
    const sizes = await Promise.all([...files].map(async (file) => gzipSync(await readFile(join(dir, file))).length))
    return sizes.reduce((sum, bytes) => sum + bytes, 0)
  }
  const languages = await Promise.all(
    LANGUAGES.map((language) => size([ENTRY, firstPage, textsOf(manifest, language)])),
  )
  return Math.max(...languages)
}

/** What the core API writes into a page, to save the browser round trips. */
export function firstLoadOf({ name }: WebApp, manifest: Manifest) {
  const { always, pages } = firstPages[name] ?? { always: [], pages: {} }
  const entry = filesOf(manifest, [ENTRY])
  const files = (key: string) => [...filesOf(manifest, [key])].filter((file) => !entry.has(file))
  return {
    texts: Object.fromEntries(LANGUAGES.map((language) => [language, files(textsOf(manifest, language))])),
    always,
    pages: Object.fromEntries(
      Object.entries(pages).map(([path, { file, isPublic = false, reads }]) => [
        path,
        { files: files(file), is_public: isPublic, reads },
      ]),
    ),
  }
}

/** What the first page needs without a connection. */
export const offlineFilesOf = ({ firstPage }: WebApp, manifest: Manifest): string[] => [
  ...filesOf(manifest, [ENTRY, firstPage, ...LANGUAGES.map((language) => textsOf(manifest, language))]),
]

function textsOf(manifest: Manifest, language: string): string {
  const key = Object.keys(manifest).find((name) => name.startsWith(`_texts-${language}`))
  if (key === undefined) throw new Error(`no texts of ${language} in the build`)
  return key
}

function filesOf(manifest: Manifest, keys: readonly string[], files = new Set<string>()): Set<string> {
  for (const key of keys) {
    const chunk = manifest[key]
    if (!chunk) throw new Error(`no ${key} in the build`)
    if (files.has(chunk.file)) continue
    files.add(chunk.file)
    for (const file of chunk.css ?? []) files.add(file)
    filesOf(manifest, chunk.imports ?? [], files)
  }
  return files
}
