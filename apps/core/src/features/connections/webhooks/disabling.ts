import { AuditLog, resolveLanguage, SYSTEM, systemContext } from '@tendon/access'
import type { TenantTx } from '@tendon/db'
import { sendMail } from '../../../platform/mail.ts'
import type { Auditor } from '../../../platform/recorder.ts'
import type { Services } from '../../../services.ts'
import { type LeasedDelivery, markAttempts, type Outcome } from './delivery-queries.ts'
import { webhookDisabled } from './mails.ts'
import { discardWaiting, findSubscriptionForUpdate, listWebhookManagers, updateSubscription } from './queries.ts'
import { record } from './record.ts'

/** After a 410 response: marks the attempt and deactivates the subscription, in one transaction. */
export async function disableGone(
  { db, box }: Pick<Services, 'db' | 'box'>,
  { organization_id }: LeasedDelivery,
  outcome: Outcome,
): Promise<void> {
  const log = new AuditLog(box)
  const by: Auditor = {
    audit: (tx, entry) => log.write(tx, { ...SYSTEM, organizationId: organization_id }, entry),
  }
  await db.tenant(systemContext(organization_id), async (tx) => {
    await markAttempts(tx, [outcome])
    await disable(by, tx, outcome.subscription_id, 'gone')
  })
}

/** Deactivates a subscription and sends a mail to the members who manage webhooks. */
export async function disable(by: Auditor, tx: TenantTx, uid: string, reason: 'gone' | 'failing'): Promise<void> {
  const before = await findSubscriptionForUpdate(tx, uid)
  if (!before?.is_active) return
  const after = await updateSubscription(tx, uid, { is_active: false, disabled_reason: reason })
  await discardWaiting(tx, uid)
  await record.disabled(by, tx, before, after, { payload: { reason } })
  for (const { to_address, preferred_language, language_code } of await listWebhookManagers(tx)) {
    await sendMail(tx, webhookDisabled, {
      to_address,
      language: resolveLanguage(preferred_language, language_code),
      data: { host: URL.parse(after.url)?.host ?? '', reason },
    })
  }
}
