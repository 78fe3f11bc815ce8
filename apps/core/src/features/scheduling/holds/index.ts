export { holdConverted, holdExpired, holdNotFound, slotTaken } from './errors.ts'
