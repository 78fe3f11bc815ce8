export { invalidSignature, linkExpired } from './errors.ts'
