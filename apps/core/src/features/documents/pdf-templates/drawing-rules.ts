import type { PdfBlock } from '@tendon/contracts'
import type { Block, Image } from '@tendon/pdf'
import { filled, type Values } from './paths.ts'

// Turns the blocks of a template into what the renderer draws.

export interface Signature {
  name: string
  caption: string
  image: Image | null
}

/** Everything that a document can say. */
export interface DocumentFacts {
  values: Values
  /** The answers of a form, by section. */
  answers: readonly { section: string | null; rows: readonly { label: string; value: string }[] }[]
  /** The sessions of a treatment plan. */
  sessions: readonly { title: string; notes: string | null; columns: readonly string[]; rows: readonly string[][] }[]
  signatures: Readonly<Record<NonNullable<PdfBlock['signer']>, Signature>>
  images: ReadonlyMap<string, Image>
}

export const drawn = (blocks: readonly PdfBlock[], facts: DocumentFacts): Block[] =>
  blocks.flatMap((block) => draw(block, facts))

function draw(block: PdfBlock, facts: DocumentFacts): Block[] {
  const fill = (text: string | undefined) => filled(text ?? '', facts.values)
  switch (block.type) {
    case 'heading':
      return [{ type: 'heading', level: headingLevel(block.level), text: fill(block.text) }]
    case 'text':
      return [{ type: 'text', text: fill(block.text) }]
    case 'table':
      return [
        {
          type: 'table',
          columns: (block.columns ?? []).map(fill),
          rows: (block.rows ?? []).map((row) => row.map(fill)),
        },
      ]
    case 'form_answers':
      return facts.answers.flatMap(({ section, rows }) => [...subheading(section), { type: 'answers', rows }])
    case 'plan_exercises':
      return facts.sessions.flatMap(({ title, notes, columns, rows }) => [
        ...subheading(title),
        ...(notes ? [{ type: 'text', text: notes } as const] : []),
        { type: 'table', columns, rows },
      ])
    case 'image':
      return imageOf(block, facts.images)
    case 'signature': {
      const { name, caption, image } = facts.signatures[block.signer ?? 'specialist']
      return [{ type: 'signature', name, caption: block.caption === undefined ? caption : fill(block.caption), image }]
    }
    case 'qr':
      return [{ type: 'qr', text: fill(block.text) }]
    case 'page_break':
      return [{ type: 'page_break' }]
  }
}

/** An image that was deleted since is left out. */
function imageOf({ image_id, alt, width_percent }: PdfBlock, images: ReadonlyMap<string, Image>): Block[] {
  const image = images.get(image_id?.toLowerCase() ?? '')
  return image ? [{ type: 'image', image, alt: alt ?? '', width_percent: width_percent ?? 100 }] : []
}

const headingLevel = (level: number | undefined): 1 | 2 | 3 => (level === 1 || level === 3 ? level : 2)
const subheading = (text: string | null): Block[] => (text ? [{ type: 'heading', level: 3, text }] : [])
