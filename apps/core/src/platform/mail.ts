import type { Language } from '@tendon/access'
import type { DB } from '@tendon/db'
import type { MailTemplate } from '@tendon/mail'
import type { Kysely } from 'kysely'

// To add a mail: write its template in the feature's `mails.ts` (texts in en and ro, `attachments` where it has some),
// name it in the feature object (`mails: [memberInvited]`), and call `sendMail` in the transaction that gives cause for
// it. The worker renders the template when it sends the mail, so `data` holds ids, names and times, no rendered text.

export interface Mail<Data> {
  to_address: string
  language: Language
  data: Data
  /** The patient that the mail is about: exports and erasures then find it, and marketing asks for their consent. */
  patient_profile_id?: string
  /** A second mail of the organization with the same key is not written. */
  dedupe_key?: string
  /** The appointment of a reminder: the mail is not sent after the appointment was cancelled or moved. */
  appointment_reminder_id?: string
  /** For platform routes that write to an organization's people; else it is the one in context. */
  organization_id?: string
}

/** Writes a mail to the outbox, in the transaction that gives cause for it. */
export async function sendMail<Data extends Record<string, unknown>>(
  tx: Kysely<DB>,
  template: MailTemplate<Data>,
  { data, ...mail }: Mail<Data>,
): Promise<void> {
  await tx
    .insertInto('mail_outbox')
    .values({ ...mail, template: template.name, kind: template.kind, data: JSON.stringify(data) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
