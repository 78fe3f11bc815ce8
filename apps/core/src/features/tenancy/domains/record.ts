import { publish, resolveLanguage } from '@tendon/access'
import type { TenantTx } from '@tendon/db'
import { sendMail } from '../../../platform/mail.ts'
import { type Auditor, recorder } from '../../../platform/recorder.ts'
import { domainRecordMissing, domainStopped } from './mails.ts'
import { type DomainRow, listDomainManagers } from './queries.ts'
import { stopsAt, txtRecordOf } from './rules.ts'

/** The challenge is a secret until the domain is verified: the audit log does not contain it. */
function withoutChallenge(row: DomainRow): object {
  const { challenge: _, ...shown } = row
  return shown
}

export const record = recorder({
  target: ({ id, domain }: DomainRow) => ({ type: 'domain', id, label: domain }),
  facts: withoutChallenge,
  payload: ({ id, domain }) => ({ domain_id: id, domain }),
  acts: {
    created: { action: 'domains.create', crud: 'C', event: 'domain.created' },
    /** Publishes `domain.<status>` when the status changes, and `domain.record_missing`: see recordCheck. */
    checked: { action: 'domains.verify', crud: 'U' },
    deleted: { action: 'domains.delete', crud: 'D', event: 'domain.deleted' },
  },
})

/** What a check leaves behind. The clinic gets a mail when a verified domain loses its record, and when it stops resolving. */
export async function recordCheck(
  by: Auditor,
  tx: TenantTx,
  before: DomainRow,
  after: DomainRow,
  problem: string | null,
): Promise<void> {
  const options = problem === null ? {} : { outcome: 'failure' as const, reason: problem }
  await record.checked(by, tx, before, after, options)
  const payload = { domain_id: after.id, domain: after.domain }
  if (before.status !== after.status) await publish(tx, `domain.${after.status}`, payload)
  if (before.status === 'verified' && after.status === 'failed') await notifyStopped(tx, after)
  const since = after.record_missing_since
  if (since === null || before.record_missing_since !== null) return
  const stops_at = stopsAt(since).toISOString()
  await publish(tx, 'domain.record_missing', { ...payload, stops_at })
  for (const { mail } of await listRecipients(tx)) {
    await sendMail(tx, domainRecordMissing, { ...mail, data: { ...shown(after), stops_at } })
  }
}

async function notifyStopped(tx: TenantTx, domain: DomainRow): Promise<void> {
  for (const { mail } of await listRecipients(tx)) await sendMail(tx, domainStopped, { ...mail, data: shown(domain) })
}

function shown(domain: DomainRow) {
  const { name, value } = txtRecordOf(domain)
  return { domain: domain.domain, record_name: name, record_value: value }
}

async function listRecipients(tx: TenantTx) {
  const managers = await listDomainManagers(tx)
  return managers.map(({ to_address, preferred_language, language_code }) => ({
    mail: { to_address, language: resolveLanguage(preferred_language, language_code) },
  }))
}
