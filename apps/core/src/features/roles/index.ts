// What other features may use of roles.
export { listUnknownCodes } from './queries.ts'
export { differenceOf } from './rules.ts'
