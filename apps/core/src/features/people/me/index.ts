export { lockMyAccount } from './queries.ts'
