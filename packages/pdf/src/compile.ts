import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import { readCodePoints } from './font-coverage.ts'
import type { RenderInput } from './input.ts'

const FONTS = ['400Regular', '400Regular_Italic', '600SemiBold', '700Bold']
/** Compiled parts that the last documents did not use are dropped: memory stays bounded. */
const CACHE_DOCUMENTS = 10

/** `workspace`: an empty folder. A template can read its workspace, and nothing outside it. */
export function createCompiler(workspace: string) {
  const fontFolder = dirname(fileURLToPath(import.meta.resolve('@expo-google-fonts/inter/package.json')))
  const template = readFileSync(join(import.meta.dirname, 'document.typ'), 'utf8')
  const codePoints = readCodePoints(readFileSync(join(fontFolder, '400Regular', 'Inter_400Regular.ttf')))
  const compiler = NodeCompiler.create({
    workspace,
    fontArgs: [{ fontPaths: FONTS.map((name) => join(fontFolder, name)) }],
  })

  /** PDF/A allows no character without a glyph: one that the font lacks becomes a question mark. */
  const printable = (text: string) =>
    text
      .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
      .replaceAll(/[^\x20-\x7e\n]/gu, (character) => (codePoints.has(character.codePointAt(0) ?? 0) ? character : '?'))

  return ({ data, files, createdAtSeconds }: RenderInput): { bytes: Uint8Array; pages: number } => {
    try {
      for (const { path, bytes } of files) compiler.mapShadow(join(workspace, path), Buffer.from(bytes))
      const compiled = compiler.compile({ mainFileContent: template, inputs: { data: printable(data) } })
      if (!compiled.result) throw new Error('not compiled')
      const bytes = compiler.pdf(compiled.result, { pdfStandard: 'a-2b', creationTimestamp: createdAtSeconds })
      return { bytes, pages: compiled.result.numOfPages }
    } finally {
      compiler.resetShadow()
      compiler.evictCache(CACHE_DOCUMENTS)
    }
  }
}
