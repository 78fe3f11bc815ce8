import { readConfig } from '@tendon/config'
import { migrate } from '@tendon/db'
import { startTemporaryPostgres } from '@tendon/testing'
import { Pool, type QueryResultRow } from 'pg'
import { buildApp } from '../../apps/core/src/app.ts'
import { createServices } from '../../apps/core/src/create-services.ts'
import type { RouteTable } from '../../apps/core/src/route-table.ts'

/** What documents are made from: a database migrated from nothing, and the app as it would start by default. */
export interface Source {
  databaseUrl: string
  query: <Row extends QueryResultRow>(text: string) => Promise<Row[]>
  routes: RouteTable
  openapi: object
  close: () => Promise<void>
}

export async function startSource(): Promise<Source> {
  const postgres = await startTemporaryPostgres()
  const closers: (() => Promise<unknown>)[] = [() => postgres.remove()]
  const close = async () => {
    for (const closer of closers.toReversed()) await closer()
  }
  try {
    // A fixed configuration: nothing of this machine may reach a document.
    const config = readConfig({ NODE_ENV: 'test', DATA_DIR: postgres.dataDir, LOG_LEVEL: 'silent' })
    await migrate({ url: postgres.url, roleSecret: config.DATABASE_ROLE_SECRET })

    const services = createServices(config, 'tendon_app', postgres.url)
    closers.push(() => services.close())
    const app = buildApp(services)
    closers.push(() => app.close())
    const openapi = (await app.inject('/v1/openapi.json')).json<object>()

    const pool = new Pool({ connectionString: postgres.url, max: 4 })
    closers.push(() => pool.end())
    return {
      databaseUrl: postgres.url,
      query: async <Row extends QueryResultRow>(text: string) => (await pool.query<Row>(text)).rows,
      routes: app.routes,
      openapi,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
