import { unavailable } from '@tendon/http'
import { type PdfDocument, PdfFailure, PdfOverload, PdfTimeout, type RenderedPdf } from '@tendon/pdf'
import type { Services } from '../../../services.ts'
import type { Picture } from './drawing-rules.ts'
import { renderFailed, renderTimeout } from './errors.ts'
import { withImages } from './pictures.ts'

const RETRY_SECONDS = '5'

/**
 * Renders in a separate process, and loads the images when it is free. A document that cannot be rendered is refused and
 * affects no other request. Each clinic has a limit of waiting documents.
 */
export async function renderPdf(
  { pdf, objects }: Pick<Services, 'pdf' | 'objects'>,
  organizationId: string | null,
  document: PdfDocument<Picture>,
): Promise<RenderedPdf> {
  try {
    return await pdf.render(() => withImages(objects, document), organizationId ?? undefined)
  } catch (error) {
    if (error instanceof PdfTimeout) throw renderTimeout({}, { 'retry-after': RETRY_SECONDS })
    if (error instanceof PdfOverload) throw unavailable({}, { 'retry-after': RETRY_SECONDS })
    if (error instanceof PdfFailure) throw renderFailed({}, { 'retry-after': RETRY_SECONDS })
    throw error
  }
}
