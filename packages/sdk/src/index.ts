export { ApiError, type MissingPurpose, type Reason } from './api-error.ts'
export {
  type Client,
  type ClientOptions,
  createClient,
  type RequestOptions,
  type UntypedRequest,
  type WithVersions,
} from './client.ts'
export { type List, listOf } from './list.ts'
export type * from './routes.gen.ts'
