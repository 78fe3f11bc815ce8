export { candidatesOf, windowOf } from './candidates.ts'
export { dayFull, holdConverted, holdExpired, holdNotFound, slotTaken } from './errors.ts'
export { convertClaim, countDay, endHold, findHeldForUpdate, findHoldOrganization, type HeldTime } from './queries.ts'
