export type { Block, Image, PdfDocument, RenderedPdf } from './document.ts'
export { createPdfRenderer, PdfFailure, PdfOverload, type PdfRenderer, PdfTimeout } from './renderer.ts'
