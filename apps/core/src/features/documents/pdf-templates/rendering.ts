import { unavailable } from '@tendon/http'
import { type PdfDocument, PdfFailure, PdfOverload, PdfTimeout, type RenderedPdf } from '@tendon/pdf'
import type { Services } from '../../../services.ts'
import { renderFailed, renderTimeout } from './errors.ts'

const RETRY_SECONDS = '5'

/** Renders in a separate process. A document that cannot be rendered is refused and affects no other request. */
export async function renderPdf({ pdf }: Pick<Services, 'pdf'>, document: PdfDocument): Promise<RenderedPdf> {
  try {
    return await pdf.render(document)
  } catch (error) {
    if (error instanceof PdfTimeout) throw renderTimeout({}, { 'retry-after': RETRY_SECONDS })
    if (error instanceof PdfOverload) throw unavailable({}, { 'retry-after': RETRY_SECONDS })
    if (error instanceof PdfFailure) throw renderFailed({}, { 'retry-after': RETRY_SECONDS })
    throw error
  }
}
