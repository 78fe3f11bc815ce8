import { openApiDocument } from '../../apps/telemetry/src/http/openapi.ts'
import { version } from '../../apps/telemetry/src/version.ts'
import { bodyRules } from './body-rules.ts'
import { catalogueReference, olderCatalogueReference } from './catalogue.ts'
import { CHECKSUMS, migrationChecksums } from './checksums.ts'
import { envExample, settingsTable } from './config.ts'
import { databaseTypes } from './database-types.ts'
import { errorTable } from './errors.ts'
import { jobTable } from './jobs.ts'
import { permissionTable } from './permissions.ts'
import { routeList } from './routes.ts'
import { schemaDump } from './schema/dump.ts'
import { sdkRoutes } from './sdk.ts'
import type { Source } from './source.ts'

/** Every generated file, by its path from the root. */
export const targets: Readonly<Record<string, (source: Source) => string | Promise<string>>> = {
  'packages/db/src/types.ts': databaseTypes,
  'database/schema.sql': schemaDump,
  [CHECKSUMS]: migrationChecksums,
  'packages/sdk/src/routes.gen.ts': sdkRoutes,
  'apps/web/ui/form/body-rules.gen.ts': bodyRules,
  'database/catalogue-18.txt': catalogueReference,
  'database/catalogue-15.txt': (source) => olderCatalogueReference(source, 15),
  'docs/generated/telemetry-openapi.json': () => `${JSON.stringify(openApiDocument(version), null, 2)}\n`,
  'docs/generated/composer-openapi.json': ({ composer }) => `${JSON.stringify(composer.openapi, null, 2)}\n`,
  'docs/generated/permissions.md': permissionTable,
  'docs/generated/errors.md': errorTable,
  'docs/generated/config.md': settingsTable,
  '.env.example': envExample,
  'docs/generated/routes.md': routeList,
  'docs/generated/jobs.md': jobTable,
}
