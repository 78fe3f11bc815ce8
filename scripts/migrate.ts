// `npm run migrate`: migrates the database at DATABASE_URL. For deployments; `npm start` migrates its own database.
import { readConfig } from '@tendon/config'
import { migrate } from '@tendon/db'
import { CHECK_DATABASE_URL, findDatabaseUrl, isUnreachable, runEntry, StartError } from '@tendon/process'

runEntry(async () => {
  const config = readConfig(process.env)
  const url = await findDatabaseUrl(config)
  const applied = await migrate({ url, roleSecret: config.DATABASE_ROLE_SECRET, onProgress: console.log }).catch(
    (error: Error) => {
      throw new StartError(
        `The migration failed: ${error.message}${isUnreachable(error) ? `. ${CHECK_DATABASE_URL}` : ''}`,
      )
    },
  )
  console.log(applied.length === 0 ? 'The database is up to date.' : `${applied.length} migrations applied.`)
})
