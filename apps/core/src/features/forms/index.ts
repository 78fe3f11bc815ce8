export { formAlreadySigned, formNotFound } from './errors.ts'
export type { FormRow } from './queries.ts'
export { isAbout, openForm, readForm } from './record.ts'
