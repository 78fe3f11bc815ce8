import type { Block, PdfDocument } from './document.ts'
import { createFontChoice } from './font-runs.ts'
import type { Fonts } from './fonts.ts'

/** A character that no font can print, and the member of the document that contains it, such as `blocks.2.text`. */
export interface Unprintable {
  character: string
  place: string
}

/** Joiners change the shape of letters; marks and isolates change the order of words. Others change nothing on paper. */
const INVISIBLE = /[^\P{Default_Ignorable_Code_Point}\u{200c}-\u{200f}\u{61c}\u{2068}\u{2069}]/gu
const CONTROL = /[^\P{Cc}\n]/gu
const LINE_END = /\r\n|[\r\u0085\u2028\u2029]/gu

/** The text as it is printed: composed letters, lines that end with \n, nothing that has no glyph. */
export const printedText = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(LINE_END, '\n')
    .replaceAll(CONTROL, ' ')
    .replaceAll(/[^\P{Zs}\u00a0\u202f]/gu, ' ')
    .replaceAll(INVISIBLE, '')

/** Searches a document for a character that no font can print. */
export function createUnprintableSearch(fonts: Fonts) {
  const { findUnprintable } = createFontChoice(fonts)
  return (document: PdfDocument): Unprintable | undefined => {
    for (const [place, text] of textsOf(document)) {
      const character = findUnprintable(printedText(text))
      if (character !== undefined) return { character, place }
    }
    return undefined
  }
}

/** Every text that is drawn. */
function* textsOf({ title, clinic, verification, blocks }: PdfDocument): Generator<[string, string]> {
  yield ['title', title]
  yield ['clinic.name', clinic.name]
  for (const line of clinic.lines) yield ['clinic.lines', line]
  if (verification) yield ['verification.label', verification.label]
  for (const [index, block] of blocks.entries())
    for (const [member, text] of textsOfBlock(block)) yield [`blocks.${index}.${member}`, text]
}

function* textsOfBlock(block: Block): Generator<[string, string]> {
  if (block.type === 'heading' || block.type === 'text' || block.type === 'qr') yield ['text', block.text]
  if (block.type === 'answers')
    for (const [index, { label, value }] of block.rows.entries()) {
      yield [`rows.${index}.label`, label]
      yield [`rows.${index}.value`, value]
    }
  if (block.type === 'table') {
    for (const column of block.columns) yield ['columns', column]
    for (const [index, row] of block.rows.entries()) for (const cell of row) yield [`rows.${index}`, cell]
  }
  if (block.type === 'exercises')
    for (const [index, { name, dose, instructions }] of [block.columns, ...block.rows].entries())
      for (const text of [name, dose, instructions]) yield [index === 0 ? 'columns' : `rows.${index - 1}`, text]
  if (block.type === 'signature') {
    yield ['name', block.name]
    yield ['caption', block.caption]
  }
}
