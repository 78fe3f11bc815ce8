export { formAlreadySigned, formNotFound } from './errors.ts'
export type { FormRow } from './queries.ts'
export { isAbout, openFormToFill, readForm, viewOf } from './record.ts'
/**
 * Once a file has come or gone, instead of touching the row: `saveForm(request, tx, form, {}, services.now())` finds the
 * status anew (a required file may have been the last thing open) and refuses to take what a completed form requires.
 */
export { saveForm } from './saving.ts'
