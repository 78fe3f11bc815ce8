// What other features may use of roles.
export { unknownCodes } from './errors.ts'
export { listUnknownCodes } from './queries.ts'
export { differenceOf } from './rules.ts'
