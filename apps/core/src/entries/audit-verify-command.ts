import { openDatabase } from '@tendon/access'
import { readConfig } from '@tendon/config'
import { openObjectStore } from '@tendon/object-store'
import { explainNotReady, findDatabaseUrl } from '@tendon/process'
import { anchorSigner, verifyAnchor } from '../features/privacy/audit-logs/anchors.ts'
import { verifyAuditLog } from '../features/privacy/audit-logs/verify.ts'

/** npm run audit:verify. Checks the chain of seals, and its end against the newest anchor in the object store. */
export async function runAuditVerify(
  variables: Record<string, string | undefined>,
  say: (line: string) => void,
): Promise<boolean> {
  const config = readConfig(variables)
  const db = openDatabase(config, 'tendon_app', await findDatabaseUrl(config))
  const [chain, end] = await Promise.all([
    verifyAuditLog(db, say),
    verifyAnchor(db, openObjectStore(config), anchorSigner(config.KEYRING)),
  ])
    .catch(explainNotReady)
    .finally(() => db.close())
  if (chain.ok && end.ok) {
    const { seals, entries, newest } = chain
    if (newest) say(`Newest seal: ${newest.id} ${newest.hash.toString('hex')}`)
    say(
      end.anchor
        ? `Newest anchor: seal ${end.anchor.seal_id}, written at ${end.anchor.anchored_at}`
        : 'There is no anchor in the object store: seals that were cut off cannot be noticed. The worker writes anchors.',
    )
    say(`${seals} seals, ${entries} entries: the chain holds`)
    return true
  }
  for (const verdict of [chain, end]) if (!verdict.ok) say(`The audit log does not verify. ${verdict.problem}`)
  return false
}
