export type { Block, ExerciseColumns, ExerciseRow, Image, PdfDocument, RenderedPdf } from './document.ts'
export { printedText, type Unprintable } from './printable.ts'
export {
  createPdfRenderer,
  MAX_WAITING,
  PdfFailure,
  PdfOverload,
  type PdfRenderer,
  PdfTimeout,
  PdfUnprintable,
} from './renderer.ts'
