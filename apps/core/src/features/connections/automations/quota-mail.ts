import { resolveLanguage } from '@tendon/access'
import type { TenantTx } from '@tendon/db'
import { sendMail } from '../../../platform/mail.ts'
import { findClinicLanguage, listMembersWith } from './execution-queries.ts'
import { automationQuota } from './mails.ts'
import { type TriggeredRule, wasMailed } from './start-queries.ts'

/** Tells who manages automations that the quota skips executions; at most once in an hour. */
export async function mailAboutQuota(tx: TenantTx, { name }: TriggeredRule, now: Date): Promise<void> {
  if (await wasMailed(tx, automationQuota.name, now)) return
  const language = await findClinicLanguage(tx)
  // Two workers that see no mail yet write the same keys.
  const hour = now.toISOString().slice(0, 13)
  for (const { to_address, preferred_language } of await listMembersWith(tx, 'automations.manage')) {
    await sendMail(tx, automationQuota, {
      to_address,
      language: resolveLanguage(preferred_language, language),
      data: { rule_name: name },
      dedupe_key: `automation_quota:${hour}:${to_address}`,
    })
  }
}
