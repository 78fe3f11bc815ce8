import { openDatabase } from '@tendon/access'
import { readConfig } from '@tendon/config'
import { explainNotReady, findDatabaseUrl } from '@tendon/process'
import { verifyAuditLog } from './features/privacy/audit-logs/verify.ts'

/**
 * npm run audit:verify. The newest seal's hash is worth keeping elsewhere: whoever owns the database could rewrite the
 * whole chain, but not to the same hash.
 */
export async function runAuditVerify(
  variables: Record<string, string | undefined>,
  say: (line: string) => void,
): Promise<boolean> {
  const config = readConfig(variables)
  const db = openDatabase(config, 'tendon_app', await findDatabaseUrl(config))
  const verdict = await verifyAuditLog(db, say)
    .catch(explainNotReady)
    .finally(() => db.close())
  if (verdict.ok) {
    const { seals, entries, newest } = verdict
    if (newest) say(`Newest seal: ${newest.id} ${newest.hash.toString('hex')}`)
    say(`${seals} seals, ${entries} entries: the chain holds`)
  } else say(`The audit log does not verify. ${verdict.problem}`)
  return verdict.ok
}
