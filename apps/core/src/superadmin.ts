import { readConfig } from '@tendon/config'
import { createServices } from './create-services.ts'
import { explainNotReady, findDatabaseUrl } from './database-url.ts'
import { runEntry } from './run-entry.ts'
import { superadminCommand } from './superadmin-command.ts'

runEntry(async () => {
  const config = readConfig(process.env)
  const services = createServices(config, 'tendon_app', await findDatabaseUrl(config))
  const words = await superadminCommand(process.argv.slice(2), services)
    .catch(explainNotReady)
    .finally(() => services.close())
  process.stdout.write(`${words}\n`)
})
