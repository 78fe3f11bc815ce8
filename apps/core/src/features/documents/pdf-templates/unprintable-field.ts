import type { PdfBlock } from '@tendon/contracts'
import { printedText, type Unprintable } from '@tendon/pdf'
import type { DocumentFacts } from './drawing-rules.ts'
import { pathsIn, textsOf } from './path-rules.ts'

/** Where to change the character: the path of a value, the label of an answer, the title of a session, or its place. */
export function fieldOf({ character, place }: Unprintable, blocks: readonly PdfBlock[], facts: DocumentFacts): string {
  for (const [field, text] of sourcesOf(blocks, facts)) if (printedText(text).includes(character)) return field
  return place
}

/** The data that the blocks print, each with its name. */
function* sourcesOf(
  blocks: readonly PdfBlock[],
  { values, answers, sessions, signatures }: DocumentFacts,
): Generator<[string, string]> {
  const printed = new Set(blocks.flatMap(textsOf).flatMap(pathsIn))
  for (const [path, value] of Object.entries(values)) if (printed.has(path)) yield [path, value]
  const types = new Set(blocks.map(({ type }) => type))
  if (types.has('form_answers'))
    for (const { label, value } of answers.flatMap(({ rows }) => rows)) yield [label, `${label}\n${value}`]
  if (types.has('plan_exercises'))
    for (const { title, notes, rows } of sessions) {
      const texts = rows.flatMap(({ name, dose, instructions }) => [name, dose, instructions])
      yield [title, [title, notes ?? '', ...texts].join('\n')]
    }
  for (const { type, signer } of blocks)
    if (type === 'signature' && signer)
      yield [`signature.${signer}`, `${signatures[signer].name}\n${signatures[signer].caption}`]
}
