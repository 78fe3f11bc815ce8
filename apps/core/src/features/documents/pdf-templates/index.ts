export { dateIn, dayIn, timeIn, weekdayIn } from './dates.ts'
export { type DocumentFacts, drawn, type Picture, type Signature } from './drawing-rules.ts'
export {
  imagesTooLarge,
  pdfTemplateNotFound,
  renderFailed,
  renderTimeout,
  templateNotPublished,
  unprintableCharacter,
} from './errors.ts'
export { findLetterhead, type Letterhead } from './letterhead.ts'
export type { Values } from './path-rules.ts'
export { findPictures, type Pictures } from './pictures.ts'
export { findLatestTemplate, findTemplate, findVersion } from './queries.ts'
export { renderPdf } from './rendering.ts'
export { defaultTemplate, WORDS } from './texts.ts'
export { fieldOf } from './unprintable-field.ts'
