import { globSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, sep } from 'node:path'
import type { RouteTable } from '@tendon/access'
import { readConfig } from '@tendon/config'
import { TEST_ROLE_SECRET } from '@tendon/testing'
import { Pool, type QueryResultRow } from 'pg'
import { buildApp as buildComposer } from '../../apps/composer/src/app.ts'
import { createServices as createComposerServices } from '../../apps/composer/src/create-services.ts'
import { buildApp } from '../../apps/core/src/app.ts'
import { createServices } from '../../apps/core/src/create-services.ts'
import type { Feature } from '../../apps/core/src/feature.ts'

/** What documents are made from: a database as migrations leave it, and the app as it would start by default. */
export interface Source {
  databaseUrl: string
  query: <Row extends QueryResultRow>(text: string) => Promise<Row[]>
  routes: RouteTable
  features: readonly FeatureSource[]
  openapi: object
  composer: { routes: RouteTable; openapi: object }
  close: () => Promise<void>
}

/** A feature and its folder, `<area>/<name>` under apps/core/src/features. */
interface FeatureSource {
  folder: string
  feature: Feature
  routes: RouteTable
}

export async function openSource(databaseUrl: string): Promise<Source> {
  // A fixed configuration: nothing of this machine may reach a document.
  const config = readConfig({
    NODE_ENV: 'test',
    DATA_DIR: tmpdir(),
    LOG_LEVEL: 'silent',
    DATABASE_ROLE_SECRET: TEST_ROLE_SECRET,
  })
  const services = createServices(config, 'tendon_app', databaseUrl)
  const app = buildApp(services)
  const openapi = (await app.inject('/v1/openapi.json')).json<object>()
  const composerServices = createComposerServices(config, 'tendon_app', databaseUrl)
  const composer = buildComposer(composerServices)
  const composerOpenapi = (await composer.inject('/v1/openapi.json')).json<object>()
  const folders = await readFolders()
  // Routes inside a Fastify plugin are added when the app is ready, after their feature.
  const early = new Set([...app.routesOf.values()].flat())
  const late = app.routes.filter((route) => !early.has(route))
  const pool = new Pool({ connectionString: databaseUrl, max: 4 })
  return {
    databaseUrl,
    query: async <Row extends QueryResultRow>(text: string) => (await pool.query<Row>(text)).rows,
    routes: app.routes,
    features: [...app.routesOf].map(([feature, routes]) => {
      const folder = folders.get(feature) ?? ''
      return { folder, feature, routes: [...routes, ...late.filter(({ url }) => isIn(folder, url))] }
    }),
    openapi,
    composer: { routes: composer.routes, openapi: composerOpenapi },
    async close() {
      await pool.end()
      await Promise.all([app.close(), composer.close()])
      await Promise.all([services.close(), composerServices.close()])
    },
  }
}

const FEATURES = join(import.meta.dirname, '../../apps/core/src/features')

/** Every feature.ts, also one that features.ts forgets. */
export async function readFolders(): Promise<Map<Feature, string>> {
  const folders = new Map<Feature, string>()
  for (const file of globSync('*/*/feature.ts', { cwd: FEATURES }).sort()) {
    const exported: Record<string, Feature> = await import(join(FEATURES, file))
    for (const feature of Object.values(exported)) folders.set(feature, dirname(file).split(sep).join('/'))
  }
  return folders
}

/** Whether a routes.ts in the folder of a feature names the URL. */
function isIn(folder: string, url: string): boolean {
  const cwd = join(FEATURES, folder)
  return globSync('**/*routes.ts', { cwd }).some((file) => readFileSync(join(cwd, file), 'utf8').includes(`'${url}'`))
}
