import { runEntry } from '@tendon/process'
import { runSuperadmin } from './superadmin-command.ts'

runEntry(async () => {
  process.stdout.write(`${await runSuperadmin(process.argv.slice(2), process.env)}\n`)
})
