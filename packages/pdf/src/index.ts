export type { Block, Image, PdfDocument, RenderedPdf } from './document.ts'
export { createPdfRenderer, MAX_WAITING, PdfFailure, PdfOverload, type PdfRenderer, PdfTimeout } from './renderer.ts'
