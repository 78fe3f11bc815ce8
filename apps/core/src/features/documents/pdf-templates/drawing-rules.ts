import type { PdfBlock } from '@tendon/contracts'
import type { Block, ExerciseColumns, ExerciseRow } from '@tendon/pdf'
import { filled } from './filling-rules.ts'
import { pathsIn, type Values } from './path-rules.ts'

// Turns the blocks of a template into what the renderer draws.

/** An image by its key in the object store. */
export interface Picture {
  object_key: string
  /** Two pictures with the same one show the same. */
  content_id: string
  format: 'png' | 'jpg'
}

type Drawn = Block<Picture>

export interface Signature {
  name: string
  caption: string
  image: Picture | null
}

interface DrawnSession {
  title: string
  notes: string | null
  columns: ExerciseColumns
  rows: readonly ExerciseRow<Picture>[]
}

/** Everything that a document can contain. */
export interface DocumentFacts {
  values: Values
  /** The answers of a form, by section. */
  answers: readonly { section: string | null; rows: readonly { label: string; value: string }[] }[]
  /** The sessions of a treatment plan. */
  sessions: readonly DrawnSession[]
  signatures: Readonly<Record<NonNullable<PdfBlock['signer']>, Signature>>
  images: ReadonlyMap<string, Picture>
}

export const drawn = (blocks: readonly PdfBlock[], facts: DocumentFacts): Drawn[] =>
  blocks.flatMap((block) => DRAW[block.type](block, facts, (text) => filled(text ?? '', facts.values)))

type Draw = (block: PdfBlock, facts: DocumentFacts, fill: (text: string | undefined) => string) => Drawn[]

const DRAW: Readonly<Record<PdfBlock['type'], Draw>> = {
  heading: ({ level, text }, _facts, fill) =>
    printed(fill(text), (shown) => ({ type: 'heading', level: headingLevel(level), text: shown })),
  text: ({ text }, _facts, fill) => printed(fill(text), (shown) => ({ type: 'text', text: shown })),
  table: (block, _facts, fill) => tableOf(block, fill),
  form_answers: (_block, { answers }) =>
    answers.flatMap(({ section, rows }) => [...subheading(section), { type: 'answers', rows }]),
  plan_exercises: (_block, { sessions }) =>
    sessions.flatMap(({ title, notes, columns, rows }) => [
      ...subheading(title),
      ...(notes ? [{ type: 'text', text: notes } as const] : []),
      { type: 'exercises', columns, rows },
    ]),
  image: (block, { images }) => imageOf(block, images),
  signature: (block, { signatures }, fill) => {
    const { name, caption, image } = signatures[block.signer ?? 'specialist']
    return [{ type: 'signature', name, caption: block.caption === undefined ? caption : fill(block.caption), image }]
  },
  qr: ({ text }, _facts, fill) =>
    printed(fill(text).replaceAll(/[\u2068\u2069]/gu, ''), (shown) => ({ type: 'qr', text: shown })),
  page_break: () => [{ type: 'page_break' }],
}

/** Omits a text of which nothing is known. */
const printed = (text: string, block: (text: string) => Drawn): Drawn[] => (text.trim() === '' ? [] : [block(text)])

/** Omits a column whose values are all not known. */
function tableOf({ columns = [], rows = [] }: PdfBlock, fill: (text: string) => string): Drawn[] {
  const filled = rows.map((row) => row.map(fill))
  const isKept = (_name: string, column: number) =>
    !rows.some((row) => pathsIn(row[column] ?? '').length > 0) || filled.some((row) => row[column] !== '')
  const kept = columns.map(isKept)
  const only = (row: readonly string[]) => row.filter((_cell, column) => kept[column])
  if (!kept.includes(true)) return []
  return [{ type: 'table', columns: only(columns.map(fill)), rows: filled.map(only) }]
}

/** Omits an image that was deleted. */
function imageOf({ image_id, alt, width_percent }: PdfBlock, images: ReadonlyMap<string, Picture>): Drawn[] {
  const image = images.get(image_id?.toLowerCase() ?? '')
  return image ? [{ type: 'image', image, alt: alt ?? '', width_percent: width_percent ?? 100 }] : []
}

const headingLevel = (level: number | undefined): 1 | 2 | 3 => (level === 1 || level === 3 ? level : 2)
const subheading = (text: string | null): Drawn[] => (text ? [{ type: 'heading', level: 3, text }] : [])
