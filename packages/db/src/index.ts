export { checkCatalogue, type Finding, findInCatalogue, RULES } from './catalogue/index.ts'
export { BASE_MAJOR, differing, formatReference, parseReference, referencePath } from './catalogue/reference.ts'
export { type CatalogueObject, SNAPSHOT } from './catalogue/snapshot/index.ts'
export { CLINIC, ofScope } from './clinic.ts'
export {
  Database,
  type DatabaseOptions,
  DatabaseRefused,
  type PoolMetrics,
  type TransactionOptions,
} from './database.ts'
export { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded/index.ts'
export { existing } from './existing.ts'
export { type ListColumns, preparePage, readChoices, readPage } from './list.ts'
export { createListener, type Listener } from './listener.ts'
export { migrate } from './migrate.ts'
export { MigrationsRefused } from './migration-files.ts'
export { checkDatabaseFiles } from './migration-rules.ts'
export { newId } from './new-id.ts'
export { onRightsChange, RIGHTS_CHANNEL, watchRights } from './rights-changes.ts'
export { type Login, passwordOf, urlFor } from './roles.ts'
export type { RowOf } from './row-of.ts'
export { asService } from './service.ts'
export { UNNAMED } from './statement-names.ts'
export { together } from './together.ts'
export {
  type Context,
  NIL_UUID,
  NOBODY,
  type PlatformTx,
  type PublicTx,
  type ServiceTx,
  type TenantTx,
  withCommit,
} from './transaction.ts'
export { SERVICE_STATEMENTS, type ServiceStatement } from './transaction-connection.ts'
export type { DB, JsonValue } from './types.ts'
