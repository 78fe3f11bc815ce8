export { formAlreadySigned, formNotFound } from './errors.ts'
export type { FormRow } from './queries.ts'
export { isAbout, openFormToFill, readForm, viewOf } from './record.ts'
/** After a file has come or gone: finds the form's status anew, and refuses (400) to take what a completed form requires. */
export { saveForm } from './saving.ts'
