import { readConfig } from '@tendon/config'
import { explainNotReady, findDatabaseUrl, runEntry } from '@tendon/http'
import { createServices } from './create-services.ts'
import { verifyAuditLog } from './features/audit-logs/verify.ts'

// npm run audit:verify. The newest seal's hash is worth keeping elsewhere: whoever owns the database could rewrite the
// whole chain, but not to the same hash.

const say = (line: string) => process.stdout.write(`${line}\n`)

runEntry(async () => {
  const config = readConfig(process.env)
  const services = createServices(config, 'tendon_app', await findDatabaseUrl(config))
  const verdict = await verifyAuditLog(services.db, say)
    .catch(explainNotReady)
    .finally(() => services.close())
  if (verdict.ok) {
    const { seals, entries, newest } = verdict
    if (newest) say(`Newest seal: ${newest.id} ${newest.hash.toString('hex')}`)
    say(`${seals} seals, ${entries} entries: the chain holds`)
  } else {
    say(`The audit log does not verify. ${verdict.problem}`)
    process.exitCode = 1
  }
})
