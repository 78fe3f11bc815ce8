export { specialistNotFound } from './errors.ts'
