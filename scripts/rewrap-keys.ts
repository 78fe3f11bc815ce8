// `npm run keys:rewrap`: after a new key became the first of KEYRING, moves all stored values to it.
import { readConfig } from '@tendon/config'
import { findDatabaseUrl, runEntry, StartError } from '@tendon/process'
import { parseKeyring } from '@tendon/secrets'
import { Client } from 'pg'
import { rewrapSecrets } from './keys/rewrap.ts'

runEntry(async () => {
  const config = readConfig(process.env)
  const client = new Client({ connectionString: await findDatabaseUrl(config) })
  try {
    await client.connect()
    await rewrapSecrets(client, parseKeyring(config.KEYRING), console.log)
  } catch (error) {
    throw new StartError(
      `${(error as Error).message}\nUse the login of npm run migrate, and a KEYRING with all keys in use.`,
    )
  } finally {
    await client.end()
  }
})
