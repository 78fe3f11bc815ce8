export { calendarNotFound } from './errors.ts'
