// `npm run migrate`: migrates the database at DATABASE_URL. For deployments; `npm start` migrates its own database.
import { readConfig } from '@tendon/config'
import { migrate } from '@tendon/db'
import { findDatabaseUrl, runEntry, StartError } from '@tendon/process'

const UNREACHABLE = new Set(['ECONNREFUSED', 'ENOTFOUND', '3D000', '28000', '28P01'])
const HINT = '. Check that PostgreSQL runs and that DATABASE_URL names it, an existing database and an administrator.'

runEntry(async () => {
  const config = readConfig(process.env)
  const url = await findDatabaseUrl(config)
  const applied = await migrate({ url, roleSecret: config.DATABASE_ROLE_SECRET, onProgress: console.log }).catch(
    (error: Error & { code?: unknown }) => {
      throw new StartError(`The migration failed: ${error.message}${UNREACHABLE.has(String(error.code)) ? HINT : ''}`)
    },
  )
  console.log(applied.length === 0 ? 'The database is up to date.' : `${applied.length} migrations applied.`)
})
