import { unavailable } from '@tendon/http'
import {
  type PdfDocument,
  PdfFailure,
  PdfOverload,
  PdfTimeout,
  PdfUnprintable,
  type RenderedPdf,
  type Unprintable,
} from '@tendon/pdf'
import type { Services } from '../../../services.ts'
import type { Picture } from './drawing-rules.ts'
import { renderFailed, renderTimeout, unprintableCharacter } from './errors.ts'
import { withImages } from './pictures.ts'

const RETRY_SECONDS = '5'

/**
 * Renders in a separate process, and loads the images when it is free. A document that cannot be rendered is refused and
 * affects no other request. Each clinic has a limit of waiting documents. `nameOf` names the field of an unprintable character.
 */
export async function renderPdf(
  { pdf, objects }: Pick<Services, 'pdf' | 'objects'>,
  organizationId: string | null,
  document: PdfDocument<Picture>,
  nameOf: (unprintable: Unprintable) => string,
): Promise<RenderedPdf> {
  try {
    return await pdf.render(() => withImages(objects, document), organizationId ?? undefined)
  } catch (error) {
    if (error instanceof PdfUnprintable) {
      const { character } = error
      throw unprintableCharacter({ character, code_point: codePointsOf(character), field: nameOf(error) })
    }
    if (error instanceof PdfTimeout) throw renderTimeout({}, { 'retry-after': RETRY_SECONDS })
    if (error instanceof PdfOverload) throw unavailable({}, { 'retry-after': RETRY_SECONDS })
    if (error instanceof PdfFailure) throw renderFailed({}, { 'retry-after': RETRY_SECONDS })
    throw error
  }
}

/** "U+1F468 U+200D U+2695" for a character of several code points. */
const codePointsOf = (character: string): string =>
  Array.from(character, (one) => `U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`).join(' ')
