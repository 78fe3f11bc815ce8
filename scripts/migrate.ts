// `npm run migrate`: brings the database at DATABASE_URL up to date. For deployments; `npm start` does it by itself.
import { readConfig } from '@tendon/config'
import { migrate } from '@tendon/db'
import { findDatabaseUrl } from '../apps/core/src/database-url.ts'

const config = readConfig(process.env)
try {
  const applied = await migrate({
    url: await findDatabaseUrl(config),
    roleSecret: config.DATABASE_ROLE_SECRET,
    onProgress: console.log,
  })
  console.log(applied.length === 0 ? 'The database is up to date.' : `${applied.length} migrations applied.`)
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
