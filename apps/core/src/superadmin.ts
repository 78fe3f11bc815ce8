import { readConfig } from '@tendon/config'
import { explainNotReady, findDatabaseUrl, runEntry } from '@tendon/http'
import { createServices } from './create-services.ts'
import { superadminCommand } from './superadmin-command.ts'

runEntry(async () => {
  const config = readConfig(process.env)
  const services = createServices(config, 'tendon_app', await findDatabaseUrl(config))
  const words = await superadminCommand(process.argv.slice(2), services)
    .catch(explainNotReady)
    .finally(() => services.close())
  process.stdout.write(`${words}\n`)
})
