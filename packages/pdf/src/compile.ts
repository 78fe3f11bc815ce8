import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import { listFontFolders } from './fonts.ts'
import type { RenderInput } from './input.ts'

/** Compiled parts that the last documents did not use are dropped: memory stays bounded. */
const CACHE_DOCUMENTS = 10

/** `workspace`: an empty folder. A template can read its workspace, and nothing outside it. */
export function createCompiler(workspace: string) {
  const template = readFileSync(join(import.meta.dirname, 'document.typ'), 'utf8')
  const compiler = NodeCompiler.create({ workspace, fontArgs: [{ fontPaths: listFontFolders() }] })

  return ({ data, files, createdAtSeconds }: RenderInput): { bytes: Uint8Array; pages: number } => {
    try {
      for (const { path, bytes } of files) compiler.mapShadow(join(workspace, path), Buffer.from(bytes))
      const compiled = compiler.compile({ mainFileContent: template, inputs: { data } })
      if (!compiled.result) throw new Error('not compiled')
      const bytes = compiler.pdf(compiled.result, { pdfStandard: 'a-2b', creationTimestamp: createdAtSeconds })
      return { bytes, pages: compiled.result.numOfPages }
    } finally {
      compiler.resetShadow()
      compiler.evictCache(CACHE_DOCUMENTS)
    }
  }
}
