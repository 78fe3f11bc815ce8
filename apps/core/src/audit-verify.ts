import { readConfig } from '@tendon/config'
import { Database } from '@tendon/db'
import { explainNotReady, findDatabaseUrl } from './database-url.ts'
import { verifyAuditLog } from './features/audit-logs/verify.ts'
import { runEntry } from './run-entry.ts'

// npm run audit:verify. The newest seal's hash is worth keeping elsewhere: whoever owns the database could rewrite the
// whole chain, but not to the same hash.

const say = (line: string) => process.stdout.write(`${line}\n`)

runEntry(async () => {
  const config = readConfig(process.env)
  const db = new Database({
    url: await findDatabaseUrl(config),
    roleSecret: config.DATABASE_ROLE_SECRET,
    login: 'tendon_app',
    poolSize: 1,
    platformPoolSize: 1,
    statementTimeoutMs: config.STATEMENT_TIMEOUT_MS,
    longStatementTimeoutMs: config.LONG_STATEMENT_TIMEOUT_MS,
  })
  const verdict = await verifyAuditLog(db, say)
    .catch(explainNotReady)
    .finally(() => db.close())
  if (verdict.ok) {
    const { seals, entries, newest } = verdict
    if (newest) say(`Newest seal: ${newest.id} ${newest.hash.toString('hex')}`)
    say(`${seals} seals, ${entries} entries: the chain holds`)
  } else {
    say(`The audit log does not verify. ${verdict.problem}`)
    process.exitCode = 1
  }
})
