export { formAlreadySigned, formNotFound } from './errors.ts'
export { shownForm } from './privacy.ts'
export type { FormRow } from './queries.ts'
export { isAbout, openFormToFill, readForm } from './record.ts'
/** Also once a file has come or gone, without answers: a file is the answer to its field, so the status is found anew. */
export { saveForm } from './saving.ts'
