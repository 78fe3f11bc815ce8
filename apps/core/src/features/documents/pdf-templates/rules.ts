import { type DocumentKind, misplaced, PDF_BLOCKS, type PdfBlock } from '@tendon/contracts'
import { PATHS, pathsIn } from './path-rules.ts'

// What a block may be used for and which values it may print. Its members are in the contract of its type.

const ONLY_FOR: Partial<Record<PdfBlock['type'], DocumentKind>> = {
  form_answers: 'form',
  plan_exercises: 'treatment_plan',
}
/** Phones cannot reliably read a printed QR code with more characters. */
const MAX_QR_LENGTH = 300

/** The problems of a template's blocks, by field. `images`: ids of the clinic's images. */
export function problemsOfBlocks(
  kind: DocumentKind,
  blocks: readonly PdfBlock[],
  images: ReadonlySet<string>,
): Record<string, string> {
  return Object.fromEntries(
    blocks.flatMap((block, place) =>
      Object.entries(problemsOf(kind, block, images)).map(([member, problem]) => [
        `blocks.${place}.${member}`,
        problem,
      ]),
    ),
  )
}

function problemsOf(kind: DocumentKind, block: PdfBlock, images: ReadonlySet<string>): Record<string, string> {
  const { type, ...members } = block
  const { missing, unused } = misplaced(PDF_BLOCKS[type], members)
  const problems: Record<string, string> = {}
  const only = ONLY_FOR[type]
  if (only !== undefined && only !== kind) problems.type = `can only be used in a template of kind ${only}`
  for (const member of missing) problems[member] = `is required for a block of type ${type}`
  for (const member of unused) problems[member] = `is not used by a block of type ${type}`
  if (block.rows?.some((row) => row.length !== block.columns?.length))
    problems.rows = 'must have one text for each column'
  if (block.image_id !== undefined && !images.has(block.image_id.toLowerCase()))
    problems.image_id = 'must name an image of your clinic'
  if (type === 'qr' && (block.text ?? '').length > MAX_QR_LENGTH)
    problems.text = `must have at most ${MAX_QR_LENGTH} characters`
  return { ...pathProblems(kind, block), ...problems }
}

function pathProblems(kind: DocumentKind, { text, columns, rows, caption }: PdfBlock): Record<string, string> {
  const known = new Set<string>(PATHS[kind])
  const texts: [string, string[]][] = [
    ['text', [text ?? '']],
    ['columns', columns ?? []],
    ['rows', rows?.flat() ?? []],
    ['caption', [caption ?? '']],
  ]
  return Object.fromEntries(
    texts.flatMap(([member, parts]) => {
      const unknown = parts.flatMap(pathsIn).find((path) => !known.has(path))
      return unknown === undefined
        ? []
        : [[member, `must not contain {{${unknown}}}. Use one of ${PATHS[kind].join(', ')}`]]
    }),
  )
}
