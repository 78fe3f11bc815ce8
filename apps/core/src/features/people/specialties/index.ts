export { invalidSlug, slugRequired, specialtyNotFound } from './errors.ts'
