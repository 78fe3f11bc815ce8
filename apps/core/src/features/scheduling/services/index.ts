export { serviceNotFound } from './errors.ts'
