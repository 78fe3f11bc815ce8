import type { DB } from '@tendon/db'
import type { Kysely } from 'kysely'
import type { Language } from './language.ts'

export interface Mail {
  to_address: string
  /** Names the text; a later feature renders and sends it. */
  template: 'break_glass_opened' | 'member_invited' | 'patient_invited'
  language: Language
  data: Record<string, unknown>
  /** For platform routes that write to an organization's people; else it is the one in context. */
  organization_id?: string
}

/** Writes a mail to the outbox, in the transaction that gives cause for it. */
export async function sendMail(tx: Kysely<DB>, mail: Mail): Promise<void> {
  await tx
    .insertInto('mail_outbox')
    .values({ ...mail, data: JSON.stringify(mail.data) })
    .execute()
}
