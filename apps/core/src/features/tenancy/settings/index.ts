export { formatsOf } from './format-rules.ts'
