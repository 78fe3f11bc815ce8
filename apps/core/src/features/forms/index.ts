export { formAlreadySigned, formNotFound } from './errors.ts'
export type { FormRow } from './queries.ts'
export { isAbout, openFormToFill, readForm, viewOf } from './record.ts'
/** Also once a file has come or gone, without answers: a file is the answer to its field, so the status is found anew. */
export { saveForm } from './saving.ts'
